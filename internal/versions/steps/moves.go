package steps

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// moves returns the fields that move within a struct in the step. A path of the newest version leads from the struct that all
// paths of a field have in common to the field.
func (b *builder) moves(older, newer *model.Type) (moves []*Move) {
	for _, t := range b.older.Types {
		for _, move := range t.Moves {
			if move.Since != b.newer.Version {
				continue
			}
			hub := hubOf(b.m, t)
			from, names, entry := b.arrival(hub, move)
			outer, prefix := hub, []string(nil)
			if from != nil && from != hub { // the next move is within another struct
				if prefix = b.prefix(hub, from, move.Hub); prefix == nil {
					outer, prefix = from, b.prefix(from, hub, b.longer(from, move))
					prefix = b.inVersion(b.older, from, prefix)
				} else {
					names = append(b.inVersion(b.newer, hub, prefix), names...)
					prefix = nil
				}
			}
			if from == nil || outer != hubOf(b.m, older) {
				continue // reported, or of another struct
			}
			o, n := b.path(older, append(prefix, move.Older...), move.OlderEntry), b.path(newer, names, entry)
			if o == nil || n == nil {
				continue // reported
			}
			out := &Move{Older: o, Newer: n, Span: move.Span, lossy: move.Lossy}
			out.Value = b.convert(o[len(o)-1].Type, n[len(n)-1].Type, move.Steps, b.end(hub, move))
			moves = append(moves, out)
		}
	}
	return moves
}

// prefix returns the first names of a path of the newest version that lead from a struct to another; nil if they do not.
func (b *builder) prefix(from, to *model.Type, path []string) []string {
	for i := range path {
		if fields := b.walk(from, path[:i]); i > 0 && fields != nil && b.m.Struct(fields[i-1].Type) == to {
			return path[:i]
		}
	}
	return nil
}

// longer returns the path of the newest version from a struct further out to a moved field.
func (b *builder) longer(from *model.Type, move *model.Move) []string {
	end := b.hubFieldOf(move)
	for _, next := range b.newer.Types {
		for _, m := range next.Moves {
			if hubOf(b.m, next) == from && b.hubFieldOf(m) == end && end != nil {
				return m.Hub
			}
		}
	}
	return nil
}

// inVersion returns names of the newest version, from a struct, as another version has them.
func (b *builder) inVersion(p *model.Package, hub *model.Type, names []string) (out []string) {
	at := hub
	if p != b.hub {
		at = p.PairOf(hub.ID())
	}
	for _, name := range names {
		f := b.counterpart(at, name)
		if f == nil {
			return nil
		}
		out, at = append(out, f.Name), b.m.Struct(f.Type)
	}
	return out
}

// counterpart returns the field of a version's struct that the newest version has under a Go name.
func (b *builder) counterpart(t *model.Type, name string) *model.Field {
	if t == nil {
		return nil
	}
	for _, f := range t.Fields {
		if f.Origin == nil && f.Name == name || f.Origin != nil && f.Origin.Field == name {
			return f
		}
	}
	return nil
}

// end returns the type that a moved field has in the newest version.
func (b *builder) end(hub *model.Type, move *model.Move) *model.Ref {
	if move.HubEntry != nil {
		return move.HubEntry.Type
	}
	if path := b.walk(hub, move.Hub); path != nil {
		return path[len(path)-1].Type
	}
	return nil
}

// arrival returns where a field is after a move: at the beginning of the next one, or where the newest version has it. The path
// begins in a struct, which is returned as that of the newest version.
func (b *builder) arrival(hub *model.Type, move *model.Move) (from *model.Type, names []string, entry *model.Entry) {
	if b.newer == b.hub {
		return hub, move.Hub, move.HubEntry
	}
	end := b.hubFieldOf(move)
	for _, t := range b.newer.Types {
		for _, next := range t.Moves {
			if sameEntry(next.HubEntry, move.HubEntry) && (end != nil && b.hubFieldOf(next) == end || end == nil && hubOf(b.m, t) == hub && slices.Equal(next.Hub, move.Hub)) {
				return hubOf(b.m, t), next.Older, next.OlderEntry
			}
		}
	}
	if names = b.inVersion(b.newer, hub, move.Hub); names == nil && move.HubEntry != nil {
		names = move.Hub // the metadata is of another package
	}
	if names == nil {
		return nil, nil, nil
	}
	return hub, names, move.HubEntry
}

func sameEntry(a, c *model.Entry) bool {
	return a == nil && c == nil || a != nil && c != nil && a.Key == c.Key
}

// path returns the fields on a path; nil if there is none.
func (b *builder) path(t *model.Type, names []string, entry *model.Entry) (path []PathKey) {
	if t == nil {
		return nil
	}
	fields := b.walk(t, names)
	if fields == nil {
		return nil
	}
	var above []*model.Field
	for i, f := range fields {
		if f.Inline {
			above = append(above, f)
			continue
		}
		at := PathKey{Key: b.Key(f, above...)}
		above = nil
		if i+1 < len(fields) || entry != nil {
			at.Optional = entry != nil || b.m.Absent(f) != model.LackNever
		}
		path = append(path, at)
	}
	if entry != nil {
		path = append(path, PathKey{Key: &Key{Go: []string{entry.Key}, JSON: entry.Key, Type: b.local(t, entry.Type)}, Entry: true})
	}
	return path
}

// local returns a type of the newest version as another version has it.
func (b *builder) local(of *model.Type, r *model.Ref) *model.Ref {
	if of.Hub == nil {
		return r
	}
	c := *r
	if r.Kind == model.KindPointer {
		c.Elem = b.local(of, r.Elem)
	} else if t := b.m.Package(of.Package).PairOf(r.ID()); t != nil {
		return t.Ref()
	}
	return &c
}

// hooks returns the hooks of a struct in the step.
func (b *builder) hooks(older, newer *model.Type) (hooks []*Hook) {
	hub := hubOf(b.m, older)
	for _, c := range hub.Changes {
		h, ok := c.(*model.Hook)
		switch {
		case !ok || !b.inStep(h.Since):
		case h.Split != nil:
			if hook := b.split(h, older, newer); hook != nil {
				hooks = append(hooks, hook)
			}
		default:
			hooks = append(hooks, b.hook(h, newer))
		}
	}
	return hooks
}

func (b *builder) hook(h *model.Hook, newer *model.Type) *Hook {
	out := &Hook{Span: h.Span, change: h}
	for i, name := range []*model.Value{h.Upgrade, h.Downgrade} {
		fn := b.hub.Funcs[name.Or("")]
		if fn == nil || len(fn.Params) != 2 || fn.Params[i].Elem == nil {
			continue
		}
		before := b.m.Type(fn.Params[i].Elem.ID())
		f := &Func{Name: fn.Name, Fails: len(fn.Results) > 0}
		if i == 0 {
			out.Up = f
		} else {
			out.Down = f
		}
		if before == nil || out.Before != nil {
			continue
		}
		id := before.ID()
		out.BeforeType, out.Before = &id, map[string]*model.Ref{}
		for _, g := range before.Fields {
			if g.JSON != "" {
				out.Before[g.JSON] = g.Type
				out.Older = append(out.Older, g.JSON)
			}
		}
	}
	for _, f := range newer.Fields {
		if added := b.added(newer, f); added != nil && f.JSON != "" {
			out.Newer = append(out.Newer, f.JSON)
		}
	}
	return out
}

// split returns the conversion of a string to fields or back.
func (b *builder) split(h *model.Hook, older, newer *model.Type) *Hook {
	pattern, err := jsonconvert.ParsePattern(h.Split.Parts.Or(""))
	if err != nil {
		return nil
	}
	whole, parts := older, newer
	if h.Split.Joined {
		whole, parts = newer, older
	}
	f := b.named(whole, h.Split.Name.Or(""), 0)
	if f == nil {
		return nil
	}
	s := &jsonconvert.Split{Joined: h.Split.Joined, Pattern: pattern, Whole: f.JSON}
	if zero := Written(b.m, f); zero != "" {
		s.Zero = []byte(zero)
	}
	out := &Hook{Split: s, Span: h.Span, change: h, Older: []string{s.Whole}}
	for i := range pattern {
		p := &pattern[i]
		if p.Key == "" {
			continue
		}
		g := b.named(parts, p.Key, 0)
		if g == nil {
			p.Key = ""
			continue
		}
		if zero := Written(b.m, g); zero != "" {
			p.Zero = []byte(zero)
		}
		p.Transform = b.ofText(g.Type)
		p.Omits = p.Zero == nil && g.Type.Kind != model.KindPointer
		out.Newer = append(out.Newer, p.Key)
	}
	if h.Split.Joined {
		out.Older, out.Newer = out.Newer, out.Older
	}
	return out
}

// named returns the field of a struct, or of its embedded structs, with a JSON name.
func (b *builder) named(t *model.Type, name string, depth int) *model.Field {
	if t == nil || depth > maxDepth {
		return nil
	}
	if f := t.FieldByJSON(name); f != nil {
		return f
	}
	for _, f := range t.Fields {
		if f.Inline {
			if found := b.named(b.m.Struct(f.Type), name, depth+1); found != nil {
				return found
			}
		}
	}
	return nil
}

// ofText returns the transform of a text to a scalar; nil for strings.
func (b *builder) ofText(r *model.Ref) *jsonconvert.Transform {
	if r.Kind == model.KindPointer {
		r = r.Elem
	}
	u := b.m.Underlying(r)
	bits, unsigned := u.IntSize()
	switch {
	case bits > 0:
		return &jsonconvert.Transform{Name: "integer", Bits: bits, Unsigned: unsigned}
	case u.IsBool():
		return &jsonconvert.Transform{Name: "bool"}
	}
	return nil
}
