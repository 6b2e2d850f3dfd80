package validate_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	. "github.com/kindsmith/kindsmith/runtime/gen/validate"
)

func TestPath(t *testing.T) {
	var root Path
	spec := root.Child("spec")
	item := spec.Index(12)
	key := item.Key("a]b")
	name := key.Child("name")
	first, top := root.Index(0), root.Key("k")
	for _, base := range []*field.Path{nil, field.NewPath("x"), field.NewPath("x").Index(1)} {
		r := NewRun(ctx, create, base)
		for _, tc := range []struct {
			got  *Path
			want *field.Path
		}{
			{nil, base},
			{&root, base},
			{&spec, base.Child("spec")},
			{&item, base.Child("spec").Index(12)},
			{&key, base.Child("spec").Index(12).Key("a]b")},
			{&name, base.Child("spec").Index(12).Key("a]b").Child("name")},
			{&first, base.Index(0)},
			{&top, base.Key("k")},
		} {
			if got, want := r.FieldPath(tc.got).String(), tc.want.String(); got != want {
				t.Errorf("below %v: got %s, want %s", base, got, want)
			}
		}
	}
}
