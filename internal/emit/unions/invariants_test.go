package unions_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// TestInvariants sends every object with any of three members to a server that has stored none, or any
// that it accepts, and checks what holds for all accepted requests.
func TestInvariants(t *testing.T) {
	members := map[string]string{"A": "a", "B": "b", "C": "c"}
	var objects []map[string]any
	for _, d := range []any{nil, "", "None", "A", "B", "C", "Zed"} {
		for set := range 1 << len(members) {
			object := map[string]any{}
			if d != nil {
				object["d"] = d
			}
			for i, value := range slices.Sorted(maps.Keys(members)) {
				if set>>i&1 == 1 {
					object[members[value]] = 1.0
				}
			}
			objects = append(objects, object)
		}
	}
	for _, typ := range []string{"OptionalUnion", "RequiredUnion", "RequiredUnionStrict", "LenientOptional", "LenientRequired"} {
		t.Run(typ, func(t *testing.T) {
			update := func(object, old map[string]any) (map[string]any, field.ErrorList) {
				out, errs, err := servers[typ](object, old)
				if err != nil {
					t.Fatal(err)
				}
				return out, errs
			}
			stored := []map[string]any{nil}
			for _, object := range objects {
				if out, errs := update(object, nil); len(errs) == 0 {
					stored = append(stored, out)
				}
			}
			accepted := 0
			for _, old := range stored {
				for _, sent := range objects {
					out, errs := update(sent, old)
					if len(errs) > 0 {
						continue
					}
					accepted++
					request := fmt.Sprintf("%v is sent to %v and stored as %v", sent, old, out)
					for value, m := range members {
						if out[m] != nil && out["d"] != value {
							t.Errorf("%s: %s is not the selected member", request, m)
						}
						if old[m] != nil && out[m] == nil && sent[m] != nil && text(sent["d"]) == text(old["d"]) {
							t.Errorf("%s: %s is lost", request, m)
						}
						if out[m] != nil && sent[m] == nil {
							t.Errorf("%s: %s is new", request, m)
						}
					}
					again, errs := update(out, out)
					if diff := cmp.Diff(out, again); diff != "" || len(errs) > 0 {
						t.Errorf("%s: writing what was read is not accepted unchanged: %v\n%s", request, errs, diff)
					}
				}
			}
			if len(stored) < 4 || accepted < 30 {
				t.Errorf("only %d objects and %d requests are accepted", len(stored), accepted)
			}
		})
	}
}

// text returns the value of a discriminator, which may be absent.
func text(v any) string {
	s, _ := v.(string)
	return s
}
