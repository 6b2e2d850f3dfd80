package plan_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/driver"
	"github.com/kindsmith/kindsmith/internal/plan"
)

// A plan that is read from its JSON is the same plan.
func TestJSON(t *testing.T) {
	bag := &diag.Bag{}
	m, err := driver.Model(driver.ModelConfig{Patterns: []string{"../emit/conversion/testdata/shop/...", "../emit/conversion/testdata/handwritten/..."}}, bag)
	if err != nil || bag.HasErrors() {
		t.Fatal(err, bag.All())
	}
	plans := plan.Build(m)
	if len(plans) != 4 {
		t.Errorf("%d plans, want 4", len(plans))
	}
	for path, p := range plans {
		text, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		var read plan.Plan
		if err := json.Unmarshal(text, &read); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		again, err := json.Marshal(&read)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(text), string(again)); diff != "" {
			t.Errorf("%s differs:\n%s", path, diff)
		}
		for _, pair := range p.Types {
			if got := read.Of(pair.Older, pair.Hub); got == nil || got.Hub != pair.Hub {
				t.Errorf("%s: the type %s is not found", path, pair.Older)
			}
		}
	}
}

// A cast converts a type if both versions have the same fields in the same order, at any depth, and no value changes.
func TestCasts(t *testing.T) {
	bag := &diag.Bag{}
	m, err := driver.Model(driver.ModelConfig{Patterns: []string{"./testdata/layouts/..."}}, bag)
	if err != nil || bag.HasErrors() {
		t.Fatal(err, bag.All())
	}
	for _, p := range plan.Build(m) {
		for _, pair := range p.Types {
			casts := strings.HasPrefix(pair.Hub.Name, "Casts")
			if pair.Casts(plan.Up) != casts {
				t.Errorf("%s casts up: %t", pair.Hub.Name, pair.Casts(plan.Up))
			}
			if casts = casts && !strings.HasPrefix(pair.Hub.Name, "CastsUp"); pair.Casts(plan.Down) != casts {
				t.Errorf("%s casts down: %t", pair.Hub.Name, pair.Casts(plan.Down))
			}
		}
	}
}
