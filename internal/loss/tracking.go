package loss

import (
	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/plan"
)

var (
	codeStatusField  = codes.New("versions/tracking-status", "Values are to be tracked in the status of a kind, which has no field for them. Add the field that the message shows, or use `store: \"annotation\"`.")
	codeStatusStored = codes.New("versions/tracking-storage", "Values are to be tracked in the status of stored objects. API servers ignore the status of objects that clients create or update, so values that the storage version cannot represent are lost. Use `store: \"annotation\"`.")
)

// checkTracking checks the marker that says where values are tracked.
func checkTracking(m *model.Model, hub *model.Package, plans plan.Plans, bag *diag.Bag) {
	t := hub.Tracking
	if t == nil || t.Store != model.StatusStore {
		return
	}
	for _, kind := range hub.Types {
		up, down := tracks(hub, plans, kind)
		if !up && !down {
			continue
		}
		if !plan.HasStatusStore(m, kind) {
			d := bag.Errorf(kind.Span, codeStatusField, "%s cannot track values in its status; %s", kind.Name, missing(m, kind))
			d.Note(t.Span, "the store of tracked values")
			continue
		}
		for _, v := range hub.Versions {
			if v.Storage && (up || v.Name != hub.Version) {
				bag.Warnf(kind.Span, codeStatusStored, "API servers ignore the status of each %s that clients create or update, so values that the storage version %s cannot represent are lost; use store: %q",
					kind.Name, v.Name, plan.AnnotationStore).Note(t.Span, "the store of tracked values")
			}
		}
	}
}

// missing returns what the status of a kind lacks.
func missing(m *model.Model, kind *model.Type) string {
	const field = "ChangedValues *convert.ChangedValues `json:\"changedValues,omitempty\"`"
	status := kind.FieldByJSON("status")
	if status == nil || m.Struct(status.Type) == nil {
		return "it has none; use store: \"annotation\""
	}
	if t := m.Struct(status.Type); t.FieldByJSON("changedValues") == nil {
		return "add to " + t.Name + ": " + field + ", with convert from " + plan.ChangedValuesPackage
	}
	return "add +kubebuilder:subresource:status"
}

// tracks reports whether conversions of a kind track values, to the hub and from it.
func tracks(hub *model.Package, plans plan.Plans, kind *model.Type) (up, down bool) {
	for _, v := range hub.Versions {
		p := plans[v.Package]
		if p == nil {
			continue
		}
		for _, t := range p.Types {
			if t.Hub == kind.ID() && t.Store != plan.Untracked {
				up, down = up || p.Tracks(t, plan.Up), down || p.Tracks(t, plan.Down)
			}
		}
	}
	return up, down
}
