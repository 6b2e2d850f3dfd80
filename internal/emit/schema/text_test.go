package schema

import (
	"testing"

	"github.com/google/go-cmp/cmp"
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
		if got := description(c.in); got != c.want {
			t.Errorf("description(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestWithoutComment(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"kubebuilder:validation:MaxLength=3 # why", "kubebuilder:validation:MaxLength=3"},
		{"kubebuilder:validation:MaxLength=3\t# why", "kubebuilder:validation:MaxLength=3"},
		{"kubebuilder:validation:Pattern=`a #b` # why", "kubebuilder:validation:Pattern=`a #b`"},
		{`kubebuilder:default="a \" #b" # why`, `kubebuilder:default="a \" #b"`},
		{"kubebuilder:default=a#b", "kubebuilder:default=a#b"},
		{"kubebuilder:pruning:PreserveUnknownFields  ", "kubebuilder:pruning:PreserveUnknownFields"},
	} {
		if got := withoutComment(c.in); got != c.want {
			t.Errorf("withoutComment(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestSteps(t *testing.T) {
	got := steps("spec.versions[0].schema.properties[a.b].items.x-kubernetes-validations[1].rule")
	want := []step{{"spec", false}, {"versions", false}, {"0", true}, {"schema", false}, {"properties", false}, {"a.b", true}, {"items", false}, {"x-kubernetes-validations", false}, {"1", true}, {"rule", false}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(step{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestMerge(t *testing.T) {
	n := func(i int64) *int64 { return &i }
	for _, c := range []struct {
		name          string
		dst, src, out props
	}{
		{"one side only", props{Type: "string", MaxLength: n(3)}, props{Type: "string", MinLength: n(1)}, props{Type: "string", MaxLength: n(3), MinLength: n(1)}},
		{"the same twice", props{MaxLength: n(3)}, props{MaxLength: n(3)}, props{MaxLength: n(3)}},
		{"both hold", props{MaxLength: n(3), MinLength: n(1)}, props{MaxLength: n(5)},
			props{MinLength: n(1), AllOf: []props{{MaxLength: n(3)}, {MaxLength: n(5)}}}},
		{"required", props{Required: []string{"b", "c"}}, props{Required: []string{"a", "b"}}, props{Required: []string{"a", "b", "c"}}},
		{"properties", props{Properties: map[string]props{"a": {Type: "string"}, "b": {Pattern: "x"}}}, props{Properties: map[string]props{"b": {MaxLength: n(1)}, "c": {}}},
			props{Properties: map[string]props{"a": {Type: "string"}, "b": {Pattern: "x", MaxLength: n(1)}, "c": {}}}},
		{"description stays", props{Description: "type"}, props{Description: "other", Title: "t"}, props{Description: "type", Title: "t"}},
	} {
		merge(&c.dst, &c.src)
		if diff := cmp.Diff(c.out, c.dst); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestTighten(t *testing.T) {
	n := func(i int64) *int64 { return &i }
	f := func(x float64) *float64 { return &x }
	for _, c := range []struct {
		name                string
		before, after, want props
	}{
		{"looser bound comes back", props{MaxLength: n(3), MinItems: n(2)}, props{MaxLength: n(5), MinItems: n(1)}, props{MaxLength: n(3), MinItems: n(2)}},
		{"tighter bound stays", props{MaxLength: n(5)}, props{MaxLength: n(3)}, props{MaxLength: n(3)}},
		{"bound that was taken away", props{MaxItems: n(5)}, props{}, props{MaxItems: n(5)}},
		{"exclusive of the same bound", props{Maximum: f(5), ExclusiveMaximum: true}, props{Maximum: f(5)}, props{Maximum: f(5), ExclusiveMaximum: true}},
		{"looser minimum", props{Minimum: f(2)}, props{Minimum: f(1), ExclusiveMinimum: true}, props{Minimum: f(2)}},
		{"two patterns", props{Pattern: "a"}, props{Pattern: "b"}, props{Pattern: "b", AllOf: []props{{Pattern: "a"}}}},
	} {
		tighten(&c.before, &c.after)
		if diff := cmp.Diff(c.want, c.after); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
