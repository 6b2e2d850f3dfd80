package tag

import (
	"math"

	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/model"
)

// CheckSize reports a size that is negative or larger than any Go value, for
// tags that count characters or items.
func CheckSize(folder string, c *model.Constraint, bag *diag.Bag) bool {
	v, ok := IntPayload(c)
	switch {
	case !ok:
		return false
	case v.Sign() < 0:
		bag.Errorf(c.Payload.Span, folder+"/negative", "%s cannot be negative; use 0 or more", c.ShortName())
		return false
	case !v.IsInt64() || v.Int64() > math.MaxInt32:
		bag.Errorf(c.Payload.Span, folder+"/too-large", "%s=%s is more than any API object can hold; the largest allowed is %d", c.ShortName(), v, math.MaxInt32)
		return false
	}
	return true
}

// CheckOrder reports a lower bound that lies above the upper one, on the lower.
func CheckOrder(folder string, n *Node, c *model.Constraint, upper string, bag *diag.Bag) {
	lo, ok := IntPayload(c)
	if !ok {
		return
	}
	other, hi := n.Bound(upper)
	if other == nil || lo.Cmp(hi) <= 0 {
		return
	}
	bag.Errorf(c.Payload.Span, folder+"/above-maximum", "%s=%s is above %s=%s: no value can satisfy both", c.ShortName(), lo, other.ShortName(), hi).
		Note(other.Span, "%s is here", other.ShortName())
}

// CheckFits reports a bound that values of the type cannot have.
func CheckFits(folder string, n *Node, c *model.Constraint, bag *diag.Bag) bool {
	v, ok := IntPayload(c)
	if !ok {
		return false
	}
	lo, hi, ok := n.Underlying().IntRange()
	if !ok {
		return false
	}
	if v.Cmp(bigInt(lo)) < 0 || v.Cmp(bigInt(hi)) > 0 {
		bag.Errorf(c.Payload.Span, folder+"/out-of-range", "%s=%s is outside of %s, which holds %s to %s", c.ShortName(), v, n.Underlying(), lo, hi)
		return false
	}
	return true
}
