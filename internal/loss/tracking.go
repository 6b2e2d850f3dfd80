package loss

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/plan"
	"github.com/kindsmith/kindsmith/internal/steps"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

var (
	codeRestore      = codes.New("versions/restore", "The marker names an annotation in which hand-written conversions have stored objects, and the version of these objects. The annotation must not be that of tracked values, and the version must be declared.")
	codeStatusField  = codes.Firm().New("versions/tracking-status", "Values are to be tracked in the status of a kind, which has no field for them. Add the field that the message shows, or use `store: \"annotation\"`.")
	codeStatusStored = codes.New("versions/tracking-storage", "Values are to be tracked in the status of stored objects. API servers ignore the status of objects that clients create or update, so values that the storage version cannot represent are lost. Use `store: \"annotation\"`.")
)

// checkRestores checks the markers that name annotations with stored objects.
func checkRestores(hub *model.Package, bag *diag.Bag) {
	for _, r := range hub.Restores {
		if problems := validation.IsQualifiedName(r.Annotation); len(problems) > 0 {
			bag.Errorf(r.Span, codeRestore, "%q is not the key of an annotation: %s", r.Annotation, strings.Join(problems, "; "))
			continue
		}
		if r.Annotation == jsonconvert.TrackingAnnotation(hub.Group) {
			bag.Errorf(r.Span, codeRestore, "conversions keep tracked values in the annotation %s; name one that hand-written conversions have written", r.Annotation)
		}
		if !slices.ContainsFunc(hub.Versions, func(v *model.Version) bool { return v.Name == r.Version }) {
			bag.Errorf(r.Span, codeRestore, "package %s declares no version %q; name the version of the objects in the annotation %s", hub.Name, r.Version, r.Annotation)
		}
		if hub.Tracking != nil && hub.Tracking.Store == model.NoStore {
			bag.Errorf(r.Span, codeRestore, "nothing is restored without a store of tracked values; remove this marker, or select another store").
				Note(hub.Tracking.Span, "the store of tracked values")
		}
	}
}

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
		if !steps.HasStatusStore(m, kind) {
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
		return "add to " + t.Name + ": " + field + ", with convert from " + steps.ChangedValuesPackage
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
