// Package defaulting decides which default applies to a value, for generated Go, published schemas
// and the checks of the default tag.
//
// [OfField], [OfType] and [OfValue] return the [Effective] default, and [Read] one from its tag; mistakes are diagnostics
// with the codes of [Codes].
package defaulting

import (
	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/value"
)

// Source is the origin of a default.
type Source int

const (
	// FromField is a marker on the field itself.
	FromField Source = iota
	// FromType is a marker on the field's type, on a type that it is declared from, or on the type
	// behind a pointer.
	FromType
	// AutoStruct is the {} of a non-pointer struct: it is always set, so the defaults of its fields
	// apply.
	AutoStruct
	// AutoZero is the zero value of a non-pointer scalar without omitempty. Go always sends it.
	AutoZero
)

// Effective is the default that applies at a place.
type Effective struct {
	Source Source
	// Value is the default. Its offsets refer to Declared.JSON; those of a constant or an automatic
	// default are meaningless.
	Value *value.Value
	// Declared is the marker; nil for an automatic default.
	Declared *model.Default
	// Type is the type with the marker, for FromType.
	Type *model.Type
	// Const is the constant that the marker refers to, or nil.
	Const *Constant
	// OnServers is set on a default that only API servers can apply: Go cannot distinguish an
	// absent field from its zero value.
	OnServers bool
}

// JSON returns the default as compact JSON.
func (e Effective) JSON() string { return e.Value.JSON() }

// IsAuto reports whether the default is automatic.
func (e Effective) IsAuto() bool { return e.Source == AutoStruct || e.Source == AutoZero }

// OfField returns the default of a field of owner: that of the field's marker, else of its type,
// else the automatic one. ok is false if there is none, or if it refers to a constant that does not
// exist or is not JSON.
func OfField(m *model.Model, owner *model.Type, f *model.Field) (e Effective, ok bool) {
	if f.Default != nil {
		e, ok = declared(m, owner, f.Default)
		e.OnServers = ok && onServers(m, f, e)
		return e, ok
	}
	if e, ok := OfValue(m, f.Type); ok || f.Inline || f.Skipped {
		return e, ok
	}
	switch KindOf(m, f.Type) {
	case Struct:
		if m.Absent(f) == model.LackNever {
			return Effective{Source: AutoStruct, Value: value.Zero(m, f.Type)}, true
		}
	case Scalar:
		if m.Absent(f) == model.LackNever {
			return Effective{Source: AutoZero, Value: value.Zero(m, f.Type)}, true
		}
	}
	return Effective{}, false
}

// StaysAbsent reports whether a field is a struct that is absent if it is zero, so that the
// defaults of its fields do not apply.
func StaysAbsent(m *model.Model, f *model.Field) bool {
	return m.Absent(f) == model.LackZero && !f.Inline && f.Default == nil && KindOf(m, f.Type) == Struct
}

// onServers reports whether a default is a +kubebuilder:default on a field that clients always
// send.
func onServers(m *model.Model, f *model.Field, e Effective) bool {
	if e.Declared.Marker != foreign.KubebuilderDefault {
		return false
	}
	switch KindOf(m, f.Type) {
	case Struct:
		return !IsEmptyObject(e.Value)
	case Scalar:
		return m.Absent(f) == model.LackNever && !value.Same(e.Value, value.Zero(m, f.Type)) && !model.HasBare(f.Tags, model.RoleOptional)
	}
	return false
}

// OfValue returns the default of the declared types in r, for list items and map values. The
// outermost takes precedence, also behind pointers.
func OfValue(m *model.Model, r *model.Ref) (e Effective, ok bool) {
	if t := m.Defaulted(r); t != nil {
		return OfType(m, t)
	}
	return Effective{}, false
}

// OfType returns the default of a type's own marker.
func OfType(m *model.Model, t *model.Type) (e Effective, ok bool) {
	if t.Default == nil {
		return Effective{}, false
	}
	e, ok = declared(m, t, t.Default)
	e.Source, e.Type = FromType, t
	return e, ok
}

func declared(m *model.Model, owner *model.Type, d *model.Default) (Effective, bool) {
	e := Effective{Source: FromField, Declared: d}
	if d.Ref == nil {
		e.Value, _ = value.Parse(d.JSON)
		return e, e.Value != nil
	}
	c, ok := FindConstant(m, owner.Package, *d.Ref)
	if !ok {
		return e, false
	}
	e.Const, e.Value = &c, value.OfConst(c.Const)
	return e, true
}

// IsEmptyObject reports whether a value is {}.
func IsEmptyObject(v *value.Value) bool { return v.Kind == value.Object && len(v.Members) == 0 }

// Kind is the kind of a type for defaulting.
type Kind int

const (
	// Free is a type with nil values: a pointer, map, slice or interface.
	Free Kind = iota
	// Scalar is a string, bool or number.
	Scalar
	// Struct is a struct that is an object in JSON.
	Struct
	// Opaque is a type with custom JSON, such as resource.Quantity.
	Opaque
	// Other is everything else: arrays, functions.
	Other
)

// KindOf returns the kind of a type for defaulting.
func KindOf(m *model.Model, r *model.Ref) Kind {
	if value.HasOwnJSON(m, r) {
		return Opaque
	}
	switch u := value.Underlying(m, r); u.Kind {
	case model.KindPointer, model.KindMap, model.KindSlice, model.KindInterface:
		return Free
	case model.KindStruct:
		return Struct
	case model.KindBuiltin:
		if u.IsScalar() {
			return Scalar
		}
	}
	return Other
}
