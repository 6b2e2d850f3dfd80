package adopt

import (
	"go/token"
	"slices"

	"github.com/kindsmith/kindsmith/internal/model"
)

// typeNames finds types that only the hand-written version has where another one would be generated: one type with two names.
// Differences of the types and of fields with them follow from the names.
func (p *proposer) typeNames(list []*difference, taken map[*difference]bool) {
	paired := map[*model.Type]bool{}
	var visit func(from, to *model.Ref)
	visit = func(from, to *model.Ref) {
		x, y := p.old.Type(leaf(from).Name), p.generated.Type(leaf(to).Name)
		if x == nil || y == nil || x.Name == y.Name || paired[x] || paired[y] || leaf(from).Package != p.old.Path || leaf(to).Package != p.generated.Path {
			return
		}
		of := func(t *model.Type, a aspect) *difference {
			i := slices.IndexFunc(list, func(d *difference) bool { return d.aspect == a && d.item == t.Name })
			if i < 0 {
				return nil
			}
			return list[i]
		}
		o, g := of(x, missing), of(y, extra)
		answer, answered := p.renames[x.Name]
		switch {
		case o == nil || g == nil || y.Kind != nil || !token.IsExported(y.Name) || !token.IsExported(x.Name):
			return
		case answered && answer != y.Name, !answered && !p.alike(x, y):
			return
		}
		paired[x], paired[y] = true, true
		guess := &Guess{From: x.Name, To: y.Name, Says: isNow, Old: x.Span, New: y.Span, Confirmed: answered}
		p.guesses = append(p.guesses, guess)
		for _, d := range list {
			if d == o || d == g || d.generated == y || d.oldField != nil && d.newField != nil && d.aspect == typed && leaf(d.oldField.Type).Name == x.Name && leaf(d.newField.Type).Name == y.Name ||
				embeds(d.oldField, x) && d.aspect == missing || embeds(d.newField, y) && d.aspect == extra {
				if taken[d] = true; !answered && !p.assume {
					p.open[d] = guess
				}
			}
		}
		if answered || p.assume {
			p.mark(g, model.RoleChanged, "since", p.since, "fromName", x.Name)
		}
		for _, f := range x.Fields {
			if h := counterpart(f, y); h != nil && f.Exported() {
				visit(f.Type, h.Type)
			}
		}
		visit(x.Def, y.Def)
	}
	for _, d := range list {
		switch {
		case d.oldField != nil && d.newField != nil && d.aspect == typed:
			visit(d.oldField.Type, d.newField.Type)
		case d.oldField != nil && d.oldField.Inline && d.aspect == missing:
			for _, g := range list {
				if g.aspect == extra && g.generated == d.generated && g.newField != nil && g.newField.Inline {
					visit(d.oldField.Type, g.newField.Type)
				}
			}
		case d.aspect == typed && d.oldField == nil && d.old != nil:
			visit(d.old.Def, d.generated.Def)
		}
	}
}

// embeds reports whether an embedded field has a type.
func embeds(f *model.Field, t *model.Type) bool {
	return f != nil && f.Inline && leaf(f.Type).Package == t.Package && leaf(f.Type).Name == t.Name
}

// leaf returns the type of the values in lists and maps, and below pointers.
func leaf(r *model.Ref) *model.Ref {
	for r.Elem != nil && r.Kind != model.KindNamed {
		r = r.Elem
	}
	return r
}

// alike reports whether two types may be one: structs that have half of their fields in common, or others with the same JSON.
func (p *proposer) alike(x, y *model.Type) bool {
	if !x.IsStruct() || !y.IsStruct() {
		return x.IsStruct() == y.IsStruct() && p.before.Underlying(leaf(x.Def)).Kind == p.model.Underlying(leaf(y.Def)).Kind &&
			x.Def.Kind == y.Def.Kind && (!p.before.Underlying(x.Def).IsScalar() || model.SameGo(p.before.Underlying(x.Def), p.model.Underlying(y.Def)))
	}
	common := 0
	for _, f := range x.Fields {
		if counterpart(f, y) != nil {
			common++
		}
	}
	return 2*common >= max(len(x.Fields), len(y.Fields))
}
