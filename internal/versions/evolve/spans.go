package evolve

import (
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
)

// nameSpan returns the position of an item's name in a version: a fromName, or the item itself.
func (h *evolver) nameSpan(item any, v int) source.Span {
	for _, s := range h.of(item).after(v) {
		if s.fromName() != "" {
			return s.changed.FromName.Span
		}
	}
	switch item := item.(type) {
	case *model.Field:
		return item.Span
	case *model.Const:
		return item.Span
	case *model.Type:
		return item.Span
	}
	return source.Span{}
}
