package verdict

import (
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/spell"
)

// DidYouMean returns the end of a message about an unknown field, with the field that its name misspells.
func (r *Result) DidYouMean(path string) string {
	return spell.DidYouMean(path[strings.LastIndexByte(path, '.')+1:], r.Beside[path])
}
