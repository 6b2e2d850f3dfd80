package value

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/foreign"
	"github.com/kindsmith/kindsmith/internal/model"
)

// Closed reports whether an enum has no values but its constants.
func Closed(t *model.Type) bool {
	return model.HasBare(t.Tags, model.RoleEnum) || slices.ContainsFunc(t.Markers, func(m model.Marker) bool {
		return m.Name == foreign.Enum || m.Name == foreign.KubebuilderEnum
	})
}
