package unions

import (
	"github.com/kindsmith/kindsmith/internal/model"
)

// below determines whether values of a type contain discriminated unions, directly
// or in values that can be correlated with old ones.
type below struct {
	model *model.Model
	known map[model.Name]bool
	open  map[model.Name]bool
}

func newBelow(m *model.Model, _ *model.Package) *below {
	return &below{model: m, known: map[model.Name]bool{}, open: map[model.Name]bool{}}
}

func (b *below) typ(t *model.Type) bool {
	id := t.ID()
	if v, ok := b.known[id]; ok {
		return v
	}
	if b.open[id] || t.Generic {
		return false
	}
	outermost := len(b.open) == 0
	b.open[id] = true
	v := b.examine(t)
	delete(b.open, id)
	if v || outermost {
		b.known[id] = v
	}
	return v
}

func (b *below) examine(t *model.Type) bool {
	if len(discriminated(t)) > 0 {
		return true
	}
	if !t.IsStruct() {
		return b.ref(t.Def)
	}
	for _, f := range t.Fields {
		if !f.Skipped && f.Exported() && b.ref(f.Type) {
			return true
		}
	}
	return false
}

func (b *below) ref(r *model.Ref) bool {
	switch r.Kind {
	case model.KindNamed:
		t := b.model.Type(r.ID())
		return t != nil && b.typ(t)
	case model.KindPointer, model.KindSlice:
		return b.ref(r.Elem)
	case model.KindMap:
		return b.model.Underlying(r.Key).IsString() && b.ref(r.Elem)
	}
	return false
}
