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
			{Name: "conversion", Kinds: []model.ValueKind{model.BoolValue}, Doc: "omit conversions"},
			{Name: "register", Kinds: []model.ValueKind{model.BoolValue}, Doc: "omit the registration in a scheme"},
			{Name: "mergedCRD", Kinds: []model.ValueKind{model.BoolValue}, Doc: "omit the helper that merges all versions into one CRD"},
			{Name: "convertReview", Kinds: []model.ValueKind{model.BoolValue}, Doc: "omit the helper that answers ConversionReviews"},
			{Name: "roundTrip", Kinds: []model.ValueKind{model.BoolValue}, Doc: "omit the tests that convert random objects"},
		},
		Repeatable: true,
		Summary:    "A part of the generated code is omitted; write it by hand.",
		Doc:        "All other code is generated. If it calls an omitted function that is missing, a diagnostic names the function.",
		Good:       "// +versioned:skip(conversion)\ntype Database struct{}",
		Bad:        "// +versioned:skip(everything) // no such part\ntype Database struct{}",
		Go:         tag.Elsewhere("selects what is generated, not what it checks"),
		Schema:     tag.Elsewhere("selects what is generated, not what it checks"),
	}
}
