package model

import "github.com/kindsmith/kindsmith/internal/source"

// Change is what happened to an item in one version: an *Added, *Changed,
// *Deprecated, *Removed, *Moved, *Wrapped or *Hook. The tag that states a change
// makes its value, so that the names of a tag's arguments are its definition's
// alone. An argument that is not written is nil.
type Change interface{ Base() *ChangeBase }

// ChangeBase is what all changes have.
type ChangeBase struct {
	// Role is the tag's role, which says what happened.
	Role Role `json:"role"`
	// Since is the version in which it happened.
	Since string      `json:"since"`
	Span  source.Span `json:"span"`
	// SinceSpan is the place of the version, or the whole tag.
	SinceSpan source.Span `json:"-"`
	// Tag is the tag as it is written.
	Tag *Constraint `json:"-"`
}

// Base returns what the change has in common with others.
func (b *ChangeBase) Base() *ChangeBase { return b }

// Added says that the item did not exist before.
type Added struct {
	ChangeBase
	// Default fills the field when an older object is upgraded: the name of a
	// function, or JSON.
	Default *Value `json:"default,omitempty"`
	// DowngradeTo is the value that older versions see in place of a constant.
	DowngradeTo *Value `json:"downgradeTo,omitempty"`
	// Lossy says why the value may be lost in older versions.
	Lossy *Value `json:"lossy,omitempty"`
}

// Changed says that the item had another name or type.
type Changed struct {
	ChangeBase
	// FromName is the JSON name of a field, or the value of a constant.
	FromName *Value `json:"fromName,omitempty"`
	// FromType is a Go type expression.
	FromType *Value `json:"fromType,omitempty"`
	// UpgradeWith and DowngradeWith are functions that convert between the types.
	UpgradeWith   *Value `json:"upgradeWith,omitempty"`
	DowngradeWith *Value `json:"downgradeWith,omitempty"`
	// Lossy says why values may change on the way.
	Lossy *Value `json:"lossy,omitempty"`
	// From is the resolved FromType, in terms of the newest version's package.
	// Package evolve fills it.
	From *Ref `json:"from,omitempty"`
}

// Deprecated says that the item should no longer be used.
type Deprecated struct {
	ChangeBase
	Note *Value `json:"note,omitempty"`
	// KeepName is true when the item's name does not say that it is deprecated.
	KeepName *Value `json:"keepName,omitempty"`
}

// Removed says that older versions of a struct have one more field.
type Removed struct {
	ChangeBase
	Name *Value `json:"name,omitempty"`
	Type *Value `json:"type,omitempty"`
}

// Moved says that the field was elsewhere in the kind.
type Moved struct {
	ChangeBase
	FromPath *Value `json:"fromPath,omitempty"`
}

// Wrapped says that a single value became a list of one item.
type Wrapped struct{ ChangeBase }

// Hook names functions that are called after the generated conversion of a step.
type Hook struct {
	ChangeBase
	Upgrade   *Value `json:"upgrade,omitempty"`
	Downgrade *Value `json:"downgrade,omitempty"`
}

// KeepsName reports whether a deprecated item is called what it was.
func (d *Deprecated) KeepsName() bool { return d.KeepName.Or("") == "true" }

// Or returns the value's text, or another where the value is not written.
func (v *Value) Or(text string) string {
	if v == nil {
		return text
	}
	return v.Text
}

// Place returns where the value is written, or another place where it is not.
func (v *Value) Place(otherwise source.Span) source.Span {
	if v == nil || v.Span.IsZero() {
		return otherwise
	}
	return v.Span
}
