// Package nopresence reports fields with rules that do not say whether they are
// optional.
package nopresence

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/lint"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Validation)

	codeUnsaid = codes.New("nopresence/unsaid", "The field has rules but does not say whether it must be set. Add `+k8s:optional`, `+k8s:required`, `+k8s:forbidden` or a default.")
)

// Definition returns the convention.
func Definition() *lint.Definition {
	return &lint.Definition{
		Name: "nopresence", Always: true,
		Summary: "A field with rules says whether it must be set.",
		Doc: "Without `+k8s:optional`, `+k8s:required`, `+k8s:forbidden` or a default, the rules of a field apply to its zero value too: " +
			"an unset string with `+k8s:minLength=3` is too short. " +
			"`+optional` and `+kubebuilder:validation:Optional` are markers of other tools and do not affect generated Go.\n\n" +
			"A struct without a pointer is always set and needs no such tag. " +
			"`+k8s:validation-gen-nolint` on a type, or above the package clause, disables the convention.",
		Good: tag.Code(`
			// +k8s:optional
			// +k8s:minLength=3
			Nickname string \'json:"nickname,omitempty"\'`),
		Bad: tag.Code(`
			// +k8s:minLength=3
			Nickname string \'json:"nickname,omitempty"\' // "" is too short`),
		Codes: codes.All(),
		Run:   run,
	}
}

func run(pass *lint.Pass) {
	m, tags, bag := pass.Model, pass.Tags, pass.Diags
	for p, t := range lint.Types(m) {
		if lint.IsExempt(p, t) {
			continue
		}
		for _, f := range t.Fields {
			n := tag.FieldNode(m, tags, t, f)
			if f.Skipped || f.Inline || !validated(n, tags) || says(n) {
				continue
			}
			report(f, tags, bag)
		}
	}
}

// validated reports whether the field has a rule that can fail. Union members do
// not count: the union determines their presence.
func validated(n *tag.Node, tags *tag.Set) bool {
	found := false
	for _, c := range n.Siblings {
		for ; c != nil; c = c.Inner {
			switch d := tags.Lookup(c.Name); {
			case c.Role.IsMember():
				return false
			case d != nil && d.ErrorType != "":
				found = true
			}
		}
	}
	return found
}

// says reports whether tags determine if the field must be set.
func says(n *tag.Node) bool {
	if tag.ShapeOf(n.Model, n.Type) == tag.Structs && !n.IsPointer() || n.EffectiveDefault() != nil {
		return true
	}
	for _, c := range n.Siblings {
		for c != nil && (c.IsCondition() || c.Role == model.RoleIfMode) {
			c = c.Inner
		}
		if c != nil && c.Role.IsPresence() {
			return true
		}
	}
	return false
}

func report(f *model.Field, tags *tag.Set, bag *diag.Bag) {
	for _, m := range f.Markers {
		role := model.PresenceRole(m.Name)
		if role == "" {
			continue
		}
		own := tags.WithRole(role)
		bag.Warnf(m.Span, codeUnsaid, "field %s has rules, but +%s does not affect generated Go; write +%s", f.Name, m.Name, own).
			Suggest(m.Span.Sub(0, len("+"+m.Name)), "+"+own, "write +%s", own)
		return
	}
	bag.Warnf(f.Span, codeUnsaid, "field %s has rules but does not say whether it must be set; add +%s, +%s or +%s", f.Name,
		tags.WithRole(model.RoleOptional), tags.WithRole(model.RoleRequired), tags.WithRole(model.RoleForbidden))
}
