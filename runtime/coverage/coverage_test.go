package coverage

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/operation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/runtime/gen/validate"
)

var (
	required = Rule{Path: "spec.name", Type: field.ErrorTypeRequired}
	tooLong  = Rule{Path: "spec.users[*].name", Type: field.ErrorTypeTooLong, Origin: "maxLength"}
	deepest  = Rule{Path: "spec.template.a[*].b", Type: field.ErrorTypeInvalid, Origin: "minimum"}
	whole    = Rule{Path: "", Type: field.ErrorTypeInvalid, Origin: "immutable"}
)

func rules() map[string][]Rule {
	return map[string][]Rule{"Zoo": {whole}, "Book": {required, tooLong, deepest}}
}

func TestRuleOf(t *testing.T) {
	spec := field.NewPath("spec")
	for want, path := range map[string]*field.Path{
		"":                     nil,
		"spec":                 spec,
		"spec.users[*]":        spec.Child("users").Index(12),
		"spec.users[*].name":   spec.Child("users").Index(0).Child("name"),
		"spec.grid[*][*]":      spec.Child("grid").Index(1).Index(2),
		"spec.labels[*]":       spec.Child("labels").Key("example.com/a.b"),
		"spec.odd[*].x[*]":     spec.Child("odd").Key("a]b").Child("x").Key("c[d"),
		"spec.byName[*].items": spec.Child("byName").Key("").Child("items"),
	} {
		got := RuleOf(field.Invalid(path, 1, "no").WithOrigin("minimum"))
		if want := (Rule{Path: want, Type: field.ErrorTypeInvalid, Origin: "minimum"}); got != want {
			t.Errorf("the rule of an error at %s is %v, want %v", path, got, want)
		}
	}
}

// TestTypesOfErrors breaks rules whose errors have other types with old versions of
// apimachinery.
func TestTypesOfErrors(t *testing.T) {
	c := New(map[string][]Rule{"Book": {
		{Path: "name", Type: "FieldValueTooShort", Origin: "minLength"},
		{Path: "pages", Type: "FieldValueTooFew", Origin: "minItems"},
	}})
	r := validate.NewRun(t.Context(), operation.Operation{}, nil)
	var root validate.Path
	name, pages := root.Child("name"), root.Child("pages")
	validate.MinLength(&r, &name, "", 1)
	validate.MinItems(&r, &pages, 0, 1)
	c.Observe("Book", r.Errors())
	if missing := c.missing(); len(missing) > 0 {
		t.Errorf("rules that no test broke: %v", missing)
	}
}

// observed returns a coverage for which all rules of Book were broken except the given
// ones.
func observed(except ...Rule) *Coverage {
	c := New(rules())
	at := map[Rule]*field.Path{
		required: field.NewPath("spec", "name"),
		tooLong:  field.NewPath("spec", "users").Index(3).Child("name"),
		deepest:  field.NewPath("spec", "template", "a").Index(1).Child("b"),
	}
	for r, path := range at {
		if !slices.Contains(except, r) {
			c.Observe("Book", field.ErrorList{{Type: r.Type, Field: path.String(), Origin: r.Origin}})
		}
	}
	c.Observe("Zoo", field.ErrorList{field.Invalid(nil, 1, "").WithOrigin("immutable")})
	return c
}

func TestCheck(t *testing.T) {
	excuse := func(path string, typ field.ErrorType, origin, reason string) exception {
		return exception{Kind: "Book", Path: path, Type: typ, Origin: origin, Reason: reason}
	}
	for _, c := range []struct {
		name       string
		missing    []Rule
		exceptions []exception
		want       []string
	}{
		{"all fired", nil, nil, nil},
		{"one did not", []Rule{tooLong}, nil, []string{"no test breaks the rule Book spec.users[*].name FieldValueTooLong maxLength"}},
		{"two did not", []Rule{required, deepest}, nil, []string{
			"no test breaks the rule Book spec.name FieldValueRequired",
			"no test breaks the rule Book spec.template.a[*].b FieldValueInvalid minimum",
		}},
		{"excused", []Rule{tooLong}, []exception{excuse(tooLong.Path, tooLong.Type, tooLong.Origin, "because")}, nil},
		{"excused by path", []Rule{tooLong}, []exception{excuse(tooLong.Path, "", "", "because")}, nil},
		{"excused below a path", []Rule{deepest}, []exception{excuse("spec.template.*", "", "", "because")}, nil},
		{"items are no wildcard", []Rule{tooLong}, []exception{excuse("spec.users[*]", "", "", "because")}, []string{
			"no test breaks the rule Book spec.users[*].name FieldValueTooLong maxLength",
			"the exception for Book spec.users[*] is unused: tests break the rule, or the rule does not exist",
		}},
		{"another origin is excused", []Rule{tooLong}, []exception{excuse(tooLong.Path, tooLong.Type, "maxBytes", "because")}, []string{
			"no test breaks the rule Book spec.users[*].name FieldValueTooLong maxLength",
			"the exception for Book spec.users[*].name FieldValueTooLong maxBytes is unused: tests break the rule, or the rule does not exist",
		}},
		{"excused without reason", []Rule{tooLong}, []exception{excuse(tooLong.Path, tooLong.Type, tooLong.Origin, " ")}, []string{
			"the exception for Book spec.users[*].name FieldValueTooLong maxLength has no reason",
		}},
		{"excused and fired", nil, []exception{excuse(required.Path, required.Type, "", "because")}, []string{
			"the exception for Book spec.name FieldValueRequired is unused: tests break the rule, or the rule does not exist",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := observed(c.missing...).check(c.exceptions); !slices.Equal(got, c.want) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestOtherErrorsDoNotCount(t *testing.T) {
	c := observed(required)
	c.Observe("Book", field.ErrorList{field.Required(field.NewPath("spec", "title"), ""), field.Invalid(field.NewPath("spec", "name"), "", "")})
	c.Observe("Zoo", field.ErrorList{field.Required(field.NewPath("spec", "name"), "")})
	if got := c.missing(); len(got) != 1 || got[0] != (kindRule{Kind: "Book", Rule: required}) {
		t.Errorf("missing are %v", got)
	}
}

func TestUnknownKinds(t *testing.T) {
	c := observed()
	c.Observe("Quiet", nil)
	c.Observe("Loud", field.ErrorList{field.Required(nil, "")})
	want := []string{`errors of kind "Loud" were observed, but the kind has no rules here`}
	if got := c.check(nil); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestReadExceptions(t *testing.T) {
	read := func(text string) ([]exception, error) {
		path := filepath.Join(t.TempDir(), "e.yaml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return readExceptions(path)
	}
	list, err := read("# why\n- kind: Book\n  path: spec.name\n  type: FieldValueRequired\n  reason: it has a default\n")
	want := exception{Kind: "Book", Path: "spec.name", Type: field.ErrorTypeRequired, Reason: "it has a default"}
	if err != nil || len(list) != 1 || list[0] != want {
		t.Errorf("got %v, %v", list, err)
	}
	for text, wrong := range map[string]string{"- kind: Book\n  why: so\n": "unknown field", "{": "e.yaml", "kind: Book\n": "cannot unmarshal"} {
		if _, err := read(text); err == nil || !strings.Contains(err.Error(), wrong) {
			t.Errorf("%q: got %v, want something about %q", text, err, wrong)
		}
	}
	if list, err := readExceptions(filepath.Join(t.TempDir(), "none.yaml")); err != nil || list != nil {
		t.Errorf("a missing file: %v, %v", list, err)
	}
}

func TestValidateObserves(t *testing.T) {
	scheme := runtime.NewScheme()
	gv := schema.GroupVersion{Group: "books.example.com", Version: "v1"}
	scheme.AddKnownTypeWithName(gv.WithKind("Book"), &metav1.PartialObjectMetadata{})
	scheme.AddValidationFunc((*metav1.PartialObjectMetadata)(nil), func(_ context.Context, op operation.Operation, _, _ any) field.ErrorList {
		if op.Type == operation.Create {
			return field.ErrorList{field.Required(field.NewPath("spec", "name"), "")}
		}
		return field.ErrorList{field.TooLong(field.NewPath("spec", "users").Index(0).Child("name"), "", 3).WithOrigin("maxLength")}
	})
	c := New(rules())
	obj := &metav1.PartialObjectMetadata{}
	if errs := c.Validate(t.Context(), scheme, obj); len(errs) != 1 {
		t.Errorf("creating: %v", errs)
	}
	if errs := c.ValidateUpdate(t.Context(), scheme, obj, obj); len(errs) != 1 {
		t.Errorf("updating: %v", errs)
	}
	if got := c.missing(); len(got) != 2 || got[0].Rule != deepest || got[1].Rule != whole {
		t.Errorf("missing are %v", got)
	}
}
