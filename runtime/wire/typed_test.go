package wire

import (
	"maps"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type (
	typedHub   struct{ typedShop[struct{}] }
	typedAlpha struct {
		typedShop[struct {
			Old string `json:"old,omitempty"`
		}]
	}
	typedBeta struct {
		typedShop[struct {
			Former int `json:"former,omitempty"`
		}]
	}
	typedShop[T any] struct {
		metav1.TypeMeta   `json:",inline"`
		metav1.ObjectMeta `json:"metadata,omitzero"`
		Spec              T `json:"spec"`
	}
)

// TestRegister converts Go objects with a removed field of another type in each older version, in programs that have
// both older versions or one.
func TestRegister(t *testing.T) {
	for _, conversion := range betweenTables() {
		Register("both", func() Conversion { return conversion })
		if conversion.Table.Older == "v1alpha1" {
			Register("one", func() Conversion { return conversion })
		}
	}
	// hub returns a new object by way of the oldest version.
	again := func(hub *typedHub, program, shown, edit string) *typedHub {
		t.Helper()
		alpha, out := &typedAlpha{}, &typedHub{}
		alpha.ObjectMeta = *hub.DeepCopy()
		tracking := Tracking{Hub: program, Older: "v1alpha1"}
		if err := Downgrade(tracking, "Shop", hub, alpha, nil); err != nil || alpha.Spec.Old != shown {
			t.Errorf("%s: shows %q, error %v", program, alpha.Spec.Old, err)
		}
		if edit != "" {
			alpha.Spec.Old = edit
		}
		if err := Upgrade(tracking, "Shop", alpha, out, nil); err != nil {
			t.Error(err)
		}
		return out
	}
	former := func(hub *typedHub) int {
		t.Helper()
		beta := &typedBeta{}
		if err := Downgrade(Tracking{Hub: "both", Older: "v1beta1"}, "Shop", hub, beta, nil); err != nil {
			t.Error(err)
		}
		return beta.Spec.Former
	}
	hub, beta := &typedHub{}, &typedBeta{}
	beta.APIVersion, beta.Kind, beta.Spec.Former = "shop.example.com/v1beta1", "Shop", 7
	if err := Upgrade(Tracking{Hub: "both", Older: "v1beta1"}, "Shop", beta, hub, nil); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		program, shown, edit string
		want                 int
	}{{"both", "7", "", 7}, {"both", "7", "8", 8}, {"one", "", "", 7}, {"one", "", "8", 8}} {
		out := again(hub, test.program, test.shown, test.edit)
		if got := former(out); got != test.want {
			t.Errorf("%v: got %d of %v", test, got, out.Annotations)
		}
		if test.edit == "" && !maps.Equal(out.Annotations, hub.Annotations) {
			t.Errorf("%v: tracks %v", test, out.Annotations)
		}
	}
	if err := Downgrade(Tracking{Hub: "one", Older: "v1beta1"}, "Shop", hub, beta, nil); err == nil {
		t.Error("a version that is not registered converts")
	}
}
