package steps

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/foreign"
	"github.com/kindsmith/kindsmith/internal/model"
)

// ChangedValuesPackage has the type of the status field for tracked values.
const ChangedValuesPackage = "github.com/kindsmith/kindsmith/runtime/convert"

// HasStatusStore reports whether the status of a kind is a subresource with a field for
// tracked values.
func HasStatusStore(m *model.Model, kind *model.Type) bool {
	isStatus := func(marker model.Marker) bool { return marker.Name == foreign.SubresourceStatus }
	status := kind.FieldByJSON("status")
	if status == nil || !slices.ContainsFunc(kind.Markers, isStatus) {
		return false
	}
	t := m.Struct(status.Type)
	if t == nil {
		return false
	}
	f := t.FieldByJSON("changedValues")
	return f != nil && f.Type.Kind == model.KindPointer && f.Type.Elem.ID() == model.Name{Package: ChangedValuesPackage, Name: "ChangedValues"}
}
