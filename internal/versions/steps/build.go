package steps

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// Build returns the APIs of a model that have older versions, except for those whose types are mistaken.
func Build(m *model.Model) []*API {
	var apis []*API
	m = Instances(m)
	for _, hub := range m.Packages {
		if hub.Mistaken || len(hub.Versions) < 2 {
			continue
		}
		if b := newBuilder(m, hub); b != nil {
			apis = append(apis, b.build())
		}
	}
	return apis
}

// builder builds the steps of an API.
type builder struct {
	*API
	m   *model.Model
	hub *model.Package
	// packages are those of the versions.
	packages []*model.Package
	// former are the moves of fields that a version has elsewhere than the newest, by the field.
	former map[*model.Field]*model.Move
	// step and k are what is built.
	step         *Step
	k            int
	older, newer *model.Package
	// toNewest is set for a type that the next version does not have any more. It converts to the newest version at once, for the
	// functions whose arguments and results it is.
	toNewest bool
}

// inStep reports whether a change of the type that is built belongs to the step.
func (b *builder) inStep(since string) bool {
	at := b.order(since)
	return at == b.k+1 || b.toNewest && at > b.k
}

func newBuilder(m *model.Model, hub *model.Package) *builder {
	b := &builder{
		API: &API{Group: hub.Group, Newest: hub.Path, Model: m, filled: map[model.Name]bool{}}, m: m, hub: hub,
		former: map[*model.Field]*model.Move{},
	}
	for _, v := range hub.Versions {
		p := m.Package(v.Package)
		if v.Name == hub.Version {
			p = hub
		}
		if p == nil {
			return nil
		}
		b.packages = append(b.packages, p)
		b.Versions = append(b.Versions, Version{Name: v.Name, Package: p.Path})
	}
	for _, r := range hub.Retired {
		b.Retired = append(b.Retired, r.Name)
	}
	for _, r := range hub.Restores {
		b.Restores = append(b.Restores, jsonconvert.Restore{Annotation: r.Annotation, Version: r.Version})
	}
	return b
}

func (b *builder) build() *API {
	for again := true; again; {
		again = false
		for _, t := range b.hub.Types {
			removed := slices.ContainsFunc(t.Changes, func(c model.Change) bool { // of a field that older versions have
				added, ok := c.(*model.Added)
				return ok && added.Default != nil
			})
			of := b.m.Struct(t.Def) // that a type is declared from
			declared := of != nil && t.Def.Kind == model.KindNamed && b.filled[of.ID()]
			if !b.filled[t.ID()] && (removed || declared || slices.ContainsFunc(t.Fields, b.hasDefault)) {
				b.filled[t.ID()], again = true, true
			}
		}
	}
	for k, p := range b.packages {
		for _, t := range p.Types {
			for _, move := range t.Moves {
				if path := b.walk(t, move.Older); path != nil && move.OlderEntry == nil {
					b.former[path[len(path)-1]] = move
				}
				b.place(k, t, move)
			}
		}
	}
	for k := range b.packages[:len(b.packages)-1] {
		b.k, b.older, b.newer = k, b.packages[k], b.packages[k+1]
		b.Steps = append(b.Steps, b.build1())
	}
	b.kinds()
	return b.API
}

// hasDefault reports whether a version has a default for a field of the newest version, or for a field of an embedded struct.
func (b *builder) hasDefault(f *model.Field) bool {
	if added := addedBy(f.Changes); added != nil && added.Default != nil {
		return true
	}
	inlined := b.m.Struct(f.Type)
	return f.Inline && inlined != nil && b.filled[inlined.ID()]
}

// place adds the label or the annotation that a field of a version is, or that it becomes.
func (b *builder) place(k int, t *model.Type, move *model.Move) {
	if t.Hub == nil {
		return
	}
	add := func(v int, names []string, key string, of *model.Type) {
		if path := b.walk(of, names); path != nil {
			p := Place{Kind: hubOf(b.m, t).Name, In: path[len(path)-1].JSON, Key: key}
			if !slices.Contains(b.Versions[v].Places, p) {
				b.Versions[v].Places = append(b.Versions[v].Places, p)
			}
		}
	}
	if move.OlderEntry != nil {
		for v := range k + 1 { // metadata is the same in all versions, so it has been there before the field was added
			add(v, move.Older, move.OlderEntry.Key, t)
		}
	}
	if move.HubEntry != nil {
		for v := k + 1; v < len(b.Versions); v++ {
			if v >= b.order(move.Since) {
				add(v, move.Hub, move.HubEntry.Key, b.m.Type(*t.Hub))
			}
		}
	}
}

// walk returns the fields at Go names; nil if there are none.
func (b *builder) walk(t *model.Type, names []string) (path []*model.Field) {
	for _, name := range names {
		if t == nil {
			return nil
		}
		f := t.Field(name)
		if f == nil {
			return nil
		}
		path, t = append(path, f), b.m.Struct(f.Type)
	}
	return path
}

// kinds adds the kinds.
func (b *builder) kinds() {
	for _, p := range slices.Backward(b.packages) {
		for _, t := range p.Types {
			if t.Kind == nil || slices.ContainsFunc(b.Kinds, func(k Kind) bool { return k.Name == t.Name }) {
				continue
			}
			k := Kind{Name: t.Name}
			if t.Kind.List {
				if t.Kind.Item != nil {
					k.Item = t.Kind.Item.Name
				}
			} else {
				k.Store = b.store(t)
			}
			b.Kinds = append(b.Kinds, k)
		}
	}
	slices.Reverse(b.Kinds)
}

func (s *Step) named(name string) *Type {
	i := slices.IndexFunc(s.Types, func(t *Type) bool { return t.Name == name })
	if i < 0 {
		return nil
	}
	return s.Types[i]
}

func addedBy(changes []model.Change) *model.Added {
	for _, c := range changes {
		if added, ok := c.(*model.Added); ok {
			return added
		}
	}
	return nil
}

// build1 builds one step.
func (b *builder) build1() *Step {
	b.step = &Step{Older: b.older.Version, Newer: b.newer.Version, byEnds: map[[2]model.Name]*Type{}}
	var types [][2]*model.Type
	for _, o := range b.older.Types {
		hub := hubOf(b.m, o)
		if hub == nil || o.Generic {
			continue
		}
		n := hub
		if b.newer != b.hub {
			n = b.newer.PairOf(hub.ID())
		}
		if n == nil && o.Kind != nil {
			continue
		}
		isAgain := false
		if n == nil {
			n, isAgain = hub, slices.ContainsFunc(b.packages[b.k+1:len(b.packages)-1], func(p *model.Package) bool { return p.PairOf(hub.ID()) != nil })
		}
		t := &Type{Name: hub.Name, Older: o.ID(), Newer: n.ID(), Kind: o.Kind != nil, ToNewest: isAgain, Span: hub.Span, Enum: enum(o, n, hub)}
		t.Up, t.Down = b.byHand(o, n), b.byHand(n, o)
		b.step.byEnds[[2]model.Name{t.Older, t.Newer}] = t
		b.step.Types, types = append(b.step.Types, t), append(types, [2]*model.Type{o, n})
	}
	for i, t := range b.step.Types {
		o, n := types[i][0], types[i][1]
		b.toNewest = n.Package != b.newer.Path
		if !o.IsStruct() || !n.IsStruct() {
			t.Value = b.value(o.Def, n.Def)
			continue
		}
		if t.Kind && o.Kind.List {
			continue // its items are objects
		}
		t.Fields = b.fields(o, n, nil, nil)
		if !b.toNewest { // the paths of moves are those of kinds, which have their types
			t.Moves = b.moves(o, n)
		}
		t.Hooks = b.hooks(o, n)
	}
	b.toNewest = false
	b.prune()
	for _, t := range b.step.Types {
		t.Losses = b.losses(t)
	}
	return b.step
}

func hubOf(m *model.Model, t *model.Type) *model.Type {
	if t.Hub == nil {
		return nil
	}
	return m.Type(*t.Hub)
}

func (b *builder) byHand(from, to *model.Type) *Func {
	in, out := b.m.Package(from.Package), b.m.Package(to.Package)
	name := model.ConversionFunc(in, from.Name, out, to.Name)
	for _, p := range []*model.Package{in, out} {
		if p.Funcs[name] != nil {
			return &Func{Name: name, Package: p.Path, Fails: true}
		}
	}
	return nil
}

// prune removes the types and the fields that are the same in both versions. The fields beside one that moves, or that a hook
// converts, stay: what they are if they are unset decides whether their struct is empty.
func (b *builder) prune() {
	for again := true; again; {
		again = false
		for _, t := range b.step.Types {
			if !t.changes && b.typeChanges(t) {
				t.changes, again = true, true
			}
		}
	}
	pruned := map[model.Name]bool{}
	for _, t := range b.step.Types {
		if len(t.Hooks) > 0 {
			pruned[t.Older] = true
		}
		for _, move := range t.Moves {
			for _, path := range [][]PathKey{move.Older, move.Newer} {
				for _, at := range path[:len(path)-1] {
					if owner := b.m.Struct(at.Type); owner != nil && at.Optional {
						pruned[owner.ID()] = true
					}
				}
			}
		}
	}
	for _, t := range b.step.Types {
		if !pruned[t.Older] && !pruned[t.Newer] {
			t.Fields = slices.DeleteFunc(t.Fields, func(f *Field) bool { return !b.fieldChanges(f) })
		}
		b.simplify(t)
	}
	b.step.Types = slices.DeleteFunc(b.step.Types, func(t *Type) bool { return !t.changes })
}

// simplify removes conversions that change nothing.
func (b *builder) simplify(t *Type) {
	simple := func(v *Value) *Value {
		if v != nil && v.Kind != Impossible && !b.valueChanges(v) {
			return nil
		}
		return v
	}
	t.Value = simple(t.Value)
	for _, f := range t.Fields {
		f.Value = simple(f.Value)
	}
	for _, m := range t.Moves {
		m.Value = simple(m.Value)
	}
}

func (b *builder) typeChanges(t *Type) bool {
	return t.ToNewest || t.Enum != nil || t.Up != nil || t.Down != nil || len(t.Moves)+len(t.Hooks) > 0 || b.valueChanges(t.Value) ||
		slices.ContainsFunc(t.Fields, b.fieldChanges)
}

func (b *builder) fieldChanges(f *Field) bool {
	return f.Older == nil || f.Newer == nil || f.Older.JSON != f.Newer.JSON || b.valueChanges(f.Value)
}

// valueChanges reports whether the JSON of a value changes. It makes a value Same that does not.
func (b *builder) valueChanges(v *Value) bool {
	switch {
	case v == nil || v.Kind == Same:
		return false
	case v.Kind == Pair:
		t := b.step.byEnds[[2]model.Name{v.Older.ID(), v.Newer.ID()}]
		return t != nil && t.changes
	case v.Kind == Pointer || v.Kind == List || v.Kind == Map:
		return b.valueChanges(v.Elem)
	}
	return v.Kind != Impossible
}

// value returns the conversion between two types.
func (b *builder) value(older, newer *model.Ref) *Value {
	v := &Value{Kind: Same, Older: older, Newer: newer}
	if b.toNewest {
		if !older.Equal(newer) {
			v.Kind, v.From = Call, newer
		}
		return v
	}
	if t := b.step.byEnds[[2]model.Name{older.ID(), newer.ID()}]; t != nil && older.ID() != (model.Name{}) {
		v.Kind, v.Type = Pair, t.Name
		return v
	}
	a, c := b.m.Underlying(older), b.m.Underlying(newer)
	switch {
	case older.Equal(newer) || a.IsScalar() && c.IsScalar():
	case a.Kind != c.Kind:
		v.Kind = Impossible
	case a.Kind == model.KindPointer:
		v.Kind, v.Elem = Pointer, b.value(a.Elem, c.Elem)
	case a.Kind == model.KindSlice || a.Kind == model.KindArray:
		v.Kind, v.Elem = List, b.value(a.Elem, c.Elem)
	case a.Kind == model.KindMap:
		v.Kind, v.Elem = Map, b.value(a.Elem, c.Elem)
	}
	return v
}
