// Package ifmode is the tag +k8s:ifMode.
package ifmode

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Rules)

	codeNoMode          = codes.New("ifmode/no-mode", "The mode is missing. Write `+k8s:ifMode(\"A\")`.")
	codeNoDiscriminator = codes.New("ifmode/no-discriminator", "No field of the struct is the mode. Add `+k8s:modeDiscriminator` to one.")
	codeNotAMode        = codes.New("ifmode/not-a-mode", "The discriminator cannot have this value, so the tag has no effect.")
	codeStructValue     = codes.New("ifmode/struct-value", "A non-pointer struct is always set, but modes without a tag forbid the field. Make it a pointer.")
	codeOnDiscriminator = codes.New("ifmode/on-discriminator", "The field that is the mode cannot depend on the mode.")
	codeRelation        = codes.New("ifmode/relation", "The tag relates several fields of the struct and cannot depend on a mode. Remove the mode.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	mode := []model.ValueKind{model.StringValue, model.IdentValue, model.BoolValue}
	return &tag.Definition{
		Name: "k8s:ifMode", Role: model.RoleIfMode, Stability: tag.Stable, Scopes: tag.OnField, Shapes: tag.AnyShape,
		Args: []tag.Arg{
			{Kinds: mode, Refers: tag.SelectorConst, Doc: "the mode in which the tag applies: a value of the `+k8s:modeDiscriminator` field"},
			{Name: "mode", Kinds: mode, Refers: tag.SelectorConst, Doc: "the mode, if there is another argument"},
			{Name: "modality", Kinds: []model.ValueKind{model.StringValue, model.IdentValue}, Refers: tag.Group, Doc: "the name of the modality, if the struct has several"},
		},
		Payload:       tag.Payload{Tag: true, Doc: "the tag for this mode"},
		Discriminator: model.RoleModeDiscriminator,
		Repeatable:    true,
		Summary:       "A tag applies in one mode. In modes without a tag, the field is forbidden.",
		Doc: "The mode is the value of the struct's `+k8s:modeDiscriminator` field. Write `+k8s:ifMode(\"A\")=+k8s:optional` for a mode in which the field may be set without other rules. " +
			"On an update, the rules apply if the field or the mode changed.",
		Good: tag.Code(`
			// +k8s:ifMode("Static")=+k8s:required
			// +k8s:ifMode("Static")=+k8s:maxLength=63
			// +k8s:ifMode("Dynamic")=+k8s:optional
			Address *string \'json:"address,omitempty"\'`),
		Bad: tag.Code(`
			// +k8s:ifMode("Static")=+k8s:required
			Address Address \'json:"address"\' // a struct is always set, so other modes cannot forbid it: use a pointer`),
		Codes: codes.All(),
		Check: check,
		Lower: rules,
	}
}

// rules returns the rules of the field in all modes, for its first tag.
func rules(n *tag.Node, c *model.Tag) []rule.Rule {
	tags, first := n.ModeTags(c)
	discriminators := n.Discriminators(c.ArgText("modality"))
	if !first || len(discriminators) == 0 {
		return nil
	}
	discriminator, through := n.Sibling(discriminators[0].JSON)
	modes := &rule.Modes{Field: n.Path(), Place: n.Place(), Discriminator: n.SiblingPath(discriminator, through)}
	switch enum := tag.EnumOf(n.Model, discriminator.Type); {
	case enum != nil:
		modes.Modes = tag.EnumConstants(enum)
	case n.Model.Underlying(discriminator.Type).IsBool():
		modes.Modes = []rule.EnumValue{{Value: "false"}, {Value: "true"}}
	}
	for _, t := range tags {
		if value, ok := tag.ModeConstant(n.Model, discriminator, t.Mode); ok {
			add(modes, value, tag.ConditionsOf(t.Under), tag.Rules(n, t.Inner))
		}
	}
	modes.Otherwise = []rule.Rule{forbidden()}
	if under, same := tag.SameUnder(tags); same {
		modes.Otherwise = rule.Under(tag.ConditionsOf(under), modes.Otherwise)
	} else {
		forbidUnlessNamed(modes)
	}
	return []rule.Rule{{Tag: "ifMode", Around: true, Moment: rule.OnChange, Must: modes}}
}

func forbidden() rule.Rule {
	return rule.Rule{Tag: "ifMode", Effect: rule.Stop, Must: &rule.Forbidden{}, Errors: []rule.Error{{Type: "Forbidden"}}}
}

// forbidUnlessNamed forbids the field in modes that only tags with options name, if none of the
// options apply.
func forbidUnlessNamed(modes *rule.Modes) {
	always := func(under []rule.Condition) bool { return len(rule.Options(under)) == 0 }
	for i, c := range modes.Cases {
		if !slices.ContainsFunc(c.Named, always) {
			r := forbidden()
			r.Unless = c.Named
			modes.Cases[i].Rules = append([]rule.Rule{r}, c.Rules...)
		}
	}
}

// add adds the rules of a tag to those of its mode.
func add(modes *rule.Modes, value rule.Constant, under []rule.Condition, rules []rule.Rule) {
	i := slices.IndexFunc(modes.Cases, func(m rule.Mode) bool { return m.Value == value })
	if i < 0 {
		i = len(modes.Cases)
		modes.Cases = append(modes.Cases, rule.Mode{Value: value})
	}
	m := &modes.Cases[i]
	m.Named = append(m.Named, under)
	m.Rules = append(m.Rules, rule.Under(under, rules)...)
}
