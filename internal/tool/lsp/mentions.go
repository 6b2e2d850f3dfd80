package lsp

import (
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// mention is a text in a marker that names a field, a constant or a function.
type mention struct {
	ref *model.Reference
	at  source.Span
	// goName is set if the text is a name in Go. Otherwise it is the JSON name of a field, or the value of a constant.
	goName bool
}

// mentions returns all of a model: those of tags, and constants in defaults.
func mentions(m *model.Model, tags *tag.Set) []mention {
	var list []mention
	seen := map[source.Span]bool{}
	add := func(one mention) {
		if one.ref != nil && !one.at.IsZero() && !seen[one.at] {
			seen[one.at] = true
			list = append(list, one)
		}
	}
	m.Mentions(func(r *model.Reference, at source.Span) bool {
		add(mention{ref: r, at: unquoted(at), goName: r.Kind == model.ToFunc})
		return true
	})
	for _, p := range m.Packages {
		if p.Generated {
			continue
		}
		for _, t := range p.Types {
			if t.Default != nil {
				add(defaultMention(tag.TypeNode(m, tags, t), t.Default))
			}
			for _, f := range t.Fields {
				if f.Default != nil {
					add(defaultMention(tag.FieldNode(m, tags, t, f), f.Default))
				}
			}
		}
	}
	return list
}

// defaultMention returns the constant in a default; one without a reference if there is none.
func defaultMention(n *tag.Node, d *model.Default) mention {
	found := mention{ref: n.DefaultReference(d), goName: d.Ref != nil}
	if found.ref == nil {
		return mention{}
	}
	// The span is the value, or of a marker of controller-gen the whole marker.
	value, start := d.Span.Text(), 0
	if before, after, ok := strings.Cut(value, "="); ok && strings.HasSuffix(before, d.Marker) {
		value, start = after, len(before)+1
	}
	name := d.JSON
	if d.Ref != nil {
		name = d.Ref.Name
	} else if !strings.Contains(value, name) {
		name = strings.Trim(name, `"`) // markers of controller-gen need no quotes
	}
	at := strings.LastIndex(value, name)
	if at < 0 {
		return mention{}
	}
	found.at = unquoted(d.Span.Sub(start+at, start+at+len(name)))
	return found
}

// unquoted returns a span without the quotes at its ends.
func unquoted(at source.Span) source.Span {
	text := at.Text()
	if n := len(text); n > 1 && (text[0] == '"' || text[0] == '`') && text[n-1] == text[0] {
		return at.Sub(1, n-1)
	}
	return at
}

// mentionAt returns the mention at the cursor; false if there is none. The model is that of the document as it is.
func (p *place) mentionAt(m *model.Model) (mention, bool) {
	offset := p.line.Start + p.at
	for _, one := range mentions(m, p.in.server.tags) {
		if p.in.path(one.at.File) == p.doc.path && one.at.Start <= offset && offset <= one.at.End {
			return one, true
		}
	}
	return mention{}, false
}
