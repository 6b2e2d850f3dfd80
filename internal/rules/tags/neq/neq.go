// Package neq is the tag +k8s:neq.
package neq

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Rules)

	codeOtherType  = codes.New("neq/other-type", "The value does not have the field's type, so the field never has it.")
	codeOutOfRange = codes.New("neq/out-of-range", "The value is out of range for the field's type, so the field never has it.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:neq", Stability: tag.Alpha, Scopes: tag.Anywhere, Shapes: tag.Strings | tag.Integers | tag.Bools,
		Payload: tag.Payload{
			Kinds:  []model.ValueKind{model.StringValue, model.IdentValue, model.IntValue, model.BoolValue},
			Refers: tag.ValueConst,
			Doc:    "the disallowed value: a string, an integer or a bool, like the field's type",
		},
		Repeatable: true,
		Summary:    "A value is not this one.",
		Doc:        "For single values that an API does not allow, such as a reserved name. Repeat the tag for several values.",
		Good: tag.Code(`
			// +k8s:required
			// +k8s:neq="default"
			Namespace string \'json:"namespace"\'`),
		Bad: tag.Code(`
			// +k8s:neq="0"
			Replicas int32 \'json:"replicas"\' // an integer: write 0 without quotes`),
		ErrorType: "Invalid", Origin: "neq",
		Codes: codes.All(),
		Check: check,
		Lower: rules,
	}
}

// kinds are the syntactic kinds of values of a shape.
var kinds = map[tag.Shape][]model.ValueKind{
	tag.Strings:  {model.StringValue, model.IdentValue},
	tag.Integers: {model.IntValue},
	tag.Bools:    {model.BoolValue},
}

func matches(n *tag.Node, v *model.Value) bool {
	for _, kind := range kinds[tag.ShapeOf(n.Model, n.Type)] {
		if v.Kind == kind {
			return true
		}
	}
	return false
}

func check(n *tag.Node, c *model.Tag, bag *diag.Bag) {
	shape := tag.ShapeOf(n.Model, n.Type)
	if matches(n, c.Payload) {
		if shape == tag.Integers {
			tag.CheckFits(codeOutOfRange, n, c, bag)
		}
		return
	}
	d := bag.Errorf(c.Payload.Span, codeOtherType, "%s %s never %s; write %s",
		n.Describe(), n.Is(), c.Payload.Span.Text(), map[tag.Shape]string{
			tag.Strings: "a string", tag.Integers: "an integer", tag.Bools: "true or false",
		}[shape])
	if shape == tag.Strings {
		d.Suggest(c.Payload.Span, tag.Quote(c.Text()), "write %s", tag.Quote(c.Text()))
	}
}

func rules(n *tag.Node, c *model.Tag) []rule.Rule {
	if !matches(n, c.Payload) {
		return nil
	}
	value := rule.Constant{Kind: c.Payload.Kind, Text: c.Text()}
	if tag.ShapeOf(n.Model, n.Type) == tag.Strings {
		value.Kind = model.StringValue
	}
	return []rule.Rule{{Tag: "neq", Must: &rule.NotEqual{Value: value}}}
}
