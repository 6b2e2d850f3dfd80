// Package coverage checks that the tests of an API break every rule of its kinds.
//
// [New] takes the rules. [Coverage.Validate] and its other methods count errors, and [Coverage.Run] runs the tests and
// reports.
//
// `kindsmith generate --coverage` writes the rules of a package into a test file,
// as the variable ValidationCoverage. Tests pass the errors that they observe to
// it. After all tests have run, it reports the rules that no test broke:
//
//	errs := ValidationCoverage.Validate(t.Context(), scheme, obj)
//
// A rule is identified by the kind and by the path, type and origin of its error.
// A file lists the rules that no test can break, each with the reason.
package coverage

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/runtime/internal/skew"
)

// Rule identifies a rule by the error that it reports.
type Rule struct {
	// Path is the field's path from the object's root; [*] replaces every index
	// and map key.
	Path string
	Type field.ErrorType
	// Origin is the error's origin, "" for none.
	Origin string
}

// String returns the rule as path, type and origin.
func (r Rule) String() string {
	path := cmp.Or(r.Path, "(the object)")
	if r.Origin == "" {
		return path + " " + string(r.Type)
	}
	return path + " " + string(r.Type) + " " + r.Origin
}

// Coverage has the rules of a package's kinds and records which of them tests
// broke. It is safe for concurrent use.
type Coverage struct {
	rules map[string][]Rule

	mu   sync.Mutex
	seen map[string]map[Rule]bool
	// unknown are kinds that have errors but no rules.
	unknown map[string]bool
}

// New returns a Coverage of the rules, which are grouped by the names of kinds.
// Generated code calls it.
func New(rules map[string][]Rule) *Coverage {
	return &Coverage{rules: rules, seen: map[string]map[Rule]bool{}, unknown: map[string]bool{}}
}

// Observe records the errors of validating an object of the kind. Errors that
// belong to none of the rules, such as those of hand-written validation, are
// ignored.
func (c *Coverage) Observe(kind string, errs field.ErrorList) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.rules[kind]; !ok && len(errs) > 0 {
		c.unknown[kind] = true
		return
	}
	if c.seen[kind] == nil {
		c.seen[kind] = map[Rule]bool{}
	}
	for _, e := range errs {
		c.seen[kind][RuleOf(e).observed()] = true
	}
}

// Validate validates the creation of an object with the validators of the scheme
// and observes the errors that it returns.
func (c *Coverage) Validate(ctx context.Context, scheme *runtime.Scheme, obj runtime.Object, subresources ...string) field.ErrorList {
	errs := scheme.Validate(ctx, nil, obj, subresources...)
	c.Observe(kindOf(scheme, obj), errs)
	return errs
}

// ValidateUpdate is like Validate, for the update from old to obj.
func (c *Coverage) ValidateUpdate(ctx context.Context, scheme *runtime.Scheme, obj, old runtime.Object, subresources ...string) field.ErrorList {
	errs := scheme.ValidateUpdate(ctx, nil, obj, old, subresources...)
	c.Observe(kindOf(scheme, obj), errs)
	return errs
}

func kindOf(scheme *runtime.Scheme, obj runtime.Object) string {
	kinds, _, err := scheme.ObjectKinds(obj)
	if err != nil || len(kinds) == 0 {
		return ""
	}
	return kinds[0].Kind
}

// RuleOf returns the rule that reports an error.
func RuleOf(e *field.Error) Rule {
	return Rule{Path: normalize(e.Field), Type: e.Type, Origin: e.Origin}
}

// observed returns the rule with the type that its error has with the apimachinery of
// this program.
func (r Rule) observed() Rule {
	r.Type = skew.Known(r.Type)
	return r
}

// normalize replaces every index and map key in a path by [*]. A key ends at the
// first bracket after which a path can continue.
func normalize(path string) string {
	if path == "<nil>" { // of the object itself
		return ""
	}
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(path, "[")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		b.WriteString("[*]")
		end := 0
		for end < len(rest) && (rest[end] != ']' || end+1 < len(rest) && rest[end+1] != '.' && rest[end+1] != '[') {
			end++
		}
		path = rest[min(end+1, len(rest)):]
	}
}

// kindRule is a rule of a kind.
type kindRule struct {
	Kind string
	Rule
}

// String returns the kind and the rule.
func (r kindRule) String() string { return r.Kind + " " + r.Rule.String() }

// missing returns the rules that no test broke, by kind and in the order of
// declaration.
func (c *Coverage) missing() []kindRule {
	c.mu.Lock()
	defer c.mu.Unlock()
	var missing []kindRule
	for _, kind := range slices.Sorted(maps.Keys(c.rules)) {
		for _, r := range c.rules[kind] {
			if !c.seen[kind][r.observed()] {
				missing = append(missing, kindRule{kind, r})
			}
		}
	}
	return missing
}
