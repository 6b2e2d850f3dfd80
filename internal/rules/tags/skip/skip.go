// Package skip is the tag +versioned:skip.
package skip

import (
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Shapes)

	codePart = codes.New("skip/part", "The tag names the part that is omitted. Types that are not kinds have no mergedCRD, convertReview and roundTrip: write these above the kind, or above the package clause.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "versioned:skip", Role: model.RoleSkip, Stability: tag.Stable, Scopes: tag.OnPackage | tag.OnType, Shapes: tag.AnyShape,
		Args: []tag.Arg{
			{Name: "", Kinds: []model.ValueKind{model.IdentValue, model.StringValue}, Values: model.Parts, Doc: "the part"},
			{Name: model.PartConversion, Kinds: []model.ValueKind{model.BoolValue}, Doc: "omit conversions"},
			{Name: model.PartRegister, Kinds: []model.ValueKind{model.BoolValue}, Doc: "omit the registration in a scheme"},
			{Name: model.PartMergedCRD, Kinds: []model.ValueKind{model.BoolValue}, Doc: "omit the kinds from CustomResourceDefinitions"},
			{Name: model.PartConvertReview, Kinds: []model.ValueKind{model.BoolValue}, Doc: "omit the helper that answers ConversionReviews"},
			{Name: model.PartRoundTrip, Kinds: []model.ValueKind{model.BoolValue}, Doc: "omit the tests that convert random objects"},
		},
		Repeatable: true,
		Summary:    "A part of the generated code is omitted; write it by hand.",
		Doc:        "All other code is generated. If it calls an omitted function that is missing, a diagnostic names the function. For a single older version, see `skip` of `+versioned:version`.",
		Good: tag.Code(`
			// +versioned:skip(conversion)
			type Database struct{}`),
		Bad: tag.Code(`
			// +versioned:skip(everything)
			type Database struct{} // no such part`),
		Codes:  codes.All(),
		Check:  check,
		Go:     tag.Elsewhere("selects what is generated, not what it checks"),
		Schema: tag.Elsewhere("selects what is generated, not what it checks"),
	}
}

// check reports a tag without a part, and parts that the type does not have.
func check(n *tag.Node, c *model.Tag, bag *diag.Bag) {
	if len(c.Args) == 0 {
		bag.Errorf(c.Span, codePart, "+%s omits nothing; add a part: %s", c.Name, strings.Join(model.Parts, ", "))
	}
	if n.Scope != tag.OnType || n.Owner.Kind != nil {
		return
	}
	for _, part := range c.Skipped() {
		if slices.Contains(model.KindParts, part) {
			bag.Errorf(c.Span, codePart, "only kinds have the part %s, and %s is none; put +%s on a kind, or above the package clause", part, n.Owner.Name, c.Name)
		}
	}
}
