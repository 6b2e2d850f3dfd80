package eval

import (
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/rule/order"
)

// Declared is a rule on values of a type. An Error belongs to the rule with the same text and
// position.
type Declared struct {
	// Path is the path of the rule, with [*] for every item or entry.
	Path string
	// Rule and Declared are those of Error.
	Rule     string
	Declared source.Span
	// Errors are the errors that it can report; none for a function that only Go can run.
	Errors []rule.Error
	// Defaulted is set for rules that no object with defaults breaks. An empty list or map
	// can be written where there is a default.
	Defaulted bool
}

// Inventory returns the rules of a type and of the types of its fields, each at the first path that leads to it.
func (s *Set) Inventory(name TypeName) ([]Declared, error) {
	if _, err := s.goType(name); err != nil {
		return nil, err
	}
	t := s.model.Type(name)
	var found []Declared
	seen := map[string]bool{}
	s.order.Declared(t, keyText, func(r order.Reported) {
		key := r.Path + " " + r.Text + " " + r.Span.String()
		if r.Span.IsZero() || seen[key] {
			return
		}
		seen[key] = true
		required, ok := r.Must.(*rule.Required)
		found = append(found, Declared{
			Path: r.Path, Rule: r.Text, Declared: r.Span, Errors: r.Errors,
			Defaulted: ok && required.Defaulted && (r.Place.IsPointer(s.model) || !r.Place.CanBeNil(s.model)),
		})
	})
	return found, nil
}

// UsesCEL reports whether rules in CEL apply to objects of the kinds.
func (s *Set) UsesCEL() bool {
	found := false
	for _, name := range s.kinds() {
		s.order.Declared(s.model.Type(name), keyText, func(r order.Reported) {
			_, cel := r.Must.(*rule.CEL)
			found = found || cel
		})
	}
	return found
}

// keyText formats the keys that select an item, as a segment of a path.
func keyText(keys []rule.KeyValue) string {
	parts := make([]string, len(keys))
	for i, k := range keys {
		parts[i] = k.Key.JSON + "=" + k.Value.Text
		if k.Value.Kind == model.StringValue {
			parts[i] = k.Key.JSON + "=" + `"` + k.Value.Text + `"`
		}
	}
	return "[" + strings.Join(parts, ",") + "]"
}
