package plan

import "github.com/kindsmith/kindsmith/internal/model"

// casts marks the types whose values have the same memory layout in both versions and lose nothing, so that
// casting a copy converts them. It assumes that for all types, and then takes back what others contradict.
func (b *builder) casts(ends [][2]*model.Type) {
	for _, way := range Ways {
		for i, t := range b.Types {
			t.setCasts(way, b.mayCast(t, ends[i][0], ends[i][1], way))
		}
		for again := true; again; {
			again = false
			for _, t := range b.Types {
				if t.Casts(way) && !b.partsCast(t, way) {
					t.setCasts(way, false)
					again = true
				}
			}
		}
	}
}

// mayCast reports whether a type may have the same layout in both versions: its fields have the same names and
// the same order.
func (b *builder) mayCast(t *Type, older, hub *model.Type, way Way) bool {
	switch {
	case t.Skip, t.ByHand(way), t.Kind, older.Alias, hub.Alias, older.Instance != nil, hub.Instance != nil, len(t.Hooks) > 0, len(t.Enum.Cases(way)) > 0:
		return false
	case t.Value != nil:
		return t.Value.Kind != Pair // declared as another type of the versions
	case len(older.Fields) != len(t.Fields) || len(hub.Fields) != len(t.Fields):
		return false
	}
	for i, op := range t.Fields {
		if op.Kind != Keep || op.Older.Go != op.Hub.Go || older.Fields[i].Name != op.Hub.Go || hub.Fields[i].Name != op.Hub.Go ||
			older.Fields[i].Embedded != hub.Fields[i].Embedded || older.Fields[i].Embedded && op.Value.Kind != Same {
			return false
		}
	}
	return true
}

// partsCast reports whether all parts of a type cast.
func (b *builder) partsCast(t *Type, way Way) bool {
	if t.Value != nil {
		return b.Cast(t.Value, way)
	}
	for _, op := range t.Fields {
		if !b.Cast(op.Value, way) {
			return false
		}
	}
	return true
}

// Cast reports whether casting a copy converts a value.
func (p *Plan) Cast(v *Value, way Way) bool {
	switch v.Kind {
	case Same:
		return spelled(v.Hub)
	case Pair:
		t := p.Of(v.Older.ID(), v.Hub.ID())
		return t != nil && t.Casts(way) && len(v.Older.Args)+len(v.Hub.Args) == 0
	case Array:
		return v.Older.Len == v.Hub.Len && v.unnamed() && p.Cast(v.Elem, way)
	case Pointer, List:
		return v.unnamed() && p.Cast(v.Elem, way)
	case Map:
		return v.unnamed() && p.Cast(v.Key, way) && p.Cast(v.Elem, way)
	}
	return false
}

// spelled reports whether a reference says all of a type, which that to an unnamed struct or interface does not.
func spelled(r *model.Ref) bool {
	switch r.Kind {
	case model.KindBuiltin, model.KindNamed:
		return true
	case model.KindPointer, model.KindSlice, model.KindArray:
		return spelled(r.Elem)
	case model.KindMap:
		return spelled(r.Key) && spelled(r.Elem)
	}
	return false
}

// unnamed reports whether the types of a value are no declared ones.
func (v *Value) unnamed() bool { return v.Older.Kind == v.Hub.Kind && v.Older.Kind != model.KindNamed }

// Paired calls a function with the types of the plan that a type consists of, without those that these consist of.
// Those in keys of maps are in a key.
func (p *Plan) Paired(t *Type, visit func(t *Type, key bool)) {
	var value func(v *Value, key bool)
	value = func(v *Value, key bool) {
		if v == nil {
			return
		}
		if v.Kind == Pair {
			visit(p.Of(v.Older.ID(), v.Hub.ID()), key)
			return
		}
		value(v.Key, true)
		value(v.Elem, key)
	}
	value(t.Value, false)
	for _, op := range t.Fields {
		value(op.Value, false)
	}
}
