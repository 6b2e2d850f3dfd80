package serving

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// writers is how many objects are written at once.
const writers = 8

// load writes objects in the version that is not stored.
type load struct {
	cancel func()
	group  sync.WaitGroup
	ok     atomic.Int64

	mu   sync.Mutex
	errs []string
}

// load begins to write at a rate.
func (w *world) load(perSecond int) *load {
	w.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	l := &load{cancel: cancel}
	w.t.Cleanup(cancel)
	for i := range writers {
		name := fmt.Sprintf("load-%d", i)
		w.must(http.MethodPost, shops("v1beta1"), shop(name, ""))
		l.group.Go(func() {
			tick := time.NewTicker(time.Second * writers / time.Duration(perSecond))
			defer tick.Stop()
			for n := 0; ; n++ {
				select {
				case <-ctx.Done():
					return
				case <-tick.C:
				}
				value := fmt.Sprint("write ", n)
				status, answer, err := w.request(http.MethodPatch, shops("v1beta1")+"/"+name, map[string]any{"x": value})
				if err == nil && status == http.StatusOK && answer["x"] == value {
					l.ok.Add(1)
					continue
				}
				l.mu.Lock()
				l.errs = append(l.errs, fmt.Sprintf("%s: %d %v %v", name, status, answer["message"], err))
				l.mu.Unlock()
			}
		})
	}
	return l
}

func (l *load) stop() {
	l.cancel()
	l.group.Wait()
}

func (l *load) failed() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.errs)
}

func (l *load) all() int { return int(l.ok.Load()) + l.failed() }

func (l *load) reasons() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.errs[:min(len(l.errs), 10)], "\n")
}

// watching counts how often a watch ends.
type watching struct {
	n atomic.Int64
}

func (w *watching) ends() int { return int(w.n.Load()) }

// watch watches the objects until the test ends.
func (w *world) watch() *watching {
	w.t.Helper()
	out := &watching{}
	ctx, cancel := context.WithCancel(context.Background())
	begun := make(chan bool, 1)
	var group sync.WaitGroup
	group.Go(func() {
		for ctx.Err() == nil {
			r, err := http.NewRequestWithContext(ctx, http.MethodGet, w.URL+shops("v1beta1")+"?watch=1", nil)
			if err != nil {
				return
			}
			response, err := w.client.Do(r)
			if err != nil || response.StatusCode != http.StatusOK {
				if err == nil {
					response.Body.Close()
				}
				time.Sleep(50 * time.Millisecond)
				continue
			}
			select {
			case begun <- true:
			default:
			}
			_, _ = io.Copy(io.Discard, response.Body)
			response.Body.Close()
			if ctx.Err() == nil {
				out.n.Add(1)
			}
		}
	})
	w.t.Cleanup(func() {
		cancel()
		group.Wait()
	})
	<-begun
	return out
}
