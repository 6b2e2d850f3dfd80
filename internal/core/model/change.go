package model

import (
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/source"
)

// Change is a change of an item in one version: an *Added, *Changed, *Deprecated, *Removed, *Moved
// or *Hook. The definition of its tag creates it, so that only the definition knows the
// names of the arguments. A missing argument is nil.
type Change interface{ Base() *ChangeBase }

// ChangeBase is the common part of changes.
type ChangeBase struct {
	// Role is the tag's role.
	Role Role `json:"role"`
	// Since is the version of the change.
	Since string      `json:"since"`
	Span  source.Span `json:"span"`
	// SinceSpan is the span of the version, or of the whole tag.
	SinceSpan source.Span `json:"-"`
	// Tag is the tag as written.
	Tag *Tag `json:"-"`
	// Field is, for a marker on a struct, the name of the removed field.
	Field *Value `json:"field,omitempty"`
}

// Base returns the common part of the change.
func (b *ChangeBase) Base() *ChangeBase { return b }

// Added means that earlier versions do not have the item.
type Added struct {
	ChangeBase
	// Default is the value of the field in upgraded older objects: the name of a function, or JSON.
	Default *Value `json:"default,omitempty"`
	// DowngradeTo is the value that replaces a constant in older versions.
	DowngradeTo *Value `json:"downgradeTo,omitempty"`
	Losses
}

// Changed means that the item had another name or type.
type Changed struct {
	ChangeBase
	// FromName is the JSON name of a field, or the value of a constant.
	FromName *Value `json:"fromName,omitempty"`
	// FromGoName is the Go name with FromName; nil if it follows from FromName.
	FromGoName *Value `json:"fromGoName,omitempty"`
	// FromType is a Go type expression.
	FromType *Value `json:"fromType,omitempty"`
	// UpgradeWith and DowngradeWith are functions that convert between the types.
	UpgradeWith   *Value `json:"upgradeWith,omitempty"`
	DowngradeWith *Value `json:"downgradeWith,omitempty"`
	// Transform names a form of package jsonconvert that converts between the types, and Form is what it
	// says. Package evolve sets it.
	Transform *Value     `json:"transform,omitempty"`
	Form      *Transform `json:"form,omitempty"`
	Losses
	// Wraps means that a single value became a list. Without FromType the value has the type of the
	// items. A Transform converts it to that of the items.
	Wraps bool `json:"wraps,omitempty"`
	// From is the previous type in the newest version's package. Package evolve sets it.
	From *Ref `json:"from,omitempty"`
}

// Transform is a transform of package jsonconvert, which documents the fields.
type Transform struct {
	Name     string      `json:"name"`
	Args     []string    `json:"args,omitempty"`
	Inverted bool        `json:"inverted,omitempty"`
	Bits     int         `json:"bits,omitempty"`
	Unsigned bool        `json:"unsigned,omitempty"`
	Values   [][2]string `json:"values,omitempty"`
	Zero     string      `json:"zero,omitempty"`
	Omits    bool        `json:"omits,omitempty"`
}

// Deprecated means that the item should no longer be used.
type Deprecated struct {
	ChangeBase
	Note *Value `json:"note,omitempty"`
	// KeepName is true if the deprecation does not change the item's name.
	KeepName *Value `json:"keepName,omitempty"`
}

// Removed means that older versions of a struct have another field.
type Removed struct {
	ChangeBase
	// Name is the JSON name and Type the Go type of the field in the last version that has it.
	Name *Value `json:"name,omitempty"`
	Type *Value `json:"type,omitempty"`
	// GoName is the Go name if it does not follow from Name.
	GoName *Value `json:"goName,omitempty"`
	// Required is true if the field has no omitempty.
	Required *Value `json:"required,omitempty"`
	Doc      *Value `json:"doc,omitempty"`
	// ToPath is the label or the annotation that has the value since, and Transform converts the value to
	// its string.
	ToPath    *Value `json:"toPath,omitempty"`
	Transform *Value `json:"transform,omitempty"`
	Losses
}

// Moved means that the field had another path in the kind.
type Moved struct {
	ChangeBase
	FromPath *Value `json:"fromPath,omitempty"`
	// FromType and Transform are as in Changed.
	FromType  *Value `json:"fromType,omitempty"`
	Transform *Value `json:"transform,omitempty"`
	Losses
}

// Hook names functions that are called after the generated conversion of a step.
type Hook struct {
	ChangeBase
	Upgrade   *Value `json:"upgrade,omitempty"`
	Downgrade *Value `json:"downgrade,omitempty"`
	// Split converts in place of functions; nil if there are functions.
	Split *Split `json:"split,omitempty"`
	Losses
}

// Split means that a string was split into fields, or joined from fields.
type Split struct {
	// Name is the JSON name of the string, and Parts the pattern of fields.
	Name  *Value `json:"name,omitempty"`
	Parts *Value `json:"parts,omitempty"`
	// Joined means that the string is the newer one.
	Joined bool `json:"joined,omitempty"`
	// Fields are the Go names in the hub of the fields that it has since the change, by their JSON names
	// in that version. Package evolve sets it.
	Fields map[string]string `json:"fields,omitempty"`
}

// Losses are what an author says about the values that the conversions of a change lose.
type Losses struct {
	// Lossless is true if the author's functions lose no value.
	Lossless *Value `json:"lossless,omitempty"`
	// Lossy is the reason why the conversions may lose values.
	Lossy *Value `json:"lossy,omitempty"`
}

// IsLossless reports whether the author's functions lose no value.
func (l Losses) IsLossless() bool { return l.Lossless.Or("") == "true" }

// Reason returns the reason why the conversions may lose values, or "".
func (l Losses) Reason() string { return strings.TrimSpace(l.Lossy.Or("")) }

// KeepsName reports whether a deprecated item keeps its name.
func (d *Deprecated) KeepsName() bool { return d.KeepName.Or("") == "true" }

// Or returns the value's text, or another if the value is missing.
func (v *Value) Or(text string) string {
	if v == nil {
		return text
	}
	return v.Text
}

// Place returns the span of the value, or another if the value is missing.
func (v *Value) Place(otherwise source.Span) source.Span {
	if v == nil || v.Span.IsZero() {
		return otherwise
	}
	return v.Span
}
