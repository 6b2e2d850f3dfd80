package conformance_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/conformance/corpus"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

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
	"unionMember memberName": nil, "unionDiscriminatedBy =": nil, // the rules are those of unions
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
