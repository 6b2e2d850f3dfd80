package model

import "github.com/kindsmith/kindsmith/internal/core/foreign"

// Presence is whether objects must have a field, and what decides that.
type Presence struct {
	Required bool
	// By is a tag, a marker, the package's marker, or the json tag.
	By string
	// Declared is set if a tag or a marker of the field decides.
	Declared bool
}

// presenceMarkers are the markers of other tools, those of controller-gen first, which take precedence.
var presenceMarkers = []struct {
	name string
	role Role
}{
	{foreign.KubebuilderOptional, RoleOptional},
	{foreign.KubebuilderRequired, RoleRequired},
	{foreign.Optional, RoleOptional},
	{foreign.Required, RoleRequired},
}

// PresenceRole returns the role of the tag that a marker of another tool is a spelling of: RoleOptional or RoleRequired;
// "" for any other marker.
func PresenceRole(marker string) Role {
	for _, m := range presenceMarkers {
		if m.name == marker {
			return m.role
		}
	}
	return ""
}

// PresenceOf returns the presence of a field of a struct, by its markers and the given tags of it, which are those that
// apply. Tags take precedence over controller-gen's markers, these over plain ones, and these over the package's.
func (m *Model) PresenceOf(t *Type, f *Field, tags []*Tag) Presence {
	for _, c := range tags {
		switch c.Role {
		case RoleRequired, RoleOptional, RoleForbidden:
			return Presence{c.Role == RoleRequired, "+" + c.Name, true}
		}
	}
	for _, p := range presenceMarkers {
		if HasMarker(f.Markers, p.name) {
			return Presence{p.role == RoleRequired, "+" + p.name, true}
		}
	}
	if p := m.Package(t.Package); p != nil && HasMarker(p.Markers, foreign.KubebuilderOptional) {
		return Presence{By: "+" + foreign.KubebuilderOptional + " of the package"}
	}
	switch {
	case f.OmitEmpty:
		return Presence{By: "omitempty"}
	case f.OmitZero:
		return Presence{By: "omitzero"}
	}
	return Presence{Required: true, By: "no omitempty"}
}

// PublishedPresence is PresenceOf as openapi-gen publishes it: markers without a prefix, the only ones that it reads, take
// precedence over all others.
func (m *Model) PublishedPresence(t *Type, f *Field, tags []*Tag) Presence {
	for _, name := range []string{foreign.Required, foreign.Optional} {
		if HasMarker(f.Markers, name) {
			return Presence{name == foreign.Required, "+" + name, true}
		}
	}
	return m.PresenceOf(t, f, tags)
}

// WritesZero reports whether Go writes the zero value of a field. The option omitempty does nothing for structs and arrays.
func (m *Model) WritesZero(f *Field) bool {
	switch m.Underlying(f.Type).Kind {
	case KindStruct, KindArray:
		return !f.OmitZero
	}
	return !f.OmitEmpty && !f.OmitZero
}

// WritesNull reports whether Go writes null for an unset value of a field.
func (m *Model) WritesNull(f *Field) bool {
	switch m.Underlying(f.Type).Kind {
	case KindPointer, KindSlice, KindMap, KindInterface:
		return m.WritesZero(f)
	}
	return false
}
