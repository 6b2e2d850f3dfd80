package wiretable_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindsmith/kindsmith/internal/driver"
	"github.com/kindsmith/kindsmith/internal/emittest"
)

// TestDiffers checks what is the reason why kinds need a webhook.
func TestDiffers(t *testing.T) {
	m, bag := emittest.Model(t, "./testdata/differs/v1")
	for _, d := range bag.All() {
		t.Error(d)
	}
	got := map[string]string{}
	for _, p := range driver.Plans(m, "v1beta1") {
		for _, typ := range p.Types {
			if typ.Kind {
				got[typ.Hub.Name] = typ.Differs
			}
		}
	}
	want := map[string]string{
		"Same": "", "GoName": "", "Retyped": "", "Recursive": "",
		"Added":       "name does not exist in v1beta1",
		"Annotation":  "name is metadata.annotations.example.com/name in v1beta1",
		"Enum":        "mode has other values in v1beta1",
		"Inlined":     "size is number in v1beta1",
		"List":        "modes[] has other values in v1beta1",
		"Moved":       "spec.name is name in v1beta1",
		"Removed":     "old exists only in v1beta1",
		"Renamed":     "name is title in v1beta1",
		"Split":       "host does not exist in v1beta1",
		"ToLabel":     "metadata.labels.example.com/shard is shard in v1beta1",
		"Transformed": "port has another type in v1beta1",
		"Values":      "items.*.size is items.*.number in v1beta1",
		"Wrapped":     "names is a single value in v1beta1",
		"WrappedEnum": "modes is a single value in v1beta1",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
