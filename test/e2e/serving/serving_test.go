package serving

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/kindsmith/kindsmith/webhook/server"
)

const secretPath = "/api/v1/namespaces/shop/secrets/ca"

// TestReplicas starts replicas at once without a Secret, with clocks that differ by 20 minutes: they have one
// authority, and convert. A new certificate and a deleted Secret change nothing for the API server.
func TestReplicas(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	replicas := []*replica{
		w.start(nil, func(s *settings) { s.Skew = 10 * time.Minute }),
		w.start(nil, func(s *settings) { s.Skew = -10 * time.Minute }),
	}
	for _, r := range replicas {
		r.ready()
	}
	for _, name := range []string{"a", "b", "c", "d"} {
		w.converts(name)
	}
	authorities, version := w.bundle()
	if authorities != 1 {
		t.Errorf("there are %d authorities", authorities)
	}
	w.must(http.MethodDelete, secretPath, nil)
	w.must(http.MethodGet, secretPath, nil)
	replicas[0].terminate()
	w.start(nil).ready() // with the Secret that another replica created
	w.converts("e")
	if n, after := w.bundle(); n != 1 || after != version {
		t.Errorf("the definition was written: %d authorities, version %s after %s", n, after, version)
	}
	partial(w)
}

// partial has requests that convert objects without their fields.
func partial(w *world) {
	w.t.Helper()
	object := shop("partial", "text")
	object["metadata"].(map[string]any)["finalizers"] = []string{group + "/wait"}
	w.must(http.MethodPost, shops("v1beta1"), object)
	accept := []string{"Accept", "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"}
	for _, v := range []string{"v1beta1", "v1"} {
		path := shops(v) + "/partial"
		if got := w.must(http.MethodGet, path, nil, accept...); got["kind"] != "PartialObjectMetadata" {
			w.t.Errorf("%s: %v", v, got)
		}
		w.must(http.MethodPatch, path, map[string]any{"metadata": map[string]any{"labels": map[string]any{"by": v}}}, accept...)
		apply := map[string]any{"apiVersion": group + "/" + v, "kind": "Shop", "metadata": map[string]any{"annotations": map[string]any{"by": v}}}
		w.must(http.MethodPatch, path+"?fieldManager=meta&force=true", apply, "Content-Type", "application/apply-patch+yaml")
	}
	w.must(http.MethodDelete, shops("v1")+"/partial", nil)
	if got := w.must(http.MethodGet, shops("v1beta1")+"/partial", nil); got["metadata"].(map[string]any)["deletionTimestamp"] == nil || got["x"] != "text" {
		w.t.Errorf("an object that terminates: %v", got)
	}
	w.must(http.MethodPatch, shops("v1beta1")+"/partial", map[string]any{"metadata": map[string]any{"finalizers": nil}}, accept...)
	if status, answer, err := w.request(http.MethodGet, shops("v1")+"/partial", nil); err != nil || status != http.StatusNotFound {
		w.t.Errorf("an object without finalizers: %d %v %v", status, answer, err)
	}
}

// TestUnknownVersion serves a version that replicas do not know: they are never ready.
func TestUnknownVersion(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "v2")
	r := w.start(nil)
	want := "it serves v2"
	w.eventually("the reason", func() bool { _, text := r.get("/readyz"); return strings.Contains(text, want) })
	for range 20 {
		if status, text := r.get("/readyz"); status != http.StatusServiceUnavailable || !strings.Contains(text, want) {
			t.Fatalf("%d %s", status, text)
		}
		time.Sleep(100 * time.Millisecond)
	}
	if n := strings.Count(r.log.String(), want); n != 1 {
		t.Errorf("the reason is logged %d times:\n%s", n, r.log)
	}
}

// TestRotation forces a rotation: API servers convert meanwhile.
func TestRotation(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a, b := w.start(nil), w.start(nil)
	a.ready()
	b.ready()
	w.converts("first")
	rotations, writes := 1, 10
	if *soak {
		rotations, writes = 3, 50
	}
	load := w.load(writes)
	watching := w.watch()
	for range rotations {
		w.must(http.MethodPatch, secretPath, map[string]any{"metadata": map[string]any{"annotations": map[string]any{server.RotateAnnotation: "now"}}})
		w.eventually("the next authority is published", func() bool { n, _ := w.bundle(); return n == 2 })
		w.eventually("the previous authority is dropped", func() bool { n, _ := w.bundle(); return n == 1 })
		time.Sleep(time.Second)
	}
	load.stop()
	if n := watching.ends(); n > 2*rotations {
		t.Errorf("watches ended %d times in %d rotations", n, rotations)
	}
	if load.failed() > 0 {
		t.Errorf("%d of %d writes failed:\n%s", load.failed(), load.all(), load.reasons())
	}
	t.Logf("%d writes, %d ends of watches", load.all(), watching.ends())
	if n := w.conversionFailures(); n > 0 {
		t.Errorf("the API server counts %d failed conversions", n)
	}
}

// TestLeafRenewal renews serving certificates every few seconds: API servers convert meanwhile, and nothing is written for it.
func TestLeafRenewal(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	// Certificates begin an hour before they are signed, and are renewed after two thirds of their time: these after 2 s.
	r := w.start(nil, func(s *settings) { s.Life = 30*time.Minute + 3*time.Second }).ready()
	w.converts("first")
	_, version := w.bundle()
	writes := w.definitionWrites()
	if writes == 0 {
		t.Error("the API server counts no writes of definitions: a replica has written its authority")
	}
	load, watching := w.load(20), w.watch()
	leaf := r.leaf()
	for range 2 {
		before := leaf
		w.eventually("a new certificate", func() bool { leaf = r.leaf(); return !leaf.Equal(before) })
	}
	load.stop()
	w.balancer.cut() // the API server has to verify the new certificate
	w.converts("after")
	if n := w.definitionWrites() - writes; n != 0 {
		t.Errorf("definitions were written %d times", n)
	}
	if n, after := w.bundle(); n != 1 || after != version {
		t.Errorf("the definition was written: %d authorities, version %s after %s", n, after, version)
	}
	if n := watching.ends(); n > 0 {
		t.Errorf("watches ended %d times", n)
	}
	if load.failed() > 0 || load.all() == 0 {
		t.Errorf("%d of %d writes failed:\n%s", load.failed(), load.all(), load.reasons())
	}
}

// leaf returns the serving certificate, if it is one that the API server trusts.
func (r *replica) leaf() *x509.Certificate {
	r.world.t.Helper()
	pem, _ := r.world.authorities()
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pem)
	c, err := tls.Dial("tcp", r.addr, &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12})
	if err != nil {
		r.world.t.Fatal(err)
	}
	defer c.Close()
	return c.ConnectionState().PeerCertificates[0]
}

// definitionWrites returns how many writes of definitions the API server has answered, by its metrics.
func (w *world) definitionWrites() (n int) {
	w.t.Helper()
	for _, m := range regexp.MustCompile(`(?m)^apiserver_request_total\{.*resource="customresourcedefinitions".*verb="(?:APPLY|CREATE|DELETE|PATCH|POST|PUT|UPDATE)".*\} (\d+)`).FindAllStringSubmatch(w.metrics(), -1) {
		one, _ := strconv.Atoi(m[1])
		n += one
	}
	return n
}

// metrics returns the metrics of the API server.
func (w *world) metrics() string {
	w.t.Helper()
	r, err := http.NewRequest(http.MethodGet, w.URL+"/metrics", nil)
	if err != nil {
		w.t.Fatal(err)
	}
	answer, err := w.client.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return string(text)
}

// conversionFailures returns how many reviews failed by the metrics of the API server, which counts some.
func (w *world) conversionFailures() int {
	w.t.Helper()
	failures, successes := 0, 0
	for _, m := range regexp.MustCompile(`(?m)^apiserver_conversion_webhook_request_total\{failure_type="([^"]*)",result="([^"]*)"\} (\d+)`).FindAllStringSubmatch(w.metrics(), -1) {
		n, _ := strconv.Atoi(m[3])
		if m[2] == "success" {
			successes += n
		} else {
			failures += n
		}
	}
	if successes == 0 {
		w.t.Error("the API server counts no conversions")
	}
	return failures
}
