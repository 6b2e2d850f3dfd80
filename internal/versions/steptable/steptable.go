// Package steptable turns the steps between neighbouring versions into the tables by which JSON converts.
//
// [New] takes the steps of an API. The [Table] is one of package runtime/jsonconvert, with the names of the functions that
// it calls.
package steptable

import (
	"maps"
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/versions/steps"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// Table is the table of an API with the functions that it names.
type Table struct {
	*jsonconvert.API
	// Funcs are in the order in which the table first names them.
	Funcs []Func
	// StepFuncs are those that each step names.
	StepFuncs [][]Func
}

// Func is a function that Go code must supply.
type Func struct {
	Name string
	// Package has the function.
	Package string
	// In and Out are the types of the argument and the result; nil for none. A hook takes pointers to both.
	In, Out *model.Ref
	Hook    bool
	Fails   bool
	// Default means that it returns the value of a field.
	Default bool
	// Whole means that it converts a declared type, with the arguments of a Convert_ function.
	Whole bool
	// Spans are the fields and the types that name the function.
	Spans []source.Span
}

// Maker returns the name of the function of package jsonconvert that makes a jsonconvert.Func of it.
func (f Func) Maker() string {
	maker := "FuncOf"
	switch {
	case f.Whole:
		return "WholeOf"
	case f.Hook:
		maker = "HookOf"
	case f.Default:
		maker = "DefaultOf"
	}
	if f.Fails {
		maker = "Failing" + maker
	}
	return maker
}

// New returns the table of an API.
func New(api *steps.API) *Table {
	b := &builder{Table: &Table{API: &jsonconvert.API{Group: api.Group, Retired: api.Retired}}, api: api, m: api.Model}
	for _, r := range api.Restores {
		b.Restores = append(b.Restores, jsonconvert.Restore{Annotation: r.Annotation, Version: r.Version})
	}
	for _, k := range api.Kinds {
		b.Kinds = append(b.Kinds, jsonconvert.Kind{Name: k.Name, Item: k.Item, Store: k.Store})
	}
	for _, v := range api.Versions {
		b.Versions = append(b.Versions, b.version(v))
	}
	b.StepFuncs = make([][]Func, len(api.Steps))
	for _, s := range api.Steps {
		b.Steps = append(b.Steps, b.step(s))
	}
	return b.Table
}

type builder struct {
	*Table
	api *steps.API
	m   *model.Model
	// types are those of the step that is being built.
	types map[string]*jsonconvert.Type
	// span is the field or the type that is being built.
	span source.Span
}

func (b *builder) step(s *steps.Step) jsonconvert.Step {
	b.types = map[string]*jsonconvert.Type{}
	for _, t := range s.Types {
		b.span = t.Span
		out := &jsonconvert.Type{Up: b.function(t.Up, nil, nil), Down: b.function(t.Down, nil, nil), ToNewest: t.ToNewest}
		b.types[t.Name] = out
		if t.Enum != nil {
			out.Enum = &jsonconvert.Enum{Up: t.Enum.Up, Down: t.Enum.Down}
		}
		if t.Value != nil {
			v := b.value(t.Value, nil)
			out.Value = &v
		}
		for _, f := range t.Fields {
			out.Fields = append(out.Fields, b.field(f))
		}
		for _, m := range t.Moves {
			b.span = m.Span
			out.Moves = append(out.Moves, jsonconvert.Move{Older: path(m.Older), Newer: path(m.Newer), Value: b.value(m.Value, m.Items)})
			b.entries(t.Name, m)
		}
		for _, h := range t.Hooks {
			out.Hooks = append(out.Hooks, b.hook(t, h))
		}
	}
	return jsonconvert.Step{Older: s.Older, Newer: s.Newer, Types: b.types}
}

// entries adds the types of the metadata of a kind with a label or an annotation that is a field in the other version.
func (b *builder) entries(kind string, m *steps.Move) {
	for side, p := range [][]steps.PathKey{m.Older, m.Newer} {
		if last := p[len(p)-1]; last.Entry {
			owner := kind
			for _, at := range p[:len(p)-1] {
				below := owner + "." + at.JSON
				k := jsonconvert.Key{Name: at.JSON, EmptyIsAbsent: true}
				b.add(owner, jsonconvert.Field{Older: k, Newer: k, Value: jsonconvert.Value{Type: below}})
				owner = below
			}
			f, k := jsonconvert.Field{}, jsonconvert.Key{Name: last.JSON}
			if f.Older = k; side == 1 {
				f.Older, f.Newer = jsonconvert.Key{}, k
			}
			b.add(owner, f)
		}
	}
}

// add adds a field to a type unless it has the field.
func (b *builder) add(typ string, f jsonconvert.Field) {
	t := b.types[typ]
	if t == nil {
		t = &jsonconvert.Type{}
		b.types[typ] = t
	}
	for i := range t.Fields {
		if t.Fields[i].Older.Name == f.Older.Name && t.Fields[i].Newer.Name == f.Newer.Name {
			t.Fields[i].Value = f.Value
			return
		}
	}
	t.Fields = append(t.Fields, f)
}

func path(keys []steps.PathKey) (path []jsonconvert.PathKey) {
	for _, k := range keys {
		path = append(path, jsonconvert.PathKey{Key: key(k.Key), Optional: k.Optional, Entry: k.Entry})
	}
	return path
}

func key(k *steps.Key) jsonconvert.Key {
	if k == nil {
		return jsonconvert.Key{}
	}
	return jsonconvert.Key{Name: k.JSON, Zero: k.Zero, EmptyIsAbsent: k.EmptyIsAbsent, Required: k.Required}
}

func (b *builder) field(f *steps.Field) jsonconvert.Field {
	b.span = f.Span
	out := jsonconvert.Field{Older: key(f.Older), Newer: key(f.Newer), Value: b.value(f.Value, f.Items)}
	if f.Default != "" {
		out.Default = []byte(f.Default)
	}
	if fn := f.DefaultFunc; fn != nil {
		out.DefaultFunc = fn.Name
		b.addFunc(Func{Name: fn.Name, Package: b.api.Newest, Out: fn.Result, Default: true, Fails: fn.Fails})
		if fn.Result != nil {
			v := b.structure(fn.Result)
			out.Result = &v
		}
	}
	return out
}

// function adds a function and returns its name.
func (b *builder) function(f *steps.Func, in, out *model.Ref) string {
	if f == nil || f.Transform != nil {
		return ""
	}
	fn := Func{Name: f.Name, Package: b.api.Newest, In: in, Out: out, Fails: f.Fails}
	if f.Package != "" {
		fn.Package, fn.Whole = f.Package, true
	}
	b.addFunc(fn)
	return f.Name
}

func (b *builder) addFunc(f Func) {
	is := func(known Func) bool { return known.Name == f.Name }
	i := slices.IndexFunc(b.Funcs, is)
	if i < 0 {
		i, b.Funcs = len(b.Funcs), append(b.Funcs, f)
	}
	if known := &b.Funcs[i]; !slices.Contains(known.Spans, b.span) {
		known.Spans = append(known.Spans, b.span)
	}
	if of := &b.StepFuncs[len(b.Steps)]; !slices.ContainsFunc(*of, is) {
		*of = append(*of, f)
	}
}

func (b *builder) value(v *steps.Value, items *steps.Items) (out jsonconvert.Value) {
	if v == nil {
		return out
	}
	if items != nil {
		out.OlderKeys, out.NewerKeys, out.Set = items.Older, items.Newer, items.Set
	}
	switch v.Kind {
	case steps.Pair:
		out.Type = v.Type
	case steps.Pointer:
		return b.value(v.Elem, items)
	case steps.List, steps.Map:
		elem := b.value(v.Elem, nil)
		out.Elem = &elem
	case steps.Wrap:
		elem := b.value(v.Elem, nil)
		out.List = &elem
	case steps.Call:
		out = jsonconvert.Value{Call: &jsonconvert.Call{Up: b.function(v.Up, v.From, v.To), Down: b.function(v.Down, v.To, v.From)}}
		if v.Up != nil && v.Up.Transform != nil {
			out.Call.Transform = v.Up.Transform
		}
		if v.From != nil {
			out.Call.From = b.structure(v.From)
		}
		if v.To != nil {
			out.Call.To = b.structure(v.To)
		}
	}
	return out
}

// structure returns a type of the newest version as what values of it consist of.
func (b *builder) structure(r *model.Ref) jsonconvert.Value {
	switch {
	case r.Kind == model.KindPointer:
		return b.structure(r.Elem)
	case r.Kind == model.KindNamed && r.Package == b.api.Newest:
		return jsonconvert.Value{Type: r.ID().Name}
	}
	if u := b.m.Underlying(r); u.Kind == model.KindSlice || u.Kind == model.KindArray || u.Kind == model.KindMap {
		if elem := b.structure(u.Elem); !isPlain(elem) {
			return jsonconvert.Value{Elem: &elem}
		}
	}
	return jsonconvert.Value{}
}

func isPlain(v jsonconvert.Value) bool { return v.Type == "" && v.Elem == nil }

func (b *builder) hook(t *steps.Type, h *steps.Hook) jsonconvert.Hook {
	b.span = h.Span
	out := jsonconvert.Hook{Split: h.Split, Older: h.Older, Newer: h.Newer}
	if h.Split != nil {
		return out
	}
	out.Type, out.Before = t.Name, map[string]jsonconvert.Value{}
	for _, name := range slices.Sorted(maps.Keys(h.Before)) {
		out.Before[name] = b.structure(h.Before[name])
	}
	newest := model.Named(b.api.Newest, t.Name)
	var before *model.Ref
	if h.BeforeType != nil {
		before = model.Named(h.BeforeType.Package, h.BeforeType.Name)
	}
	if h.Up != nil {
		b.addFunc(Func{Name: h.Up.Name, Package: b.api.Newest, In: before, Out: newest, Hook: true, Fails: h.Up.Fails})
		out.Up = h.Up.Name
	}
	if h.Down != nil {
		b.addFunc(Func{Name: h.Down.Name, Package: b.api.Newest, In: newest, Out: before, Hook: true, Fails: h.Down.Fails})
		out.Down = h.Down.Name
	}
	return out
}
