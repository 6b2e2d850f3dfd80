package validation

import (
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
	if t.Generic {
		return false
	}
	if n.any(tag.TypeNode(n.model, n.tags, t), t.Constraints) {
		return true
	}
	if !t.IsStruct() {
		return n.ref(t.Def)
	}
	for _, f := range t.Fields {
		if !reachable(f, t, n.pkg) {
			continue
		}
		if n.any(tag.FieldNode(n.model, n.tags, t, f), f.Constraints) || !opaque(f) && n.ref(f.Type) {
			return true
		}
	}
	return false
}

// own reports whether the type's own declarations have rules that are not
// about the values below.
func (n *needs) own(t *model.Type) bool {
	if n.any(tag.TypeNode(n.model, n.tags, t), t.Constraints) {
		return true
	}
	if t.Def.Kind == model.KindNamed {
		if base := n.model.Type(t.Def.ID()); base != nil {
			return n.own(base)
		}
	}
	return model.Has(t.Constraints, "k8s:listType")
}

func (n *needs) any(node *tag.Node, list []*model.Constraint) bool {
	for _, c := range list {
		if effective(tag.RulesOf(node, c)) {
			return true
		}
	}
	return false
}

func (n *needs) ref(r *model.Ref) bool {
	switch r.Kind {
	case model.KindNamed:
		t := n.model.Type(r.ID())
		return t != nil && n.typ(t)
	case model.KindPointer, model.KindSlice:
		return n.ref(r.Elem)
	case model.KindMap:
		return stringKeys(n.model, r) && (n.ref(r.Key) || n.ref(r.Elem))
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

// opaque reports whether a field's type is to be left alone.
func opaque(f *model.Field) bool { return model.Has(f.Constraints, "k8s:opaqueType") }
