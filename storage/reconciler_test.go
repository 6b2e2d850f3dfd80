package storage

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"
)

// lines is a log.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// reconcile runs a reconciler until the end of the test.
func reconcile(t *testing.T, f *fake) *lines {
	t.Helper()
	log := &lines{}
	r := &Reconciler{Definitions: []string{"unknown.shop.example.com", orders}, Interval: time.Millisecond, Options: fast, Log: slog.New(slog.NewTextHandler(log, nil))}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error)
	c := f.cluster()
	go func() { ended <- r.start(ctx, c) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return log
}

func (f *fake) eventually(what string, holds func() bool) {
	f.t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			f.t.Fatal("not in 30 s: ", what)
		}
	}
}

// TestReconciler changes the storage version twice.
func TestReconciler(t *testing.T) {
	f := newFake(t, "v2", "v1")
	f.add(15, "v1")
	log := reconcile(t, f)
	f.eventually("all in v2", func() bool { return f.storedVersions() == "[v2]" && f.in()["v2"] == 15 })
	f.store("v1")
	f.eventually("all in v1", func() bool { return f.storedVersions() == "[v1]" && f.in()["v1"] == 15 })
	f.eventually("both are logged", func() bool { return strings.Count(log.String(), "all objects are stored") == 2 })
	// A definition that does not change is not read again.
	count := func() int {
		f.mu.Lock()
		defer f.mu.Unlock()
		return f.reads
	}
	reads := 0
	f.eventually("no reads", func() bool {
		was := reads
		time.Sleep(20 * time.Millisecond)
		reads = count()
		return was == reads
	})
}

// TestReconcilerFailures logs what the API server refuses, and goes on when it is repaired.
func TestReconcilerFailures(t *testing.T) {
	f := newFake(t, "v2", "v1")
	f.add(15, "v1")
	f.refuse = invalid
	log := reconcile(t, f)
	f.eventually("failures", func() bool {
		text := log.String()
		return strings.Contains(text, "object=shop/order-0003") && strings.Contains(text, "count=5") && strings.Contains(text, "storedVersions stays as it is")
	})
	f.mu.Lock()
	f.refuse = nil
	f.mu.Unlock()
	f.eventually("all in v2", func() bool { return f.storedVersions() == "[v2]" && f.in()["v2"] == 15 })
}

func TestReconcilerMistakes(t *testing.T) {
	r := &Reconciler{}
	if err := r.Start(t.Context()); err == nil || !r.NeedLeaderElection() {
		t.Error("nothing is configured, and Start succeeds")
	}
}
