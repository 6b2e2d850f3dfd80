package tag

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/spell"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
)

// Sibling returns the field with the given JSON name of the struct that a field
// is in, and the inlined structs that lead to it.
func (n *Node) Sibling(name string) (f *model.Field, through []*model.Field) {
	if n.IsPart() {
		return n.Parent.Subfield(name)
	}
	return fieldByJSON(n.Model, n.Owner, name)
}

// DependentRules lowers a tag that requires or forbids another field if the tagged field is set.
func DependentRules(name string, forbidden bool) func(n *Node, c *model.Tag) []rule.Rule {
	word := map[bool]string{false: "Required", true: "Forbidden"}[forbidden]
	return func(n *Node, c *model.Tag) []rule.Rule {
		other, through := n.Sibling(c.ArgText(""))
		if other == nil {
			return nil
		}
		return []rule.Rule{{
			Tag: name, Around: true, Moment: rule.OnChange,
			Must:   &rule.Dependent{Forbidden: forbidden, When: n.Path(), Then: n.SiblingPath(other, through)},
			Errors: []rule.Error{{Type: word, Origin: name, At: other.JSON}},
		}}
	}
}

// DependentCodes are the codes of CheckDependent.
type DependentCodes struct{ NoField, Itself, StructValue diag.Code }

// CheckDependent reports a field that does not exist or is always set.
func CheckDependent(codes DependentCodes, n *Node, c *model.Tag, bag *diag.Bag) {
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
		if IsStructValue(n.Model, f.Type) {
			bag.Errorf(c.Span, codes.StructValue, "field %s is a non-pointer struct, which is always set, so nothing can depend on it; make it a pointer", f.Name)
		}
	}
}

// ReportNoField reports a JSON name that no field of a struct has, and suggests the most similar
// one.
func ReportNoField(code diag.Code, t *model.Type, name *model.Value, bag *diag.Bag) {
	d := bag.Errorf(name.Span, code, "%s has no field with the JSON name %q", t.Name, name.Text)
	var names []string
	for _, f := range t.Fields {
		if !f.Skipped && f.JSON != "" {
			names = append(names, f.JSON)
		}
	}
	near := spell.Nearest(name.Text, names)
	if near == "" {
		return
	}
	d.Message += "; did you mean " + near + "?"
	if spell.Certain(name.Text, names) != near {
		return
	}
	text := near
	if name.Kind == model.StringValue {
		text = Quote(near)
	}
	d.Suggest(name.Span, text, "write %s", near)
}
