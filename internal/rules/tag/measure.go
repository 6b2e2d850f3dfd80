package tag

import (
	"math/big"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
)

// Bound is a value that a tag compares with.
type Bound struct {
	Of rule.Measure
	// Text is that of rule.Limit.
	Text string
	// Amount is in the steps of the measure.
	Amount *big.Int
}

// BoundOf returns the bound in the value of a tag. On a time.Duration, which is a number in JSON, a
// duration is in nanoseconds.
func (n *Node) BoundOf(c *model.Tag) (b Bound, ok bool) {
	if c.Payload == nil {
		return Bound{}, false
	}
	b.Of = rule.MeasureOf(n.Model, n.Type)
	if n.nanoseconds() && c.Payload.Kind != model.IntValue {
		b.Amount, _, ok = rule.Duration.Read(c.Payload.Text)
		return Bound{Text: b.Amount.String(), Amount: b.Amount}, ok
	}
	b.Amount, b.Text, ok = b.Of.Read(c.Payload.Text)
	return b, ok
}

// MeasuresDoc is the documentation of bounds on durations and quantities.
const MeasuresDoc = "On a `metav1.Duration`, the value is a duration in quotes, such as `\"1m30s\"`. On a `resource.Quantity`, it is a quantity in quotes, such as `\"16Gi\"`. " +
	"Both are compared semantically: `\"1000m\"` equals `1`. On a `time.Duration`, it is a number of nanoseconds, or a duration in quotes, which schemas express in nanoseconds.\n\n" +
	"On fields of these types `+kubebuilder:validation:Minimum=1s` and `Maximum`, with `ExclusiveMinimum=true` and `ExclusiveMaximum=true`, have the same meaning. So have the markers that begin with `+kubebuilder:validation:items:`, for the items of a list.\n\n" +
	"A schema has no keyword for such bounds, so they are CEL rules. To keep the estimated cost of the rule low, the schema also limits the text of such a quantity to 64 characters, unless it has a lower limit. " +
	"A value that is not a duration or a quantity breaks the rule."

// nanoseconds reports whether the values are of type time.Duration.
func (n *Node) nanoseconds() bool {
	return rule.MeasureOf(n.Model, n.Type) == rule.Number && n.Model.Is(n.Type, model.GoDuration)
}

// Bounds lowers a bound on values.
func Bounds(keyword rule.Keyword) func(n *Node, c *model.Tag) []rule.Rule {
	return func(n *Node, c *model.Tag) []rule.Rule {
		b, ok := n.BoundOf(c)
		if !ok {
			return nil // reported
		}
		return []rule.Rule{{Tag: string(keyword), Must: &rule.Limit{Keyword: keyword, Of: b.Of, Value: b.Text}}}
	}
}
