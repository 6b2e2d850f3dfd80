package storage

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
)

var fast = Options{Rate: 1e6}

// check compares where objects are stored, and what the definition says about it.
func (f *fake) check(in map[string]int, stored string) {
	f.t.Helper()
	if got := f.in(); !maps.Equal(got, in) {
		f.t.Errorf("objects by stored version: %v, want %v", got, in)
	}
	if got := f.storedVersions(); got != stored {
		f.t.Errorf("storedVersions %s, want %s", got, stored)
	}
}

func (f *fake) noProgress() {
	f.t.Helper()
	if notes, _ := f.meta()["annotations"].(map[string]any); len(notes) > 0 {
		f.t.Errorf("annotations are left: %v", notes)
	}
}

func TestRun(t *testing.T) {
	f := newFake(t, "v2", "v1")
	f.add(35, "v1")
	var last Progress
	r, err := f.cluster().Run(t.Context(), orders, Options{Rate: 1e6, Progress: func(p Progress) {
		if p.Done < last.Done || p.Total != 35 {
			t.Errorf("%v after %v", p, last)
		}
		last = p
	}})
	if err != nil || r.Done != 35 || len(r.Failures) > 0 || fmt.Sprint(r.Stored) != "[v2]" || last.Done != 35 {
		t.Fatal(r, err, last)
	}
	f.check(map[string]int{"v2": 35}, "[v2]")
	f.noProgress()
	// Nothing is left to do.
	if r, err := f.cluster().Run(t.Context(), orders, fast); err != nil || r.Done != 0 || f.writes != 35 {
		t.Error(r, err, f.writes)
	}
}

// TestResume stops a run, edits, deletes, replaces and adds objects, and lets snapshots of lists expire.
func TestResume(t *testing.T) {
	for _, expire := range []bool{false, true} {
		t.Run(fmt.Sprint("expired ", expire), func(t *testing.T) {
			f := newFake(t, "v2", "v1")
			f.add(50, "v1")
			ctx, stop := context.WithCancel(t.Context())
			_, err := f.cluster().Run(ctx, orders, Options{Rate: 1e6, Progress: func(p Progress) {
				if p.Done == 25 {
					stop()
				}
			}})
			if !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			if f.storedVersions() != "[v1 v2]" {
				t.Error("a stopped run has narrowed")
			}
			f.settle()
			f.edit("order-0030")
			f.mu.Lock()
			delete(f.objects, "shop/order-0031")
			f.version++
			f.objects["shop/order-0032"] = &stored{namespace: "shop", name: "order-0032", uid: "another", version: f.version, in: "v2"}
			f.version++
			f.objects["shop/order-0099"] = &stored{namespace: "shop", name: "order-0099", uid: "new", version: f.version, in: "v2"}
			if expire {
				clear(f.snapshots)
			}
			f.writes = 0
			f.mu.Unlock()
			r, err := f.cluster().Run(t.Context(), orders, fast)
			if err != nil || r.Resumed < 20 {
				t.Fatal(r, err)
			}
			if f.writes > 31 {
				t.Errorf("%d writes for at most 30 objects", f.writes)
			}
			f.check(map[string]int{"v2": 50}, "[v2]")
			f.noProgress()
		})
	}
}

func invalid(name string) *metav1.Status {
	return status(http.StatusUnprocessableEntity, metav1.StatusReasonInvalid, name+" is invalid: spec.items: Required value")
}

// TestFailures blocks the narrowing by some objects, and by more than the progress names.
func TestFailures(t *testing.T) {
	for _, failing := range []int{1, 120} {
		t.Run(fmt.Sprint(failing), func(t *testing.T) {
			f := newFake(t, "v2", "v1")
			f.add(200, "v1")
			f.refuse = func(name string) *metav1.Status {
				if name >= "order-0015" && name < fmt.Sprintf("order-%04d", 15+failing) {
					return invalid(name)
				}
				return nil
			}
			r, err := f.cluster().Run(t.Context(), orders, fast)
			if err != nil || len(r.Failures) != failing || r.Done != 200-failing {
				t.Fatal(r, err)
			}
			if got := r.Failures[0]; got.String() != "shop/order-0015" || !strings.Contains(got.Err.Error(), "Required value") {
				t.Error(got)
			}
			f.check(map[string]int{"v1": failing, "v2": 200 - failing}, "[v1 v2]")
			notes, _ := f.meta()["annotations"].(map[string]any)
			var kept progress
			if err := json.Unmarshal([]byte(fmt.Sprint(notes[progressAnnotation])), &kept); err != nil || len(kept.Failed) > failuresKept || (kept.Continue == "") != (failing <= failuresKept) {
				t.Errorf("the progress is %+v, %v", kept, err)
			}
			// Again: still blocked.
			if r, err := f.cluster().Run(t.Context(), orders, fast); err != nil || len(r.Failures) != failing {
				t.Fatal(r, err)
			}
			f.refuse, f.writes = nil, 0
			r, err = f.cluster().Run(t.Context(), orders, fast)
			if err != nil || len(r.Failures) != 0 || r.Done != 200 {
				t.Fatal(r, err)
			}
			if failing == 1 && f.writes != 1 {
				t.Errorf("%d writes for the one object that failed", f.writes)
			}
			f.check(map[string]int{"v2": 200}, "[v2]")
			f.noProgress()
		})
	}
}

// TestFailedObjectDeleted deletes the object that blocked the narrowing.
func TestFailedObjectDeleted(t *testing.T) {
	f := newFake(t, "v2", "v1")
	f.add(5, "v1")
	f.refuse = func(name string) *metav1.Status {
		if name == "order-0003" {
			return invalid(name)
		}
		return nil
	}
	if r, err := f.cluster().Run(t.Context(), orders, fast); err != nil || len(r.Failures) != 1 {
		t.Fatal(r, err)
	}
	delete(f.objects, "shop/order-0003")
	if r, err := f.cluster().Run(t.Context(), orders, fast); err != nil || len(r.Failures) != 0 {
		t.Fatal(r, err)
	}
	f.check(map[string]int{"v2": 4}, "[v2]")
}

// TestDefinitionChanges changes the storage version while objects move: all move again.
func TestDefinitionChanges(t *testing.T) {
	f := newFake(t, "v2", "v1")
	f.add(40, "v1")
	changed := false
	r, err := f.cluster().Run(t.Context(), orders, Options{Rate: 1e6, Progress: func(p Progress) {
		if p.Done == 15 && !changed {
			changed = true
			f.store("v1")
		}
	}})
	if err != nil || r.Storage != "v1" {
		t.Fatal(r, err)
	}
	f.check(map[string]int{"v1": 40}, "[v1]")
	f.noProgress()
}

// TestNarrowWithLock writes the definition between the last look at it and the narrowing.
func TestNarrowWithLock(t *testing.T) {
	for name, spec := range map[string]bool{"metadata": false, "specification": true} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t, "v2", "v1")
			f.add(5, "v1")
			tries := 0
			f.before = func(_ http.ResponseWriter, r *http.Request) bool {
				if strings.HasSuffix(r.URL.Path, "/status") {
					if tries++; tries == 1 {
						f.mu.Lock()
						f.written(spec)
						f.mu.Unlock()
					}
				}
				return false
			}
			if _, err := f.cluster().Run(t.Context(), orders, fast); err != nil || tries != 2 {
				t.Fatal(err, tries)
			}
			if again := f.writes > 5; again != spec {
				t.Errorf("%d writes", f.writes)
			}
			f.check(map[string]int{"v2": 5}, "[v2]")
		})
	}
}

// TestPassingErrors repeats what an API server cannot answer now.
func TestPassingErrors(t *testing.T) {
	f := newFake(t, "v2", "v1")
	f.add(12, "v1")
	var n atomic.Int64
	f.before = func(w http.ResponseWriter, _ *http.Request) bool {
		if n.Add(1)%3 != 0 {
			return false
		}
		if n.Load()%2 == 0 {
			failed(w, http.StatusInternalServerError, metav1.StatusReasonInternalError, "conversion webhook failed: EOF")
		} else {
			panic(http.ErrAbortHandler) // closes the connection
		}
		return true
	}
	c := f.cluster()
	for range 20 { // reading the definition is not repeated: nothing is lost then
		if r, err := c.Run(t.Context(), orders, fast); err == nil && len(r.Failures) == 0 {
			f.check(map[string]int{"v2": 12}, "[v2]")
			return
		}
	}
	t.Fatal("no run succeeded")
}

// TestRate measures the time of a slow run.
func TestRate(t *testing.T) {
	f := newFake(t, "v2", "v1")
	f.add(writers+20, "v1")
	begin := time.Now()
	if _, err := f.cluster().Run(t.Context(), orders, Options{Rate: 100}); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(begin); took < 190*time.Millisecond {
		t.Errorf("%v for 20 objects after the first %d, at 100 a second", took, writers)
	}
}

func TestMistakes(t *testing.T) {
	f := newFake(t, "v2", "v1")
	for name, tc := range map[string]struct {
		name, want string
		change     func()
	}{
		"short":   {name: "orders", want: "write its full name, <plural>.<group>"},
		"unknown": {name: "baskets.shop.example.com", want: "there is no CustomResourceDefinition baskets.shop.example.com"},
		"unserved": {name: orders, want: "serves no version", change: func() {
			for _, v := range f.spec()["versions"].([]any) {
				v.(map[string]any)["served"] = false
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			if tc.change != nil {
				tc.change()
			}
			if _, err := f.cluster().Run(t.Context(), tc.name, fast); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%v, want %s", err, tc.want)
			}
		})
	}
	gone, err := New(&rest.Config{Host: "http://127.0.0.1:1"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := gone.Run(t.Context(), orders, fast); err == nil || !strings.Contains(err.Error(), "read the CustomResourceDefinition "+orders) {
		t.Error(err)
	}
}

// TestMigrator uses the migrator of an API server. Like upstream's, it marks a definition while it works. Some time after the
// migration is finished, if the migration still exists, it removes the mark, and all old versions from the stored ones.
func TestMigrator(t *testing.T) {
	stages := func(f *fake, m map[string]any, last string, running ...string) {
		conditions := []any{map[string]any{"type": "Running", "status": running[0]}}
		f.status()["migrating"] = running[0] == "True"
		if len(running) < 3 {
			conditions = append(conditions, map[string]any{"type": last, "status": "True"})
		}
		if running[0] == "False" {
			f.status()["storedVersions"] = []any{"v2"}
			f.written(false)
		}
		m["status"] = map[string]any{"conditions": conditions}
		if last == "Succeeded" && len(running) < 3 {
			for _, o := range f.objects {
				o.in = f.storage()
			}
		}
	}
	for name, tc := range map[string]struct {
		version, last string
		running       []string // what the condition says at each look
		writes        int
		marked        bool
		refused       string
	}{
		"succeeds":                     {"v1", "Succeeded", []string{"True", "True", "False"}, 0, false, ""},
		"succeeds in v1beta1":          {"v1beta1", "Succeeded", []string{"True", "True", "False"}, 0, false, ""},
		"has no condition for running": {"v1", "Succeeded", []string{"", "", ""}, 0, false, ""},
		"is never done":                {"v1", "Succeeded", []string{"True", "True", "True"}, 0, true, ""},
		"fails":                        {"v1", "Failed", []string{"True", "True", "False"}, 25, false, ""},
		"fails for an object":          {"v1", "Failed", []string{"True", "True", "False"}, 25, false, "order-0003"},
		"stuck":                        {"v1", "", nil, 25, false, ""},
		"unknown version":              {"v1alpha1", "", nil, 25, false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t, "v2", "v1")
			f.add(25, "v1")
			f.migrations, f.migration = map[string]map[string]any{}, tc.version
			f.migrate = func(m map[string]any) {
				if tc.running == nil {
					return
				}
				stages(f, m, tc.last, tc.running...)
				if len(tc.running) > 1 {
					tc.running = tc.running[1:]
				}
			}
			if tc.refused != "" {
				f.refuse = func(name string) *metav1.Status {
					if name != tc.refused {
						return nil
					}
					return status(http.StatusUnprocessableEntity, metav1.StatusReasonInvalid, "invalid")
				}
			}
			r, err := f.cluster().Run(t.Context(), orders, fast)
			if err != nil || (r.Migrator != "") != (tc.writes == 0) {
				t.Fatal(r, err)
			}
			if f.writes != tc.writes || len(f.migrations) != 0 {
				t.Errorf("%d writes; migrations that are left: %v", f.writes, f.migrations)
			}
			if marked := f.status()["migrating"] == true; marked != tc.marked {
				t.Errorf("the definition is still marked: %v", marked)
			}
			if tc.refused != "" {
				f.check(map[string]int{"v1": 1, "v2": 24}, "[v1 v2]")
			} else {
				f.check(map[string]int{"v2": 25}, "[v2]")
			}
		})
	}
}
