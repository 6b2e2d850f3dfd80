// Package version is the tag +versioned:version.
package version

import (
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// The arguments.
var (
	argName       = tag.Arg{Name: "name", Kinds: []model.ValueKind{model.StringValue}, Required: true, Doc: "the version: v1, v1beta1, v1alpha2"}
	argDeprecated = tag.Arg{Name: "deprecated", Kinds: []model.ValueKind{model.StringValue, model.BoolValue}, Doc: "deprecates the version, with the replacement to use"}
	argDoc        = tag.Arg{Name: "doc", Kinds: []model.ValueKind{model.StringValue}, Doc: "text for the doc comment of each type of the version"}
	argServed     = tag.Arg{Name: "served", Kinds: []model.ValueKind{model.BoolValue}, Doc: "whether API servers serve it; true by default"}
	argSkip       = tag.Arg{Name: "skip", Kinds: []model.ValueKind{model.StringValue}, Values: model.Parts, List: true, Doc: "comma-separated parts that are not generated for the version"}
	argStorage    = tag.Arg{Name: "storage", Kinds: []model.ValueKind{model.BoolValue}, Doc: "whether it is the storage version; by default the one with Kubernetes' highest priority is"}
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "versioned:version", Role: model.RoleVersion, Stability: tag.Stable, Scopes: tag.OnPackage, Shapes: tag.AnyShape,
		Args: []tag.Arg{
			argName,
			argDeprecated,
			argServed,
			argStorage,
			argSkip,
			argDoc,
		},
		Repeatable: true,
		Declares:   declares,
		Summary:    "A version of the API. The package is the newest version.",
		Doc:        "Write one marker for each version above the package clause, oldest first. kindsmith generates the older versions in folders next to the package, with conversions in both directions.",
		Good: tag.Code(`
			// +groupName=example.com
			// +versioned:version(name: "v1beta1", deprecated: "use v1")
			// +versioned:version(name: "v1", storage: true)
			package v1`),
		Bad: tag.Code(`
			// +versioned:version(name: "v1")
			// +versioned:version(name: "v1beta1") // older than v1: declare it first
			package v1`),
		Go:     tag.Elsewhere("selects what is generated, not what it checks"),
		Schema: tag.Elsewhere("the CustomResourceDefinition has each version"),
	}
}

// declares returns the version.
func declares(c *model.Tag) any {
	v := &model.Version{Name: c.Arg(argName.Name).Or(c.ArgText("")), Doc: c.Arg(argDoc.Name).Or(""), Served: true, Span: c.Span}
	v.NameSpan = c.Arg(argName.Name).Place(c.Span)
	v.StorageSpan = c.Arg(argStorage.Name).Place(c.Span)
	if a := c.Arg(argDeprecated.Name); a != nil && a.Text != "false" {
		v.IsDeprecated = true
		if a.Kind == model.StringValue {
			v.Deprecated = a.Text
		}
	}
	if a := c.Arg(argServed.Name); a != nil {
		v.Served = a.Text != "false"
	}
	v.Storage = c.Arg(argStorage.Name).Or("") == "true"
	if a := c.Arg(argSkip.Name); a != nil {
		v.SkipSpan = a.Span
		for part := range strings.SplitSeq(a.Text, ",") {
			v.Skip = append(v.Skip, strings.TrimSpace(part))
		}
	}
	return v
}
