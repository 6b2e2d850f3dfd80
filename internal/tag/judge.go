package tag

import (
	"encoding/json"
	"math/big"
	"slices"

	"github.com/kindsmith/kindsmith/internal/model"
)

// Verdict is what a tag says of a constant.
type Verdict int

// The verdicts.
const (
	// Undecided: it depends on more than the constant.
	Undecided Verdict = iota
	// Kept: the constant satisfies the rule.
	Kept
	// Broken: it does not.
	Broken
	// Unset: the value counts as one that is not set, and no other rule at the
	// place is looked at.
	Unset
)

// KeptIf returns Kept or Broken.
func KeptIf(ok bool) Verdict {
	if ok {
		return Kept
	}
	return Broken
}

// Literal is a constant at a place, as a validator would find it there: decoded,
// and with defaults set.
type Literal struct {
	// Value is nil, a bool, a string, a json.Number, a []any or a
	// map[string]any. It is nil for nil pointers, lists and maps only.
	Value any
	// Object has the values of the fields of the struct around a field, by JSON
	// name; nil where there is none.
	Object map[string]any
}

// Text returns a string's text; ok is false for anything else.
func (v Literal) Text() (text string, ok bool) {
	text, ok = v.Value.(string)
	return text, ok
}

// Int returns an integer; ok is false for anything else.
func (v Literal) Int() (i *big.Int, ok bool) {
	number, ok := v.Value.(json.Number)
	if !ok {
		return nil, false
	}
	return new(big.Int).SetString(number.String(), 10)
}

// Len returns the number of items of a list or entries of a map, which is 0 for
// nil ones; ok is false for anything else, a nil pointer included.
func (v Literal) Len(n *Node) (length int, ok bool) {
	switch value := v.Value.(type) {
	case []any:
		return len(value), true
	case map[string]any:
		return len(value), true
	case nil:
		return 0, !n.IsPointer()
	}
	return 0, false
}

// IsSet reports whether a value counts as set at a place of the type, as
// SetExpr has it.
func IsSet(m *model.Model, t *model.Ref, value any) bool {
	if u := m.Underlying(t); u.Kind == model.KindPointer || u.Kind == model.KindInterface {
		return value != nil
	}
	switch value := value.(type) {
	case nil:
		return ShapeOf(m, t) == Structs
	case bool:
		return value
	case string:
		return value != ""
	case json.Number:
		f, err := value.Float64()
		return err != nil || f != 0
	case []any:
		return len(value) > 0
	case map[string]any:
		return len(value) > 0 || ShapeOf(m, t) == Structs
	}
	return true
}

// JudgeOf returns what a constraint says of a constant. Conditions on it are
// looked through: a default is to satisfy a rule whenever that holds.
func JudgeOf(n *Node, c *model.Constraint, v Literal) Verdict {
	c, _ = c.Bare()
	if c == nil {
		return Undecided
	}
	d := n.Tags.Lookup(c.Name)
	if d == nil || d.Judge == nil || d.Scopes&n.Scope == 0 || !d.For(n.Model, n.Type) || !hasPayload(d, c) {
		return Undecided
	}
	return d.Judge(n, c, v)
}

// hasPayload reports whether a constraint has the value that its tag is to have.
func hasPayload(d *Definition, c *model.Constraint) bool {
	switch {
	case c.Payload == nil:
		return len(d.Payload.Kinds) == 0 || d.Payload.Optional
	case len(d.Payload.Values) > 0 && !slices.Contains(d.Payload.Values, c.Text()):
		return false
	}
	return slices.Contains(d.Payload.Kinds, c.Payload.Kind)
}

// JudgeBound compares an integer with a constraint's payload: ok gets -1, 0 or
// 1 for a value below, at or above it.
func JudgeBound(ok func(cmp int) bool) func(n *Node, c *model.Constraint, v Literal) Verdict {
	return func(_ *Node, c *model.Constraint, v Literal) Verdict {
		bound, valid := IntPayload(c)
		i, isInt := v.Int()
		if !valid || !isInt {
			return Undecided
		}
		return KeptIf(ok(i.Cmp(bound)))
	}
}

// JudgeLength is JudgeBound for the length of a string, as size counts it.
func JudgeLength(size func(text string) int, ok func(cmp int) bool) func(n *Node, c *model.Constraint, v Literal) Verdict {
	return func(_ *Node, c *model.Constraint, v Literal) Verdict {
		text, isText := v.Text()
		if !isText {
			return Undecided
		}
		return judgeSize(c, size(text), ok)
	}
}

// JudgeCount is JudgeBound for the number of items or entries.
func JudgeCount(ok func(cmp int) bool) func(n *Node, c *model.Constraint, v Literal) Verdict {
	return func(n *Node, c *model.Constraint, v Literal) Verdict {
		length, counts := v.Len(n)
		if !counts {
			return Undecided
		}
		return judgeSize(c, length, ok)
	}
}

func judgeSize(c *model.Constraint, size int, ok func(cmp int) bool) Verdict {
	bound, valid := IntPayload(c)
	if !valid {
		return Undecided
	}
	return KeptIf(ok(big.NewInt(int64(size)).Cmp(bound)))
}

// AtLeast is the comparison of a lower bound.
func AtLeast(cmp int) bool { return cmp >= 0 }

// AtMost is the comparison of an upper bound.
func AtMost(cmp int) bool { return cmp <= 0 }

// Above is the comparison of an exclusive lower bound.
func Above(cmp int) bool { return cmp > 0 }

// Below is the comparison of an exclusive upper bound.
func Below(cmp int) bool { return cmp < 0 }
