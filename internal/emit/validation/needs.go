package validation

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// needs answers whether values of a type have anything to validate, themselves
// or somewhere below.
type needs struct {
	model *model.Model
	tags  *tag.Set
	pkg   *model.Package
	known map[model.Name]bool
	// open are types under examination: a cycle adds nothing by itself.
	open map[model.Name]bool
}

func newNeeds(m *model.Model, tags *tag.Set, p *model.Package) *needs {
	return &needs{model: m, tags: tags, pkg: p, known: map[model.Name]bool{}, open: map[model.Name]bool{}}
}

func (n *needs) typ(t *model.Type) bool {
	id := t.ID()
	if v, ok := n.known[id]; ok {
		return v
	}
	if n.open[id] {
		return false
	}
	outermost := len(n.open) == 0
	n.open[id] = true
	v := n.examine(t)
	delete(n.open, id)
	// Below another type under examination "no" may be for want of an answer
	// about that one; only "yes" is final there.
	if v || outermost {
		n.known[id] = v
	}
	return v
}

func (n *needs) examine(t *model.Type) bool {
	if t.Generic || emit.IsMetadata(n.model, t, n.pkg) {
		return false
	}
	if n.any(tag.TypeNode(n.model, n.tags, t), t.Constraints) {
		return true
	}
	if isOpaque(t) {
		return false
	}
	if !t.IsStruct() {
		return n.inside(t)
	}
	for _, f := range t.Fields {
		if !reachable(f, t, n.pkg) {
			continue
		}
		if node := tag.FieldNode(n.model, n.tags, t, f); n.any(node, f.Constraints) || n.below(node) || n.nils(node) {
			return true
		}
	}
	return false
}

// inside reports whether what a type that is not a struct is declared from has
// anything to validate.
func (n *needs) inside(t *model.Type) bool {
	if t.Def.Kind == model.KindSlice || t.Def.Kind == model.KindMap {
		return n.values(tag.TypeNode(n.model, n.tags, t))
	}
	return n.ref(t.Def)
}

// own reports whether the type's own declarations have rules that are not
// about the values below.
func (n *needs) own(t *model.Type) bool {
	if n.any(tag.TypeNode(n.model, n.tags, t), t.Constraints) {
		return true
	}
	if t.Def.Kind == model.KindNamed && !isOpaque(t) {
		if base := n.model.Type(t.Def.ID()); base != nil {
			return n.own(base)
		}
	}
	return model.Says(t.Constraints, "k8s:listType") || model.Says(t.Constraints, "k8s:unique")
}

func (n *needs) foreignAlpha(node *tag.Node, c *model.Constraint) bool {
	return emit.IsForeignAlpha(node, c, n.pkg)
}

func (n *needs) any(node *tag.Node, list []*model.Constraint) bool {
	for _, c := range list {
		if !n.foreignAlpha(node, c) && effective(tag.RulesOf(node, c)) {
			return true
		}
	}
	return false
}

// nils reports whether a field is not to have nil items: where there is any rule
// on it, even one that reports nothing.
func (n *needs) nils(field *tag.Node) bool {
	if len(tag.NoNils(field)) == 0 {
		return false
	}
	for _, c := range field.Siblings {
		rule := func(r tag.Rule) bool { return !r.Parent }
		if !n.foreignAlpha(field, c) && slices.ContainsFunc(tag.RulesOf(field, c), rule) {
			return true
		}
	}
	return false
}

func (n *needs) ref(r *model.Ref) bool {
	return n.below(&tag.Node{Model: n.model, Tags: n.tags, Type: r})
}

// below reports whether the type of a place has anything to validate in values
// there. Tags at the place can say that it is to be left alone.
func (n *needs) below(place *tag.Node) bool {
	if place.Says(opaqueTag) {
		return false
	}
	if r := place.Value(); r.Kind == model.KindNamed {
		t := n.model.Type(r.ID())
		if t == nil || !n.typ(t) {
			return false
		}
		if n.called(t) {
			return true
		}
	}
	return n.values(place)
}

// reaches reports whether validating a place can come to the validator of a
// declared type.
func (n *needs) reaches(place *tag.Node, t *model.Type) bool {
	return n.search(place, t, map[model.Name]bool{})
}

func (n *needs) search(place *tag.Node, t *model.Type, seen map[model.Name]bool) bool {
	if !n.below(place) {
		return false
	}
	if r := place.Value(); r.Kind == model.KindNamed {
		at := n.model.Type(r.ID())
		if at == t && n.called(t) {
			return true
		}
		if seen[r.ID()] {
			return false
		}
		seen[r.ID()] = true
		if at.Def.Kind == model.KindNamed && n.search(&tag.Node{Model: n.model, Tags: n.tags, Type: at.Def}, t, seen) {
			return true
		}
		for _, f := range at.Fields {
			if reachable(f, at, n.pkg) && n.search(tag.FieldNode(n.model, n.tags, at, f), t, seen) {
				return true
			}
		}
	}
	switch place.Underlying().Kind {
	case model.KindSlice, model.KindMap:
		return n.search(place.Elem(), t, seen)
	}
	return false
}

// called reports whether values of a type that has something to validate are
// left to its validator. A list type without rules of its own takes those of
// the field: how its items are paired is said there.
func (n *needs) called(t *model.Type) bool {
	return n.model.Struct(model.Named(t.Package, t.Name)) != nil || n.own(t)
}

// values is below for the values and keys at a place.
func (n *needs) values(place *tag.Node) bool {
	switch u := place.Underlying(); u.Kind {
	case model.KindSlice:
		return n.below(place.Elem())
	case model.KindMap:
		return stringKeys(n.model, u) && (n.below(place.Key()) || n.below(place.Elem()))
	}
	return false
}

// stringKeys reports whether the keys of a map are strings, which is what maps
// on the wire have.
func stringKeys(m *model.Model, r *model.Ref) bool { return m.Underlying(r.Key).IsString() }

// reachable reports whether the generated package can get at a field.
func reachable(f *model.Field, t *model.Type, p *model.Package) bool {
	return !f.Skipped && (f.Exported() || t.Package == p.Path)
}

// opaqueTag says that the rules on a type do not hold where it stands. On a type
// itself it is about what the type is made of.
const opaqueTag = "k8s:opaqueType"

// isOpaque reports whether a type has only the rules of its own tags.
func isOpaque(t *model.Type) bool { return model.Says(t.Constraints, opaqueTag) }
