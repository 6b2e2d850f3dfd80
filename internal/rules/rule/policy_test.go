package rule_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
)

// TestPolicies checks which rules of types in other modules remain under each policy, also within the
// values of lists, and that those of packages whose validators are called remain.
func TestPolicies(t *testing.T) {
	place := &rule.Place{Type: model.Builtin("string")}
	each := func(keys bool, must ...rule.Predicate) rule.Predicate {
		e := &rule.Each{Keys: keys, Place: place}
		for _, m := range must {
			e.Rules = append(e.Rules, rule.Rule{Tag: "inner", Must: m})
		}
		return e
	}
	limit := func(k rule.Keyword, of rule.Measure, value string) rule.Predicate {
		return &rule.Limit{Keyword: k, Of: of, Value: value}
	}
	rules := []struct {
		name string
		must rule.Predicate
		// in is the last policy that has the rule.
		in rule.Policy
	}{
		{"required", &rule.Required{}, rule.NoRules},
		{"optional", &rule.IsSet{}, rule.NoRules},
		{"list type", &rule.ListType{Type: rule.Set}, rule.NoRules},
		{"unique", &rule.Unique{By: rule.Set}, rule.NoRules},
		{"nils", &rule.NoNils{}, rule.NoRules},
		{"size", limit(rule.MaxItems, rule.Number, "3"), rule.KeywordRules},
		{"number", limit(rule.Maximum, rule.Number, "3"), rule.KeywordRules},
		{"large number", limit(rule.Maximum, rule.Number, "9223372036854775807"), rule.AllRules},
		{"bytes", limit(rule.MaxBytes, rule.Number, "3"), rule.AllRules},
		{"quantity", limit(rule.Maximum, rule.Quantity, "3"), rule.AllRules},
		{"pattern", &rule.Pattern{Regexp: "a"}, rule.KeywordRules},
		{"enum", &rule.Enum{Values: []rule.EnumValue{{Value: "a"}}}, rule.KeywordRules},
		{"empty enum", &rule.Enum{}, rule.AllRules},
		{"format", &rule.Format{Name: "k8s-uuid"}, rule.KeywordRules},
		{"format in CEL", &rule.Format{Name: "k8s-ip"}, rule.AllRules},
		{"not equal", &rule.NotEqual{}, rule.AllRules},
		{"immutable", &rule.Immutable{}, rule.AllRules},
		{"union", &rule.Union{}, rule.AllRules},
		{"CEL", &rule.CEL{}, rule.AllRules},
		{"function", &rule.Call{}, rule.AllRules},
		{"values", each(false, &rule.Pattern{}, &rule.CEL{}), rule.KeywordRules},
		{"values in CEL", each(false, &rule.CEL{}), rule.AllRules},
		{"keys", each(true, &rule.Pattern{}), rule.AllRules},
	}
	dependency := &model.Package{Path: "dep", Types: []*model.Type{{Name: "T", Package: "dep"}}}
	own := &model.Package{Path: "own", Module: "own", Types: []*model.Type{{Name: "T", Package: "own"}}}
	called := &model.Package{Path: "called", GeneratedFuncs: map[string]bool{"Validate_T": true}, Types: []*model.Type{{Name: "T", Package: "called"}}}
	m := &model.Model{Packages: []*model.Package{dependency, own, called}}
	m.Index()
	all := rule.NewPrograms(m, func(t *model.Type, _ map[string]*model.Ref) *rule.Program {
		p := &rule.Program{Type: t.ID(), Place: &rule.Place{Owner: t.ID(), Type: model.Builtin("string")}}
		for _, r := range rules {
			p.Rules = append(p.Rules, rule.Rule{Tag: r.name, Must: r.must})
		}
		return p
	})
	for i, policy := range rule.Policies() {
		limited := all.Limited(rule.Policy(policy))
		for _, pkg := range m.Packages {
			var got, want []string
			for _, r := range limited.Of(pkg.Types[0]).Rules {
				got = append(got, r.Tag)
			}
			for _, r := range rules {
				last := 0
				for j, name := range rule.Policies() {
					if name == string(r.in) {
						last = j
					}
				}
				if pkg != dependency || i <= last {
					want = append(want, r.name)
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s in package %s (-want +got):\n%s", policy, pkg.Path, diff)
			}
		}
	}
	for _, r := range all.Limited(rule.KeywordRules).Of(dependency.Types[0]).Rules {
		if inner := rule.Below(r.Must); r.Tag == "values" && len(inner) != 1 {
			t.Errorf("of the rules on values, %d remain, want that of the pattern", len(inner))
		}
	}
}
