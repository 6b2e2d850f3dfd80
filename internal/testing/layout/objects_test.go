package layout

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"testing"
)

// What a member of a JSON object is, model.Object decides once: its name and options in the struct tag, and its list type
// by markers. These packages read the sources of these facts themselves, with the reason.
var readsFieldSources = []struct {
	pkg, name, reason string
}{
	{"front/lower", "StructTag", "it reads the json tag into the field"},
	{"versions/evolve", "StructTag", "it writes struct tags of older versions"},
	{"rules/schema", "StructTag", "it reports tags that encoding/json cannot read"},
	{"rules/schema", "ListType", "controller-gen's parser reads the marker for the schema"},
	{"versions/evolve", "ListMapKey", "it renames the fields that markers name"},
	{"versions/evolve", "PatchMergeKey", "it renames the fields that markers name"},
	{"rules/check", "ListType", "it compares the spellings of one declaration"},
	{"rules/check", "ListMapKey", "it compares the spellings of one declaration"},
	{"tool/explain", "ListType", "it documents the marker"},
	{"tool/explain", "ListMapKey", "it documents the marker"},
	{"rules/kubebuilder", "ListType", "it reports the marker that Go does not enforce"},
	{"rules/check", "Optional", "it compares the spellings of one declaration"},
	{"rules/check", "Required", "it compares the spellings of one declaration"},
	{"tool/explain", "Optional", "it documents the marker"},
	{"tool/explain", "Required", "it documents the marker"},
	{"tool/explain", "KubebuilderOptional", "it documents the marker"},
	{"tool/explain", "KubebuilderRequired", "it documents the marker"},
	{"emit/definitions", "Optional", "it finds the marker that an error is about"},
	{"emit/definitions", "Required", "it finds the marker that an error is about"},
	{"emit/definitions", "KubebuilderOptional", "it finds the marker that an error is about"},
	{"emit/definitions", "KubebuilderRequired", "it finds the marker that an error is about"},
	{"rules/schema", "KubebuilderRequired", "it reads the package's marker about defaults"},
}

// readsOptions are the packages that read the options omitempty and omitzero themselves, with the reason.
var readsOptions = map[string]string{
	"front/lower":                "it reads the json tag into the field",
	"versions/adopt":             "it compares and proposes struct tags",
	"versions/evolve":            "it writes struct tags of older versions",
	"rules/eval":                 "it writes objects like encoding/json",
	"core/value":                 "it writes values like encoding/json",
	"rules/lint/structomitempty": "it reports the option",
	"rules/tags/uniondeprecated": "the older text of KEP-1027 demands the option",
}

// readsInline are the packages that ask themselves whether a field is inlined, with the reason. model.Object has the members of
// the JSON object; these packages need the fields of the struct.
var readsInline = map[string]string{
	"front/lower":                "it reads the json tag into the field",
	"versions/adopt":             "it compares fields of two structs",
	"rules/check":                "it reports metadata that is not inlined",
	"rules/defaulting":           "Go sets defaults in inlined structs by field",
	"rules/eval":                 "its values are structs",
	"versions/evolve":            "it writes structs of older versions",
	"rules/lint/jsontag":         "it reports the json tag",
	"rules/lint/nopresence":      "an inlined struct has no presence to declare",
	"rules/lint/structomitempty": "it reports the option beside inline",
	"rules/lint/versiondrift":    "it compares fields of two structs",
	"rules/rule/order":           "validators of inlined structs are called by field",
	"rules/rule/unions":          "normalisation visits inlined structs by field",
	"rules/schema":               "defaults and positions are those of fields",
	"versions/steps":             "it is about the JSON of two versions",
	"versions/steptable":         "it describes fields",
	"rules/tag":                  "fields of inlined structs are not those of the owner",
	"rules/tags/union":           "an inlined struct is no member",
	"core/value":                 "it compares JSON with structs",
	"core/value/goliteral":       "it prints Go literals of structs",
	"emit/policy":                "it reads the fields of rule/unions",
	"emit/unions":                "it reads the fields of rule/unions",
	"emit/validation":            "validators of inlined structs are called by field",
}

// fieldSources are the names in packages reflect and foreign that lead to these facts.
var fieldSources = map[string][]string{
	"reflect":                         {"StructTag"},
	module + "/internal/core/foreign": {"ListType", "ListMapKey", "PatchMergeKey", "PatchStrategy", "Optional", "Required", "KubebuilderOptional", "KubebuilderRequired"},
}

// TestFieldSources finds packages that derive facts of model.Object by themselves, and unused exceptions.
func TestFieldSources(t *testing.T) {
	used, usedOptions, usedInline := make([]bool, len(readsFieldSources)), map[string]bool{}, map[string]bool{}
	for _, p := range list(t, "../../..", "./internal/...") {
		name, _ := internal(p.ImportPath)
		if name == "core/model" {
			continue
		}
		for _, file := range p.GoFiles {
			fset := token.NewFileSet()
			f, err := parser.ParseFile(fset, filepath.Join(p.Dir, file), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for selected, at := range selections(f, fieldSources) {
				i := slices.IndexFunc(readsFieldSources, func(e struct{ pkg, name, reason string }) bool { return e.pkg == name && e.name == selected })
				if i < 0 {
					t.Errorf("%s: internal/%s uses %s; ask model.Object", fset.Position(at), name, selected)
					continue
				}
				used[i] = true
			}
			ast.Inspect(f, func(n ast.Node) bool {
				if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Name == "Inline" {
					if readsInline[name] == "" {
						t.Errorf("%s: internal/%s uses Inline; read the members of model.Object", fset.Position(sel.Pos()), name)
					}
					usedInline[name] = true
				}
				if sel, ok := n.(*ast.SelectorExpr); ok && (sel.Sel.Name == "OmitEmpty" || sel.Sel.Name == "OmitZero") {
					if readsOptions[name] == "" {
						t.Errorf("%s: internal/%s uses %s; ask model.Absent or model.PresenceOf", fset.Position(sel.Pos()), name, sel.Sel.Name)
					}
					usedOptions[name] = true
				}
				return true
			})
		}
	}
	for name := range readsOptions {
		if !usedOptions[name] {
			t.Errorf("internal/%s reads no options of json tags; remove the exception", name)
		}
	}
	for name := range readsInline {
		if !usedInline[name] {
			t.Errorf("internal/%s does not ask whether fields are inlined; remove the exception", name)
		}
	}
	for i, e := range readsFieldSources {
		if !used[i] {
			t.Errorf("internal/%s does not use %s; remove the exception", e.pkg, e.name)
		}
	}
}
