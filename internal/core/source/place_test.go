package source

import (
	"encoding/json"
	"testing"
)

func TestSpanJSON(t *testing.T) {
	f := NewFile("api/v1/types.go", []byte("package v1\n\n// +k8s:required\n"))
	for _, span := range []Span{f.Span(15, 28), f.Span(0, 7), {}} {
		text, err := json.Marshal(span)
		if err != nil {
			t.Fatal(err)
		}
		var got Span
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		if got.String() != span.String() || got.Position() != span.Position() || got.IsZero() != span.IsZero() {
			t.Errorf("%s became %s", span, got)
		}
	}
	a, b := Place("a.go", Position{Line: 2, Column: 30}), Place("a.go", Position{Line: 10, Column: 1})
	if a.Compare(b) >= 0 || b.Compare(a) <= 0 || a.Compare(Place("a.go", Position{Line: 2, Column: 30})) != 0 {
		t.Error("places are not in the order of their lines")
	}
	for _, bad := range []string{`1`, `"a.go"`, `"a.go:1"`, `"a.go:x:1"`, `"a.go:1:0"`} {
		var got Span
		if err := json.Unmarshal([]byte(bad), &got); err == nil {
			t.Errorf("%s is taken for %s", bad, got)
		}
	}
}
