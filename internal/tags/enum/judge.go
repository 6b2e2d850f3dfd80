package enum

import (
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// judge leaves open what an option decides.
func judge(n *tag.Node, _ *model.Constraint, v tag.Literal) tag.Verdict {
	text, isText := v.Text()
	if !isText {
		return tag.Undecided
	}
	for _, x := range tag.EnumExclusions(n.Owner) {
		if x.Const.Value == text {
			return tag.Undecided
		}
	}
	for _, c := range tag.EnumValues(n.Owner) {
		if c.Value == text {
			return tag.Kept
		}
	}
	return tag.Broken
}
