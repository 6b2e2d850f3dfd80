package tag

import (
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
)

// JSONName returns the span of the name in a field's json tag, which is zero if the tag has none.
func JSONName(f *model.Field) source.Span {
	const key = `json:"`
	text := f.TagSpan.Text()
	start := strings.Index(text, key)
	if start < 0 {
		return source.Span{}
	}
	start += len(key)
	length := strings.IndexAny(text[start:], `,"`)
	if length <= 0 {
		return source.Span{}
	}
	return f.TagSpan.Sub(start, start+length)
}
