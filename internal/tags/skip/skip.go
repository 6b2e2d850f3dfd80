// Package skip is the tag +versioned:skip.
package skip

import (
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "versioned:skip", Role: model.RoleSkip, Stability: tag.Stable, Scopes: tag.OnPackage | tag.OnType, Shapes: tag.AnyShape,
		Args: []tag.Arg{
			{Name: "", Kinds: []model.ValueKind{model.IdentValue, model.StringValue}, Doc: "the part: conversion or register"},
			{Name: "conversion", Kinds: []model.ValueKind{model.BoolValue}, Doc: "leave out conversions"},
			{Name: "register", Kinds: []model.ValueKind{model.BoolValue}, Doc: "leave out the registration in a scheme"},
			{Name: "mergedCRD", Kinds: []model.ValueKind{model.BoolValue}, Doc: "leave out the helper that merges all versions into one CRD"},
			{Name: "convertReview", Kinds: []model.ValueKind{model.BoolValue}, Doc: "leave out the helper that answers ConversionReviews"},
		},
		Repeatable: true,
		Summary:    "A part of what is generated is the author's to write.",
		Doc:        "Everything else is generated. What depends on a skipped part names the function that must be there.",
		Good:       "// +versioned:skip(conversion)\ntype Database struct{}",
		Bad:        "// +versioned:skip(everything) // no such part\ntype Database struct{}",
		Go:         tag.Elsewhere("says what is generated, not what it checks"),
		Schema:     tag.Elsewhere("says what is generated, not what it checks"),
	}
}
