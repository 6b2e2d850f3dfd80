// Package modediscriminator is the tag +k8s:modeDiscriminator.
package modediscriminator

import (
	"regexp"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Rules)

	codePointer  = codes.New("modediscriminator/pointer", "A mode must be a string or bool without a pointer: the zero value is a mode too.")
	codeTwo      = codes.New("modediscriminator/two", "A modality has one discriminator. Remove one of the tags, or name the modalities.")
	codeReserved = codes.New("modediscriminator/reserved", "The name `default` is reserved for the modality without a name.")
	codeName     = codes.New("modediscriminator/name", "The name of a modality begins with a letter, followed by letters, digits and underscores.")
	codeNoModes  = codes.New("modediscriminator/no-modes", "No field of the struct depends on this modality. Add `+k8s:ifMode` to fields, or remove the tag.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:modeDiscriminator", Role: model.RoleModeDiscriminator, Stability: tag.Stable, Scopes: tag.OnField, Shapes: tag.Strings | tag.Bools,
		Args: []tag.Arg{{
			Name: "modality", Kinds: []model.ValueKind{model.StringValue, model.IdentValue}, Refers: tag.Group, Doc: "the name of the modality, if the struct has several",
		}},
		Summary: "The field's value is the mode that `+k8s:ifMode` rules of other fields depend on.",
		Doc:     "An unset string is the mode `\"\"`, an unset bool the mode `false`. Use an enum for the type of a string, so that misspelt modes are rejected.",
		Good: tag.Code(`
			// +k8s:required
			// +k8s:modeDiscriminator
			Mode Mode \'json:"mode"\'`),
		Bad: tag.Code(`
			// +k8s:optional
			// +k8s:modeDiscriminator
			Mode *Mode \'json:"mode,omitempty"\' // not a pointer: a mode is always set`),
		Codes:  codes.All(),
		Check:  check,
		Go:     tag.Elsewhere("+k8s:ifMode has the rules"),
		Schema: tag.Elsewhere("+k8s:ifMode has the rules"),
	}
}

var validName = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_]*$`)

func check(n *tag.Node, c *model.Tag, bag *diag.Bag) {
	if n.IsPointer() {
		bag.Errorf(c.Span, codePointer, "discriminator %s is a pointer; make it a plain string or bool, whose zero value is a mode too", n.Field.Name)
	}
	name := c.Arg("modality")
	switch {
	case name == nil:
	case name.Text == "default":
		bag.Errorf(name.Span, codeReserved, "a modality cannot be named default; omit the argument, or use another name")
	case !validName.MatchString(name.Text):
		bag.Errorf(name.Span, codeName, "%q is not the name of a modality; begin with a letter, and use letters, digits and underscores", name.Text)
	}
	if all := n.Discriminators(c.ArgText("modality")); len(all) > 1 && all[0] != n.Field {
		bag.Errorf(c.Span, codeTwo, "the modality has two discriminators, %s and %s; remove one, or name the modalities with (modality: \"…\")", all[0].Name, n.Field.Name).
			Note(all[0].Span, "first used here")
	}
	if !n.HasModes(c.ArgText("modality")) {
		bag.Warnf(c.Span, codeNoModes, "no field of %s depends on this mode; add +k8s:ifMode to fields, or remove the tag", n.Owner.Name)
	}
}
