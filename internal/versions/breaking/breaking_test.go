package breaking

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
)

// published is a definition; %s is the schema of the field "f" of v1.
const published = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: foos.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Foo, plural: foos, listKind: FooList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          f: {%s}
`

func read(t *testing.T, text string) []*Definition {
	t.Helper()
	bag := &diag.Bag{}
	list := Read(source.NewFile("crd.yaml", []byte(text)), bag)
	if bag.HasErrors() {
		t.Fatal(bag.All())
	}
	return list
}

// changes returns the changes as "code: message", without the remedies.
func changes(list []*Change) []string {
	var lines []string
	for _, c := range list {
		what, _, _ := strings.Cut(c.String(), "; "+c.Remedy)
		lines = append(lines, fmt.Sprintf("%s: %s", strings.TrimPrefix(c.Code.String(), "breaking/"), what))
	}
	return lines
}

// unordered means that the versions do not convert into each other.
func unordered(schema.GroupKind) Order { return nil }

// TestMiddle removes versions of a kind whose versions convert into each other.
func TestMiddle(t *testing.T) {
	definition := func(strategy string, versions ...string) []*Definition {
		text := "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: foos.example.com}\nspec:\n  group: example.com\n" +
			"  scope: Namespaced\n  names: {kind: Foo, plural: foos, listKind: FooList}\n" + strategy + "  versions:\n"
		for _, v := range versions {
			text += "  - {name: " + v + ", served: true, storage: " + fmt.Sprint(v == "v4") + "}\n"
		}
		return read(t, text)
	}
	ordered := func(schema.GroupKind) Order { return strings.Compare }
	before := []string{"v4", "v3", "v2", "v1"}
	const middle = "objects of the older v1 may keep values for it"
	for _, c := range []struct {
		after    []string
		strategy string
		order    func(schema.GroupKind) Order
		want     []string
	}{
		{[]string{"v4", "v3", "v2"}, "", ordered, []string{"version: Foo v1 is gone"}},
		{[]string{"v4", "v3", "v1"}, "", ordered, []string{"middle-version: Foo v2 is gone, but " + middle}},
		{[]string{"v4", "v1"}, "", ordered, []string{"middle-version: Foo v3, v2 is gone, but " + middle}},
		{[]string{"v4", "v2"}, "", ordered, []string{"middle-version: Foo v3 is gone, but " + strings.Replace(middle, "v1", "v2", 1), "version: Foo v1 is gone"}},
		{[]string{"v4"}, "", ordered, []string{"version: Foo v3, v2, v1 is gone"}},
		{[]string{"v3", "v2", "v1"}, "", ordered, []string{"version: Foo v4 is gone"}},
		{[]string{"v4", "v1"}, "", unordered, []string{"version: Foo v3, v2 is gone"}},
		{[]string{"v4", "v1"}, "  conversion: {strategy: None}\n", ordered, []string{"version: Foo v3, v2 is gone"}},
	} {
		got := changes(Compare(definition(c.strategy, before...), definition(c.strategy, c.after...), c.order))
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%v (-want +got):\n%s", c.after, diff)
		}
	}
}

func TestSchemas(t *testing.T) {
	for name, c := range map[string]struct{ before, after, want string }{
		"same":                           {"type: string, maxLength: 5", "type: string, maxLength: 5, description: x", ""},
		"type":                           {"type: string", "type: integer", "type: Foo v1: f is an integer, was a string"},
		"int-or-string":                  {"type: integer", "x-kubernetes-int-or-string: true", "type: Foo v1: f is an integer or a string, was an integer"},
		"any value":                      {"x-kubernetes-preserve-unknown-fields: true", "type: object, x-kubernetes-preserve-unknown-fields: true", "type: Foo v1: f is an object, was any value"},
		"to any value":                   {"type: object", "x-kubernetes-preserve-unknown-fields: true", ""},
		"map":                            {"type: object, properties: {a: {type: string}}", "type: object, additionalProperties: {type: string}", "type: Foo v1: f is a map, was an object"},
		"fewer bits":                     {"type: integer, format: int64", "type: integer, format: int32", "type: Foo v1: f has 32 bits, had 64"},
		"more bits":                      {"type: integer, format: int32", "type: integer, format: int64", ""},
		"null":                           {"type: string, nullable: true", "type: string", "type: Foo v1: f can no longer be null"},
		"unknown fields":                 {"type: object, x-kubernetes-preserve-unknown-fields: true", "type: object", "type: Foo v1: f no longer preserves unknown fields"},
		"list type":                      {"type: array, items: {type: string}", "type: array, x-kubernetes-list-type: set, items: {type: string}", "type: Foo v1: f is a list of type set, was a list of type atomic"},
		"list keys":                      {"type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a]", "type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a, b]", "type: Foo v1: f is a list of type map with the keys a, b, was a list of type map with the keys a"},
		"map type":                       {"type: object", "type: object, x-kubernetes-map-type: atomic", "type: Foo v1: f is merged as atomic, was merged as granular"},
		"list items":                     {"type: array, items: {type: string}", "type: array, items: {type: string, maxLength: 3}", "rule: Foo v1: f[*] has the new maximum length 3"},
		"map values":                     {"type: object, additionalProperties: {type: string, maxLength: 3}", "type: object, additionalProperties: {type: string, maxLength: 2}", "rule: Foo v1: f[*] has the maximum length 2, was 3"},
		"enum value gone":                {`type: string, enum: [A, B, C]`, `type: string, enum: [B, D]`, `enum: Foo v1: f no longer allows "A", "C"`},
		"enum value added":               {`type: string, enum: [A]`, `type: string, enum: [A, B]`, ""},
		"enum added":                     {`type: string`, `type: string, enum: [A]`, `enum: Foo v1: f allows only "A", and allowed any value`},
		"enum gone":                      {`type: string, enum: [A]`, `type: string`, ""},
		"rules of an enum":               {`type: string, enum: [AB, C]`, `type: string, enum: [C, AB], minLength: 1, maxLength: 2, pattern: "^[A-C]+$", x-kubernetes-validations: [{rule: "self != ''"}]`, ""},
		"rules of its values left":       {`type: string, enum: [ABC, C]`, `type: string, enum: [C], maxLength: 2`, `enum: Foo v1: f no longer allows "ABC"`},
		"factor of an enum":              {`type: integer, enum: [2, 4]`, `type: integer, enum: [2, 4], multipleOf: 2, minimum: 1`, ""},
		"factor that an enum lacks":      {`type: integer, enum: [2, 3]`, `type: integer, enum: [2, 3], multipleOf: 2`, "rule: Foo v1: f must now be a multiple of 2"},
		"rules of an enum in items":      {`type: array, items: {type: string, enum: [AB, C]}`, `type: array, items: {type: string, enum: [AB, C], minLength: 1, maxLength: 2, x-kubernetes-validations: [{rule: "self in ['AB', 'C', 'D']"}]}`, ""},
		"rules of an enum in a map":      {`type: object, additionalProperties: {type: string, enum: [A]}`, `type: object, additionalProperties: {type: string, enum: [A], allOf: [{maxLength: 1}, {pattern: "^A"}]}`, ""},
		"rules of an enum in allOf":      {`type: string, allOf: [{enum: [A, B]}, {enum: [B, CC]}]`, `type: string, enum: [B], maxLength: 1`, ""},
		"rule that an enum's items lack": {`type: array, items: {type: string, enum: [AB, C]}`, `type: array, items: {type: string, enum: [AB, C], maxLength: 1}`, "rule: Foo v1: f[*] has the new maximum length 1"},
		"rules of a nullable enum":       {`type: string, nullable: true, enum: [A, null]`, `type: string, nullable: true, enum: [A, null], maxLength: 1`, ""},
		"format of an enum":              {`type: string, enum: [1.2.3.4]`, `type: string, enum: [1.2.3.4], format: ipv4`, ""},
		"rules in place of an enum":      {`type: integer, enum: [1, 2]`, `type: integer, minimum: 1, maximum: 2`, ""},
		"rules that an enum lacks":       {`type: string, enum: [AB, C]`, `type: string, enum: [AB, C], minLength: 1, maxLength: 1, pattern: "^[AB]", x-kubernetes-validations: [{rule: "self != 'C'"}]`, "rule: Foo v1: f has the new maximum length 1\nrule: Foo v1: f has the new pattern ^[AB]\nrule: Foo v1: f has the new rule self != 'C'"},
		"enum that becomes immutable":    {`type: string, enum: [A, B]`, `type: string, enum: [A, B], x-kubernetes-validations: [{rule: "self == oldSelf"}]`, "rule: Foo v1: f has the new rule self == oldSelf"},
		"maximum lowered":                {"type: integer, maximum: 5", "type: integer, maximum: 4", "rule: Foo v1: f has the maximum 4, was 5"},
		"maximum raised":                 {"type: integer, maximum: 5", "type: integer, maximum: 6", ""},
		"maximum exclusive":              {"type: integer, maximum: 5", "type: integer, maximum: 5, exclusiveMaximum: true", "rule: Foo v1: f has the maximum 5 (exclusive), was 5"},
		"minimum raised":                 {"type: number, minimum: 0.5", "type: number, minimum: 0.75", "rule: Foo v1: f has the minimum 0.75, was 0.5"},
		"minimum lowered":                {"type: integer, minimum: 5", "type: integer, minimum: 4", ""},
		"minimum length 0":               {"type: string", "type: string, minLength: 0", ""},
		"maximum length 0":               {"type: string", "type: string, maxLength: 0", "rule: Foo v1: f has the new maximum length 0"},
		"bounds in allOf":                {"type: string, allOf: [{maxLength: 5}, {maxLength: 9}]", "type: string, maxLength: 5", ""},
		"tighter bound in allOf":         {"type: string, maxLength: 9", "type: string, maxLength: 9, allOf: [{maxLength: 5}]", "rule: Foo v1: f has the maximum length 5, was 9"},
		"pattern":                        {"type: string, pattern: a", "type: string, pattern: b", "rule: Foo v1: f has the new pattern b"},
		"pattern gone":                   {"type: string, pattern: a", "type: string", ""},
		"format":                         {"type: string", "type: string, format: uuid", "rule: Foo v1: f has the new format uuid"},
		"rule":                           {`type: string, x-kubernetes-validations: [{rule: "self != ''"}]`, `type: string, x-kubernetes-validations: [{rule: "self != 'x'"}, {rule: "self != ''", message: m}]`, "rule: Foo v1: f has the new rule self != 'x'"},
		"rule that ratchets":             {`type: string, x-kubernetes-validations: [{rule: "self != ''"}]`, `type: string, x-kubernetes-validations: [{rule: "self != '' || [?oldSelf].exists(old, self == old)", optionalOldSelf: true}]`, ""},
		"rule that ratchets less":        {`type: string, x-kubernetes-validations: [{rule: "self != '' || [?oldSelf].exists(old, true)", optionalOldSelf: true}]`, `type: string, x-kubernetes-validations: [{rule: "self != '' || [?oldSelf].exists(old, self == old)", optionalOldSelf: true}]`, ""},
		"rule with another reason":       {`type: string, x-kubernetes-validations: [{rule: "self != '' || [?oldSelf].exists(old, true)", optionalOldSelf: true}]`, `type: string, x-kubernetes-validations: [{rule: "self != 'x' || [?oldSelf].exists(old, true)", optionalOldSelf: true}]`, "rule: Foo v1: f has the new rule self != 'x' || [?oldSelf].exists(old, true)"},
		"required in allOf":              {"type: object, properties: {a: {type: string}}", "type: object, properties: {a: {type: string}}, allOf: [{required: [a]}]", `required: Foo v1: f.a is now required`},
		"rule in other words":            {`type: string, x-kubernetes-validations: [{rule: "self != 'x' && self.size()<5"}]`, `type: string, x-kubernetes-validations: [{rule: "!(size(self) >= 5)"}, {rule: "'x' != self"}]`, ""},
		"rule with an alternative":       {`type: string, x-kubernetes-validations: [{rule: "self in ['x', 'y']"}]`, `type: string, x-kubernetes-validations: [{rule: "self == 'z' || self == 'y' || self == 'x'"}]`, ""},
		"rule with a value less":         {`type: string, x-kubernetes-validations: [{rule: "self in ['x', 'y']"}]`, `type: string, x-kubernetes-validations: [{rule: "self in ['x']"}]`, "rule: Foo v1: f has the new rule self in ['x']"},
		"rule that becomes keywords":     {`type: string, x-kubernetes-validations: [{rule: "self.size() <= 5 && self.matches('^a')"}]`, `type: string, maxLength: 5, pattern: "^a"`, ""},
		"keywords that become rules":     {`type: integer, minimum: 2, maximum: 5, exclusiveMaximum: true`, `type: integer, x-kubernetes-validations: [{rule: "self > 1 && self < 6"}, {rule: "self >= 2"}]`, ""},
		"keyword tighter than a rule":    {`type: string, x-kubernetes-validations: [{rule: "self.size() <= 5"}]`, `type: string, maxLength: 4`, "rule: Foo v1: f has the new maximum length 4"},
		"keyword of a nullable field":    {`type: string, nullable: true, x-kubernetes-validations: [{rule: "self.size() <= 5"}]`, `type: string, nullable: true, maxLength: 5`, "rule: Foo v1: f has the new maximum length 5"},
		"keyword of bytes":               {`type: string, format: byte, x-kubernetes-validations: [{rule: "self.size() <= 5"}]`, `type: string, format: byte, maxLength: 5`, "rule: Foo v1: f has the new maximum length 5"},
		"rule of updates":                {`type: string, x-kubernetes-validations: [{rule: "self != 'x' && self == oldSelf"}]`, `type: string, x-kubernetes-validations: [{rule: "self != 'x'"}, {rule: "self == oldSelf"}]`, "rule: Foo v1: f has the new rule self != 'x'"},
		"rule for updates only":          {`type: string, x-kubernetes-validations: [{rule: "self != 'x'"}]`, `type: string, x-kubernetes-validations: [{rule: "self != 'x' || self == oldSelf"}]`, ""},
		"field in allOf":                 {"type: object, properties: {a: {type: string}}, allOf: [{properties: {a: {maxLength: 5}}}]", "type: object, properties: {a: {type: string, maxLength: 4}}", "rule: Foo v1: f.a has the maximum length 4, was 5"},
		"looser field in allOf":          {"type: object, properties: {a: {type: string, maxLength: 4}}", "type: object, properties: {a: {type: string}}, allOf: [{properties: {a: {maxLength: 5}}}]", ""},
		"items in allOf":                 {"type: array, items: {type: string}, allOf: [{items: {maxLength: 4}}]", "type: array, items: {type: string}, allOf: [{items: {maxLength: 3}}]", "rule: Foo v1: f[*] has the maximum length 3, was 4"},
		"enums in allOf":                 {"type: string, allOf: [{enum: [A, B]}, {enum: [B, C]}]", "type: string, enum: [B]", ""},
		"multiple of":                    {"type: integer, multipleOf: 2", "type: integer, allOf: [{multipleOf: 3}]", "rule: Foo v1: f must now be a multiple of 3"},
		"multiple of less":               {"type: integer, multipleOf: 6", "type: integer, allOf: [{multipleOf: 3}, {multipleOf: 2}]", ""},
		"default changed":                {"type: integer, default: 3", "type: integer, default: 4", "default: Foo v1: f has the default 4, was 3"},
		"default gone":                   {"type: integer, default: 3", "type: integer", "default: Foo v1: f no longer has the default 3"},
		"default added":                  {"type: integer", "type: integer, default: 3", "default: Foo v1: f has the new default 3"},
		"default spelt differently":      {`type: object, default: {a: 1, b: 2}`, `type: object, default: {b: 2, a: 1}`, ""},
		"key gone":                       {"type: object, properties: {a: {type: string}}", "type: object", "field: Foo v1: f.a is gone"},
		"key gone, kept by servers":      {"type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: string}}", "type: object, x-kubernetes-preserve-unknown-fields: true", ""},
		"key added":                      {"type: object", "type: object, properties: {a: {type: string}}", ""},
		"key added, required":            {"type: object", "type: object, required: [a], properties: {a: {type: string}}", "required: Foo v1: f.a is new and required"},
		"key added with default":         {"type: object", "type: object, required: [a], properties: {a: {type: string, default: x}}", ""},
		"required":                       {"type: object, properties: {a: {type: string}}", "type: object, required: [a], properties: {a: {type: string}}", "required: Foo v1: f.a is now required"},
		"required with default":          {"type: object, properties: {a: {type: string, default: x}}", "type: object, required: [a], properties: {a: {type: string, default: x}}", ""},
		"optional":                       {"type: object, required: [a], properties: {a: {type: string}}", "type: object, properties: {a: {type: string}}", ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := strings.Join(changes(Compare(read(t, fmt.Sprintf(published, c.before)), read(t, fmt.Sprintf(published, c.after)), unordered)), "\n")
			if got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestRenamed(t *testing.T) {
	before := read(t, fmt.Sprintf(published, "type: object, required: [a], properties: {a: {type: string, description: x}}"))
	after := read(t, fmt.Sprintf(published, "type: object, required: [b], properties: {b: {type: string}}"))
	got := Compare(before, after, unordered)
	if len(got) != 1 || got[0].Remedy != "if it is now called b, rename it in a new version" || got[0].Renamed != "b" {
		t.Errorf("%v", got)
	}
	if text := got[0].Before; text.Text() != "a" {
		t.Errorf("position: %q", text.Text())
	}
}

func TestDefinitions(t *testing.T) {
	base := strings.Replace(fmt.Sprintf(published, "type: string"), "    storage: true\n", `    storage: true
    subresources: {status: {}, scale: {specReplicasPath: .spec.n, statusReplicasPath: .status.n}}
    selectableFields: [{jsonPath: .spec.a}]
`, 1)
	const beta = `  - name: v1beta1
    served: true
    storage: false
    schema: {openAPIV3Schema: {type: object, properties: {f: {type: string}}}}
`
	const alpha = `  - name: v1alpha1
    served: false
    storage: false
    schema: {openAPIV3Schema: {type: object, properties: {f: {type: string}}}}
`
	base += beta + alpha
	for name, c := range map[string]struct {
		old, new string
		want     []string
	}{
		"scope":             {"scope: Namespaced", "scope: Cluster", []string{"resource: Foo has the scope Cluster, was Namespaced"}},
		"plural":            {"plural: foos", "plural: fooes", []string{"resource: Foo has the plural fooes, was foos"}},
		"list kind":         {"listKind: FooList", "listKind: Foos", []string{"resource: Foo has the list kind Foos, was FooList"}},
		"no status":         {"status: {}, scale", "scale", []string{"subresource: Foo v1 has no status subresource any more"}},
		"scale":             {".spec.n", ".spec.m", []string{"subresource: Foo v1 has a scale subresource with other paths"}},
		"no scale":          {", scale: {specReplicasPath: .spec.n, statusReplicasPath: .status.n}", "", []string{"subresource: Foo v1 has no scale subresource any more"}},
		"selectable field":  {".spec.a", ".spec.b", []string{"subresource: Foo v1 has no selectable field .spec.a any more"}},
		"version unserved":  {"v1beta1\n    served: true", "v1beta1\n    served: false", []string{"version: Foo v1beta1 is no longer served"}},
		"version gone":      {beta, "", []string{"version: Foo v1beta1 is gone"}},
		"unserved gone":     {alpha, "", []string{"version: Foo v1alpha1 is gone; servers refuse this while status.storedVersions lists it"}},
		"in two versions":   {"f: {type: string}", "g: {type: string}", []string{"field: Foo v1, v1beta1: f is gone"}},
		"unserved versions": {alpha, strings.Replace(alpha, "f:", "g:", 1), nil},
	} {
		t.Run(name, func(t *testing.T) {
			got := changes(Compare(read(t, base), read(t, strings.ReplaceAll(base, c.old, c.new)), unordered))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	t.Run("status added", func(t *testing.T) {
		got := changes(Compare(read(t, strings.Replace(base, "status: {}, ", "", 1)), read(t, base), unordered))
		if want := []string{"subresource: Foo v1 has a status subresource: servers now ignore the status in writes to the object"}; !slices.Equal(got, want) {
			t.Errorf("%q", got)
		}
	})
	t.Run("kind gone", func(t *testing.T) {
		group := func(name string) bool { return name == "example.com" }
		if got, want := changes(Gone(read(t, base), nil, group)), []string{"kind: Foo is no longer published"}; !slices.Equal(got, want) {
			t.Errorf("%q", got)
		}
		if got := Gone(read(t, strings.ReplaceAll(base, "example.com", "other.com")), nil, group); got != nil {
			t.Errorf("another group's kind: %v", changes(got))
		}
	})
}

func TestNames(t *testing.T) {
	fset := token.NewFileSet()
	check := func(text string) *types.Package {
		file, err := parser.ParseFile(fset, "p.go", "package p\n"+text, 0)
		if err != nil {
			t.Fatal(err)
		}
		p, err := (&types.Config{Importer: importer.Default()}).Check("p", fset, []*ast.File{file}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	before := check(`type Foo struct{ Size int; Name string }
func (*Foo) Set() {}
func (*Foo) Get() int { return 0 }
func (*Foo) Hub() {}
type Gone int
const C = 1
func Validate_Gone(in *Gone) {}
func Validate_Foo(in *Foo) {}
func Convert_v1_Bar_To_v1beta1_Foo(in *Foo) {}
`)
	after := check("const C = 1\ntype Foo struct{ Size string; Other int }\nfunc (*Foo) Set(int) {}\n")
	changes := func(newest *types.Package) (got []string) {
		for _, c := range CompareNames(before, after, newest) {
			got = append(got, strings.TrimSpace(fmt.Sprintf("%d: %s %s", fset.Position(c.Pos).Line, c.Message, c.Type)))
		}
		slices.Sort(got)
		return got
	}
	// What moved as it was is no change.
	newest := check(`type Foo struct{ Size int; Name, New string }
func (*Foo) Set() {}
func (*Foo) Get() int { return 0 }
type Gone int
func Validate_Foo(in *Foo, more int) {}
`)
	if diff := cmp.Diff([]string{
		"0: Validate_Foo: removed",
		"3: Foo.Name: removed",
		"3: Foo.Size: changed from int to string",
		"4: (*Foo).Set: changed from func() to func(int)",
	}, changes(newest)); diff != "" {
		t.Error(diff)
	}
	got := changes(nil)
	want := []string{
		"0: Gone: removed Gone", // no position
		"0: Validate_Foo: removed",
		"3: (*Foo).Get: removed",
		"3: Foo.Name: removed",
		"3: Foo.Size: changed from int to string",
		"4: (*Foo).Set: changed from func() to func(int)",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
