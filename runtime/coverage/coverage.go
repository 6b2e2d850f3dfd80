// Package coverage holds the tests of an API to its rules: every rule that a
// kind has must have been seen to reject something.
//
// `kindsmith generate --coverage` writes the rules of a package as a value of
// this package into a test file, ValidationCoverage. Tests give it the errors
// that they see, and once all of them have run it says which rules none of them
// ever broke:
//
//	errs := ValidationCoverage.Validate(t.Context(), scheme, obj)
//
// A rule is known by the kind, the path, the type and the origin of its error.
// Rules that no test can break are listed in a file, each with the reason.
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
)

// Rule is a rule, by the error that it reports.
type Rule struct {
	// Path is the field's path from the object's root; every index and every
	// key of a map in it is [*].
	Path string
	Type field.ErrorType
	// Origin is the rule's name in the error, "" for none.
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

// Coverage is the rules of the kinds of a package, and which of them were seen
// to fire. It is safe for concurrent use.
type Coverage struct {
	rules map[string][]Rule

	mu   sync.Mutex
	seen map[string]map[Rule]bool
	// unknown are kinds with errors and without rules.
	unknown map[string]bool
}

// New returns a Coverage of the rules of kinds, by the kinds' names. Generated
// code calls it.
func New(rules map[string][]Rule) *Coverage {
	return &Coverage{rules: rules, seen: map[string]map[Rule]bool{}, unknown: map[string]bool{}}
}

// Observe notes that validating an object of the kind gave the errors. Errors
// that are of none of the rules, such as those of hand-written validation, do
// not count.
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
		c.seen[kind][RuleOf(e)] = true
	}
}

// Validate validates an object that is to be created, by the validators in the
// scheme, and observes the errors that it returns.
func (c *Coverage) Validate(ctx context.Context, scheme *runtime.Scheme, obj runtime.Object, subresources ...string) field.ErrorList {
	errs := scheme.Validate(ctx, nil, obj, subresources...)
	c.Observe(kindOf(scheme, obj), errs)
	return errs
}

// ValidateUpdate is Validate for an object that was old before.
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

// RuleOf returns the rule that an error is of.
func RuleOf(e *field.Error) Rule {
	return Rule{Path: normalize(e.Field), Type: e.Type, Origin: e.Origin}
}

// normalize replaces every index and every key of a map in a path by [*]. A key
// ends at the first bracket behind which a path can go on.
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

// missing returns the rules that were never seen to fire: by kind, and in the
// order in which they were declared.
func (c *Coverage) missing() []kindRule {
	c.mu.Lock()
	defer c.mu.Unlock()
	var missing []kindRule
	for _, kind := range slices.Sorted(maps.Keys(c.rules)) {
		for _, r := range c.rules[kind] {
			if !c.seen[kind][r] {
				missing = append(missing, kindRule{kind, r})
			}
		}
	}
	return missing
}
