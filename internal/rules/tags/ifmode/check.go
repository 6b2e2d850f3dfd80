package ifmode

import (
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/spell"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

func check(n *tag.Node, c *model.Tag, bag *diag.Bag) {
	if tag.ModeOf(c) == nil {
		bag.Errorf(c.NameSpan, codeNoMode, "+k8s:ifMode needs a mode; write +k8s:ifMode(\"<mode>\")=…")
		return
	}
	if tag.IsStructValue(n.Model, n.Type) {
		bag.Errorf(c.Span, codeStructValue, "field %s is a non-pointer struct, which is always set, and modes without a tag forbid it; make it a pointer", n.Field.Name)
	}
	for _, r := range tag.Rules(n, c.Inner) {
		if r.Around {
			bag.Errorf(c.Inner.Span, codeRelation, "+%s relates several fields and cannot depend on a mode; remove +k8s:ifMode", c.Inner.Name)
			break
		}
	}
	discriminators := n.Discriminators(c.ArgText("modality"))
	switch {
	case len(discriminators) == 0:
		bag.Errorf(c.Span, codeNoDiscriminator, "no field of %s is the mode; add +k8s:modeDiscriminator%s to one", n.Owner.Name, argument(c))
	case discriminators[0] == n.Field:
		bag.Errorf(c.Span, codeOnDiscriminator, "field %s is the mode, so its rules cannot depend on it", n.Field.Name)
	default:
		checkMode(n, discriminators[0], tag.ModeOf(c), bag)
	}
}

func argument(c *model.Tag) string {
	if name := c.ArgText("modality"); name != "" {
		return "(modality: " + tag.Quote(name) + ")"
	}
	return ""
}

// checkMode reports a mode that the discriminator cannot have.
func checkMode(n *tag.Node, discriminator *model.Field, mode *model.Value, bag *diag.Bag) {
	if _, ok := tag.ModeConstant(n.Model, discriminator, mode); !ok {
		bag.Errorf(mode.Span, codeNotAMode, "%s is a bool, but %q is not; use true or false", discriminator.Name, mode.Text)
		return
	}
	enum := tag.MarkedEnumOf(n.Model, discriminator.Type)
	if enum == nil || mode.Text == "" {
		return
	}
	var values []string
	for _, v := range tag.EnumValues(enum) {
		if v.Value == mode.Text {
			return
		}
		values = append(values, v.Value)
	}
	d := bag.Errorf(mode.Span, codeNotAMode, "%q is not a value of %s; use one of: %s", mode.Text, enum.Name, strings.Join(values, ", ")).
		Note(discriminator.Span, "the mode")
	if near := spell.Certain(mode.Text, values); near != "" && mode.Span.Text() == tag.Quote(mode.Text) {
		d.Suggest(mode.Span, tag.Quote(near), "use %q", near)
	}
}
