package check

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// measured reports a bound on durations or quantities that is not a duration or a quantity.
func (c *checker) measured(n *tag.Node, def *tag.Definition, use *model.Tag) bool {
	kinds := def.PayloadKinds(n)
	if !slices.Contains(kinds, model.StringValue) {
		return true
	}
	v := use.Payload
	number := v.Kind == model.IntValue && slices.Contains(kinds, model.IntValue)
	if _, ok := n.BoundOf(use); ok && (number || v.Kind == model.StringValue) {
		return true
	}
	what, limit, example := "duration", "", `"1m30s"`
	if rule.MeasureOf(n.Model, n.Type) == rule.Quantity {
		what, limit, example = "quantity", " of at most 64 bits", `"500m" or "16Gi"`
	}
	wanted := "write one in quotes, such as " + example
	if slices.Equal(kinds, []model.ValueKind{model.IntValue, model.StringValue}) {
		wanted += ", or an integer number of nanoseconds"
	}
	reads := func(text string) bool {
		fixed := *use
		fixed.Payload = &model.Value{Kind: model.StringValue, Text: text}
		_, ok := n.BoundOf(&fixed)
		return ok && v.Kind != model.IntValue
	}
	if reads(v.Text) {
		c.bag.Errorf(v.Span, codeWrongValue, "the value of +%s is a %s without quotes", use.Name, what).
			Suggest(v.Span, strconv.Quote(v.Text), "write %q", v.Text)
		return false
	}
	d := c.bag.Errorf(v.Span, codeWrongValue, "the value of +%s is not a %s%s; %s", use.Name, what, limit, wanted)
	if text := withoutSpace(v.Text); reads(text) {
		d.Suggest(v.Span, strconv.Quote(text), "write %q", text)
	}
	return false
}

func withoutSpace(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}
