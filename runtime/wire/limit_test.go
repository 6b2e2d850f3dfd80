package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	fieldpath "k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/runtime/convert"
)

// limited is a kind in both versions of limitTable: note and small are of the hub, gone is of the older version.
type limited struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitzero"`
	Note              string `json:"note,omitempty"`
	Small             string `json:"small,omitempty"`
	Gone              string `json:"gone,omitempty"`
	Status            struct {
		ChangedValues *convert.ChangedValues `json:"changedValues,omitempty"`
	} `json:"status,omitzero"`
}

func (in *limited) DeepCopyObject() runtime.Object { out := *in; return &out }

// tracked returns the number of bytes of the tracked values, which API servers accept.
func (in *limited) tracked(t *testing.T, store Store) int {
	t.Helper()
	if store == Annotation {
		if errs := validation.ValidateAnnotations(in.Annotations, fieldpath.NewPath("metadata")); len(errs) > 0 {
			t.Errorf("API servers refuse the object: %v", errs)
		}
		return len(in.Annotations[TrackingAnnotation("shop.example.com")])
	}
	text, err := json.Marshal(in.Status.ChangedValues)
	if err != nil {
		t.Fatal(err)
	}
	return len(text)
}

// TestTrackedLimit converts objects whose tracked values, or whose annotations with them, are as large as the limit,
// smaller and larger, in both directions, JSON and Go objects.
func TestTrackedLimit(t *testing.T) {
	const group = "shop.example.com/"
	for _, store := range []Store{Status, Annotation} {
		conversion := Conversion{Table: &Table{Group: "shop.example.com", Older: "v1beta1", Hub: "v1", Versions: []string{"v1beta1", "v1"}, Types: []Type{
			{Kind: "Shop", Store: store, Fields: []Field{{Hub: "note", Since: "v1"}, {Hub: "small", Since: "v1"}, {Older: "gone", Until: "v1beta1"}}},
		}}}
		c, err := New(conversion)
		if err != nil {
			t.Fatal(err)
		}
		hub := fmt.Sprintf("%s %p", store, &conversion) // another one in each run
		Register(hub, func() Conversion { return conversion })
		forms := map[string]func(in limited, to string) (limited, error){
			"JSON": func(in limited, to string) (out limited, _ error) {
				text, err := json.Marshal(in)
				if err != nil {
					t.Fatal(err)
				}
				if text, err = c.Convert(nil, text, to); err == nil {
					err = json.Unmarshal(text, &out)
				}
				return out, err
			},
			"Go": func(in limited, to string) (limited, error) {
				out, direction := *in.DeepCopyObject().(*limited), Upgrade[limited, limited]
				if out.Note, out.Small, out.Gone = "", "", ""; to == "v1beta1" {
					direction = Downgrade[limited, limited]
				}
				out.APIVersion = group + to
				err := direction(Tracking{Hub: hub, Older: "v1beta1"}, "Shop", &in, &out, nil)
				return out, err
			},
		}
		for form, convert := range forms {
			for from, to := range map[string]string{"v1": "v1beta1", "v1beta1": "v1"} {
				object := func(size, other int) limited {
					in := limited{TypeMeta: metav1.TypeMeta{APIVersion: group + from, Kind: "Shop"}, Note: strings.Repeat("n", size), Small: "s"}
					if from == "v1beta1" {
						in.Note, in.Small, in.Gone = "", "", in.Note
					}
					if other > 0 {
						in.Annotations = map[string]string{"a": strings.Repeat("\"", other-1)}
					}
					return in
				}
				name := string(store) + " from " + from + ", " + form
				small, err := convert(object(1000, 0), to)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				most := TrackedLimit - small.tracked(t, store) + 1000
				rest := AnnotationsLimit - TrackedLimit - len(TrackingAnnotation("shop.example.com"))
				for _, test := range []struct {
					size, other int
					want        string
				}{
					{most - 1, 0, ""}, {most, 0, ""},
					{most + 1, 0, "the object cannot keep it: its tracked values would have 131073 bytes together, and the limit is 131072"},
					{most, rest - 1, ""}, {most, rest, ""},
					{most, rest + 1, "the object cannot keep it: its annotations would have 262145 bytes together, and the limit is 262144"},
				} {
					in := object(test.size, test.other)
					out, err := convert(in, to)
					if test.want != "" && (store == Annotation || test.size > most) {
						value := "$.note"
						if from == "v1beta1" {
							value = "$.gone"
						}
						if e := (*Error)(nil); !errors.As(err, &e) || e.Path != value || e.Reason != Invalid || !strings.HasSuffix(err.Error(), test.want) {
							t.Errorf("%s, %d and %d bytes: error %v", name, test.size-most, test.other, err)
						}
						continue
					}
					if err != nil {
						t.Errorf("%s, %d and %d bytes: %v", name, test.size-most, test.other, err)
						continue
					}
					if got, want := out.tracked(t, store), TrackedLimit-most+test.size; got != want {
						t.Errorf("%s: %d bytes are tracked, want %d", name, got, want)
					}
					back, err := convert(out, from)
					if err != nil || back.Note != in.Note || back.Small != in.Small || back.Gone != in.Gone || len(back.Annotations) != len(in.Annotations) {
						t.Errorf("%s, %d and %d bytes: the object does not come back: %v", name, test.size-most, test.other, err)
					}
				}
			}
		}
	}
}

// TestTooLarge names the value that a conversion adds to larger ones that the object has, by the name that the
// author of the object uses.
func TestTooLarge(t *testing.T) {
	for _, store := range []Store{Status, Annotation} {
		c := trackedConverter(t, store)
		kept := `{"format":1,"upgrades":{"v2":[{"jsonPath":"$.spec.later","value":"` + strings.Repeat("k", TrackedLimit*3/4) + `"}]}}`
		object := `,"status":{"changedValues":` + kept + `}`
		if store == Annotation {
			object = `,"metadata":{"annotations":{"versioned.shop.example.com/changed-values":` + quote(kept) + `}}`
		}
		large := strings.Repeat("a", TrackedLimit/4)
		for path, in := range map[string][2]string{
			"$.spec.racks[?@.id=='a'].gone":     {"v1beta1", `"text":"a b","racks":[{"id":"b","gone":"x"},{"id":"a","gone":"` + large + `"}]`},
			"$.spec.shelves[?@.name=='a'].note": {"v1", `"policy":"Drop","shelves":[{"name":"a","note":"` + large + `"}]`},
			"$.spec.text":                       {"v1beta1", `"text":"` + strings.ReplaceAll(large, "a", " b") + `"`},
		} {
			to := map[string]string{"v1": "v1beta1", "v1beta1": "v1"}[in[0]]
			_, err := c.Convert(nil, shop(in[0], object+`,"spec":{`+in[1]+`}`), to)
			if e := (*Error)(nil); !errors.As(err, &e) || e.Path != path || !strings.Contains(err.Error(), "shop.example.com/"+to+" cannot represent this value of ") {
				t.Errorf("%.200v, want one of %s", err, path)
			}
		}
	}
}
