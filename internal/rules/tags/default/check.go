package defaulttag

import (
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/core/spell"
	"github.com/kindsmith/kindsmith/internal/core/value"
	"github.com/kindsmith/kindsmith/internal/rules/defaulting"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// check checks that a default has a valid value, and that it can take effect on the field, or on
// every field of the type.
func check(n *tag.Node, _ *model.Tag, bag *diag.Bag) {
	own := n.Owner.Default
	typ := model.Named(n.Owner.Package, n.Owner.Name)
	if n.Field != nil {
		own, typ = n.Field.Default, n.Field.Type
	}
	if own == nil {
		return // already reported
	}
	e, ok := effective(n)
	if !ok && own.Ref != nil {
		unknownConstant(own, bag)
		return
	}
	checker := value.Checker{
		Model: n.Model, Bag: bag, Codes: defaulting.ValueCodes,
		Else: "ref(<constant>)", NoLiteral: "set it in a SetDefaults_ function",
	}
	v := checker.Check(typ, written(own, e))
	if v == nil || null(own, v, bag) {
		return
	}
	if n.Field == nil {
		uses(n, e, bag)
		satisfies(n, e, bag)
		listed(n, e, bag)
		return
	}
	c := fieldCheck{node: n, m: n.Model, owner: n.Owner, f: n.Field, own: own, effective: e, bag: bag}
	c.rules()
	satisfies(n, e, bag)
	listed(n, e, bag)
}

// listed reports a default that is not a constant of its type, if the type has +enum. Rules refuse it for types with
// +k8s:enum, and nothing enforces +enum.
func listed(n *tag.Node, e defaulting.Effective, bag *diag.Bag) {
	enum := tag.PublishedEnumOf(n.Model, n.Type)
	if enum == nil || e.Value.Kind != value.String || len(judge(n, e.Value)) > 0 {
		return
	}
	var values []string
	for _, c := range tag.EnumValues(enum) {
		if c.Value == e.Value.Text {
			return
		}
		values = append(values, c.Value)
	}
	d := bag.Warnf(e.Declared.Span, codeNotListed, "the default %s is not a value of the enum %s; use one of: %s", e.JSON(), enum.Name, strings.Join(values, ", "))
	if near := spell.Certain(e.Value.Text, values); near != "" && e.Declared.Span.Text() == e.JSON() {
		d.Suggest(e.Declared.Span, tag.Quote(near), "use %q", near)
	}
}

// null reports the default null, which says that an unset field is unset.
func null(own *model.Default, v *value.Value, bag *diag.Bag) bool {
	if v.Kind == value.Null {
		bag.Errorf(own.Span, codeNull, "null is the same as unset, so it cannot be a default; remove the tag, or write a value")
	}
	return v.Kind == value.Null
}

// satisfies reports the rules broken by the default. It ignores the default {} of a non-pointer
// struct, which has no effect.
func satisfies(n *tag.Node, e defaulting.Effective, bag *diag.Bag) {
	if defaulting.KindOf(n.Model, n.Type) == defaulting.Struct {
		return
	}
	for _, b := range judge(n, e.Value) {
		span := written(e.Declared, e).At(b.value.Start, b.value.End)
		message := "the default of " + n.Describe()
		switch {
		case b.absent:
			message += " leaves out " + b.Field + ", which does not satisfy "
		case b.Field != "":
			message += " at " + b.Field + " does not satisfy "
		default:
			message += " does not satisfy "
		}
		if b.Rule == "" {
			bag.Errorf(span, codeViolatesRule, "%sa rule: %s", message, b.ErrorBody())
			continue
		}
		bag.Errorf(span, codeViolatesRule, "%s%s; change one of them", message, b.Rule).
			Note(b.Declared, "the rule").RestsOn(diag.Meaning(b.Declared))
	}
}

// uses checks the fields with the type's default.
func uses(n *tag.Node, e defaulting.Effective, bag *diag.Bag) {
	for _, p := range n.Model.Packages {
		if !p.Root || p.Generated {
			continue
		}
		for _, t := range p.Types {
			for _, f := range t.Fields {
				elements(n, f, f.Type, bag, 0)
				if f.Default != nil {
					continue
				}
				if of, ok := defaulting.OfField(n.Model, t, f); ok && of.Type == n.Owner {
					at := tag.FieldNode(n.Model, n.Tags, t, f)
					c := fieldCheck{node: at, m: n.Model, owner: t, f: f, effective: e, bag: bag}
					c.rules()
					satisfies(at, e, bag)
				}
			}
		}
	}
}

func unknownConstant(d *model.Default, bag *diag.Bag) {
	bag.Errorf(d.Span, codeUnknownConstant, "ref(%s) is not a known constant; write a constant of this package, or package.Constant with a package that the file imports", refText(d))
}

func refText(d *model.Default) string {
	if d.Ref == nil {
		return ""
	}
	return d.Ref.String()
}

// written returns the default as written.
func written(d *model.Default, e defaulting.Effective) value.Written {
	if e.Const != nil {
		return value.Written{Text: e.JSON(), Span: d.Span, Const: e.Const.Name}
	}
	return value.Written{Text: d.JSON, Span: d.Span}
}

// fieldCheck checks a default against the Go type of its field.
type fieldCheck struct {
	node  *tag.Node
	m     *model.Model
	owner *model.Type
	f     *model.Field
	// own is the field's own tag, nil if the default is that of its type.
	own       *model.Default
	effective defaulting.Effective
	bag       *diag.Bag
}

// span is the position for diagnostics.
func (c *fieldCheck) span() source.Span {
	if c.own != nil {
		return c.own.Span
	}
	return c.f.Span
}

func (c *fieldCheck) errorf(code diag.Code, format string, args ...any) *diag.Diagnostic {
	d := c.bag.Errorf(c.span(), code, format, args...)
	c.origin(d)
	return d
}

func (c *fieldCheck) warnf(code diag.Code, format string, args ...any) *diag.Diagnostic {
	d := c.bag.Warnf(c.span(), code, format, args...)
	c.origin(d)
	return d
}

// origin adds a note at the tag on the field's type.
func (c *fieldCheck) origin(d *diag.Diagnostic) {
	if c.own == nil && c.effective.Type != nil {
		d.Note(c.effective.Declared.Span, "the default %s of type %s", c.effective.JSON(), c.effective.Type.Name)
	}
}

// isZero reports whether the default is the zero value of the field.
func (c *fieldCheck) isZero() bool { return value.IsZero(c.m, c.f.Type, c.effective.Value) }

// rules checks that Go can distinguish an unset field from a set one. The convention
// structomitempty reports omitempty on structs.
func (c *fieldCheck) rules() {
	if defaulting.Endless(c.m, c.owner, c.f) == c.f {
		c.errorf(codeEndless, "the default contains the default of %s again, without end; remove one of these defaults", c.f.Name)
		return
	}
	switch defaulting.KindOf(c.m, c.f.Type) {
	case defaulting.Struct:
		switch {
		case c.effective.OnServers:
			c.warnf(codeStruct, "%s is a non-pointer struct, which is always set in Go: API servers apply its default if a manifest omits it, but generated Go does not; make it *%s, or put the defaults on the fields of %s",
				c.f.Name, value.TypeName(c.f.Type), value.TypeName(c.f.Type))
		case !defaulting.IsEmptyObject(c.effective.Value):
			c.errorf(codeStruct, "%s is a non-pointer struct, which is always set, so its only possible default is {}; make it *%s, or put the defaults on the fields of %s",
				c.f.Name, value.TypeName(c.f.Type), value.TypeName(c.f.Type))
		}
	case defaulting.Scalar:
		c.scalar()
	case defaulting.Free:
		c.container()
	case defaulting.Opaque:
		if !c.isZero() && c.m.Absent(c.f) == model.LackNever && sentWhenZero[c.f.Type.ID()] {
			c.warnf(codeNeedsOmitzero, "%s is a struct, which clients send even if it is unset, so its default seldom applies; use omitzero, or *%s", c.f.Name, value.TypeName(c.f.Type))
		}
	case defaulting.Other:
		c.errorf(codeArray, "%s is always set, so its default would never apply; use a slice", value.TypeName(c.f.Type))
	}
}

func (c *fieldCheck) suggestOmitempty(d *diag.Diagnostic) {
	if span := tag.JSONName(c.f); !span.IsZero() {
		d.Suggest(span, span.Text()+",omitempty", "add omitempty")
	}
}

// sentWhenZero are the types with JSON of their own that write a value, and not
// null, when they are not set.
var sentWhenZero = map[model.Name]bool{
	model.Quantity: true, model.Duration: true, model.IntOrString: true,
}

func (c *fieldCheck) scalar() {
	if c.isZero() {
		return
	}
	if c.effective.OnServers {
		d := c.warnf(codeNeedsOmitempty, "%s is sent as %s if it is unset: API servers apply its default %s if a manifest omits it, but generated Go does not; add omitempty, or make it *%s",
			c.f.Name, value.Zero(c.m, c.f.Type).JSON(), c.effective.JSON(), value.TypeName(c.f.Type))
		c.suggestOmitempty(d)
		return
	}
	if c.m.Absent(c.f) == model.LackNever && !c.f.Skipped {
		report := c.errorf
		if model.HasBare(c.f.Tags, model.RoleOptional) {
			// Generated Go sets the default of a zero value before validation.
			report = c.warnf
		}
		d := report(codeNeedsOmitempty, "%s is sent as %s if it is unset, so its default %s would never apply; add omitempty, or make it *%s",
			c.f.Name, value.Zero(c.m, c.f.Type).JSON(), c.effective.JSON(), value.TypeName(c.f.Type))
		if required := model.Find(c.f.Tags, model.RoleRequired); len(required) > 0 {
			d.Message += ", and remove +" + required[0].Name + "; or remove the default"
			d.Voids(diag.Meaning(required[0].Span))
			return
		}
		c.suggestOmitempty(d)
		return
	}
	if c.effective.Value.Kind != value.String {
		c.warnf(codeZeroNotSettable, "%s cannot be set to %s, since that means unset; use *%s",
			c.f.Name, value.Zero(c.m, c.f.Type).JSON(), value.TypeName(c.f.Type))
	}
}

// container reports a list, a map or bytes that clients cannot send empty, unless a rule refuses empty ones.
func (c *fieldCheck) container() {
	var empty *value.Value
	var kind string
	switch u := value.Underlying(c.m, c.f.Type); {
	case u.IsBytes():
		empty, kind = &value.Value{Kind: value.String}, "empty bytes"
	case u.Kind == model.KindSlice:
		empty, kind = &value.Value{Kind: value.Array}, "an empty list"
	case u.Kind == model.KindMap:
		empty, kind = &value.Value{Kind: value.Object}, "an empty map"
	default:
		return
	}
	if c.m.Absent(c.f) != model.LackEmpty || c.effective.Value.JSON() == empty.JSON() || len(judge(c.node, empty)) > 0 {
		return
	}
	c.warnf(codeZeroNotSettable, "%s cannot be set to %s: Go clients leave out %s, so it gets the default %s; write omitzero in place of omitempty, which leaves out nil only",
		c.f.Name, empty.JSON(), kind, c.effective.JSON())
}

// elements reports list items and map values without pointers: the type's default has no effect
// on structs, and replaces the zero value of scalars, since neither can be left out.
func elements(n *tag.Node, f *model.Field, r *model.Ref, bag *diag.Bag, depth int) {
	u := n.Model.Underlying(r)
	if u.Elem == nil || depth > 8 {
		return
	}
	if u.Kind != model.KindPointer {
		e, ok := defaulting.OfValue(n.Model, u.Elem)
		if ok && e.Type == n.Owner {
			var d *diag.Diagnostic
			switch kind := defaulting.KindOf(n.Model, u.Elem); {
			case kind == defaulting.Struct && !defaulting.IsEmptyObject(e.Value):
				d = bag.Errorf(f.Span, codeStruct, "the values of %s are non-pointer structs, so the default of %s never applies to them; use *%s",
					f.Name, e.Type.Name, value.TypeName(u.Elem))
			case kind == defaulting.Scalar && !value.IsZero(n.Model, u.Elem, e.Value):
				d = bag.Warnf(f.Span, codeZeroElement, "generated Go replaces %s in %s with the default of %s, and API servers do not; use *%s",
					value.Zero(n.Model, u.Elem).JSON(), f.Name, e.Type.Name, value.TypeName(u.Elem))
			}
			if d != nil {
				d.Note(e.Declared.Span, "the default %s of type %s", e.JSON(), e.Type.Name)
				return
			}
		}
	}
	elements(n, f, u.Elem, bag, depth+1)
}
