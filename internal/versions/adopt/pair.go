package adopt

import (
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
)

// pair finds items that only one side has and that are one item with two names.
func (p *proposer) pair(list []*difference, taken map[*difference]bool) {
	var candidates []*candidate
	for _, o := range list {
		for _, g := range list {
			if o.aspect != missing || g.aspect != extra && g.aspect != nested {
				continue
			}
			if c := p.candidate(o, g); c != nil {
				candidates = append(candidates, c)
			}
		}
	}
	slices.SortStableFunc(candidates, func(a, b *candidate) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return 0
	})
	for _, c := range candidates {
		if taken[c.old] || taken[c.generated] {
			continue
		}
		taken[c.old], taken[c.generated] = true, true
		if c.deprecated {
			doc := ""
			if f := c.generated.newField; f != nil {
				doc = f.Doc
			} else {
				doc = c.generated.newConst.Doc
			}
			p.mark(c.generated, model.RoleDeprecated, "since", p.since, "note", note(doc))
			continue
		}
		guess := &Guess{From: c.old.item, To: c.to(), Says: isNow, Old: c.old.span, New: c.span(), Confirmed: c.confirmed}
		p.guesses = append(p.guesses, guess)
		if !c.confirmed && !p.assume {
			p.open[c.old], p.open[c.generated] = guess, guess
			continue
		}
		if c.path != "" {
			p.move(c)
			continue
		}
		p.rename(c.old, c.generated)
	}
}

// move notes that a field had another path, and perhaps another type there.
func (p *proposer) move(c *candidate) {
	f, g := c.old.oldField, c.generated.newField
	fromType, transform := "", ""
	if !model.SameGo(f.Type, g.Type) {
		fromType, transform = p.spell(f.Type), p.transform(f.JSON, g.JSON, p.inHub(f.Type), p.inHub(g.Type))
	}
	p.mark(c.generated, model.RoleMoved, "since", p.since, "fromPath", c.path, "fromType", fromType, "transform", transform)
}

// note returns the text of the paragraph that deprecates an item.
func note(doc string) string {
	for paragraph := range strings.SplitSeq(doc, "\n\n") {
		if text, ok := strings.CutPrefix(paragraph, model.DeprecatedParagraph); ok {
			return strings.Join(strings.Fields(text), " ")
		}
	}
	return ""
}

// candidate is a pair of items that may be one.
type candidate struct {
	old, generated *difference
	score          float64
	// confirmed is set if the user says so; deprecated if the names do.
	confirmed, deprecated bool
	// path is the previous path of a field that has moved.
	path string
}

func (c *candidate) to() string {
	name := c.generated.item
	if c.path == "" {
		_, name, _ = strings.Cut(name, ".")
	}
	return name
}

func (c *candidate) span() source.Span {
	if c.generated.newConst != nil {
		return c.generated.newConst.Span
	}
	return c.generated.newField.Span
}

// candidate returns a pair of items if they may be one; nil if not.
func (p *proposer) candidate(o, g *difference) *candidate {
	c := &candidate{old: o, generated: g}
	answer, answered := p.renames[o.item]
	if answered {
		if answer != c.to() && answer != g.item {
			return nil
		}
		c.confirmed, c.score = true, 2
	}
	switch {
	case o.oldField != nil && g.newField != nil:
		return p.fieldCandidate(c, o, g)
	case o.oldConst != nil && g.newConst != nil && o.generated == g.generated:
		if rest, ok := strings.CutPrefix(g.newConst.Value, "Deprecated"); ok && strings.EqualFold(rest, o.oldConst.Value) {
			c.deprecated, c.score = true, 3
			return c
		}
		if o.oldConst.Name == g.newConst.Name {
			c.score = max(c.score, 1)
		}
		c.score = max(c.score, likeness(o.oldConst.Value, g.newConst.Value, o.oldConst.Doc, g.newConst.Doc, followConst(o.old, g.generated, o.oldConst, g.newConst)))
	default:
		return nil
	}
	if c.score < likely {
		return nil
	}
	return c
}

func (p *proposer) fieldCandidate(c *candidate, o, g *difference) *candidate {
	f, h := o.oldField, g.newField
	if f.Inline || h.Inline || f.JSON == "" || h.JSON == "" || !p.converts(f, h) {
		return nil
	}
	same := o.generated == g.generated
	if rest, ok := strings.CutPrefix(h.JSON, "deprecated"); same && ok && strings.EqualFold(rest, f.JSON) && h.Name == "Deprecated"+f.Name && model.SameGo(f.Type, h.Type) {
		c.deprecated, c.score = true, 3
		return c
	}
	if f.Name == h.Name {
		c.score = max(c.score, 0.9)
	}
	score := likeness(f.JSON, h.JSON, f.Doc, h.Doc, same && follow(o.old, g.generated, f, h))
	if !same {
		if !p.specific(f, h) {
			return nil
		}
		if c.path = p.pathTo(o.old, f); c.path == "" {
			return nil
		}
		score -= 0.1 // a rename comes first
		if strings.HasPrefix(h.JSON, f.JSON) {
			score = max(score, likely)
		}
	}
	if _, removed, _ := p.target(g); removed != "" && (f.OmitEmpty != h.OmitEmpty || f.OmitZero != h.OmitZero) {
		score -= 0.2 // two markers for removed fields express it, and none for one that was renamed
	}
	if c.score = max(c.score, score); c.score < likely {
		return nil
	}
	return c
}

// specific reports whether a field that is elsewhere in the other version can be told from others: it has
// its name there, or a comment that says the same. The name of one with another type has a unit, perhaps.
func (p *proposer) specific(f, g *model.Field) bool {
	alike := len(words(f.Doc)) > 3 && overlap(without(words(f.Doc), words(f.JSON)), without(words(g.Doc), words(g.JSON))) > 0.7
	if model.SameGo(f.Type, g.Type) {
		return f.JSON == g.JSON || alike
	}
	return p.spells(f.Type) && p.transform(f.JSON, g.JSON, p.inHub(f.Type), p.inHub(g.Type)) != "" && (strings.HasPrefix(g.JSON, f.JSON) || alike)
}

// converts reports whether the values of two fields can be the same.
func (p *proposer) converts(f, g *model.Field) bool {
	if model.SameGo(f.Type, g.Type) {
		return true
	}
	if !p.spells(f.Type) {
		return false
	}
	var c change
	p.retype(&c, f, g)
	from, to := p.inHub(f.Type), p.inHub(g.Type)
	return c.wrapped || c.transform != "" || c.upgrade != "" || c.downgrade != "" || p.model.Lossless(from, to) || p.model.Lossless(to, from)
}

// pathTo returns the path of a field from a kind of the older version, "" if it is in none, or in several
// fields.
func (p *proposer) pathTo(t *model.Type, f *model.Field) string {
	found := ""
	var walk func(at *model.Type, path string, above []*model.Type) bool
	walk = func(at *model.Type, path string, above []*model.Type) bool {
		if at == nil || slices.Contains(above, at) {
			return true
		}
		if at == t {
			if path += f.JSON; found != "" && found != path {
				return false
			}
			found = path
			return true
		}
		for _, g := range at.Fields {
			if !g.Exported() || g.JSON == "" && !g.Inline || g.Type.Package != "" && g.Type.Package != p.old.Path {
				continue
			}
			next := path
			if !g.Inline {
				next += g.JSON
				for r := g.Type; r.Kind != model.KindNamed && r.Elem != nil; r = r.Elem {
					if r.Kind != model.KindPointer {
						next += "[]"
					}
				}
				next += "."
			}
			if !walk(p.before.Struct(items(g.Type)), next, append(slices.Clone(above), at)) {
				return false
			}
		}
		return true
	}
	for _, kind := range p.old.Types {
		if isObject(kind) && !walk(kind, "", nil) {
			return ""
		}
	}
	return found
}

// implied reports whether a tag follows from whether JSON omits an empty field.
func implied(f *model.Field, t attached) bool {
	return t.presence == model.RoleOptional && f.OmitEmpty || t.presence == model.RoleRequired && !f.OmitEmpty
}
