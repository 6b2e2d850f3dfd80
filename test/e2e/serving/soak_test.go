package serving

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func soaking(t *testing.T) {
	t.Helper()
	if !*soak {
		t.Skip("needs -soak")
	}
}

// TestRestarts replaces both replicas under load, as a Deployment with maxUnavailable 0 does: no write fails. Then
// it kills one: only requests that it was answering fail.
func TestRestarts(t *testing.T) {
	soaking(t)
	w := newWorld(t)
	a, b := w.start(nil), w.start(nil)
	a.ready()
	b.ready()
	w.converts("first")
	load := w.load(50)
	for range 2 {
		c := w.start(nil).ready()
		a.terminate()
		a = b
		b = c
	}
	if load.failed() > 0 {
		t.Errorf("%d of %d writes failed in a rolling restart:\n%s", load.failed(), load.all(), load.reasons())
	}
	before := load.all()
	a.kill()
	time.Sleep(3 * time.Second)
	load.stop()
	t.Logf("%d of %d writes failed when a replica was killed", load.failed(), load.all()-before)
	if load.failed() > writers {
		t.Errorf("%d writes failed, and at most %d were in flight:\n%s", load.failed(), writers, load.reasons())
	}
	if load.all()-before < 50 {
		t.Errorf("only %d writes after a replica was killed", load.all()-before)
	}
}

// TestOverload sends more reviews of 28 MB at once than a replica has memory for, while the API server converts: reviews are shed,
// and all of them succeed when they are repeated like API servers do. Clients are added until a review is shed, which a fast machine
// does later than a slow one.
func TestOverload(t *testing.T) {
	soaking(t)
	w := newWorld(t)
	r := w.start([]string{"GOMEMLIMIT=256MiB", "GOMAXPROCS=1"}).ready()
	w.converts("first")
	load := w.load(10)
	review := reviewOf(60, 500_000)
	var posts sync.WaitGroup
	var shed atomic.Int64
	clients := 0
	for ; clients < 200 && shed.Load() == 0; clients++ {
		posts.Go(func() {
			for range 11 { // client-go repeats ten times
				status, retry, n := r.post(review)
				if status == http.StatusServiceUnavailable && retry == "1" {
					shed.Add(1)
					time.Sleep(time.Second)
					continue
				}
				if status != http.StatusOK || n < len(review)/10*9 {
					t.Errorf("status %d with %d bytes", status, n)
				}
				return
			}
			t.Error("a review is shed again and again")
		})
		if clients >= 20 {
			time.Sleep(50 * time.Millisecond)
		}
	}
	posts.Wait()
	load.stop()
	if load.failed() > 0 {
		t.Errorf("%d of %d writes failed meanwhile:\n%s", load.failed(), load.all(), load.reasons())
	}
	if shed.Load() == 0 {
		t.Error("nothing was shed")
	}
	t.Logf("of %d reviews of %d MB, %d were shed; the peak of the memory is %d MiB", clients, len(review)>>20, shed.Load(), r.peak()>>20)
	if limit := 256 << 20; r.peak() > limit*5/4 {
		t.Errorf("a replica with GOMEMLIMIT=256MiB took %d MiB", r.peak()>>20)
	}
}

// reviewOf returns a review of objects of a size.
func reviewOf(n, size int) []byte {
	object := fmt.Sprintf(`{"apiVersion":"%s/v1","kind":"Shop","metadata":{"name":"a"},"y":"%s"},`, group, strings.Repeat("t", size))
	return []byte(`{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","request":{"uid":"u","desiredAPIVersion":"` + group + `/v1beta1","objects":[` +
		strings.TrimSuffix(strings.Repeat(object, n), ",") + `]}}`)
}

// post sends a review to a replica. It returns the status, Retry-After, and how many bytes the answer has.
func (r *replica) post(review []byte) (status int, retry string, n int) {
	client := &http.Client{Timeout: 30 * time.Second, Transport: r.world.balancer.client.Transport}
	answer, err := client.Post("https://"+r.addr+"/convert", "application/json", bytes.NewReader(review))
	if err != nil {
		r.world.t.Error(err)
		return 0, "", 0
	}
	defer answer.Body.Close()
	size, err := io.Copy(io.Discard, answer.Body)
	if err != nil {
		r.world.t.Error(err)
	}
	return answer.StatusCode, answer.Header.Get("Retry-After"), int(size)
}

// peak returns the largest resident memory of a replica.
func (r *replica) peak() int {
	r.world.t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", r.Process.Pid))
	if err != nil {
		r.world.t.Skip(err) // only Linux has it
	}
	m := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(text)
	if m == nil {
		r.world.t.Fatal(string(text))
	}
	kb, _ := strconv.Atoi(string(m[1]))
	return kb << 10
}

// listed is how many objects the list of TestLargeList has: API servers convert stored objects one by one. page is how many a
// client asks for at once, as kubectl does with --chunk-size.
const listed, page = 100_000, 5000

// TestLargeList lists many objects in the version that is not stored, and converts as many in one review.
func TestLargeList(t *testing.T) {
	soaking(t)
	w := newWorld(t)
	r := w.start(nil).ready()
	w.converts("first")
	text := strings.Repeat("text ", 100)
	var creating sync.WaitGroup
	for worker := range 16 {
		creating.Go(func() {
			for i := worker; i < listed-1; i += 16 {
				object := map[string]any{"apiVersion": group + "/v1", "kind": "Shop", "metadata": map[string]any{"name": fmt.Sprintf("o-%d", i)}, "y": text}
				if status, answer, err := w.request(http.MethodPost, shops("v1"), object); err != nil || status != http.StatusCreated {
					t.Errorf("%d %v %v", status, answer["message"], err)
					return
				}
			}
		})
	}
	creating.Wait()
	load := w.load(10)
	begin := time.Now()
	n := w.list("v1beta1", func(object map[string]any) {
		if name := at(object, "metadata", "name"); strings.HasPrefix(fmt.Sprint(name), "o-") && object["x"] != text {
			t.Errorf("%v is not converted: %v", name, object["x"])
		}
	})
	if n < listed {
		t.Errorf("the list has %d objects", n)
	}
	t.Logf("%d objects in %s; %d writes meanwhile", n, time.Since(begin), load.all())
	// As many in one review.
	begin = time.Now()
	review := reviewOf(listed, 2000)
	if status, _, n := r.post(review); status != http.StatusOK || n < len(review)/10*9 {
		t.Errorf("one review: status %d with %d bytes", status, n)
	}
	load.stop()
	t.Logf("one review of %d MB in %s; the peak of the memory is %d MiB", len(review)>>20, time.Since(begin), r.peak()>>20)
	if load.failed() > 0 {
		t.Errorf("%d of %d writes failed meanwhile:\n%s", load.failed(), load.all(), load.reasons())
	}
}

// list calls a function for each object of a version, page by page, and returns their number. The cache of a version converts
// each write, and may be behind: API servers then ask clients to come again.
func (w *world) list(version string, each func(object map[string]any)) (n int) {
	w.t.Helper()
	deadline := time.Now().Add(4 * time.Minute) // tokens of pages end after 5
	for next := ""; ; {
		status, answer, err := w.request(http.MethodGet, shops(version)+"?limit="+strconv.Itoa(page)+"&continue="+url.QueryEscape(next), nil)
		if status == http.StatusGatewayTimeout && strings.Contains(fmt.Sprint(answer["message"]), "Too large resource version") && time.Now().Before(deadline) {
			time.Sleep(time.Second)
			continue
		}
		if err != nil || status != http.StatusOK {
			w.t.Fatalf("a page after %d objects: %d %v %v", n, status, answer["message"], err)
		}
		items, _ := answer["items"].([]any)
		for _, item := range items {
			each(item.(map[string]any))
			n++
		}
		if next, _ = at(answer, "metadata", "continue").(string); next == "" {
			return n
		}
	}
}

func at(value any, path ...string) any {
	for _, name := range path {
		o, _ := value.(map[string]any)
		value = o[name]
	}
	return value
}

// TestDown stops all replicas: the storage version is still served, and all versions soon after a replica is back,
// also if the API server was restarted.
func TestDown(t *testing.T) {
	soaking(t)
	w := newWorld(t)
	r := w.start(nil).ready()
	w.converts("first")
	for _, restart := range []bool{false, true} {
		r.kill()
		w.eventually("the balancer sees it", func() bool { return !w.balancer.ready(r.addr) })
		if restart {
			w.restart()
		}
		if got := w.must(http.MethodGet, shops("v1")+"/first", nil)["y"]; got != "text" {
			t.Errorf("the storage version: %v", got)
		}
		status, answer, err := w.request(http.MethodGet, shops("v1beta1")+"/first", nil)
		if err != nil || status != http.StatusInternalServerError || !strings.Contains(fmt.Sprint(answer["message"]), "conversion webhook") {
			t.Errorf("the other version: %d %v %v", status, answer["message"], err)
		}
		r = w.start(nil).ready()
		if took := w.converts(fmt.Sprint("after-", restart)); took > 30*time.Second {
			t.Errorf("it took %s", took)
		} else {
			t.Logf("converts %s after the replica is ready; API server restarted: %v", took, restart)
		}
	}
}
