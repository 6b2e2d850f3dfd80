package tag

import (
	"math"
	"math/big"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
)

// SizeCodes are the codes of CheckSize and CheckCount.
type SizeCodes struct{ Negative, TooLarge diag.Code }

// CheckSize reports a size that is negative or larger than any Go value, for
// tags that count characters or items.
func CheckSize(codes SizeCodes, c *model.Tag, bag *diag.Bag) bool {
	return CheckCount(codes, c, math.MaxInt32, bag)
}

// CheckCount reports a number that is negative or above a limit.
func CheckCount(codes SizeCodes, c *model.Tag, limit int64, bag *diag.Bag) bool {
	v, ok := IntPayload(c)
	switch {
	case !ok:
		return false
	case v.Sign() < 0:
		bag.Errorf(c.Payload.Span, codes.Negative, "%s cannot be negative; use 0 or more", c.ShortName())
		return false
	case !v.IsInt64() || v.Int64() > limit:
		bag.Errorf(c.Payload.Span, codes.TooLarge, "%s=%s is larger than any API object; the largest allowed is %d", c.ShortName(), v, limit)
		return false
	}
	return true
}

// CheckOrder reports, at the lower bound, a lower bound above the upper bound.
func CheckOrder(code diag.Code, n *Node, c *model.Tag, upper model.Role, bag *diag.Bag) {
	lo, ok := IntPayload(c)
	if !ok {
		return
	}
	other, hi := n.Bound(upper)
	if other == nil || lo.Cmp(hi) <= 0 {
		return
	}
	bag.Errorf(c.Payload.Span, code, "%s=%s is above %s=%s: no value can satisfy both", c.ShortName(), lo, other.ShortName(), hi).
		Note(other.Span, "%s is here", other.ShortName())
}

// CheckRange reports, at the lower bound, bounds on numbers that no value satisfies.
func CheckRange(code diag.Code, n *Node, c *model.Tag, bag *diag.Bag) {
	lower, ok := n.BoundOf(c)
	if !ok {
		return
	}
	lo := lower.Amount
	for _, upper := range []model.Role{model.RoleMaximum, model.RoleExclusiveMaximum} {
		other, hi := n.upper(upper)
		if other == nil {
			continue
		}
		least, most := new(big.Int).Set(lo), new(big.Int).Set(hi)
		if comparison(c.Role).Exclusive {
			least.Add(least, big.NewInt(1))
		}
		if comparison(upper).Exclusive {
			most.Sub(most, big.NewInt(1))
		}
		words := "is above"
		switch {
		case least.Cmp(most) <= 0:
			continue
		case lo.Cmp(hi) <= 0:
			words = "leaves nothing below"
		}
		bag.Errorf(c.Payload.Span, code, "%s=%s %s %s=%s: no value can satisfy both", c.ShortName(), c.Text(), words, other.ShortName(), other.Text()).
			Note(other.Span, "%s is here", other.ShortName())
	}
}

// upper returns the tag with the given role that applies here, and its bound.
func (n *Node) upper(role model.Role) (*model.Tag, *big.Int) {
	for _, c := range n.AllTags() {
		if !c.Is(role) {
			continue
		}
		if b, ok := n.BoundOf(c); ok {
			return c, b.Amount
		}
	}
	return nil, nil
}

// CheckFits reports a bound that is out of range for the type. Durations and quantities have no
// such bounds.
func CheckFits(code diag.Code, n *Node, c *model.Tag, bag *diag.Bag) bool {
	b, ok := n.BoundOf(c)
	if !ok || b.Of != rule.Number {
		return ok
	}
	v := b.Amount
	lo, hi, ok := n.Underlying().IntRange()
	if !ok {
		return false
	}
	if v.Cmp(bigInt(lo)) < 0 || v.Cmp(bigInt(hi)) > 0 {
		bag.Errorf(c.Payload.Span, code, "%s=%s is out of range for %s, which is %s to %s", c.ShortName(), v, n.Underlying(), lo, hi)
		return false
	}
	return true
}

// InRange reports whether an integer, as decimal text, is within bounds.
func InRange(v, lo, hi string) bool {
	n, ok := new(big.Int).SetString(v, 10)
	return ok && n.Cmp(bigInt(lo)) >= 0 && n.Cmp(bigInt(hi)) <= 0
}

// CheckEdge reports an exclusive bound at the limit of the type, which no value satisfies.
func CheckEdge(code diag.Code, n *Node, c *model.Tag, bag *diag.Bag) bool {
	b, ok := n.BoundOf(c)
	lo, hi, integer := n.Underlying().IntRange()
	if b.Of != rule.Number || !ok || !integer {
		return ok && b.Of != rule.Number
	}
	v := b.Amount
	how := comparison(c.Role)
	edge, role := hi, model.RoleMinimum
	if !how.Lower {
		edge, role = lo, model.RoleMaximum
	}
	if v.Cmp(bigInt(edge)) != 0 {
		return true
	}
	bag.Errorf(c.Payload.Span, code, "no %s is %s %s; to allow only that value, write +%s=%s", n.Underlying(), how.Words, v, n.Tags.WithRole(role), v)
	return false
}

// comparison returns the comparison of the bound with a role.
func comparison(role model.Role) rule.Comparison { return rule.Comparisons[rule.Keyword(role)] }
