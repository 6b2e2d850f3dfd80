package tag

import (
	"strings"

	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/model"
)

// Sibling returns the field with the given JSON name of the struct that a field
// is in, and the inlined structs that lead to it.
func (n *Node) Sibling(name string) (f *model.Field, through []*model.Field) {
	if n.IsPart() {
		return n.Parent.Subfield(name)
	}
	return fieldByJSON(n.Model, n.Owner, name, 0)
}

// DependentRules returns the rules of a tag that says of another field whether
// it is set when the tagged one is, by the check of the tag's name.
func DependentRules(name string, n *Node, c *model.Constraint) []Rule {
	other, through := n.Sibling(c.ArgText(""))
	if other == nil {
		return nil
	}
	check := string(name[0]-'a'+'A') + name[1:]
	word := strings.TrimPrefix(name, "dependent") // Required or Forbidden, as the error
	set := func(e *Exprs, obj string) (trigger, dependent string) {
		return e.SetThrough(obj, n.Through, n.Field), e.SetThrough(obj, through, other)
	}
	return []Rule{{
		Tag: name, Parent: true, Reports: []Report{{Type: word, Origin: name, At: other.JSON}},
		If: func(e *Exprs) string {
			trigger, dependent := set(e, e.Obj)
			oldTrigger, oldDependent := set(e, e.OldObj)
			return e.Created("(" + trigger + ") != (" + oldTrigger + ") ||\n(" + dependent + ") != (" + oldDependent + ")")
		},
		Check: func(e *Exprs) string {
			trigger, dependent := set(e, e.Obj)
			return e.Call(check, Quote(n.Field.JSON), Quote(other.JSON), trigger, dependent)
		},
	}}
}

// DependentCodes are the codes of CheckDependent.
type DependentCodes struct{ NoField, Itself, StructValue diag.Code }

// CheckDependent reports a field that is not there, or of which it cannot be
// said whether it is set.
func CheckDependent(codes DependentCodes, n *Node, c *model.Constraint, bag *diag.Bag) {
	name := c.Arg("")
	other, _ := n.Sibling(name.Text)
	switch other {
	case nil:
		ReportNoField(codes.NoField, n.Owner, name, bag)
		return
	case n.Field:
		bag.Errorf(name.Span, codes.Itself, "field %s cannot depend on itself; name another field", n.Field.Name)
		return
	}
	for _, f := range []*model.Field{n.Field, other} {
		if ShapeOf(n.Model, f.Type) == Structs {
			if _, pointer := n.Model.Deref(f.Type); !pointer {
				bag.Errorf(c.Span, codes.StructValue, "field %s is a struct that is not behind a pointer: it is always set, so nothing can depend on it; make it a pointer", f.Name)
			}
		}
	}
}

// ReportNoField reports a JSON name that no field of a struct has, and suggests
// the nearest that one has.
func ReportNoField(code diag.Code, t *model.Type, name *model.Value, bag *diag.Bag) {
	d := bag.Errorf(name.Span, code, "%s has no field with the JSON name %q", t.Name, name.Text)
	var names []string
	for _, f := range t.Fields {
		if !f.Skipped && f.JSON != "" {
			names = append(names, f.JSON)
		}
	}
	near := NearestOf(name.Text, names)
	if near == "" {
		return
	}
	d.Message += "; did you mean " + near + "?"
	text := near
	if name.Kind == model.StringValue {
		text = Quote(near)
	}
	d.Suggest(name.Span, text, "write %s", near)
}

// SetThrough returns an expression that says whether a field below obj is set;
// below an inlined pointer that is nil it is not.
func (e *Exprs) SetThrough(obj string, through []*model.Field, f *model.Field) string {
	field, there := Select(obj, through, f)
	return All(append(there, SetExpr(e.Model, f.Type, field)))
}
