package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/core/spell"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// scope reports a tag that is out of its scope.
func (c *checker) scope(n *tag.Node, def *tag.Definition, use *model.Tag) bool {
	if def.Scopes&n.Scope != 0 {
		return true
	}
	c.bag.Errorf(use.NameSpan, codeWrongPlace, "+%s cannot be used on %s; it is for %s",
		use.Name, strings.Join(n.Scope.Names(), ", "), strings.Join(def.Scopes.Names(), ", "))
	return false
}

// shape reports a tag on a type that it does not apply to.
func (c *checker) shape(n *tag.Node, def *tag.Definition, use *model.Tag) bool {
	if n.Type == nil || def.Shapes.All() {
		return true
	}
	if u := n.Underlying(); u.Kind == model.KindInvalid {
		return false // the type itself was reported
	}
	if def.For(n.Model, n.Type) {
		return true
	}
	code, _ := def.WrongType()
	d := c.bag.Errorf(use.NameSpan, code, "+%s is for %s, and %s %s not",
		use.Name, def.Shapes.Words(), n.Describe(), n.Is())
	d.RestsOn(n.TypeOf())
	if !tag.IsData(n.Underlying().Kind) {
		// One tag is enough to show that the type is wrong.
		d.Message += "; use a type that JSON has, apiextensionsv1.JSON or runtime.RawExtension"
		d.RestsOn(n.NoRules()).Voids(n.NoRules())
		return false
	}
	if instead := c.instead(n, def, use); instead != "" {
		d.Message += "; " + instead
	}
	return false
}

// instead suggests the tag that the author may have meant.
func (c *checker) instead(n *tag.Node, def *tag.Definition, use *model.Tag) string {
	shape := tag.ShapeOf(n.Model, n.Type)
	if u := n.Underlying(); (shape == tag.Lists || shape == tag.Maps) && u.Elem != nil {
		if def.For(n.Model, u.Elem) && def.Scopes&(tag.OnValue|tag.OnMapValue) != 0 {
			return "for its values, write +" + c.tags.WithRole(model.RoleEachVal) + "=" + use.Describe()
		}
	}
	if other := def.Instead[shape]; other != "" {
		return "for " + shape.Words() + " there is +" + other
	}
	return ""
}

// args reports arguments that are unknown, of the wrong kind, or missing.
func (c *checker) args(def *tag.Definition, use *model.Tag) bool {
	ok := true
	for _, a := range use.Args {
		want := def.Arg(a.Name)
		if a.Value.Kind == "" {
			ok = false // did not parse, and was reported
			continue
		}
		if want == nil {
			ok = false
			c.unknownArg(def, use, a)
			continue
		}
		if !c.takes(def, want.Kinds, a.Value.Kind) {
			ok = false
			c.bag.Errorf(a.Value.Span, codeWrongArgument, "argument %s of +%s is %s; write %s",
				quoteName(a.Name), use.Name, describeKind(a.Value.Kind), describeKinds(want.Kinds))
			continue
		}
		texts := []string{a.Value.Text}
		if want.List {
			texts = strings.Split(a.Value.Text, ",")
		}
		for _, text := range texts {
			ok = c.isOne(strings.TrimSpace(text), want.Values, a.Value.Span, argumentOf(a.Name, use)) && ok
		}
	}
	for _, want := range def.Args {
		if want.Required && use.Arg(want.Name) == nil {
			ok = false
			d := c.bag.Errorf(use.NameSpan, codeMissingArgument, "+%s needs an argument: %s", use.Name, want.Doc).RestsOn(tag.ArgumentsOf(use.Span))
			if want.Name != "" {
				d.Message = fmt.Sprintf("+%s needs the argument %s: %s", use.Name, want.Name, want.Doc)
			}
		}
	}
	return ok
}

func (c *checker) unknownArg(def *tag.Definition, use *model.Tag, a model.Arg) {
	var names []string
	for _, want := range def.Args {
		if want.Name != "" && want.Name != tag.AnyName {
			names = append(names, want.Name)
		}
	}
	report := func(span source.Span, format string, args ...any) *diag.Diagnostic {
		return c.bag.Errorf(span, codeUnknownArgument, format, args...).Voids(tag.ArgumentsOf(use.Span))
	}
	switch {
	case valueInParens(def, use):
		tail := use.Span
		tail.Start = use.NameSpan.End
		report(a.Value.Span, "+%s takes no arguments; write its value after =", use.Name).
			Suggest(tail, "="+a.Value.Span.Text(), "write +%s=%s", use.Name, a.Value.Span.Text())
	case len(def.Args) == 0:
		report(a.Span, "+%s takes no arguments", use.Name)
	case def.Arg(tag.AnyName) != nil && a.Name == "":
		report(a.Span, "+%s takes named arguments: %s", use.Name, def.Arg(tag.AnyName).Doc)
	case a.Name == "" && len(names) > 0 && use.Arg(names[0]) == nil:
		report(a.Span, "+%s takes named arguments: %s; write %s: %s", use.Name, strings.Join(names, ", "), names[0], a.Value.Span.Text()).
			Suggest(a.Span, names[0]+": "+a.Value.Span.Text(), "write %s:", names[0])
	case a.Name == "":
		report(a.Span, "+%s takes named arguments: %s", use.Name, strings.Join(names, ", "))
	case len(names) == 0:
		report(a.Span, "+%s takes one argument without a name, not %q", use.Name, a.Name)
	default:
		d := report(a.Span, "+%s has no argument %q", use.Name, a.Name)
		unused := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return use.Arg(name) != nil })
		tag.SuggestName(d, a.Span, a.Name, unused, "it takes: "+strings.Join(names, ", "))
	}
}

// valueInParens reports whether a tag's value is written as an argument:
// +k8s:maxLength(63) for +k8s:maxLength=63.
func valueInParens(def *tag.Definition, use *model.Tag) bool {
	return len(def.Args) == 0 && use.Payload == nil && use.Inner == nil && len(use.Args) == 1 &&
		use.Args[0].Name == "" && slices.Contains(def.Payload.Kinds, use.Args[0].Value.Kind)
}

// payload reports a value that is missing, unwanted, of the wrong kind, or not allowed.
func (c *checker) payload(n *tag.Node, def *tag.Definition, use *model.Tag) bool {
	p := def.Payload
	wants := p.Tag || len(p.Kinds) > 0
	switch {
	case use.Payload != nil && use.Payload.Kind == "":
		return false // did not parse, and was reported
	case !wants && use.Inner != nil:
		c.bag.Errorf(use.Inner.Span, codeUnwantedValue, "+%s takes no value", use.Name)
		return false
	case !wants && use.Payload != nil:
		c.bag.Errorf(use.Payload.Span, codeUnwantedValue, "+%s takes no value", use.Name)
		return false
	case !wants:
		return true
	case p.Tag && use.Inner != nil:
		return true
	case p.Tag && use.Payload != nil:
		d := c.bag.Errorf(use.Payload.Span, codeNotATag, "the value of +%s is %s; write a tag, as in +%s=+%s=63", use.Name, describeKind(use.Payload.Kind), use.Name, c.tags.WithRole(model.RoleMaxLength))
		if text := use.Payload.Text; c.tags.Lookup(strings.SplitN(text, "=", 2)[0]) != nil {
			d.Suggest(use.Payload.Span, "+"+text, "write +%s", text)
		}
		return false
	case use.Payload == nil && use.Inner == nil:
		if p.Optional {
			return true
		}
		if valueInParens(def, use) {
			return false // reported with the argument
		}
		c.bag.Errorf(use.NameSpan, codeMissingValue, "+%s needs a value: %s", use.Name, p.Doc)
		return false
	case use.Inner != nil:
		c.bag.Errorf(use.Inner.Span, codeWrongValue, "the value of +%s cannot be a tag; write %s", use.Name, describeKinds(p.Kinds))
		return false
	}
	v := use.Payload
	if p.Measured && !c.measured(n, def, use) {
		return false
	}
	if !c.takes(def, def.PayloadKinds(n), v.Kind) {
		what, wanted := describeKind(v.Kind), describeKinds(def.PayloadKinds(n))
		if number := v.Span.Text(); number != "" && strings.ContainsRune("0123456789+-.", rune(number[0])) && v.Kind != model.IntValue {
			what, wanted = "not an integer", wanted+" in digits, without fraction, exponent, separator or unit"
		}
		c.bag.Errorf(v.Span, codeWrongValue, "the value of +%s is %s; write %s", use.Name, what, wanted)
		return false
	}
	return c.isOne(v.Text, p.Values, v.Span, "+"+use.Name)
}

// isOne reports a text that is not one of the values, if there are any.
func (c *checker) isOne(text string, values []string, at source.Span, of string) bool {
	if len(values) == 0 || slices.Contains(values, text) {
		return true
	}
	d := c.bag.Errorf(at, codeUnknownValue, "%s has no value %q; use one of: %s", of, text, strings.Join(values, ", "))
	if near := spell.Nearest(text, values); near != "" {
		d.Message = fmt.Sprintf("%s has no value %q; did you mean %s?", of, text, near)
	}
	if near := spell.Certain(text, values); near != "" {
		d.Suggest(at, strings.Replace(at.Text(), text, near, 1), "write %s", near)
	}
	return false
}

// argumentOf names an argument of a tag.
func argumentOf(name string, use *model.Tag) string {
	if name == "" {
		return "+" + use.Name
	}
	return "argument " + name + " of +" + use.Name
}

// constants warns about values that are not values of the enum that they are compared with.
func (c *checker) constants(n *tag.Node, def *tag.Definition, use *model.Tag) {
	for i := range use.Args {
		a := &use.Args[i]
		c.constant(use, n.EnumNamed(def.Arg(a.Name).Refers, a.NameRef), &a.Value)
	}
	if use.Payload != nil {
		c.constant(use, n.EnumNamed(def.Payload.Refers, nil), use.Payload)
	}
}

func (c *checker) constant(use *model.Tag, enum *model.Type, v *model.Value) {
	if enum == nil || v.Ref != nil || v.Text == "" {
		return
	}
	var values []string
	for _, k := range enum.Consts {
		values = append(values, k.Value)
	}
	d := c.bag.Warnf(v.Span, codeNotAConstant, "%q is not a value of %s, so +%s has no effect; the values are: %s", v.Text, enum.Name, use.Name, strings.Join(values, ", "))
	if near := spell.Certain(v.Text, values); near != "" && v.Kind == model.StringValue {
		d.Suggest(v.Span, tag.Quote(near), "write %q", near)
	}
}

// takes reports whether a kind of value is allowed. In some families, a word is a string without
// quotes.
func (c *checker) takes(def *tag.Definition, kinds []model.ValueKind, kind model.ValueKind) bool {
	if slices.Contains(kinds, kind) {
		return true
	}
	family := c.tags.FamilyOf(def.Name)
	return kind == model.IdentValue && family != nil && family.Words && slices.Contains(kinds, model.StringValue)
}

func quoteName(name string) string {
	if name == "" {
		return "1"
	}
	return fmt.Sprintf("%q", name)
}

func describeKind(k model.ValueKind) string {
	words := map[model.ValueKind]string{
		model.StringValue: "a string", model.IntValue: "an integer", model.BoolValue: "true or false",
		model.IdentValue: "a word", model.JSONValue: "JSON", model.RawValue: "text",
	}
	return words[k]
}

func describeKinds(kinds []model.ValueKind) string {
	words := make([]string, len(kinds))
	for i, k := range kinds {
		words[i] = describeKind(k)
	}
	return strings.Join(words, " or ")
}
