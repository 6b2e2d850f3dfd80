// Package wiretable turns plans into the tables by which JSON converts.
//
// It also lists the functions Go code must supply. Transforms are forms of runtime/wire, which typed
// conversions call too; evolve checks their types.
package wiretable

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/plan"
	"github.com/kindsmith/kindsmith/internal/value"
	"github.com/kindsmith/kindsmith/runtime/wire"
)

// Table is a table with the functions that it needs.
type Table struct {
	*wire.Table
	// Funcs are in the order in which the table first names them.
	Funcs []Func
}

// Func is a function that Go code must supply.
type Func struct {
	Name string
	Way  plan.Way
	// Type is set if the function converts whole values of a type.
	Type *plan.Type
	// Op is set if it converts or fills in the value of a field.
	Op *plan.Op
	// Hook is set if it is called after the conversion of Type.
	Hook *plan.Hook
	// Fits is set if it refuses what is not a value of this type.
	Fits *model.Ref
}

// jsonMethods make a type's JSON another than its fields say.
var jsonMethods = []string{"MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText"}

// New returns the table of a plan.
func New(p *plan.Plan) *Table {
	b := newBuilder(p)
	// A table refers to types that come later in it.
	for _, t := range p.Types {
		if t.Value == nil && (t.Kind || b.differs[t.Older]) {
			b.Types = append(b.Types, wire.Type{})
			b.index[t.Older] = len(b.Types)
		}
	}
	b.tracks = slices.ContainsFunc(p.Types, func(t *plan.Type) bool { return t.Store != plan.Untracked })
	if b.tracks {
		b.Versions = p.Versions
		for _, t := range p.Types {
			for _, op := range t.Fields {
				for _, above := range op.Above {
					b.parents[above] = b.parents[above] || op.Parents != (plan.Tracked{})
				}
			}
		}
	}
	b.Restores = p.Restores
	for _, t := range p.Types {
		if i := b.index[t.Older]; i > 0 {
			typ := b.typ(t)
			b.entries(t, &typ)
			b.Types[i-1] = typ
		}
	}
	return b.Table
}

// entries adds the metadata of a kind with labels and annotations that are fields in the other version.
// The maps have each of them as two fields, of which one moves, and the other is only tracked.
func (b *builder) entries(t *plan.Type, out *wire.Type) {
	byMap := map[string]*wire.Type{}
	for _, op := range t.Fields {
		entry, of := op.Entry()
		if entry == nil {
			continue
		}
		path := op.Path(of, false)
		m := byMap[path[1].JSON]
		if m == nil {
			m = &wire.Type{}
			byMap[path[1].JSON] = m
		}
		moved, own := wire.Field{Older: entry.JSON}, wire.Field{Hub: entry.JSON, Since: op.Ordinary.Since}
		if of == plan.Up {
			moved, own = wire.Field{Hub: entry.JSON}, wire.Field{Older: entry.JSON, Until: op.Ordinary.Until}
		}
		if own.Since != "" || own.Until != "" {
			text := model.Builtin("string")
			own.Fits, own.Check = b.function(Func{Name: "string/fits", Fits: text}), b.check(text)
		}
		m.Fields = append(m.Fields, moved, own)
	}
	if len(byMap) == 0 {
		return
	}
	add := func(t wire.Type, key string) wire.Field {
		b.Types = append(b.Types, t)
		return wire.Field{Older: key, Hub: key, Value: wire.Value{Type: len(b.Types)}}
	}
	metadata := wire.Type{}
	for _, key := range slices.Sorted(maps.Keys(byMap)) {
		metadata.Fields = append(metadata.Fields, add(*byMap[key], key))
	}
	out.Fields = append(out.Fields, add(metadata, "metadata"))
}

// newBuilder returns a builder that knows which types differ.
func newBuilder(p *plan.Plan) *builder {
	b := &builder{
		m: p.Model, plan: p, index: map[model.Name]int{}, differs: map[model.Name]bool{}, checks: map[string]int{}, parents: map[*plan.Op]bool{},
		Table: &Table{Table: &wire.Table{Group: p.Group, Older: p.Older.Name, Hub: p.Hub.Name}},
	}
	for again := true; again; {
		again = false
		for _, t := range p.Types {
			if !b.differs[t.Older] && b.typeDiffers(t) {
				b.differs[t.Older], again = true, true
			}
		}
	}
	return b
}

type builder struct {
	*Table
	m    *model.Model
	plan *plan.Plan
	// index is the position of each type in the table, plus 1.
	index map[model.Name]int
	// tracks is set if a kind tracks values.
	tracks bool
	// differs are the types whose JSON differs.
	differs map[model.Name]bool
	// parents are the fields that tracked parents of moved ones are.
	parents map[*plan.Op]bool
	// checks are the indexes of the checks of declared types, plus 1, and of predeclared ones.
	checks map[string]int
}

// opaque reports whether only functions can convert a type's JSON in a direction: the
// author's conversion, or one between types with their own JSON.
func (b *builder) opaque(t *plan.Type, way plan.Way) bool {
	return t.ByHand(way) || t.Value == nil && (b.ownJSON(t.Older) || b.ownJSON(t.Hub))
}

func (b *builder) ownJSON(name model.Name) bool { return ownJSON(b.m, name) }

// Opaque reports whether Go code converts whole values of a type in a direction.
func Opaque(m *model.Model, t *plan.Type) bool {
	return t.UpByHand || t.DownByHand || ownJSON(m, t.Older) || ownJSON(m, t.Hub)
}

// Decodes reports whether Go code converts a value, or a part of it, in a direction.
func Decodes(v *plan.Value) bool {
	return v != nil && (v.At(plan.Up).Kind == plan.Chain || v.At(plan.Down).Kind == plan.Chain || Decodes(v.Key) || Decodes(v.Elem))
}

func ownJSON(m *model.Model, name model.Name) bool {
	t := m.Type(name)
	return slices.ContainsFunc(jsonMethods, func(method string) bool { return t.Methods[method] != nil })
}

func (b *builder) typeDiffers(t *plan.Type) bool {
	switch {
	case t.ByHand(plan.Up) || t.ByHand(plan.Down):
		return true
	case t.Value != nil:
		return t.Enum != nil || b.valueDiffers(t.Value)
	}
	return len(t.Hooks) > 0 || slices.ContainsFunc(t.Fields, b.opDiffers)
}

func (b *builder) opDiffers(op *plan.Op) bool {
	switch op.Kind {
	case plan.Keep:
		// A field can have another name in a version between.
		return op.Older.JSON != op.Hub.JSON || len(op.Names) > 0 || b.valueDiffers(op.Value)
	case plan.Drop:
		return op.Older.JSON != ""
	case plan.Move:
		return true
	}
	return op.Hub.JSON != "" || op.Hub.Inline
}

func (b *builder) valueDiffers(v *plan.Value) bool {
	if v == nil {
		return false
	}
	switch v.Kind {
	case plan.Pair:
		return b.differs[v.Older.ID()]
	case plan.Wrap:
		return true
	case plan.Chain:
		return b.needs(v, plan.Up) || b.needs(v, plan.Down) || b.valueDiffers(v.Elem) || b.valueDiffers(v.Direct)
	}
	return b.valueDiffers(v.Elem) || b.valueDiffers(v.Key)
}

// needs reports whether a chain needs a function in a direction.
func (b *builder) needs(v *plan.Value, way plan.Way) bool { return v.At(way).Kind == plan.Chain }

// isDirect reports whether a chain converts without functions in both directions.
func (b *builder) isDirect(v *plan.Value) bool { return !b.needs(v, plan.Up) && !b.needs(v, plan.Down) }

func (b *builder) typ(t *plan.Type) wire.Type {
	out := wire.Type{}
	if t.Kind {
		out.Kind, out.Store, out.Restores = t.Older.Name, wire.Store(t.Store), t.Restores
	}
	if b.opaque(t, plan.Up) {
		out.Up = b.function(Func{Name: t.Older.Name + "/up", Way: plan.Up, Type: t})
	}
	if b.opaque(t, plan.Down) {
		out.Down = b.function(Func{Name: t.Older.Name + "/down", Way: plan.Down, Type: t})
	}
	if out.Up == "" || out.Down == "" {
		out.Fields, out.Moves, out.Hooks = b.fields(t, nil), b.moves(t, nil), b.hooks(t, nil)
		if slices.ContainsFunc(out.Hooks, func(h wire.Hook) bool { return h.Since != "" || h.Until != "" }) {
			older, hub := b.m.Type(t.Older).Ref(), b.m.Type(t.Hub).Ref()
			out.OlderFits, out.OlderCheck = b.function(Func{Name: t.Older.Name + "/olderFits", Fits: older}), b.check(older)
			out.HubFits, out.HubCheck = b.function(Func{Name: t.Older.Name + "/hubFits", Fits: hub}), b.check(hub)
		}
	}
	return out
}

// function adds a function and returns its name.
func (b *builder) function(f Func) string {
	if !slices.ContainsFunc(b.Funcs, func(known Func) bool { return known.Name == f.Name }) {
		b.Funcs = append(b.Funcs, f)
	}
	return f.Name
}

// fields returns the fields of a type that differ. Those of inlined structs are fields of
// the object.
func (b *builder) fields(t *plan.Type, fields []wire.Field) []wire.Field {
	for _, op := range t.Fields {
		if !b.opDiffers(op) || op.Kind == plan.Move {
			continue
		}
		if op.Kind == plan.Drop {
			name := t.Older.Name + "." + op.Older.Go
			f := wire.Field{Older: op.Older.JSON}
			if op.Last != nil && b.valueDiffers(op.Last) {
				f.Value = b.value(op.Last, op, name)
				f.OlderOmits = op.Older.OmitEmpty || op.Older.OmitZero
			}
			fields = append(fields, b.tracked(f, op, name, op.Type))
			continue
		}
		name := t.Older.Name + "." + op.Hub.Go
		switch {
		case op.Kind == plan.Keep && op.Hub.Inline:
			if inlined := b.inlined(op.Value); inlined != nil {
				fields = b.fields(inlined, fields)
			}
		case op.Kind == plan.Keep:
			f := b.names(wire.Field{Older: op.Older.JSON, Hub: op.Hub.JSON, Value: b.value(op.Value, op, name)}, op)
			b.items(&f.Value, op.Items)
			if b.parents[op] {
				b.fits(&f.Value, op.Value, name)
			}
			transforms, tracks := f.Value.Transformed(), f.Value.Type > 0 && b.tracks
			f.HubOmits = (f.Value.Up != "" || transforms) && op.Hub.OmitEmpty || (tracks || transforms) && op.Hub.OmitZero
			f.OlderOmits = (f.Value.Down != "" || f.Value.Wrap != nil || transforms) && op.Older.OmitEmpty || (tracks || transforms) && op.Older.OmitZero
			f.OlderNull = f.OlderOmits && len(f.OlderZero) > 0 && op.Value.Older.Kind == model.KindPointer
			f.HubNull = f.HubOmits && len(f.HubZero) > 0 && op.Value.Hub.Kind == model.KindPointer
			fields = append(fields, f)
		case op.Hub.Inline:
			for _, f := range b.keys(op.Type, 0) {
				fields = append(fields, b.tracked(wire.Field{Hub: f.JSON}, op, name+"."+f.Name, f.Type))
			}
			if op.Fill != nil {
				fields = append(fields, b.fill(wire.Field{Spread: true}, op, name))
			}
		case op.Fill != nil:
			fields = append(fields, b.fill(b.tracked(wire.Field{Hub: op.Hub.JSON}, op, name, op.Type), op, name))
		default:
			fields = append(fields, b.tracked(wire.Field{Hub: op.Hub.JSON}, op, name, op.Type))
		}
	}
	return fields
}

// hooks returns the hooks of a type, after those of inlined structs.
func (b *builder) hooks(t *plan.Type, hooks []wire.Hook) []wire.Hook {
	for _, op := range t.Fields {
		if op.Kind == plan.Keep && op.Hub.Inline {
			if inlined := b.inlined(op.Value); inlined != nil {
				hooks = b.hooks(inlined, hooks)
			}
		}
	}
	for _, h := range t.Hooks {
		out := wire.Hook{Since: h.Since, Until: h.Until}
		if h.Split != nil {
			out.Split = &h.Split.Split
		}
		if h.Up != nil {
			out.Up = b.function(Func{Name: t.Older.Name + "/" + h.Version + "/up", Way: plan.Up, Type: t, Hook: h})
		}
		if h.Down != nil {
			out.Down = b.function(Func{Name: t.Older.Name + "/" + h.Version + "/down", Way: plan.Down, Type: t, Hook: h})
		}
		hooks = append(hooks, out)
	}
	return hooks
}

// moves returns the fields that move in objects of a type, with those of inlined structs.
func (b *builder) moves(t *plan.Type, moves []wire.Move) []wire.Move {
	for _, op := range t.Fields {
		switch {
		case op.Kind == plan.Keep && op.Hub.Inline:
			if inlined := b.inlined(op.Value); inlined != nil {
				moves = b.moves(inlined, moves)
			}
		case op.Kind == plan.Move:
			m := wire.Move{Older: steps(op.OlderPath), Hub: steps(op.HubPath)}
			name := t.Older.Name
			for _, f := range op.HubPath {
				name += "." + cmp.Or(f.Go, f.JSON)
			}
			m.Value = b.value(op.Value, op, name)
			b.items(&m.Value, op.Items)
			entry, _ := op.Entry()
			if entry != nil {
				m.Value.Since, m.Value.Until = op.Since, op.Until
				b.fits(&m.Value, op.Value, name)
			}
			converts := entry != nil || !m.Value.IsZero()
			omits := func(path []*plan.Field) bool {
				f := path[len(path)-1]
				return converts && (f.OmitEmpty || f.OmitZero && op.Value.Transformed())
			}
			m.OlderOmits, m.HubOmits = omits(op.OlderPath), omits(op.HubPath)
			if b.tracks {
				m.Since, m.Until = op.Parents.Since, op.Parents.Until
				for _, p := range op.Paths {
					m.Paths = append(m.Paths, wire.Path{Since: p.Since, Keys: p.Keys})
				}
			}
			moves = append(moves, m)
		}
	}
	return moves
}

// steps returns the steps of a path in JSON.
func steps(path []*plan.Field) []wire.Step {
	var steps []wire.Step
	for i, f := range path {
		if f.Inline {
			continue
		}
		s := wire.Step{Key: f.JSON, Filled: f.Filled, Optional: f.Optional, Entry: f.Entry}
		if f.Zero != "" && (i+1 == len(path) || f.Zero != "{}") {
			s.Zero = json.RawMessage(f.Zero)
		}
		if f.OtherZero != "" && f.OtherZero != "{}" {
			s.OtherZero = json.RawMessage(f.OtherZero)
		}
		steps = append(steps, s)
	}
	return steps
}

// inlined returns the type of an inlined field that both versions have, nil if it is the
// same in both.
func (b *builder) inlined(v *plan.Value) *plan.Type {
	for v.Kind == plan.Pointer {
		v = v.Elem
	}
	if v.Kind != plan.Pair {
		return nil
	}
	return b.plan.Of(v.Older.ID(), v.Hub.ID())
}

// names adds what paths of tracked values need.
func (b *builder) names(f wire.Field, op *plan.Op) wire.Field {
	if !b.tracks {
		return f
	}
	for _, n := range op.Names {
		f.Names = append(f.Names, wire.Name{Since: n.Since, Key: n.JSON})
	}
	if op.Hub != nil && op.Hub.Zero != "" {
		f.HubZero = json.RawMessage(op.Hub.Zero)
	}
	if op.Older != nil && op.Older.Zero != "" {
		f.OlderZero = json.RawMessage(op.Older.Zero)
	}
	return f
}

// items adds how paths select the items of a list.
func (b *builder) items(v *wire.Value, items *plan.Items) {
	if items != nil && (v.Each != nil || v.Wrap != nil) && b.tracks {
		v.Keys, v.Set = items.Keys, items.Set
	}
}

// tracked adds how the value of a field that one version lacks is tracked.
func (b *builder) tracked(f wire.Field, op *plan.Op, name string, r *model.Ref) wire.Field {
	if f = b.names(f, op); op.Since != "" || op.Until != "" || op.Hooked && b.tracks {
		f.Since, f.Until, f.Hooked = op.Since, op.Until, op.Hooked
		f.Fits, f.Check = b.function(Func{Name: name + "/fits", Fits: r}), b.check(r)
	}
	return f
}

// fill adds the value of a field that the older version lacks.
func (b *builder) fill(f wire.Field, op *plan.Op, name string) wire.Field {
	if op.Fill.Func == nil && op.Fill.Value == nil {
		// The value is what Go objects with the default have, so that both forms have the same results.
		if v, _ := value.Parse(op.Fill.JSON); v != nil {
			if v = value.Encoded(b.m, op.Type, v); op.Hub.Inline || !value.Omitted(b.m, op.Type, v, op.Hub.OmitEmpty && !op.Hub.OmitZero, op.Hub.OmitZero) {
				f.Fill = []byte(v.JSON())
			}
			return f
		}
	}
	f.FillFunc = b.function(Func{Name: name, Way: plan.Up, Op: op})
	f.HubOmits = op.Hub.OmitEmpty || op.Hub.OmitZero
	if op.Hub.OmitZero {
		f.HubZero = json.RawMessage(plan.Written(b.m, &model.Field{Type: op.Type, JSON: op.Hub.JSON}))
	}
	return f
}

// value returns how the value of a field converts.
func (b *builder) value(v *plan.Value, op *plan.Op, name string) wire.Value {
	if !b.valueDiffers(v) {
		return wire.Value{}
	}
	switch v.Kind {
	case plan.Pair:
		return b.pair(b.plan.Of(v.Older.ID(), v.Hub.ID()), op, name)
	case plan.Pointer:
		return b.value(v.Elem, op, name)
	case plan.Wrap:
		item := b.value(v.Elem, op, name)
		out := wire.Value{Wrap: &item, Since: op.Since, Until: op.Until}
		if b.tracks {
			out.ListSince = v.Since
			b.fits(&out, v, name)
		}
		return out
	case plan.Chain:
		if b.isDirect(v) && v.Direct != nil {
			return b.value(v.Direct, op, name)
		}
		out := wire.Value{Since: op.Since, Until: op.Until}
		if v.Transformed() {
			out = b.transformed(v, op, name, out)
			b.fits(&out, v, name)
			return out
		}
		wraps := v.Direct != nil && v.Direct.Kind == plan.Wrap
		if wraps || b.needs(v, plan.Up) {
			out.Up = b.function(Func{Name: name + "/up", Way: plan.Up, Op: op})
		}
		if wraps || b.needs(v, plan.Down) {
			out.Down = b.function(Func{Name: name + "/down", Way: plan.Down, Op: op})
		}
		b.fits(&out, v, name)
		return out
	}
	each := b.value(v.Elem, op, name)
	return wire.Value{Each: &each}
}

// fits adds what refuses tracked values that the types of the versions cannot have. A function that converts a
// value back refuses them.
func (b *builder) fits(out *wire.Value, v *plan.Value, name string) {
	if !b.tracks || out.Type == 0 && out.Since == "" && out.Until == "" {
		return
	}
	if out.Up == "" {
		out.OlderFits, out.OlderCheck = b.function(Func{Name: name + "/olderFits", Fits: v.Older}), b.check(v.Older)
	}
	if out.Down == "" {
		out.HubFits, out.HubCheck = b.function(Func{Name: name + "/hubFits", Fits: v.Hub}), b.check(v.Hub)
	}
}

// transformed returns how a chain without functions converts.
func (b *builder) transformed(v *plan.Value, op *plan.Op, name string, out wire.Value) wire.Value {
	var chain []wire.Value
	if b.valueDiffers(v.Elem) {
		chain = append(chain, b.value(v.Elem, op, name))
	}
	for _, s := range v.Steps {
		switch last := len(chain) - 1; {
		case s.Up == nil && s.Value.Kind == plan.Wrap:
			chain = append(chain, wire.Value{Wrap: &wire.Value{}})
		case s.Up == nil: // the same JSON
		case last >= 0 && len(chain[last].Transforms) > 0:
			chain[last].Transforms = append(chain[last].Transforms, *s.Up.Transform)
		default:
			chain = append(chain, wire.Value{Transforms: []wire.Transform{*s.Up.Transform}})
		}
	}
	if len(chain) == 1 && len(chain[0].Transforms) > 0 {
		out.Transforms = chain[0].Transforms
	} else {
		out.Chain = chain
	}
	return out
}

func (b *builder) pair(t *plan.Type, op *plan.Op, name string) wire.Value {
	switch {
	case b.index[t.Older] > 0:
		return wire.Value{Type: b.index[t.Older]}
	case t.UpByHand || t.DownByHand:
		return wire.Value{
			Up:   b.function(Func{Name: t.Older.Name + "/up", Way: plan.Up, Type: t}),
			Down: b.function(Func{Name: t.Older.Name + "/down", Way: plan.Down, Type: t}),
		}
	case t.Enum == nil:
		return b.value(t.Value, op, name)
	}
	e := &wire.Enum{Up: map[string]string{}, Down: map[string]string{}}
	for _, c := range t.Enum.Up {
		e.Up[c.From.Value] = c.To.Value
	}
	for _, c := range t.Enum.Down {
		e.Down[c.From.Value] = c.To.Value
	}
	out := wire.Value{Enum: e, Since: t.Enum.Since, Until: t.Enum.Until}
	if r := (&plan.Value{Older: b.m.Type(t.Older).Ref(), Hub: b.m.Type(t.Hub).Ref()}); !b.m.Underlying(r.Hub).IsString() {
		b.fits(&out, r, t.Older.Name)
	}
	return out
}
