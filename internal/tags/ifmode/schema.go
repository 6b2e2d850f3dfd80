package ifmode

import (
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// schema says on the struct what holds for the field in each mode that there is
// on the API servers that the schema is for, from the first tag.
func schema(n *tag.Node, c *model.Constraint, s *tag.Schema) {
	discriminators := n.Discriminators(c.ArgText("modality"))
	if len(discriminators) == 0 || s.Parent == nil {
		return
	}
	w := writer{node: n, discriminator: discriminators[0], schema: s}
	tags, _ := n.ModeTags(c)
	var named []string
	for _, t := range tags {
		constant, ok := tag.ModeConstant(n.Model, w.discriminator, t.Mode)
		value := tag.CELConstant(constant)
		if holds, _ := s.Projection.Holds(t.Under...); !ok || !holds {
			continue
		}
		if t.Inner == c.Inner {
			w.mode(value, t.Inner)
		}
		if !slices.Contains(named, value) {
			named = append(named, value)
		}
	}
	if len(named) > 0 {
		set := tag.CELSet(n.Model, "self", n.Field)
		s.ParentRule(tag.CELRule("!"+set+" || "+w.value()+" in ["+strings.Join(named, ", ")+"]", "Forbidden", tag.ReasonForbidden, n.Field.JSON))
	}
}

type writer struct {
	node          *tag.Node
	discriminator *model.Field
	schema        *tag.Schema
}

// value is the mode in CEL.
func (w writer) value() string {
	x := "self." + tag.CELName(w.discriminator.JSON)
	return "(has(" + x + ") ? " + x + " : " + tag.CELZero(w.node.Model, w.discriminator.Type) + ")"
}

// mode says what one tag says of the field in a mode. Where the field is
// optional or required in the mode, that decides whether others are looked at.
func (w writer) mode(value string, inner *model.Constraint) {
	name := w.node.Field.JSON
	condition := w.value() + " == " + value
	bare, _ := inner.Bare()
	if bare == nil {
		return
	}
	set := tag.CELSet(w.node.Model, "self", w.node.Field)
	switch bare.Name {
	case "k8s:optional":
		return
	case "k8s:required":
		w.schema.ParentRule(tag.CELRule("!("+condition+") || "+set, "Required value", tag.ReasonRequired, name))
		return
	}
	if w.decided(value) {
		condition += " && " + set
	}
	around := w.schema.Inside(w.schema.Parent, w.schema.Correlatable)
	around.When(condition, "must satisfy "+inner.Describe(), func(scratch *tag.Schema) {
		props, ok := scratch.Props.Properties[name]
		if !ok {
			props = apiextensionsv1.JSONSchemaProps{}
		}
		field := scratch.Inside(&props, scratch.Correlatable)
		field.Parent = scratch.Props
		tag.ApplySchema(w.node, inner, field)
		scratch.Props.Properties[name] = props
	})
}

// decided reports whether the field is optional or required in a mode.
func (w writer) decided(value string) bool {
	for _, s := range w.node.Siblings {
		bare, _ := s.Bare()
		if bare == nil || bare.Name != "k8s:ifMode" || bare.Inner == nil || tag.ModeOf(bare) == nil {
			continue
		}
		mode, _ := tag.ModeConstant(w.node.Model, w.discriminator, tag.ModeOf(bare))
		if inner, _ := bare.Inner.Bare(); tag.CELConstant(mode) == value && inner != nil && (inner.Name == "k8s:optional" || inner.Name == "k8s:required") {
			return true
		}
	}
	return false
}
