package schema

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/core/expr/typed"
	"github.com/kindsmith/kindsmith/internal/core/model"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// keepPresence removes the automatic {} of each struct whose presence a rule checks, because with
// the default it would always be set.
func (b *Builder) keepPresence(t *model.Type, root *props) {
	type taken struct {
		at   Place
		path []Step
	}
	var found []taken
	var visit func(s *props, path []Step, rules []apiextensionsv1.ValidationRule)
	visit = func(s *props, path []Step, rules []apiextensionsv1.ValidationRule) {
		rules = slices.Concat(rules, s.XValidations)
		counted := s.MinProperties != nil || s.MaxProperties != nil
		for _, name := range sortedKeys(s.Properties) {
			p := s.Properties[name]
			in := slices.Concat(path, []Step{{Name: "properties"}, {Name: name, Index: true}})
			visit(&p, in, rules)
			if p.Default == nil {
				continue
			}
			if at := b.Locate(t, root, in); at.Field != nil && b.isAutomatic(at.Owner, at.Field) && !b.isAutomaticPackage(at.Owner.Package) {
				i := slices.IndexFunc(rules, func(r apiextensionsv1.ValidationRule) bool { return b.askedFor(r.Rule)[name] })
				switch {
				case i >= 0:
					b.reportPresence(at, rules[i].Rule)
				case counted:
					b.reportPresence(at, "")
				default:
					continue
				}
				found = append(found, taken{at, in})
			}
		}
		if s.Items != nil && s.Items.Schema != nil {
			visit(s.Items.Schema, slices.Concat(path, []Step{{Name: "items"}}), rules)
		}
		if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
			visit(s.AdditionalProperties.Schema, slices.Concat(path, []Step{{Name: "additionalProperties"}}), rules)
		}
	}
	visit(root, nil, nil)
	for _, f := range found {
		b.takeBack(root, f.at, f.path)
	}
}

// reportNested warns that the defaults in a struct apply only to objects that set the struct.
func (b *Builder) reportNested(at Place, why string) *diag.Diagnostic {
	d := b.diags.Warnf(at.Field.Span, codeNestedDefault, "the defaults in %s apply only if clients set %s, %s", at.Field.Name, at.Field.JSON, why)
	if declared := b.defaultIn(at.Field.Type); declared != nil {
		d.Note(declared.Span, "the first default is here")
	}
	return d
}

// reportPresence is reportNested for a rule that depends on whether the struct is set.
func (b *Builder) reportPresence(at Place, rule string) {
	d := b.reportNested(at, "since a rule depends on whether it is set")
	if spans := b.rules[rule]; len(spans) > 0 {
		d.Note(spans[0], "the rule")
	}
}

// askedFor returns the fields whose presence a rule checks.
func (b *Builder) askedFor(rule string) map[string]bool {
	names, ok := b.asked[rule]
	if ok {
		return names
	}
	names = map[string]bool{}
	if tree, problems := typed.Parse(rule); len(problems) == 0 {
		expr.Walk(tree, func(e expr.Expr) bool {
			if s, ok := e.(*expr.Select); ok && (s.Test || s.Optional) {
				for ; ok; s, ok = s.Operand.(*expr.Select) { // has(self.a.b) also depends on a
					names[s.Field] = true
				}
			}
			return true
		})
	}
	b.asked[rule] = names
	return names
}
