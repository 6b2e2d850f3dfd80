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
	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/driver"
	"github.com/kindsmith/kindsmith/internal/expr"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
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

// rows has, for each argument, what adds its uses.
var rows = map[string]func(x *axis, a argument, name string){
	"k8s:neq =": everywhere(func(a argument, literal, next string, n int) verdicts {
		return verdicts{a.spelled(literal, n), neighbours(literal, next), []string{literal}, corpus.Error{Type: "Invalid", Origin: "neq"}}
	}),
	"k8s:pattern =": everywhere(func(a argument, literal, next string, n int) verdicts {
		return verdicts{a.spelled("^("+regexp.QuoteMeta(literal)+")$", n), []string{literal}, neighbours(literal, next), corpus.Error{Type: "Invalid", Origin: "pattern"}}
	}),
	"k8s:alpha since": refused, "k8s:beta since": refused, "k8s:validateError =": refused, "k8s:validateFalse flags": refused,
	"k8s:validateTrue flags": refused, "k8s:validateTrueAlpha flags": refused, "k8s:validateTrueBeta flags": refused,

	"k8s:validateFalse =":           fixed,
	"k8s:validateFalse typeArg":     fixed,
	"k8s:validateFalse cohort":      cohorts,
	"k8s:validateTrue =":            fixed,
	"k8s:validateTrue typeArg":      fixed,
	"k8s:validateTrue cohort":       fixed,
	"k8s:validateTrueAlpha =":       fixed,
	"k8s:validateTrueAlpha typeArg": fixed,
	"k8s:validateTrueAlpha cohort":  fixed,
	"k8s:validateTrueBeta =":        fixed,
	"k8s:validateTrueBeta typeArg":  fixed,
	"k8s:validateTrueBeta cohort":   fixed,

	"k8s:ifEnabled ": options, "k8s:ifDisabled ": options,
	"k8s:ifMode ": modes, "k8s:ifMode mode": modes,
	"k8s:ifMode modality": modalities, "k8s:modeDiscriminator modality": nil,
	"k8s:unionMember memberName": members, "k8s:zeroOrOneOfMember memberName": zeroOrOne,
	"k8s:unionMember union": unions, "k8s:unionDiscriminator union": nil, "k8s:zeroOrOneOfMember union": zeroOrOne,
	"k8s:item *": items, "k8s:item *:": named(keys), "k8s:listMapKey =": nil,
	"k8s:isSubresource =": bodies, "k8s:supportsSubresource =": supported,
	"k8s:subfield ": named(subfields), "k8s:dependentRequired ": named(dependents), "k8s:dependentForbidden ": named(dependents),
}

// refused are arguments that must be certain words.
func refused(x *axis, a argument, name string) {
	x.fields(name, perLiteral(literals, func(n, literal, _ string) use {
		if strings.TrimSpace(literal) == "" {
			return use{} // no words
		}
		text := a.spelled(literal, len(n))
		if a.tag.Payload.Tag {
			text += `=+k8s:neq="x"`
		}
		return use{refused: true, fields: optional(n, "*string", text)}
	}))
}

// fixed are tags that pass or fail regardless of the argument.
func fixed(x *axis, a argument, name string) {
	x.fields(name, perLiteral(literals, func(n, literal, _ string) use {
		u, p := use{fields: optional(n, "*string", a.spelled(literal, len(n)))}, []part{{fields: map[string]any{"f" + n: literal}}}
		if a.tag.ErrorType == "" {
			u.valid = p
		} else {
			p[0].errors = []corpus.Error{{Type: a.tag.ErrorType, Field: "f" + n, Origin: a.tag.Origin}}
			if a.name == "=" {
				p[0].errors[0].Detail = literal
			}
			u.invalid = p
		}
		return u
	}))
}

// cohorts are rules that stop others of their cohort, and none of the neighbour's.
func cohorts(x *axis, a argument, name string) {
	x.fields(name, perLiteral(literals, func(n, literal, next string) use {
		if literal == "" {
			return use{} // the cohort of all other rules
		}
		err := corpus.Error{Type: "Invalid", Field: "f" + n, Origin: "validateFalse"}
		stop := strings.TrimSuffix(a.spelled(literal, 0), ")") + `, flags: "ShortCircuit")`
		return use{
			fields:  optional(n, "*string", stop+`="stop"`, a.spelled(literal, 1)+`="stopped"`, a.spelled(next, 0)+`="goes on"`),
			invalid: []part{{fields: map[string]any{"f" + n: "x"}, errors: []corpus.Error{err, err}}},
		}
	}))
}

// options are rules that depend on an option.
func options(x *axis, a argument, name string) {
	applies := a.tag.Role == model.RoleOptionOn
	x.fields(name, perLiteral(literals, func(n, literal, _ string) use {
		no := map[string]any{"f" + n: "no"}
		return use{
			refused: literal == "", // an option has a name
			fields:  optional(n, "*string", a.spelled(literal, len(n))+`=+k8s:neq="no"`),
			valid:   []part{{fields: no, options: map[string]bool{literal: !applies}}},
			invalid: []part{{fields: no, options: map[string]bool{literal: applies}, errors: []corpus.Error{{Type: "Invalid", Field: "f" + n, Origin: "neq"}}}},
		}
	}))
}

// modes are rules of a field in the mode of a literal, which forbid the field in others.
func modes(x *axis, a argument, name string) {
	var tags []string
	uses := perLiteral(literals, func(n, literal, next string) use {
		tags = append(tags, a.spelled(literal, len(n))+"=+k8s:neq="+tag.Quote(literal))
		other := neighbours(literal, next)[2]
		return use{
			valid: []part{{fields: map[string]any{"mode": literal, "value": next}}, {fields: map[string]any{"mode": other}}},
			invalid: []part{
				{fields: map[string]any{"mode": literal, "value": literal}, errors: []corpus.Error{{Type: "Invalid", Field: "value", Origin: "neq"}}},
				{fields: map[string]any{"mode": other + ".", "value": next}, errors: []corpus.Error{{Type: "Forbidden", Field: "value"}}},
			},
		}
	})
	uses[0].fields = optionalField("Mode", "mode", "string", "k8s:maxLength=30", "k8s:modeDiscriminator") + optionalField("Value", "value", "*string", tags...)
	x.items(name, uses)
}

var isName = regexp.MustCompile(`^[a-zA-Z]\w*$`)

// modalities are fields with a mode each.
func modalities(x *axis, a argument, name string) {
	x.fields(name, perLiteral(literals, func(n, literal, _ string) use {
		mode := func(value string) map[string]any { return map[string]any{"m" + n: value, "f" + n: "x"} }
		modality := "modality: " + a.texts(literal)[0]
		return use{
			refused: !isName.MatchString(literal),
			fields:  optionalField("M"+n, "m"+n, "string", "k8s:maxLength=30", "k8s:modeDiscriminator("+modality+")") + optional(n, "*string", `k8s:ifMode(mode: "a", `+modality+")=+k8s:optional"),
			valid:   []part{{fields: mode("a")}},
			invalid: []part{{fields: mode("b"), errors: []corpus.Error{{Type: "Forbidden", Field: "f" + n}}}},
		}
	}))
}

// members are members of a union that a literal selects.
func members(x *axis, a argument, name string) {
	var values strings.Builder
	uses := perLiteral(literals, func(n, literal, next string) use {
		u := use{fields: optional(n, "*string", a.spelled(literal, len(n)))}
		if literal == "" {
			literal = "F" + n // the default
		}
		fmt.Fprintf(&values, "%[1]sType%[2]s %[1]sType = %[3]q\n", name, n, literal)
		err := corpus.Error{Type: "Invalid", Field: "f" + n, Origin: "union"}
		u.valid = []part{{fields: map[string]any{"type": literal, "f" + n: "x"}}, {fields: map[string]any{"type": "none"}}}
		u.invalid = []part{
			{fields: map[string]any{"type": literal}, errors: []corpus.Error{err}},
			{fields: map[string]any{"type": "none", "f" + n: "x"}, errors: []corpus.Error{err}},
			{fields: map[string]any{"type": neighbours(literal, next)[2] + "."}, errors: []corpus.Error{{Type: "NotSupported", Field: "type"}}},
		}
		return u
	})
	uses[0].fields = optionalField("Type", "type", name+"Type", "k8s:unionDiscriminator") + uses[0].fields
	uses[0].types = fmt.Sprintf("// +k8s:enum\ntype %[1]sType string\n\nconst (\n%[2]s%[1]sTypeNone %[1]sType = \"none\"\n)\n\n", name, &values)
	x.items(name, uses)
}

// unions are unions with names.
func unions(x *axis, _ argument, name string) {
	x.fields(name, perLiteral(literals, func(n, literal, _ string) use {
		union := "union: " + tag.Quote(literal)
		return use{
			fields: optionalField("M"+n, "m"+n, "Member", "k8s:unionDiscriminator("+union+")") + optional(n, "*string", "k8s:unionMember("+union+`, memberName: "a")`) +
				optional("F"+n, "*string", "k8s:unionMember("+union+`, memberName: "b")`),
			valid:   []part{{fields: map[string]any{"m" + n: "a", "f" + n: "x"}}, {fields: map[string]any{"m" + n: "b", "fF" + n: "x"}}},
			invalid: []part{{fields: map[string]any{"m" + n: "a"}, errors: []corpus.Error{{Type: "Invalid", Field: "f" + n, Origin: "union"}}}},
		}
	}))
}

// zeroOrOne are unions of which one member at most is set, with names, or with names of their members.
func zeroOrOne(x *axis, a argument, name string) {
	x.fields(name, perLiteral(literals, func(n, literal, next string) use {
		tags := []string{a.spelled(literal, 0), a.spelled(literal, 1)}
		if a.name == "memberName" {
			tags = nil
			for _, member := range []string{literal, next} {
				tags = append(tags, fmt.Sprintf("%s(union: %q, memberName: %s)", a.tag.Name, n, tag.Quote(member)))
			}
		}
		err := corpus.Error{Type: "Invalid", Field: ".", Origin: "zeroOrOneOf", Detail: "`f" + n + "`, `fF" + n + "`"}
		return use{
			fields:  optional(n, "*string", tags[0]) + optional("F"+n, "*string", tags[1]),
			valid:   []part{{fields: map[string]any{"f" + n: "x"}}, {fields: map[string]any{"fF" + n: "x"}}},
			invalid: []part{{fields: map[string]any{"f" + n: "x", "fF" + n: "x"}, errors: []corpus.Error{err}}},
		}
	}))
}

// items are items that have a literal as their key.
func items(x *axis, a argument, name string) {
	x.fields(name, perLiteral(literals, func(n, literal, next string) use {
		text := fmt.Sprintf("%s(name: %s)=+k8s:subfield(value)=+k8s:neq=\"no\"", a.tag.Name, a.texts(literal)[len(n)%len(a.texts(literal))])
		list := func(names ...string) map[string]any {
			var items []any
			for _, name := range names {
				items = append(items, map[string]any{"name": name, "value": "no"})
			}
			return map[string]any{"f" + n: items}
		}
		others := neighbours(literal, next)
		if literal == "" {
			return use{} // a required key is not empty
		}
		others = slices.DeleteFunc(others, func(s string) bool { return s == "" })
		return use{
			fields:  optional(n, "[]Part", "k8s:maxItems=4", "k8s:listType=map", "k8s:listMapKey=name", text),
			valid:   []part{{fields: list(others...)}},
			invalid: []part{{fields: list(append(others, literal)...), errors: []corpus.Error{{Type: "Invalid", Field: fmt.Sprintf("f%s[%d].value", n, len(others)), Origin: "neq"}}}},
		}
	}))
}

// named adds rows for names of fields. Schemas lack the rules on those that CEL cannot select.
func named(add func(x *axis, a argument, name string, names []string)) func(x *axis, a argument, name string) {
	return func(x *axis, a argument, name string) {
		selectable, others := jsonNames()
		add(x, a, name, selectable)
		add(x, a, "Unselectable"+name, others)
	}
}

// keys are the names of keys.
func keys(x *axis, a argument, name string, names []string) {
	x.fields(name, perLiteral(names, func(n, literal, _ string) use {
		list := func(values ...string) map[string]any {
			var items []any
			for _, v := range values {
				items = append(items, map[string]any{literal: v, "value": "no"})
			}
			return map[string]any{"f" + n: items}
		}
		u := use{
			types:   fmt.Sprintf("type %s%s struct {\n%s%s}\n\n", name, n, required("Key", literal), optionalField("Value", "value", "*string")),
			valid:   []part{{fields: list("a", "b")}},
			invalid: []part{{fields: list("a", "a"), errors: []corpus.Error{{Type: "Duplicate", Field: "f" + n + "[1]"}}}},
		}
		tags := []string{"k8s:maxItems=4", "k8s:listType=map", "k8s:listMapKey=" + tag.Quote(literal)}
		if slices.Contains(words, literal) {
			tags = append(tags, a.tag.Name+"("+literal+`: "c")=+k8s:subfield(value)=+k8s:neq="no"`)
			u.invalid = append(u.invalid, part{fields: list("b", "c"), errors: []corpus.Error{{Type: "Invalid", Field: "f" + n + "[1].value", Origin: "neq"}}})
		}
		u.fields = optional(n, "[]"+name+n, tags...)
		return u
	}))
}

// subfields are fields of a struct that other fields name.
func subfields(x *axis, a argument, name string, names []string) {
	uses := perLiteral(names, func(n, literal, next string) use {
		return use{
			fields:  optional(n, "*"+name+"Names", a.spelled(literal, len(n))+`=+k8s:neq="no"`),
			valid:   []part{{fields: map[string]any{"f" + n: map[string]any{literal: "yes", next: "no"}}}},
			invalid: []part{{fields: map[string]any{"f" + n: map[string]any{literal: "no"}}, errors: []corpus.Error{{Type: "Invalid", Field: "f" + n + "." + literal, Origin: "neq"}}}},
		}
	})
	var all string
	for n, literal := range names {
		all += optionalField("F"+strconv.Itoa(n), literal, "*string")
	}
	uses[0].types = "type " + name + "Names struct {\n" + all + "}\n\n"
	x.fields(name, uses)
}

// dependents are fields that depend on fields with literals as their names.
func dependents(x *axis, a argument, name string, names []string) {
	x.fields(name, perLiteral(names, func(n, literal, _ string) use {
		alone, both := map[string]any{"f" + n: "x"}, map[string]any{"f" + n: "x", literal: "x"}
		u := use{fields: optionalField("N"+n, literal, "*string") + optional(n, "*string", a.spelled(literal, len(n)))}
		// The neighbour is there, too, so a part has all names.
		for _, p := range []struct {
			fields map[string]any
			valid  bool
		}{{alone, a.tag.ErrorType == "Forbidden"}, {both, a.tag.ErrorType == "Required"}} {
			if p.valid {
				u.valid = append(u.valid, part{fields: p.fields})
			} else {
				u.invalid = append(u.invalid, part{fields: p.fields, errors: []corpus.Error{{Type: a.tag.ErrorType, Field: literal, Origin: a.tag.Origin}}})
			}
		}
		return u
	}))
}

// bodies are kinds that are the bodies of a subresource each.
func bodies(x *axis, a argument, name string) {
	for n, literal := range segments() {
		x.kind(name+strconv.Itoa(n), []string{a.spelled("/"+literal, n)})
		x.request(name+strconv.Itoa(n), literal, true)
		x.request(name+strconv.Itoa(n), literal+".", false)
	}
}

// supported are the subresources of one kind.
func supported(x *axis, a argument, name string) {
	var tags []string
	for n, literal := range segments() {
		tags = append(tags, a.spelled("/"+literal, n))
		x.request(name, literal, true)
		x.request(name, neighbours(literal, "")[2]+".", false)
	}
	x.kind(name, tags)
}

// segments are the literals that can be a part of a path.
func segments() []string {
	return slices.DeleteFunc(slices.Clone(literals), func(l string) bool { return strings.Contains(l, "/") })
}

// kind adds a kind whose field Name is not "no".
func (x *axis) kind(name string, tags []string) {
	fmt.Fprintf(&x.types, "%stype %s struct {\nmetav1.TypeMeta `json:\",inline\"`\nmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n%s}\n\n", comment(tags), name, optional("", "*string", `k8s:neq="no"`))
}

// request adds requests of a subresource, which has a validator or not.
func (x *axis) request(typ, subresource string, has bool) {
	o := &corpus.Object{Name: fmt.Sprintf("invalid/%s %q", typ, subresource), Type: typ, Object: map[string]any{"f": "no"}, Subresource: "/" + subresource}
	o.Errors = []corpus.Error{{Type: "InternalError", Field: "."}}
	if has {
		o.Errors = []corpus.Error{{Type: "Invalid", Field: "f", Origin: "neq"}}
	}
	x.objects = append(x.objects, o)
}

// optional declares the optional field F<n>.
func optional(n, typ string, tags ...string) string { return optionalField("F"+n, "f"+n, typ, tags...) }

// optionalField declares an optional field.
func optionalField(name, json, typ string, tags ...string) string {
	return "// +k8s:optional\n" + comment(tags) + name + " " + typ + " `json:\"" + json + ",omitempty\"`\n"
}

// required declares a required string.
func required(name, json string) string {
	return "// +k8s:required\n// +k8s:maxLength=30\n" + name + " string `json:\"" + json + "\"`\n"
}

func comment(tags []string) string {
	var b strings.Builder
	for _, t := range tags {
		b.WriteString("// +" + t + "\n")
	}
	return b.String()
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
