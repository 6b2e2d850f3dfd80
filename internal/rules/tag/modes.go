package tag

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
)

// ModeTag is a tag that applies to a field in one mode.
type ModeTag struct {
	// Mode is the mode's name, Inner the tag.
	Mode  *model.Value
	Inner *model.Tag
	// Under are the conditions of the tag, outermost first.
	Under []*model.Tag

	tag *model.Tag
}

// ModeOf returns the mode that an ifMode tag names; nil when it names none.
func ModeOf(c *model.Tag) *model.Value {
	if v := c.Arg("mode"); v != nil {
		return v
	}
	return c.Arg("")
}

// Discriminators returns the fields of the enclosing struct that are tagged as the discriminator of
// a modality.
func (n *Node) Discriminators(modality string) []*model.Field {
	var found []*model.Field
	for _, t := range n.around() {
		if t.tag.Role == model.RoleModeDiscriminator && t.tag.ArgText("modality") == modality && !slices.Contains(found, t.node.Field) {
			found = append(found, t.node.Field)
		}
	}
	return found
}

// HasModes reports whether a field of the enclosing struct has rules by a modality.
func (n *Node) HasModes(modality string) bool {
	return slices.ContainsFunc(n.around(), func(t tagUse) bool {
		return t.tag.Role == model.RoleIfMode && t.tag.ArgText("modality") == modality
	})
}

// ModeTags returns a field's tags for the modality of an ifMode tag, and whether that tag is the
// first, which lowers all of them.
func (n *Node) ModeTags(c *model.Tag) (tags []ModeTag, first bool) {
	for _, s := range n.Siblings {
		bare, under := s.Bare()
		if bare == nil || bare.Role != model.RoleIfMode || bare.ArgText("modality") != c.ArgText("modality") {
			continue
		}
		if mode := ModeOf(bare); mode != nil && bare.Inner != nil {
			tags = append(tags, ModeTag{Mode: mode, Inner: bare.Inner, Under: under, tag: bare})
		}
	}
	return tags, len(tags) > 0 && tags[0].tag == c
}

// ModeConstant returns a mode's name as a value of the discriminator's type; not ok if it is not
// one.
func ModeConstant(m *model.Model, discriminator *model.Field, mode *model.Value) (value rule.Constant, ok bool) {
	if m.Underlying(discriminator.Type).IsBool() {
		return rule.Constant{Kind: model.BoolValue, Text: mode.Text}, mode.Text == "true" || mode.Text == "false"
	}
	return rule.Constant{Kind: model.StringValue, Text: mode.Text}, true
}

// SameUnder returns the common conditions of the tags; not ok if they differ.
func SameUnder(tags []ModeTag) (under []*model.Tag, ok bool) {
	for _, t := range tags {
		if !slices.EqualFunc(t.Under, tags[0].Under, model.SameCondition) {
			return nil, false
		}
	}
	return tags[0].Under, true
}
