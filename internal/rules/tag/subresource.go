package tag

import (
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
)

// CheckSubresource returns the check that a tag's value is the path of a subresource, which begins with a slash.
func CheckSubresource(noSlash diag.Code) func(*Node, *model.Tag, *diag.Bag) {
	return func(_ *Node, c *model.Tag, bag *diag.Bag) {
		if !strings.HasPrefix(c.Text(), "/") {
			bag.Warnf(c.Payload.Span, noSlash, "the path of a subresource begins with a slash: \"/%s\"", c.Text()).
				Suggest(c.Payload.Span, Quote("/"+c.Text()), "add the slash")
		}
	}
}
