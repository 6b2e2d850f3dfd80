package storage

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// versionsServed returns the served versions, and the strategy of conversion.
func (f *fake) versionsServed() string {
	var served []string
	for _, v := range f.spec()["versions"].([]any) {
		if v := v.(map[string]any); v["served"] == true {
			served = append(served, v["name"].(string))
		}
	}
	return fmt.Sprint(served, " ", f.spec()["conversion"])
}

const detached = "[v2] map[strategy:None]"

func TestDetach(t *testing.T) {
	f := newFake(t, "v2", "v1")
	f.add(15, "v1")
	r, err := f.cluster().Detach(t.Context(), orders, fast)
	if err != nil || r.Done != 15 || fmt.Sprint(r.Stopped) != "[v1]" {
		t.Fatal(r, err)
	}
	f.check(map[string]int{"v2": 15}, "[v2]")
	if got := f.versionsServed(); got != detached {
		t.Error(got)
	}
	f.noProgress()
	version := f.meta()["resourceVersion"]
	if r, err := f.cluster().Detach(t.Context(), orders, fast); err != nil || r.Done != 0 || len(r.Stopped) != 0 || f.meta()["resourceVersion"] != version {
		t.Error("again:", r, err)
	}
}

// TestDetachBlocked does not detach if an object stays in an older version, or if nothing would be served.
func TestDetachBlocked(t *testing.T) {
	f := newFake(t, "v2", "v1")
	f.add(5, "v1")
	before := f.versionsServed()
	f.refuse = invalid
	if r, err := f.cluster().Detach(t.Context(), orders, fast); err != nil || len(r.Failures) != 5 {
		t.Fatal(r, err)
	}
	if got := f.versionsServed(); got != before {
		t.Error(got)
	}
	f.spec()["versions"].([]any)[0].(map[string]any)["served"] = false
	if _, err := f.cluster().Detach(t.Context(), orders, fast); err == nil || !strings.Contains(err.Error(), "does not serve its storage version v2") {
		t.Error(err)
	}
}

// TestDetachChanged changes the storage version before the last write: the objects move again.
func TestDetachChanged(t *testing.T) {
	f := newFake(t, "v2", "v1")
	f.add(5, "v2")
	tries := 0
	f.before = func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Header.Get("Content-Type") == "application/json-patch+json" {
			if tries++; tries == 1 {
				f.store("v1")
			}
		}
		return false
	}
	r, err := f.cluster().Detach(t.Context(), orders, fast)
	if err != nil || r.Storage != "v1" || fmt.Sprint(r.Stopped) != "[v2]" {
		t.Fatal(r, err)
	}
	f.check(map[string]int{"v1": 5}, "[v1]")
}
