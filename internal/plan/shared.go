package plan

import (
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/value"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// What the steps between neighbouring versions are made of, too.

// Instances returns a model that has a type for each instance of a generic type of a version's package. It is the same
// model if there is no such type.
func Instances(m *model.Model) *model.Model { return instances(m) }

// Zero returns the zero value of a type with the fields that Go writes.
func Zero(m *model.Model, r *model.Ref) *value.Value { return zero(m, r, 0) }

// ItemsOf returns how the items of a field's list are known; nil if by their index.
func ItemsOf(m *model.Model, f *model.Field) *Items { return items(m, f) }

// TransformOf returns the transform of a marker.
func TransformOf(form *model.Transform) *jsonconvert.Transform { return (*jsonconvert.Transform)(form) }
