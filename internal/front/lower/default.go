package lower

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/defaulting"
	"github.com/kindsmith/kindsmith/internal/rules/kubebuilder"
)

// addDefault reads the tag +default.
func (l *lowerer) addDefault(out *items, c *model.Tag) {
	if c == nil {
		return
	}
	d := defaulting.Read(c, l.now.found)
	if d == nil {
		return
	}
	if d.Ref != nil {
		l.refer(*d.Ref)
	}
	l.setDefault(out, d)
}

// refer adds the constant of a default to the model. Code may import its package for other reasons
// than types, or not at all.
func (l *lowerer) refer(constant model.Name) {
	if from := l.packages[l.now.path]; from != nil && from.bare.Imports[constant.Package] != "" {
		constant.Package = from.bare.Imports[constant.Package]
	}
	if constant.Package != "" && constant.Package != l.now.path {
		l.now.constants = append(l.now.constants, constant)
	}
}

// addConstant adds the package of a constant to the model, and the type of the constant.
func (l *lowerer) addConstant(constant model.Name) {
	if l.res.Find(constant.Package) == nil {
		return // defaulting reports unknown constants
	}
	ps := l.state(constant.Package)
	if ps == nil {
		return
	}
	for name, list := range ps.consts {
		if slices.ContainsFunc(list, func(c *model.Const) bool { return c.Name == constant.Name }) {
			l.queue = append(l.queue, model.Name{Package: constant.Package, Name: name})
		}
	}
}

// addKubebuilderDefault reads a field's +kubebuilder:default as controller-gen does,
// which ignores the marker elsewhere.
func (l *lowerer) addKubebuilderDefault(out *items, m model.Marker, on item) {
	if on != itemField {
		return
	}
	if json, ok := kubebuilder.Default(m); ok {
		l.setDefault(out, &model.Default{JSON: json, Marker: m.Name, Span: m.Span})
	}
}

// emptyLists reads {} in +kubebuilder:default of a list as controller-gen does: its
// grammar has one way to write an empty list and an empty map.
func emptyLists(m *model.Model, t *model.Type) {
	for _, f := range t.Fields {
		if d := f.Default; d != nil && d.Marker == foreign.KubebuilderDefault && d.JSON == "{}" {
			if elem, _ := m.Deref(f.Type); m.Underlying(elem).Kind == model.KindSlice {
				d.JSON = "[]"
			}
		}
	}
}

// setDefault keeps the first default of an item and reports others that differ from it. A
// constant's value is not known yet: comparing with it waits, and the reference is kept.
func (l *lowerer) setDefault(out *items, d *model.Default) {
	switch {
	case out.def == nil:
		out.def = d
	case (out.def.Ref == nil) != (d.Ref == nil):
		l.now.pairs = append(l.now.pairs, pair{l.now.path, out.def, d})
		if d.Ref != nil {
			out.def = d
		}
	case !defaulting.Same(out.def, d):
		conflict(l.now.found, out.def, d)
	}
}

// pair are two defaults of one item of a package.
type pair struct {
	pkg           string
	first, second *model.Default
}

// comparePairs compares the defaults of which one is a constant.
func (l *lowerer) comparePairs(m *model.Model) {
	for _, p := range l.pairs {
		if !defaulting.SameIn(m, p.pkg, p.first, p.second) {
			conflict(l.bag, p.first, p.second)
		}
	}
}

func conflict(bag *diag.Bag, first, second *model.Default) {
	bag.Errorf(second.Span, defaulting.CodeConflict, "+%s and +%s set different defaults; remove one", second.Marker, first.Marker).
		Note(first.Span, "the other default")
}
