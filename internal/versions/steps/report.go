package steps

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Conversion)

	codeRefused = codes.Firm().New("versions/default-refused", "The default of an added field does not convert to the newest version: a `transform` of a later version refuses it, so every upgrade of an older object would fail. Write a default that the transform converts.")

	codeLossy = codes.New("versions/lossy", "A conversion loses values: a version cannot represent a value of another, or a function may not keep it. Objects keep such values, unless `store: \"none\"` disables that. A client of that version loses the value when it writes the object. If this is intended, add `lossy: \"<reason>\"` to the marker. If the functions lose nothing, add `lossless: true`.")

	codeNeighbours = codes.Firm().New("versions/neighbours", "Objects convert from version to version, through all versions between two. So hand-written conversions are for neighbours: `Convert_v1alpha1_T_To_v1beta1_T`, not `Convert_v1alpha1_T_To_v1_T`, if the API has v1alpha1, v1beta1 and v1. A version with `skip: \"conversion\"` cuts off the older ones, unless you write its conversions to and from both neighbours.")

	codeRestore      = codes.New("versions/restore", "The marker names an annotation in which hand-written conversions have stored objects, and the version of these objects. The annotation must not be that of tracked values, and the version must be declared.")
	codeStatusField  = codes.Firm().New("versions/tracking-status", "Values are to be tracked in the status of a kind, which has no field for them. Add the field that the message shows, or use `store: \"annotation\"`.")
	codeStatusStored = codes.New("versions/tracking-storage", "Values are to be tracked in the status of stored objects. API servers ignore the status of objects that clients create or update, so values that the storage version cannot represent are lost. Use `store: \"annotation\"`.")
)

// Codes returns the codes of the diagnostics about steps.
func Codes() []diag.Code { return codes.All() }

// Report adds diagnostics about the APIs of root packages: defaults that do not convert, values that are lost, and where
// values are kept.
func Report(m *model.Model, apis []*API, bag *diag.Bag) {
	for _, hub := range m.Packages {
		if hub.Root {
			checkRestores(hub, bag)
		}
	}
	for _, a := range apis {
		hub := a.Model.Package(a.Newest)
		if !hub.Root {
			continue
		}
		a.checkNeighbours(hub, bag)
		a.checkDefaults(bag)
		switch {
		case hub.Tracking == nil:
		case hub.Tracking.Store == model.NoStore:
			a.checkLosses(bag)
		case hub.Tracking.Store == model.StatusStore:
			a.checkStatus(hub, bag)
		}
	}
}

// checkLosses reports what conversions may lose where objects do not keep it.
func (a *API) checkLosses(bag *diag.Bag) {
	for _, s := range a.Steps {
		var losses []*Loss
		certain := map[source.Span]bool{}
		for _, k := range a.Kinds {
			for _, l := range s.lost(k.Name) {
				if l.Lossy == "" && !slices.ContainsFunc(losses, func(known *Loss) bool { return known.Span == l.Span && known.Reason == l.Reason }) {
					losses = append(losses, l)
					certain[l.Span] = certain[l.Span] || !l.Unknown
				}
			}
		}
		for _, l := range losses {
			if !l.Unknown || !certain[l.Span] {
				bag.Errorf(l.Span, codeLossy, "%s", l.message(s))
			}
		}
	}
}

// checkRestores checks the markers that name annotations with stored objects.
func checkRestores(hub *model.Package, bag *diag.Bag) {
	for _, r := range hub.Restores {
		if problems := validation.IsQualifiedName(r.Annotation); len(problems) > 0 {
			bag.Errorf(r.Span, codeRestore, "%q is not the key of an annotation: %s", r.Annotation, strings.Join(problems, "; ")).
				RestsOn(tag.ArgumentsOf(r.Span))
			continue
		}
		if r.Annotation == jsonconvert.TrackingAnnotation(hub.Group) {
			bag.Errorf(r.Span, codeRestore, "conversions keep tracked values in the annotation %s; name one that hand-written conversions have written", r.Annotation)
		}
		if !slices.ContainsFunc(hub.Versions, func(v *model.Version) bool { return v.Name == r.Version }) {
			bag.Errorf(r.Span, codeRestore, "package %s declares no version %q; name the version of the objects in the annotation %s", hub.Name, r.Version, r.Annotation).
				RestsOn(tag.ArgumentsOf(r.Span)).RestsOn(tag.DeclaredVersions(hub)...)
		}
		if hub.Tracking != nil && hub.Tracking.Store == model.NoStore {
			bag.Errorf(r.Span, codeRestore, "nothing is restored without a store of tracked values; remove this marker, or select another store").
				Note(hub.Tracking.Span, "the store of tracked values")
		}
	}
}

// checkStatus checks that kinds whose values are kept in the status have a field for them.
func (a *API) checkStatus(hub *model.Package, bag *diag.Bag) {
	for _, kind := range hub.Types {
		if kind.Kind == nil {
			continue
		}
		up, down := a.loses(kind.Name, true), a.loses(kind.Name, false)
		if !up && !down {
			continue
		}
		if !HasStatusStore(a.Model, kind) {
			bag.Errorf(kind.Span, codeStatusField, "%s cannot track values in its status; %s", kind.Name, missing(a.Model, kind)).
				Note(hub.Tracking.Span, "the store of tracked values")
			continue
		}
		for _, v := range hub.Versions {
			if v.Storage && (up || v.Name != hub.Version) {
				bag.Warnf(kind.Span, codeStatusStored, "API servers ignore the status of each %s that clients create or update, so values that the storage version %s cannot represent are lost; use store: %q",
					kind.Name, v.Name, jsonconvert.Annotation).Note(hub.Tracking.Span, "the store of tracked values")
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
		return "add to " + t.Name + ": " + field + ", with convert from " + ChangedValuesPackage
	}
	return "add +kubebuilder:subresource:status"
}
