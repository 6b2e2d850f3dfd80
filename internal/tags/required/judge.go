package required

import (
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

func judge(n *tag.Node, _ *model.Constraint, v tag.Literal) tag.Verdict {
	return tag.KeptIf(tag.IsSet(n.Model, n.Type, v.Value))
}
