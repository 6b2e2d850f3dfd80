package conformance_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/tools/txtar"

	"github.com/kindsmith/kindsmith/conformance/corpus"
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

// literals are strings with a meaning in CEL, Go, JSON, YAML, formats or comments. Similar ones are
// neighbours.
var literals = []string{
	"self", "oldSelf", "x", "k", "i", "in", "true", "null", "func", "type",
	"", " ", " self", "self ", "'", `"`, "`", `it's "quoted"`, `\`, `\\`, "\n", `\n`, "a\r\nb", "\x00", "\u2028",
	"%s", "100%", "${x}", "{{.}}", "日本", "é", "e\u0301", "<&>", "//", "*/", "# no comment", "+k8s:neq", "a: b", "- a", "[]", "0", "2001-01-01",
}

// jsonNames are the literals that can be the names of fields: those that CEL can select, and others. Brackets would be
// taken for indexes in the paths of errors.
func jsonNames() (selectable, others []string) {
	for _, l := range literals {
		field := reflect.StructField{Name: "F", Type: reflect.TypeFor[string](), Tag: reflect.StructTag("json:" + strconv.Quote(l))}
		text, err := json.Marshal(reflect.New(reflect.StructOf([]reflect.StructField{field})).Interface())
		if decoded := map[string]string{}; err == nil && json.Unmarshal(text, &decoded) == nil && len(decoded) == 1 {
			if _, ok := decoded[l]; ok && l != "" && l != "F" && !strings.ContainsAny(l, "`\"[") {
				if _, ok := expr.EscapeName(l); ok {
					selectable = append(selectable, l)
				} else {
					others = append(others, l)
				}
			}
		}
	}
	return selectable, others
}

// argument is an argument, or the value, of a tag.
type argument struct {
	tag *tag.Definition
	// name is the argument's name, "=" for the value, and "*:" for a name that authors choose.
	name  string
	kinds []model.ValueKind
}

func (a argument) String() string { return a.tag.Name + " " + a.name }

// texts returns what authors write as a literal: in quotes, in backquotes, and as a word.
func (a argument) texts(literal string) []string {
	texts := []string{tag.Quote(literal)}
	if literal != "" && !strings.ContainsFunc(literal, func(r rune) bool { return r == '`' || r == '\\' || strconv.Quote(string(r)) != `"`+string(r)+`"` }) {
		texts = append(texts, "`"+literal+"`")
	}
	if slices.Contains(a.kinds, model.IdentValue) && slices.Contains(words, literal) {
		texts = append(texts, literal)
	}
	return texts
}

// spelled returns the tag with a literal, in the n-th of its spellings.
func (a argument) spelled(literal string, n int) string {
	texts := a.texts(literal)
	text := texts[n%len(texts)]
	switch a.name {
	case "=":
		return a.tag.Name + "=" + text
	case "":
		return a.tag.Name + "(" + text + ")"
	}
	return a.tag.Name + "(" + a.name + ": " + text + ")"
}

// words are the literals that need no quotes.
var words = []string{"self", "oldSelf", "x", "k", "i", "in", "func", "type", "日本", "é"}

// arguments returns the arguments of all tags that take strings of an author's choice.
func arguments() []argument {
	var all []argument
	for _, d := range driver.Tags().All() {
		for _, a := range d.Args {
			if slices.Contains(a.Kinds, model.StringValue) {
				all = append(all, argument{d, a.Name, a.Kinds})
			}
			if a.NameRefers != tag.Nothing {
				all = append(all, argument{d, a.Name + ":", []model.ValueKind{model.IdentValue}})
			}
		}
		if p := d.Payload; slices.Contains(p.Kinds, model.StringValue) && !p.Measured && len(p.Values) == 0 {
			all = append(all, argument{d, "=", p.Kinds})
		}
	}
	return all
}

// use is one use of a literal: declarations, and objects.
type use struct {
	// fields are declarations of fields, types are declarations beside the struct.
	fields, types  string
	valid, invalid []part
	// refused is set if the literal is an error.
	refused bool
}

// part is a part of an object, with the errors that it has.
type part struct {
	fields  map[string]any
	options map[string]bool
	errors  []corpus.Error
}

// axis builds the case of all arguments and literals.
type axis struct {
	types strings.Builder
	// refused are structs with errors, refusals their number.
	refused  strings.Builder
	refusals int
	objects  []*corpus.Object
}

// fields adds a struct with all fields of the uses.
func (x *axis) fields(name string, uses []use) {
	uses = slices.DeleteFunc(uses, func(u use) bool {
		if u.refused {
			fmt.Fprintf(&x.refused, "type %s%d struct {\n%s}\n\n", name, x.refusals, u.fields)
			x.refusals++
		}
		return u.refused
	})
	if len(uses) == 0 {
		return
	}
	x.declare(name, uses)
	x.combine(name, uses, func(o *corpus.Object, p part) {
		maps.Copy(o.Object, p.fields)
		o.Errors = append(o.Errors, p.errors...)
	})
}

// items adds a list of structs with all fields of the uses, and an item for each use.
func (x *axis) items(name string, uses []use) {
	fmt.Fprintf(&x.types, "type %[1]s struct {\n\t// +k8s:optional\n\t// +k8s:maxItems=%[2]d\n\tItems []%[1]sItem `json:\"items,omitempty\"`\n}\n\n", name, len(uses))
	x.declare(name+"Item", uses)
	x.combine(name, uses, func(o *corpus.Object, p part) {
		items, _ := o.Object["items"].([]any)
		o.Object["items"] = append(items, p.fields)
		for _, e := range p.errors {
			e.Field = fmt.Sprintf("items[%d].%s", len(items), e.Field)
			o.Errors = append(o.Errors, e)
		}
	})
}

func (x *axis) declare(name string, uses []use) {
	var types strings.Builder
	fmt.Fprintf(&x.types, "type %s struct {\n", name)
	for _, u := range uses {
		x.types.WriteString(u.fields)
		types.WriteString(u.types)
	}
	x.types.WriteString("}\n\n" + types.String())
}

// combine adds objects that have a part of each use: valid ones, invalid ones, and objects in which every second part is
// invalid, which show uses that are taken for one another.
func (x *axis) combine(name string, uses []use, add func(o *corpus.Object, p part)) {
	object := func(kind string, pick func(i int, u use) []part, n int) {
		o := &corpus.Object{Name: fmt.Sprintf(kind, name, n), Type: name, Object: map[string]any{}, Options: map[string]bool{}}
		for i, u := range uses {
			if parts := pick(i, u); len(parts) > 0 {
				p := parts[n%len(parts)]
				add(o, p)
				maps.Copy(o.Options, p.options)
			}
		}
		if strings.HasPrefix(kind, "valid/") || len(o.Errors) > 0 {
			x.objects = append(x.objects, o)
		}
	}
	valid, invalid := 0, 0
	for _, u := range uses {
		valid, invalid = max(valid, len(u.valid)), max(invalid, len(u.invalid))
	}
	for n := range valid {
		object("valid/%s %d", func(_ int, u use) []part { return u.valid }, n)
	}
	for n := range invalid {
		object("invalid/%s %d", func(_ int, u use) []part { return u.invalid }, n)
	}
	for n := range 2 {
		object("invalid/half of %s %d", func(i int, u use) []part {
			if i%2 == n {
				return u.invalid
			}
			return u.valid
		}, n)
	}
}

// perLiteral returns a use for each literal. Next is the literal after it.
func perLiteral(of []string, make func(n, literal, next string) use) []use {
	var uses []use
	for i, literal := range of {
		uses = append(uses, make(strconv.Itoa(i), literal, of[(i+1)%len(of)]))
	}
	return uses
}

// neighbours returns strings that are similar to a literal and differ from it.
func neighbours(literal, next string) []string {
	quoted := tag.Quote(literal)
	escaped := quoted[1 : len(quoted)-1]
	if escaped == literal || escaped == next {
		escaped = quoted
	}
	return []string{next, literal + " ", escaped}
}

// within are the values that a tag can be about: the field F<n>, and what is in it.
var within = []struct {
	name, fields, types string
	holds               func(v string) any
	path                string
}{
	{"Field", "// +k8s:optional\n// +%[2]s\nF%[1]s *string `json:\"f%[1]s,omitempty\"`\n", "", func(v string) any { return v }, ""},
	{"Type", "// +k8s:optional\nF%[1]s *%[3]s%[1]s `json:\"f%[1]s,omitempty\"`\n", "// +%[2]s\ntype %[3]s%[1]s string\n\n", func(v string) any { return v }, ""},
	{"Items", "// +k8s:optional\n// +k8s:maxItems=2\n// +k8s:eachVal=+%[2]s\nF%[1]s []string `json:\"f%[1]s,omitempty\"`\n", "", func(v string) any { return []any{v} }, "[0]"},
	{"Keys", "// +k8s:optional\n// +k8s:maxProperties=2\n// +k8s:eachKey=+%[2]s\nF%[1]s map[string]string `json:\"f%[1]s,omitempty\"`\n", "", func(v string) any { return map[string]any{v: "v"} }, ""},
	{"Values", "// +k8s:optional\n// +k8s:maxProperties=2\n// +k8s:eachVal=+%[2]s\nF%[1]s map[string]string `json:\"f%[1]s,omitempty\"`\n", "", func(v string) any { return map[string]any{"k": v} }, "[k]"},
	{"Part", "// +k8s:optional\n// +k8s:subfield(value)=+%[2]s\nF%[1]s *Part `json:\"f%[1]s,omitempty\"`\n", "", func(v string) any { return map[string]any{"name": "a", "value": v} }, ".value"},
	{"Item", "// +k8s:optional\n// +k8s:maxItems=2\n// +k8s:listType=map\n// +k8s:listMapKey=name\n// +k8s:item(name: \"a\")=+k8s:subfield(value)=+%[2]s\nF%[1]s []Part `json:\"f%[1]s,omitempty\"`\n", "", func(v string) any { return []any{map[string]any{"name": "a", "value": v}} }, "[0].value"},
}

// header begins the package.
const header = `// +groupName=literals.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

var localSchemeBuilder = &runtime.SchemeBuilder{}

var _ metav1.Time

`

// sharedTypes are the types of several structs.
const sharedTypes = "// +k8s:enum\ntype Member string\n\nconst (\nMemberA Member = \"a\"\nMemberB Member = \"b\"\n)\n\ntype Part struct {\n// +k8s:required\n// +k8s:maxLength=30\nName string `json:\"name\"`\n// +k8s:optional\nValue *string `json:\"value,omitempty\"`\n}\n\n"

// verdicts are a tag with a literal, and values that it allows and disallows.
type verdicts struct {
	tag            string
	valid, invalid []string
	error          corpus.Error
}

// everywhere adds a struct for each kind of value, with a tag about strings.
func everywhere(judge func(a argument, literal, next string, spelling int) verdicts) func(x *axis, a argument, name string) {
	return func(x *axis, a argument, name string) {
		for k, in := range within {
			typ := name + in.name
			x.fields(typ, perLiteral(literals, func(n, literal, next string) use {
				v := judge(a, literal, next, k)
				u := use{fields: fmt.Sprintf(in.fields+"%[4]s", n, v.tag, typ, ""), types: fmt.Sprintf(in.types+"%[4]s", n, v.tag, typ, "")}
				at := func(text string) map[string]any { return map[string]any{"f" + n: in.holds(text)} }
				for _, text := range v.valid {
					u.valid = append(u.valid, part{fields: at(text)})
				}
				for _, text := range v.invalid {
					v.error.Field = "f" + n + in.path
					u.invalid = append(u.invalid, part{fields: at(text), errors: []corpus.Error{v.error}})
				}
				return u
			}))
		}
	}
}

// refusedLiterals is the name of the case whose structs all have errors.
const refusedLiterals = "refused-literals"

// TestRefusedLiterals checks that each use of a refused literal is an error.
func TestRefusedLiterals(t *testing.T) {
	for _, c := range load(t).cases {
		if c.Name != corpus.Semantics+"/"+refusedLiterals {
			continue
		}
		text := string(c.Section(corpus.Types))
		for _, bounds := range regexp.MustCompile(`(?s)type .*?\n}\n`).FindAllStringIndex(text, -1) {
			if !slices.ContainsFunc(c.found, func(d *diag.Diagnostic) bool {
				return d.Severity == diag.Error && bounds[0] <= d.Span.Start && d.Span.End <= bounds[1]
			}) {
				t.Errorf("no error for\n%s", text[bounds[0]:bounds[1]])
			}
		}
	}
}

// literalCases returns the cases of all arguments: uses, those that have schemas for each set of options, those that have
// none, and uses that are errors.
func literalCases() ([]*corpus.Case, error) {
	var refused strings.Builder
	cases := map[string]*axis{"literals": {}, "literals-of-options": {}, "literals-of-subresources": {}}
	unused := maps.Clone(rows)
	for _, a := range arguments() {
		row, ok := rows[a.String()]
		delete(unused, a.String())
		name := "literals"
		switch {
		case !ok && (a.tag.Role.IsAboutVersions() || a.tag.Role == model.RoleDefault):
			continue // not rules
		case !ok:
			return nil, fmt.Errorf("conformance/literals_test.go has no row for %q", a)
		case a.tag.Role.IsOption():
			name += "-of-options"
		case a.tag.Scopes == tag.OnType:
			name += "-of-subresources"
		}
		if row != nil {
			row(cases[name], a, exported(strings.TrimPrefix(a.String(), "k8s:")))
		}
	}
	if len(unused) > 0 {
		return nil, fmt.Errorf("conformance/literals_test.go has rows for arguments that do not exist: %q", sortedKeys(unused))
	}
	var all []*corpus.Case
	for _, name := range sortedKeys(cases) {
		x := cases[name]
		refused.WriteString(x.refused.String())
		all = append(all, derived(name, header+sharedTypes+x.types.String(), x.objects))
	}
	return append(all, derived(refusedLiterals, "package v1\n\n"+refused.String(), nil)), nil
}

// derived returns a case without an archive.
func derived(name, types string, objects []*corpus.Object) *corpus.Case {
	return &corpus.Case{
		Name: corpus.Semantics + "/" + name, Folder: corpus.Semantics, Objects: objects,
		Archive: &txtar.Archive{Files: []txtar.File{{Name: corpus.Types, Data: []byte(types)}}},
	}
}

// exported returns a Go name for an argument.
func exported(text string) string {
	var b strings.Builder
	for _, word := range strings.FieldsFunc(strings.NewReplacer("=", "Value", "*", "Any", ":", " Name ").Replace(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}
