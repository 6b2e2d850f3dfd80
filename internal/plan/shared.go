package plan

import (
	"github.com/kindsmith/kindsmith/internal/model"
)

// What the steps between neighbouring versions are made of, too.

// ItemsOf returns how the items of a field's list are known; nil if by their index.
func ItemsOf(m *model.Model, f *model.Field) *Items { return items(m, f) }
