// Package monotonic is the tag +k8s:monotonic.
package monotonic

import (
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/rule"
	"github.com/kindsmith/kindsmith/internal/tag"
)

const message = "may not be decreased"

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:monotonic", Stability: tag.Alpha, Scopes: tag.OnType | tag.OnField, Shapes: tag.Integers,
		Summary:   "An integer never decreases.",
		Doc:       "A pointer can be set and unset: only two values are compared. A field that is not a pointer is zero when it is unset, and an optional one can be unset.",
		Good:      "// +k8s:optional\n// +k8s:monotonic\nObservedGeneration *int64 `json:\"observedGeneration,omitempty\"`",
		Bad:       "// +k8s:monotonic\nVersion string `json:\"version\"` // not an integer",
		ErrorType: "Invalid", Origin: "monotonic",
		Lower: func(*tag.Node, *model.Constraint) []rule.Rule {
			return []rule.Rule{{Tag: "monotonic", Moment: rule.OnUpdateOfValue, Must: &rule.Monotonic{}}}
		},
		Schema: tag.SchemaRules(schema),
	}
}

func schema(n *tag.Node, _ *model.Constraint, s *tag.Schema) {
	if !s.Correlatable {
		s.Unprojectable("there is no old value to compare with below a list whose items are not paired; give the list a type of map")
		return
	}
	if n.Scope != tag.OnField || n.IsPointer() || n.Says("k8s:required") || s.Parent == nil {
		s.Rule(tag.CELRule("self >= oldSelf", message, tag.ReasonInvalid, ""))
		return
	}
	// An unset value is zero.
	name := tag.CELName(n.Field.JSON)
	value := func(self string) string {
		return "(has(" + self + "." + name + ") ? " + self + "." + name + " : 0)"
	}
	rule := value("self") + " >= " + value("oldSelf")
	if n.Says("k8s:optional") {
		rule = "!" + tag.CELSet(n.Model, "self", n.Field) + " || " + rule
	}
	s.ParentRule(tag.CELRule(rule, message, tag.ReasonInvalid, n.Field.JSON))
}
