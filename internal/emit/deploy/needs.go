package deploy

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/rules/defaulting"
	"github.com/kindsmith/kindsmith/internal/rules/defaulting/setters"
	"github.com/kindsmith/kindsmith/internal/rules/rule/enforced"
	"github.com/kindsmith/kindsmith/internal/rules/rule/order"
	"github.com/kindsmith/kindsmith/internal/rules/rule/unions"
)

// needs is what the objects of a kind need webhooks for.
type needs struct {
	// mutates are the parts with defaults or unions, validates those with rules.
	mutates, validates parts
	// unions is set if the kind has unions.
	unions bool
}

// parts are parts of an object: its status, and all else.
type parts struct{ object, status bool }

func (p parts) any() bool { return p.object || p.status }

func (p parts) and(o parts) parts { return parts{p.object || o.object, p.status || o.status} }

// inStatus returns the part that has a field of a kind.
func inStatus(json string) parts { return parts{object: json != "status", status: json == "status"} }

// needsOf returns what a kind needs, in the version that webhooks get.
func needsOf(c *emit.Context, v *version) needs {
	of := *c
	of.Package = v.Package
	u := normalised(&of, v.Type)
	return needs{mutates: defaulted(&of, v.Type).and(u), validates: validated(&of, v.Type), unions: u.any()}
}

// defaulted returns the parts that generated code sets defaults in.
func defaulted(c *emit.Context, t *model.Type) (p parts) {
	plan := setters.New(c.Model, c.Package)
	if !plan.Needs(t) {
		return p
	}
	of := c.Model.Struct(model.Named(t.Package, t.Name))
	if of == nil || of != t || len(plan.ByHand(t)) > 0 || plan.ObjectByHand(t) != (model.Name{}) {
		return parts{true, true} // functions may set everything
	}
	for _, f := range t.Fields {
		if e, ok := defaulting.OfField(c.Model, t, f); plan.Visible(f) && (ok && plan.Sets(f.Type, e) || plan.NeedsRef(f.Type)) {
			p = p.and(inStatus(f.JSON))
		}
	}
	return p
}

// normalised returns the parts with unions.
func normalised(c *emit.Context, t *model.Type) (p parts) {
	n := unions.NewPlans(c.Rules, unions.Correlated).Of(t)
	if n == nil {
		return p
	}
	if len(n.Unions) > 0 || n.Struct != nil && n.Struct != t {
		p.object = true
	}
	for _, f := range n.Fields {
		p = p.and(inStatus(f.Path.JSON))
	}
	return p
}

// validated returns the parts with rules. Rules on the object itself may be about all parts. Requests for
// subresources that the type does not support are refused, so they must not be sent.
func validated(c *emit.Context, t *model.Type) (p parts) {
	controls := emit.ReadControls(c.Model, c.Package)
	rules := order.New(enforced.Programs(c.Rules, nil), c.Scope())
	if controls.Off || !slices.Contains(controls.Roots, t) || !controls.Registers(t) || !rules.Needed(t) {
		return p
	}
	of := rules.Of(t)
	if of.Own != nil || of.Base != nil {
		p = parts{true, true}
	}
	for _, f := range of.Fields {
		p = p.and(inStatus(f.JSON))
	}
	p.status = p.status && slices.Contains(t.Subresources(), "/status")
	return p
}
