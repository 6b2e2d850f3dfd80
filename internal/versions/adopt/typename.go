package adopt

import (
	"go/token"
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/model"
)

// typeNames finds types that only the hand-written version has where another one would be generated: one type with two names.
// Differences of the types and of fields with them follow from the names.
func (p *proposer) typeNames(list []*difference, taken map[*difference]bool) {
	n := &naming{proposer: p, list: list, taken: taken, paired: map[*model.Type]bool{}}
	for _, d := range list {
		switch {
		case d.aspect == typed && d.oldField != nil && d.newField != nil:
			n.visit(d.oldField.Type, d.newField.Type)
		case d.aspect == typed && d.oldField == nil && d.old != nil:
			n.visit(d.old.Def, d.generated.Def)
		case d.aspect == missing && d.oldField != nil && d.oldField.Inline:
			for _, g := range list {
				if g.aspect == extra && g.generated == d.generated && g.newField != nil && g.newField.Inline {
					n.visit(d.oldField.Type, g.newField.Type)
				}
			}
		}
	}
}

// naming pairs types of both versions that may be one type with two names.
type naming struct {
	*proposer
	list  []*difference
	taken map[*difference]bool
	// paired are the types of both versions that have a pair.
	paired map[*model.Type]bool
}

// visit pairs the types of a value that both versions have, and those of its fields.
func (n *naming) visit(from, to *model.Ref) {
	x, y := n.old.Type(leaf(from).Name), n.generated.Type(leaf(to).Name)
	if x == nil || y == nil || x.Name == y.Name || n.paired[x] || n.paired[y] || leaf(from).Package != n.old.Path || leaf(to).Package != n.generated.Path {
		return
	}
	o, g := n.only(x, missing), n.only(y, extra)
	answer, answered := n.renames[x.Name]
	switch {
	case o == nil || g == nil || y.Kind != nil || !token.IsExported(y.Name) || !token.IsExported(x.Name):
		return
	case answered && answer != y.Name, !answered && !n.alike(x, y):
		return
	}
	n.paired[x], n.paired[y] = true, true
	n.pair(x, y, o, g, answered)
	for _, f := range x.Fields {
		if h := counterpart(f, y); h != nil && f.Exported() {
			n.visit(f.Type, h.Type)
		}
	}
	n.visit(x.Def, y.Def)
}

// pair proposes that y is x's name in the newest version. o and g are the differences that each is in one version only.
func (n *naming) pair(x, y *model.Type, o, g *difference, answered bool) {
	guess := &Guess{From: x.Name, To: y.Name, Says: isNow, Old: x.Span, New: y.Span, Confirmed: answered}
	n.guesses = append(n.guesses, guess)
	for _, d := range n.list {
		if d == o || d == g || d.follows(x, y) {
			if n.taken[d] = true; !answered && !n.assume {
				n.open[d] = guess
			}
		}
	}
	if answered || n.assume {
		n.mark(g, model.RoleChanged, "since", n.since, "fromName", x.Name)
	}
}

// only returns the difference that one version has a type; nil if there is none.
func (n *naming) only(t *model.Type, a aspect) *difference {
	i := slices.IndexFunc(n.list, func(d *difference) bool { return d.aspect == a && d.item == t.Name })
	if i < 0 {
		return nil
	}
	return n.list[i]
}

// follows reports whether a difference is no more if x is y's name in the older version.
func (d *difference) follows(x, y *model.Type) bool {
	switch {
	case d.generated == y:
		return true
	case d.aspect == typed && d.oldField != nil && d.newField != nil:
		return leaf(d.oldField.Type).Name == x.Name && leaf(d.newField.Type).Name == y.Name
	case d.aspect == missing:
		return embeds(d.oldField, x)
	}
	return d.aspect == extra && embeds(d.newField, y)
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
