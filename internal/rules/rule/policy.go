package rule

import (
	"slices"
	"strconv"

	"github.com/kindsmith/kindsmith/internal/core/model"
)

// Policy says which rules on types in other modules apply. Their authors do not know where the types
// are used, so that rules may cost more than API servers allow.
type Policy string

// The policies. All keep what belongs to the shape of a type: whether fields are required, and the
// types of lists.
const (
	// AllRules applies all rules. It is the default, also of "".
	AllRules Policy = "all"
	// KeywordRules applies those that schemas express by keywords, without CEL.
	KeywordRules Policy = "keywords"
	// NoRules applies none.
	NoRules Policy = "none"
)

// Policies returns the names of all policies.
func Policies() []string { return []string{string(AllRules), string(KeywordRules), string(NoRules)} }

// Limits reports whether the policy leaves out rules of a package's types. It does not for packages
// whose existing validators are called.
func (p Policy) Limits(pkg *model.Package) bool {
	return p != AllRules && p != "" && pkg != nil && pkg.IsDependency() && len(pkg.GeneratedFuncs) == 0
}

// Limited returns the programs without the rules that the policy leaves out.
func (s *Programs) Limited(policy Policy) *Programs {
	if policy == AllRules || policy == "" {
		return s
	}
	return s.Rewritten(func(at *Place, rules []Rule) []Rule {
		if !policy.Limits(s.Model.Package(at.Owner.Package)) {
			return rules
		}
		return policy.limited(rules)
	})
}

// limited returns the rules that apply.
func (p Policy) limited(rules []Rule) []Rule {
	var kept []Rule
	for _, r := range rules {
		switch must := r.Must.(type) {
		case *Required, *IsSet, *ListType, *Unique, *NoNils:
		case *Each, *Part:
			if each, ok := must.(*Each); ok && each.Keys {
				continue // keys have no schema
			}
			r.Must = Within(must, p.limited)
			if len(Below(r.Must)) == 0 {
				continue
			}
		default:
			if p == NoRules || !isKeyword(must) {
				continue
			}
		}
		kept = append(kept, r)
	}
	return kept
}

// isKeyword reports whether keywords of a schema express a predicate on a value.
func isKeyword(must Predicate) bool {
	switch must := must.(type) {
	case *Limit:
		sizes := []Keyword{MinLength, MaxLength, MinItems, MaxItems, MinProperties, MaxProperties}
		_, exact := AsFloat(must.Value)
		return must.Of == Number && (slices.Contains(sizes, must.Keyword) || must.Keyword != MaxBytes && exact)
	case *Format:
		return len(Formats[must.Name].Rules) == 0
	case *Enum:
		return len(must.Values) > 0
	case *Pattern:
		return true
	}
	return false
}

// Keywords returns how schemas express a predicate on a value by keywords, such as "maximum: 15"; none if they need CEL.
func Keywords(must Predicate) []string {
	if !isKeyword(must) {
		return nil
	}
	switch must := must.(type) {
	case *Limit:
		switch must.Keyword {
		case ExclusiveMinimum:
			return []string{string(Minimum) + ": " + must.Value, string(ExclusiveMinimum) + ": true"}
		case ExclusiveMaximum:
			return []string{string(Maximum) + ": " + must.Value, string(ExclusiveMaximum) + ": true"}
		}
		return []string{string(must.Keyword) + ": " + must.Value}
	case *Pattern:
		return []string{"pattern: " + must.Regexp}
	case *Format:
		f := Formats[must.Name]
		if f.OpenAPI != "" {
			return []string{"format: " + f.OpenAPI}
		}
		all := []string{"pattern: " + f.Pattern}
		if f.MaxLength > 0 {
			all = append(all, string(MaxLength)+": "+strconv.FormatInt(f.MaxLength, 10))
		}
		return all
	}
	return nil
}
