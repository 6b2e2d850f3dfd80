package loss_test

import (
	"testing"

	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/driver"
	"github.com/kindsmith/kindsmith/internal/loss"
	"github.com/kindsmith/kindsmith/internal/plan"
)

// TestIdle checks that only types with values in objects lose any.
func TestIdle(t *testing.T) {
	bag := &diag.Bag{}
	m, err := driver.Model(driver.ModelConfig{Patterns: []string{"./testdata/idle/..."}}, bag)
	if err != nil || bag.HasErrors() {
		t.Fatal(err, bag.All())
	}
	loss.Report(m, plan.Build(m), bag)
	list := bag.All()
	if len(list) != 1 || list[0].Message != `Alone.size is removed in v1: values that clients of v1alpha1 and v1beta1 write are lost; if this is intended, add lossy: "<reason>"` {
		for _, d := range list {
			t.Error(d.Message)
		}
	}
	for _, p := range m.Packages {
		if p.Version == "v1alpha1" && (len(p.Types) != 1 || p.Types[0].Name != "Alone") {
			t.Errorf("v1alpha1 has %d types, want those that no kind uses", len(p.Types))
		}
	}
}
