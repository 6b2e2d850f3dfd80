package jsonconvert

import (
	"encoding/json"
	"testing"
)

// TestForgedMetadata restores no metadata but labels and annotations that are fields in another version. API servers refuse an object whose
// name changes, or with an invalid label, and all objects of the same request with it.
func TestForgedMetadata(t *testing.T) {
	c := tables(t, entries, nil)
	for _, test := range []struct {
		from, stored string
		// want is the metadata, and spec.
		want string
	}{
		{"v1", `"downgrades":{"v1beta1":[{"jsonPath":"$.metadata.name","value":"other","was":"x"}]}`, `{"name":"x"}`},
		{"v1", `"downgrades":{"v1beta1":[{"jsonPath":"$.metadata.uid","value":"1"}]}`, `{"name":"x"}`},
		{"v1", `"downgrades":{"v1beta1":[{"jsonPath":"$.metadata","was":{"name":"x"}}]}`, `{"name":"x"}`},
		{"v1", `"downgrades":{"v1beta1":[{"jsonPath":"$.metadata.labels","value":{"a b":"c"}}]}`, `{"name":"x"}`},
		{"v1", `"downgrades":{"v1beta1":[{"jsonPath":"$.metadata.labels['a b']","value":"c"}]}`, `{"name":"x"}`},
		{"v1", `"downgrades":{"v1beta1":[{"jsonPath":"$.metadata['labels','name']","value":{"name":"y"},"was":{"name":"x"}}]}`, `{"name":"x"}`},
		{"v1", `"downgrades":{"v1beta1":[{"jsonPath":"$['metadata','spec']","value":{},"was":{"metadata":{"name":"x"}}}]}`, `{"name":"x"}`},
		{"v1", `"downgrades":{"v1beta1":[{"jsonPath":"$.metadata.labels.n","value":"no label!"}]}`, `{"name":"x"}`},
		{"v1", `"downgrades":{"v1beta1":[{"jsonPath":"$.metadata.labels.n","value":7}]}`, `{"name":"x"}`},
		{"v1", `"downgrades":{"v1beta1":[{"jsonPath":"$.metadata.labels.n.deep","value":"a"}]}`, `{"name":"x"}`},
		{"v1", `"downgrades":{"v1beta1":[{"jsonPath":"$.metadata.labels.n","value":"a"}]}`, `{"name":"x","labels":{"n":"a"}}`},
		{"v1", `"downgrades":{"v1beta1":[{"jsonPath":"$.metadata.annotations['g/text']","value":"any text!"}]}`, `{"name":"x","annotations":{"g/text":"any text!"}}`},
		{"v1beta1", `"hidden":[{"in":"labels","key":"n","value":"no label!"},{"in":"labels","key":"other","value":"a"}]`, `{"name":"x"}`},
		{"v1beta1", `"hidden":[{"in":"labels","key":"n","value":"a"}]`, `{"name":"x","labels":{"n":"a"}}`},
		{"v1beta1", `"upgrades":{"v1":[{"jsonPath":"$.metadata.name","value":"other","was":"x"}]}`, `{"name":"x"}`},
	} {
		text, err := json.Marshal(`{"format":2,` + test.stored + `}`)
		if err != nil {
			t.Fatal(err)
		}
		to := map[string]string{"v1": "v1beta1", "v1beta1": "v1"}[test.from]
		x := thing(test.from, `,"metadata":{"name":"x","annotations":{"versioned.g/changed-values":`+string(text)+`}}`)
		y := untracked(t, convert(t, c, x, to), "versioned.g/changed-values")
		if want := thing(to, `,"metadata":`+test.want); !sameJSON(y, want) {
			t.Errorf("%s: got %s, want %s", test.stored, y, want)
		}
	}
}
