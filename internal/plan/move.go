package plan

import (
	"cmp"
	"slices"

	"github.com/kindsmith/kindsmith/internal/fixpoint"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/value"
)

// Path returns the path of a moved field in the source or the destination of a conversion.
func (op *Op) Path(way Way, source bool) []*Field {
	if (way == Up) == source {
		return op.OlderPath
	}
	return op.HubPath
}

// moves adds the operations of the fields that move within a struct, and marks the hub's fields.
func (b *builder) moves(t *Type, older, hub *model.Type, moved map[*model.Field]bool) {
	for _, move := range older.Moves {
		op := &Op{Kind: Move, Span: move.Span, move: move}
		from, to := b.path(older, move.Older, move.OlderEntry, &op.OlderPath), b.path(hub, move.Hub, move.HubEntry, &op.HubPath)
		if from == nil || to == nil {
			continue // reported
		}
		moved[to] = true
		last := op.OlderPath[len(op.OlderPath)-1]
		op.Value = b.chain(hub.Name+"."+to.JSON, last, from.Type, to.Type, retypes(move.Steps))
		op.Value.HubEmptyIsAbsent = op.Value.Kind == Chain && op.HubPath[len(op.HubPath)-1].OmitEmpty
		b.blurs(hub.Name+"."+to.JSON, op.Value, last, op.HubPath[len(op.HubPath)-1], retypes(move.Steps))
		op.Edges = b.entryEdges(op, hub.Name+"."+to.JSON)
		t.Fields = append(t.Fields, op)
	}
}

// Entry returns the label or the annotation that a moved field is in a version, and the version: Up
// for the hub. It returns nil if it is none.
func (op *Op) Entry() (entry *Field, of Way) {
	for _, way := range Ways {
		if path := op.Path(way, false); op.Kind == Move && path[len(path)-1].Entry {
			return path[len(path)-1], way
		}
	}
	return nil, Up
}

// entryEdges returns what is lost with a label or an annotation that is a field in the other version.
func (b *builder) entryEdges(op *Op, label string) Edges {
	var edges Edges
	entry, of := op.Entry()
	if entry == nil {
		return edges
	}
	has, other := b.Older.Name, b.Hub.Name
	if of == Up {
		has, other = other, has
	}
	path := op.Path(of, false)
	name := path[len(path)-2].JSON + " " + entry.JSON
	edges.set(!of, b.tracked(&Edge{
		Loss: Some, Lossy: op.move.Lossy, Span: op.Span,
		Reason: "in " + has + " the " + name + " of " + label + " may be empty, which " + other + " cannot tell from none",
	}))
	edges.set(of, b.tracked(&Edge{
		Loss: Some, Lossy: op.move.Lossy, Span: op.Span,
		Reason: "in " + has + " the " + name + " is " + label + ", so objects of " + other + " cannot have others",
	}))
	return edges
}

// path returns the field at the end of a path, nil if there is none. An entry is the key of the map
// that the names lead to.
func (b *builder) path(t *model.Type, names []string, entry *model.Entry, path *[]*Field) (f *model.Field) {
	isHub := t.Package == b.hub.Path
	for i, name := range names {
		if t == nil {
			return nil
		}
		if f = t.Field(name); f == nil {
			return nil
		}
		at := b.name(t, f)
		at.Type = f.Type
		if t = b.m.Struct(f.Type); i+1 < len(names) {
			at.Optional = f.Type.Kind == model.KindPointer || f.OmitZero
		} else if entry == nil {
			at.Zero = cmp.Or(b.leftOut(at, f.Type), Written(b.m, f)) // it does not move
		} else {
			at.Optional = true
		}
		*path = append(*path, at)
	}
	if entry == nil || f == nil {
		return f
	}
	f = &model.Field{Name: entry.Key, JSON: entry.Key, Type: entry.Type}
	if !isHub {
		f.Type = b.local(f.Type)
	}
	*path = append(*path, &Field{JSON: entry.Key, Entry: true, Type: f.Type})
	return f
}

// local returns a type of the hub's package as the older version has it.
func (b *builder) local(r *model.Ref) *model.Ref {
	c := *r
	if r.Kind == model.KindPointer {
		c.Elem = b.local(r.Elem)
	} else if t := b.older.PairOf(r.ID()); t != nil {
		return t.Ref()
	}
	return &c
}

// parents completes the parents on the paths of a moved field in a struct: what they are if they are
// empty, and what is lost with them.
func (b *builder) parents(t *Type, op *Op) {
	for _, way := range Ways {
		path := op.Path(way, false)
		owner, last := t, path[len(path)-1]
		if last.Entry {
			continue
		}
		for _, f := range path[:len(path)-1] {
			if of := operation(owner, f, way); of != nil {
				op.Above = append(op.Above, of)
			}
			owner = b.typeOf(f.Type, way)
		}
		if of := operation(owner, last, way); of != nil {
			of.By = op
		}
		pair, shared := t, true
		for _, f := range path[:len(path)-1] {
			if pair = b.below(pair, f, way); pair != nil {
				from, _ := pair.Ends(way)
				f.OtherZero = b.emptied(b.m.Type(from).Ref()).JSON()
				f.Filled = way == Down && b.fillsIn(pair)
			} else {
				shared = false
			}
			if f.Zero = b.emptied(f.Type).JSON(); shared && f.Optional && !f.Inline && op.Edges.At(way) == nil {
				version := b.Older.Name
				if way == Up {
					version = b.Hub.Name
				}
				op.Edges.set(way, b.tracked(&Edge{
					Loss: Some, Lossy: op.move.Lossy, Span: op.Span,
					Reason: "an empty " + f.JSON + " cannot be told from none where " + version + " has " + last.JSON + " in it",
				}))
			}
		}
	}
}

// Moving returns the paths of the fields that move out of a struct of the source, or into one of the destination.
func (p *Plan) Moving(r *model.Ref, way Way, source bool) (paths [][]*Field) {
	structOf := func(r *model.Ref) model.Name {
		if r.Kind == model.KindPointer {
			r = r.Elem
		}
		return r.ID()
	}
	for _, t := range p.Types {
		for _, op := range t.Fields {
			if op.Kind != Move {
				continue
			}
			path := op.Path(way, source)
			for i, f := range path[:len(path)-1] {
				if structOf(f.Type) == structOf(r) {
					paths = append(paths, path[i+1:])
				}
			}
		}
	}
	return paths
}

// fillsIn reports whether the conversion of an empty struct to the hub fills in fields with others than zero values.
func (b *builder) fillsIn(t *Type) bool {
	var known fixpoint.Question[*Type]
	var fills func(t *Type) bool
	fills = func(t *Type) bool {
		return t != nil && known.Ask(t, func() bool {
			return slices.ContainsFunc(t.Fields, func(op *Op) bool {
				if op.Kind != Keep {
					return op.Fill != nil && op.Fill.JSON != b.zero(op.Type).JSON()
				}
				v := op.Value
				for v.Kind == Array {
					v = v.Elem
				}
				return v.Kind == Pair && !op.Older.OmitZero && fills(b.Of(v.Older.ID(), v.Hub.ID()))
			})
		})
	}
	return fills(t)
}

// transform converts a value by the transforms of a chain.
func (v *Value) transform(text []byte, way Way) (out []byte, err error) {
	steps := slices.Clone(v.Steps)
	if way == Down {
		slices.Reverse(steps)
	}
	for _, s := range steps {
		if s.Up != nil && err == nil {
			text, err = s.Up.Transform.Convert(text, way == Up)
		}
	}
	return text, err
}

// emptied returns the JSON of an empty struct.
func (b *builder) emptied(r *model.Ref) *value.Value {
	if r.Kind == model.KindPointer {
		r = r.Elem
	}
	return b.zero(r)
}

// below returns the conversion of the struct in a field of the destination; nil if the source lacks
// it.
func (b *builder) below(t *Type, f *Field, way Way) *Type {
	op := operation(t, f, way)
	if op == nil || op.Kind != Keep {
		return nil
	}
	v := op.Value
	for v.Kind == Pointer {
		v = v.Elem
	}
	if v.Kind != Pair {
		return nil
	}
	return b.Of(v.Older.ID(), v.Hub.ID())
}

// typeOf returns the conversion of a struct of the destination, or nil.
func (b *builder) typeOf(r *model.Ref, way Way) *Type {
	if r.Kind == model.KindPointer {
		r = r.Elem
	}
	i := slices.IndexFunc(b.Types, func(t *Type) bool {
		_, to := t.Ends(way)
		return to == r.ID()
	})
	if i < 0 {
		return nil
	}
	return b.Types[i]
}

// operation returns the operation of a field of the destination, or nil.
func operation(t *Type, f *Field, way Way) *Op {
	if t == nil {
		return nil
	}
	for _, op := range t.Fields {
		at := op.Hub
		if way == Down {
			at = op.Older
		}
		if at != nil && at.Go == f.Go {
			return op
		}
	}
	return nil
}

// trackMove completes a moved field of a struct that is tracked.
func (b *builder) trackMove(op *Op, hub *model.Type) {
	steps := retypes(op.move.Steps)
	changes := hub.Changes
	if f := b.fieldAt(hub, op.move.Hub); f != nil {
		changes, op.Items = f.Changes, items(b.m, f)
	}
	since, until := b.order[op.move.Since], b.sameUntil(steps)
	for _, c := range changes {
		if _, ok := c.(*model.Moved); ok {
			since = max(since, b.order[c.Base().Since])
		}
	}
	entry, of := op.Entry()
	if entry != nil {
		until = min(until, b.order[op.move.Since]-1)
	}
	if op.move.Lossy == "" {
		for _, way := range Ways {
			if entry == nil || way != of { // empty maps count as none
				op.Parents.set(way, b.versionAt(map[Way]int{Up: b.order[op.move.Since] - 1, Down: since}[way]))
			}
		}
	}
	if entry != nil && op.Edges.At(of).Track { // it is a string in all versions
		op.Ordinary.set(of, b.versionAt(map[Way]int{Up: b.order[op.move.Since] - 1, Down: b.order[op.move.Since]}[of]))
	}
	if len(steps) > 0 {
		since = max(since, b.order[steps[len(steps)-1].Since])
	}
	since, until = max(since, b.newest(op.Value.Hub)), min(until, b.unchangedUntil(op.Value.Older))
	for _, way := range Ways {
		tracks := (op.Value.Kind == Chain || op.Value.Kind == Wrap) && b.tracksValue(op.Value, way)
		if edge := op.Edges.At(way); tracks || entry != nil && edge.Track {
			op.set(way, b.versionAt(map[Way]int{Up: until, Down: since}[way]))
		}
	}
	op.Paths = b.paths(op, hub)
}

// paths returns the keys on the path of a moved field since the versions between the older one and the
// hub, if they differ from the hub's in one of them.
func (b *builder) paths(op *Op, hub *model.Type) []KeyPath {
	var paths []KeyPath
	hubKeys, differs := keys(op.HubPath), false
	for _, v := range b.hub.Versions[b.order[b.Older.Name]+1:] {
		at := hubKeys
		if p := b.m.Package(v.Package); v.Name != b.Hub.Name && p != nil {
			if at = b.pathIn(p, hub, op.move); at == nil {
				continue
			}
		}
		differs = differs || !slices.Equal(at, hubKeys)
		if len(paths) == 0 || !slices.Equal(at, paths[len(paths)-1].Keys) {
			paths = append(paths, KeyPath{v.Name, at})
		}
	}
	if !differs {
		return nil
	}
	return paths
}

// pathIn returns the keys on the path in an older version of a field of the hub, nil if it has none.
func (b *builder) pathIn(p *model.Package, hub *model.Type, of *model.Move) []string {
	t, names := p.PairOf(hub.ID()), of.Hub
	if t == nil {
		return nil
	}
	for _, move := range t.Moves {
		if slices.Equal(move.Hub, names) && (of.HubEntry == nil || move.HubEntry != nil && move.HubEntry.Key == of.HubEntry.Key) {
			var path []*Field
			b.path(t, move.Older, move.OlderEntry, &path)
			return keys(path)
		}
	}
	var path []*Field
	if of.HubEntry != nil {
		b.path(hub, names, of.HubEntry, &path)
		return keys(path)
	}
	for _, name := range names {
		i := -1
		if t != nil {
			i = slices.IndexFunc(t.Fields, func(f *model.Field) bool { return f.Origin != nil && f.Origin.Field == name })
		}
		if i < 0 {
			return nil
		}
		path = append(path, b.name(t, t.Fields[i]))
		t = b.m.Struct(t.Fields[i].Type)
	}
	return keys(path)
}

// fieldAt returns the field at a path of Go names, or nil.
func (b *builder) fieldAt(t *model.Type, names []string) *model.Field {
	var path []*Field
	return b.path(t, names, nil, &path)
}

// keys returns the keys on a path in JSON.
func keys(path []*Field) []string {
	var keys []string
	for _, f := range path {
		if !f.Inline {
			keys = append(keys, f.JSON)
		}
	}
	return keys
}
