package subfield

import (
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// judge looks at a field that the constant sets: whether it may be left out is
// also a matter of the field's own declaration.
func judge(n *tag.Node, c *model.Constraint, v tag.Literal) tag.Verdict {
	inner := n.Inner(c)
	object, isObject := v.Value.(map[string]any)
	if inner == nil || !isObject || !tag.IsSet(n.Model, inner.Type, object[inner.Field.JSON]) {
		return tag.Undecided
	}
	verdict := tag.JudgeOf(inner, c.Inner, tag.Literal{Value: object[inner.Field.JSON], Object: object})
	if verdict == tag.Unset {
		return tag.Kept
	}
	return verdict
}
