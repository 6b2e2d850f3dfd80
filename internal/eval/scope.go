package eval

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/rule"
)

const metaV1 = "k8s.io/apimachinery/pkg/apis/meta/v1"

// isMetadata reports whether a type is left alone since API servers validate every
// object's own metadata.
func (s *Set) isMetadata(t *model.Type) bool {
	if t.Package != metaV1 || s.subjects[metaV1] {
		return false
	}
	return t.Name == "TypeMeta" || t.Name == "ObjectMeta" || t.Name == "ListMeta"
}

// subjects are the packages that validators are generated for: roots, and what
// these are about.
func subjects(m *model.Model) map[string]bool {
	all := map[string]bool{}
	for _, p := range m.Packages {
		if p.Root || len(p.GeneratedFuncs) > 0 {
			all[p.Path] = true
			for _, input := range p.Inputs {
				all[input] = true
			}
		}
	}
	return all
}

// reachable reports whether generated code can see a field.
func (s *Set) reachable(f *model.Field, t *model.Type) bool {
	return !f.Skipped && (f.Exported() || s.subjects[t.Package])
}

// fieldRules returns what tags say of a field, without what is not enforced.
func (s *Set) fieldRules(t *model.Type, f *model.Field) rule.FieldRules {
	told := s.programs.Field(t, f)
	told.Rules = s.enforced(t, told.Rules)
	told.Around = s.enforced(t, told.Around)
	return told
}

// typeRules returns what tags say of a type, without what is not enforced.
func (s *Set) typeRules(t *model.Type) []rule.Rule { return s.enforced(t, s.programs.Of(t).Rules) }

// enforced leaves out the rules of a type's tags that cannot fail, and alpha rules
// of packages that are not a subject. Those are compared with the hand-written
// validation of the API that declares them; whoever embeds that API's types does
// not run them.
func (s *Set) enforced(t *model.Type, rules []rule.Rule) []rule.Rule {
	return slices.DeleteFunc(slices.Clone(rules), func(r rule.Rule) bool {
		under := rule.Outermost(r)
		alpha := len(under) > 0 && under[0].Level == rule.Alpha
		return !checks(r) || alpha && !s.subjects[t.Package]
	})
}

// checks reports whether a rule checks anything, or keeps others from it.
func checks(r rule.Rule) bool {
	switch p := r.Must.(type) {
	case *rule.Each, *rule.Part, *rule.Item:
		return slices.ContainsFunc(rule.Below(p), checks)
	}
	return rule.Checks(r.Must)
}
