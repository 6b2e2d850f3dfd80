package schema

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindsmith/kindsmith/internal/rules/rule"
)

func TestDescription(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"One line.\n", "One line."},
		{"Two\nlines.\n\nA paragraph.\n", "Two\nlines.\n\nA paragraph."},
		{"Text.\nTODO: not for users\nMore.\n", "Text.\nMore."},
		{"Text.\n---\nNot for users.\n", "Text."},
		{"Text.\n```\n---\nTODO stays\n```\nEnd.\n", "Text.\n```\n---\nTODO stays\n```\nEnd."},
		{"", ""},
	} {
		if got := Description(c.in); got != c.want {
			t.Errorf("description(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestSteps(t *testing.T) {
	got := Steps("spec.versions[0].schema.properties[a.b].items.x-kubernetes-validations[1].rule")
	want := []Step{{"spec", false}, {"versions", false}, {"0", true}, {"schema", false}, {"properties", false}, {"a.b", true}, {"items", false}, {"x-kubernetes-validations", false}, {"1", true}, {"rule", false}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(Step{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestMerge(t *testing.T) {
	n := func(i int64) *int64 { return &i }
	f := func(x float64) *float64 { return &x }
	for _, c := range []struct {
		name          string
		dst, src, out props
		tight         bool
	}{
		{"one side only", props{Type: "string", MaxLength: n(3)}, props{Type: "string", MinLength: n(1)}, props{Type: "string", MaxLength: n(3), MinLength: n(1)}, false},
		{"the same twice", props{MaxLength: n(3)}, props{MaxLength: n(3)}, props{MaxLength: n(3)}, false},
		{"both hold", props{MaxLength: n(3), MinLength: n(1)}, props{MaxLength: n(5)},
			props{MinLength: n(1), AllOf: []props{{MaxLength: n(3)}, {MaxLength: n(5)}}}, false},
		{"required", props{Required: []string{"b", "c"}}, props{Required: []string{"a", "b"}}, props{Required: []string{"a", "b", "c"}}, false},
		{"properties", props{Properties: map[string]props{"a": {Type: "string"}, "b": {Pattern: "x"}}}, props{Properties: map[string]props{"b": {MaxLength: n(1)}, "c": {}}},
			props{Properties: map[string]props{"a": {Type: "string"}, "b": {Pattern: "x", MaxLength: n(1)}, "c": {}}}, false},
		{"description stays", props{Description: "type"}, props{Description: "other", Title: "t"}, props{Description: "type", Title: "t"}, false},
		{"exclusive bounds in allOf", props{Maximum: f(3), ExclusiveMaximum: true}, props{Maximum: f(2), Minimum: f(0)},
			props{Minimum: f(0), AllOf: []props{{Maximum: f(3), ExclusiveMaximum: true}, {Maximum: f(2)}}}, false},
		{"strictest sizes", props{MaxLength: n(3), MinItems: n(1), MaxProperties: n(4)}, props{MaxLength: n(5), MinItems: n(2), MaxProperties: n(4), Pattern: "x"},
			props{MaxLength: n(3), MinItems: n(2), MaxProperties: n(4), Pattern: "x"}, true},
		{"strictest numbers", props{Maximum: f(3), ExclusiveMaximum: true, Minimum: f(1), MultipleOf: f(4)}, props{Maximum: f(3), Minimum: f(2), ExclusiveMinimum: true, MultipleOf: f(6)},
			props{Maximum: f(3), ExclusiveMaximum: true, Minimum: f(2), ExclusiveMinimum: true, MultipleOf: f(12)}, true},
		{"an exclusive bound that is not the strictest", props{Maximum: f(3), ExclusiveMaximum: true}, props{Maximum: f(2)}, props{Maximum: f(2)}, true},
		{"no bounds", props{Pattern: "a", MultipleOf: f(0.5)}, props{Pattern: "b", MultipleOf: f(2)},
			props{MultipleOf: f(0.5), AllOf: []props{{MultipleOf: f(2)}, {Pattern: "a"}, {Pattern: "b"}}}, true},
	} {
		merge(&c.dst, &c.src, Options{TightBounds: c.tight})
		if diff := cmp.Diff(c.out, c.dst); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// TestStricter checks that the stricter of two limits applies, in either order.
func TestStricter(t *testing.T) {
	n := func(i int64) *int64 { return &i }
	f := func(x float64) *float64 { return &x }
	limit := func(keyword rule.Keyword, value string) rule.Rule {
		return rule.Rule{Must: &rule.Limit{Keyword: keyword, Value: value}}
	}
	for _, c := range []struct {
		name string
		a, b rule.Rule
		want props
	}{
		{"maxLength", limit(rule.MaxLength, "3"), limit(rule.MaxLength, "5"), props{MaxLength: n(3)}},
		{"minItems", limit(rule.MinItems, "1"), limit(rule.MinItems, "2"), props{MinItems: n(2)}},
		{"exclusive of the same bound", limit(rule.ExclusiveMaximum, "5"), limit(rule.Maximum, "5"), props{Maximum: f(5), ExclusiveMaximum: true}},
		{"looser exclusive bound", limit(rule.Minimum, "2"), limit(rule.ExclusiveMinimum, "1"), props{Minimum: f(2)}},
		{"factors", limit(rule.MultipleOf, "4"), limit(rule.MultipleOf, "6"), props{MultipleOf: f(12)}},
	} {
		for _, order := range [][]rule.Rule{{c.a, c.b}, {c.b, c.a}} {
			var got props
			for _, r := range order {
				p := &projector{b: &Builder{}, rule: r}
				p.limit(target{props: &got}, r.Must.(*rule.Limit))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.name, diff)
			}
		}
	}
}

// TestAlso checks that a second pattern does not replace the first.
func TestAlso(t *testing.T) {
	var got props
	for _, regexp := range []string{"a", "b", "a"} {
		(&projector{}).pattern(target{props: &got}, regexp)
	}
	if diff := cmp.Diff(props{Pattern: "a", AllOf: []props{{Pattern: "b"}}}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
