package optional

import (
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
	"github.com/kindsmith/kindsmith/internal/value"
)

// judge follows what rules says of fields with a default.
func judge(n *tag.Node, _ *model.Constraint, v tag.Literal) tag.Verdict {
	if tag.IsSet(n.Model, n.Type, v.Value) {
		return tag.Kept
	}
	switch d := n.EffectiveDefault(); {
	case d == nil:
		return tag.Unset
	case !value.IsZero(n.Model, n.Type, d):
		return tag.Broken
	case n.IsPointer():
		return tag.Unset
	}
	return tag.Kept
}
