package steps

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// ChangedValuesPackage has the type of the status field for tracked values.
const ChangedValuesPackage = "github.com/kindsmith/kindsmith/runtime/convert"

// store returns where objects of a kind keep values. API servers ignore the status of objects that clients create or update.
// So by default the status only has values that objects show when they are read: those of the newest version, which is stored.
func (b *builder) store(kind *model.Type) jsonconvert.Store {
	store := ""
	if b.hub.Tracking != nil {
		store = b.hub.Tracking.Store
	}
	stored := slices.ContainsFunc(b.hub.Versions, func(v *model.Version) bool { return v.Storage && v.Name == b.hub.Version })
	switch {
	case store == model.NoStore:
		return jsonconvert.Untracked
	case store == string(jsonconvert.Annotation), store == "" && (!stored || !HasStatusStore(b.m, kind) || b.loses(kind.Name, true)):
		return jsonconvert.Annotation
	}
	return jsonconvert.Status
}

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
