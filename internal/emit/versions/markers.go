package versions

import (
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/core/value/goliteral"
)

// printed returns an item's markers as written, from their '+' and in source order. It omits
// version markers, which belong to the newest version only.
func printed(tags []*model.Tag, markers []model.Marker, def *model.Default) []string {
	type line struct {
		text string
		span source.Span
	}
	var lines []line
	for _, c := range tags {
		if !c.Role.IsAboutVersions() {
			lines = append(lines, line{"+" + tagText(c), c.Span})
		}
	}
	for _, m := range markers {
		lines = append(lines, line{"+" + m.Text, m.Span})
	}
	if def != nil && !slices.ContainsFunc(markers, func(m model.Marker) bool { return m.Name == def.Marker }) {
		lines = append(lines, line{"+" + def.Marker + "=" + defaultText(def), def.Span})
	}
	slices.SortStableFunc(lines, func(a, b line) int { return a.span.Compare(b.span) })
	texts := make([]string, len(lines))
	for i, l := range lines {
		texts[i] = l.text
	}
	return texts
}

func defaultText(d *model.Default) string {
	if d.Ref != nil {
		return "ref(" + d.Ref.String() + ")"
	}
	return d.JSON
}

// tagText writes a tag in the simplest spelling, without '+'.
func tagText(c *model.Tag) string {
	var b strings.Builder
	b.WriteString(c.Name)
	for i, a := range c.Args {
		b.WriteString([]string{"(", ", "}[min(i, 1)])
		if a.Name != "" {
			b.WriteString(a.Name + ": ")
		}
		b.WriteString(valueText(a.Value))
	}
	if len(c.Args) > 0 {
		b.WriteString(")")
	}
	switch {
	case c.Inner != nil:
		b.WriteString("=+" + tagText(c.Inner))
	case c.Payload != nil:
		b.WriteString("=" + valueText(*c.Payload))
	}
	return b.String()
}

func valueText(v model.Value) string {
	if v.Kind == model.StringValue {
		return goliteral.Quote(v.Text)
	}
	return v.Text
}
