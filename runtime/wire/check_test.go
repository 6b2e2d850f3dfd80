package wire

import (
	"bytes"
	"testing"
)

// TestChecks restores tracked values by a table without functions, if they are of the types of their fields.
func TestChecks(t *testing.T) {
	table := &Table{
		Older: "v1beta1", Hub: "v1", Versions: []string{"v1beta1", "v1"},
		Types: []Type{{Kind: "K", Store: Annotation, Fields: []Field{{Hub: "spec", Since: "v1", Fits: "K.Spec/fits", Check: 1}}}},
		Checks: []Check{
			{Kind: CheckObject, Fields: map[string]int{"text": 2, "small": 3, "spec": 1, "list": 4, "map": 5, "on": 6, "ratio": 7}},
			{Kind: CheckString}, {Kind: CheckInteger, Bits: 8, Unsigned: true}, {Kind: CheckList, Elem: 3}, {Kind: CheckMap, Elem: 2}, {Kind: CheckBool}, {Kind: CheckNumber},
		},
	}
	c, err := New(Conversion{Table: table})
	if err != nil {
		t.Fatal(err)
	}
	for value, fits := range map[string]bool{
		`{}`: true, `{"text":"a","small":255,"on":false,"ratio":1.5,"unknown":[1]}`: true, `{"list":[1,2],"map":{"a":"b"},"spec":{"spec":null}}`: true,
		`[]`: false, `"a"`: false, `{"text":1}`: false, `{"small":256}`: false, `{"small":1.0}`: false, `{"list":[1,"a"]}`: false, `{"list":{}}`: false,
		`{"map":{"a":1}}`: false, `{"spec":{"spec":{"on":"yes"}}}`: false, `{"ratio":"1"}`: false,
	} {
		tracked := quote(`{"format":1,"upgrades":{"v1":[{"jsonPath":"$.spec","value":` + value + `}]}}`)
		out, err := c.Convert(nil, []byte(`{"kind":"K","apiVersion":"v1beta1","metadata":{"annotations":{"versioned/changed-values":`+tracked+`}}}`), "v1")
		if restored := bytes.Contains(out, []byte(`"spec":`+value)); err != nil || restored != fits {
			t.Errorf("%s: restored %t, error %v", value, restored, err)
		}
	}
}
