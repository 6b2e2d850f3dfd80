package jsonconvert

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// work returns the steps that a conversion takes with an object whose annotation has tracked values.
func work(t *testing.T, c *Converter, spec, entries string) int {
	t.Helper()
	text, err := json.Marshal(`{"format":2,"upgrades":{"v1":[` + entries + `]}}`)
	if err != nil {
		t.Fatal(err)
	}
	object := `{"apiVersion":"example.com/v1beta1","kind":"Person","metadata":{"annotations":{"versioned.example.com/changed-values":` + string(text) + `}},"spec":` + spec + `}`
	m := &memory{}
	if _, _, err := c.next(m, nil, object, c.version("v1")); err != nil {
		t.Fatalf("%.200v", err)
	}
	return m.work
}

// TestLinear converts objects with tracked values that somebody else has written: twice as many take no more than twice the
// steps.
func TestLinear(t *testing.T) {
	c := people(t)
	c.Strict = false
	many := func(n int, format string) string {
		var parts []string
		for i := range n {
			parts = append(parts, strings.ReplaceAll(format, "N", fmt.Sprint(i)))
		}
		return strings.Join(parts, ",")
	}
	for name, test := range map[string]func(n int) (spec, entries string){
		"a long path": func(n int) (string, string) {
			return `{}`, `{"jsonPath":"$` + strings.Repeat(".spec", 20*n) + `","value":1}`
		},
		"equal entries": func(n int) (string, string) {
			return `{}`, many(n, `{"jsonPath":"$.spec.social","value":{"chat":"c"}}`)
		},
		"entries of one object": func(n int) (string, string) {
			return `{` + many(n, `"keyN":1`) + `}`, many(n, `{"jsonPath":"$.spec.keyN","value":2,"was":1}`)
		},
		"new members": func(n int) (string, string) { return `{}`, many(n, `{"jsonPath":"$.spec.keyN","value":2}`) },
		"a large object": func(n int) (string, string) {
			return `{` + many(10*n, `"keyN":1`) + `}`, many(n, `{"jsonPath":"$.spec.keyN","value":2,"was":1}`)
		},
		"items of a list": func(n int) (string, string) {
			return `{"tags":[` + many(n, `"N"`) + `]}`, many(n, fmt.Sprintf(`{"jsonPath":"$.spec.tags[N]","value":"x","was":"N","lengths":[%d]}`, n))
		},
		"a group": func(n int) (string, string) {
			return `{` + many(n, `"keyN":1`) + `}`, `{"jsonPath":"$.spec[` + many(n, `'keyN'`) + `]","value":{` + many(n, `"keyN":2`) + `},"was":{` + many(n, `"keyN":1`) + `}}`
		},
		"another order": func(n int) (string, string) {
			list := strings.Split(many(n, `"keyN":1`), ",")
			slices.Reverse(list)
			return `{"other":{` + many(n, `"keyN":1`) + `}}`, `{"jsonPath":"$.spec.other","value":{},"was":{` + strings.Join(list, ",") + `}}`
		},
		"a large value": func(n int) (string, string) {
			return `{}`, `{"jsonPath":"$.spec.social","value":{"chat":"` + strings.Repeat("x", 2000*n) + `"}}`
		},
	} {
		spec, entries := test(250)
		once := work(t, c, spec, entries)
		spec, entries = test(1000)
		if four := work(t, c, spec, entries); four > 5*once+1000 || once == 0 {
			t.Errorf("%s: %d steps become %d with four times as many", name, once, four)
		}
	}
}
