package steps

import (
	"slices"
	"strconv"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/value"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// maxDepth is how deep structs are embedded at most.
const maxDepth = 64

// identity names a field in all versions: by the field of the newest version, the marker that removed it, or the one that
// moved it.
func (b *builder) identity(f *model.Field) string {
	switch {
	case f.Origin == nil:
		return "field " + f.Name
	case f.Origin.Field != "":
		return "field " + f.Origin.Field
	}
	for _, c := range f.Origin.Steps {
		if removed, ok := c.(*model.Removed); ok {
			return "removed " + removed.Span.String() + removed.Name.Or("")
		}
	}
	if move := b.former[f]; move != nil {
		return "moved " + move.Since + " " + move.Span.String()
	}
	return "other " + f.Name
}

// steps returns the changes of a field since a version, oldest first, and the type that it has in the end, in the newest version.
func (b *builder) since(owner *model.Type, f *model.Field) (changes []model.Change, end *model.Ref) {
	if f.Origin == nil {
		return nil, nil
	}
	changes = f.Origin.Steps
	hub := hubOf(b.m, owner)
	switch move := b.former[f]; {
	case f.Origin.Field != "" && hub != nil:
		if g := hub.Field(f.Origin.Field); g != nil {
			end = g.Type
		}
	case f.Origin.Type != nil:
		end = f.Origin.Type
	case move != nil:
		changes = move.Steps
		if g := b.hubFieldOf(move); g != nil {
			end = g.Type
		}
	}
	return changes, end
}

// hubFieldOf returns the field of the newest version that has moved; nil for a label or an annotation.
func (b *builder) hubFieldOf(move *model.Move) *model.Field {
	if move.HubEntry != nil {
		return nil
	}
	for _, t := range b.hub.Types {
		for _, p := range b.packages {
			if older := p.PairOf(t.ID()); older != nil && slices.Contains(older.Moves, move) {
				if path := b.walk(t, move.Hub); path != nil {
					return path[len(path)-1]
				}
			}
		}
	}
	return nil
}

// hubField returns the field of the newest version that a field is; nil if there is none.
func (b *builder) hubField(owner *model.Type, f *model.Field) *model.Field {
	switch move := b.former[f]; {
	case f.Origin == nil:
		return f
	case f.Origin.Field != "":
		return hubOf(b.m, owner).Field(f.Origin.Field)
	case move != nil:
		return b.hubFieldOf(move)
	}
	return nil
}

// retype returns the change of a field's type in the step; nil if there is none. to is the type after it, in the newest version.
func (b *builder) retype(changes []model.Change, end *model.Ref) (c *model.Changed, to *model.Ref) {
	for _, change := range changes {
		next, ok := change.(*model.Changed)
		switch {
		case !ok || next.From == nil:
		case c != nil:
			return c, next.From
		case b.inStep(next.Since):
			c = next
		}
	}
	return c, end
}

// fields returns the fields of two structs, with those of embedded structs.
func (b *builder) fields(older, newer *model.Type, aboveOlder, aboveNewer []*model.Field) (fields []*Field) {
	if len(aboveOlder) > maxDepth {
		return nil
	}
	byIdentity := map[string]*model.Field{}
	for _, f := range older.Fields {
		byIdentity[b.identity(f)] = f
	}
	for _, n := range newer.Fields {
		id := b.identity(n)
		o := byIdentity[id]
		delete(byIdentity, id)
		switch {
		case !b.m.IsConverted(n) || newer.IsTypeMeta(n):
		case o == nil:
			fields = append(fields, b.only(newer, n, aboveNewer, true)...)
		case n.Inline || o.Inline:
			a, c := b.m.Struct(o.Type), b.m.Struct(n.Type)
			if a != nil && c != nil && a != c {
				fields = append(fields, b.fields(a, c, append(slices.Clone(aboveOlder), o), append(slices.Clone(aboveNewer), n))...)
			}
		case o.JSON == "" || n.JSON == "":
		default:
			f := &Field{Older: b.Key(o, aboveOlder...), Newer: b.Key(n, aboveNewer...), Span: n.Span, Items: b.items(o, n)}
			changes, end := b.since(older, o)
			f.Value = b.convert(o.Type, n.Type, changes, end)
			fields = append(fields, f)
		}
	}
	for _, o := range older.Fields {
		if byIdentity[b.identity(o)] == o && b.m.IsConverted(o) && !older.IsTypeMeta(o) {
			fields = append(fields, b.only(older, o, aboveOlder, false)...)
		}
	}
	return fields
}

// only returns a field that one version has, or the fields of an embedded struct.
func (b *builder) only(owner *model.Type, f *model.Field, above []*model.Field, newer bool) (fields []*Field) {
	if f.Inline {
		inlined := b.m.Struct(f.Type)
		if inlined == nil || len(above) > maxDepth {
			return nil
		}
		for _, g := range inlined.Fields {
			if b.m.IsConverted(g) {
				fields = append(fields, b.only(inlined, g, append(slices.Clone(above), f), newer)...)
			}
		}
		if added := b.added(owner, f); newer && added != nil {
			b.inlineDefault(added, f, fields)
		}
		return fields
	}
	if f.JSON == "" {
		return nil
	}
	key := b.Key(f, above...)
	out := &Field{Older: key, Moved: b.former[f] != nil || f.Origin != nil && f.Origin.Moved, Span: f.Span}
	if newer {
		out.Older, out.Newer = nil, key
		out.Moved = out.Moved || b.arrives(owner, f)
		if !out.Moved {
			b.fill(out, owner, f)
		}
	} else if f.Origin != nil {
		for _, c := range f.Origin.Steps {
			if removed, ok := c.(*model.Removed); ok {
				out.change = removed
			}
		}
	}
	return []*Field{out}
}

// arrives reports whether a move of the step ends in a field.
func (b *builder) arrives(owner *model.Type, f *model.Field) bool {
	g := b.hubField(owner, f)
	if g == nil {
		return false
	}
	if slices.ContainsFunc(g.Changes, func(c model.Change) bool { return c.Base().Role == model.RoleMoved && b.inStep(c.Base().Since) }) {
		return true // or its path is wrong, which is reported
	}
	for _, t := range b.older.Types {
		for _, move := range t.Moves {
			if move.Since == b.newer.Version && b.hubFieldOf(move) == g {
				return true
			}
		}
	}
	return false
}

// added returns the marker that adds a field in the step.
func (b *builder) added(owner *model.Type, f *model.Field) *model.Added {
	if g := b.hubField(owner, f); g != nil {
		if added := addedBy(g.Changes); added != nil && b.inStep(added.Since) {
			return added
		}
		return nil
	}
	hub := hubOf(b.m, owner)
	if hub == nil || f.Origin == nil {
		return nil
	}
	for _, c := range f.Origin.Steps {
		removed, ok := c.(*model.Removed)
		if !ok {
			continue
		}
		for _, c := range hub.Changes {
			if added, ok := c.(*model.Added); ok && b.inStep(added.Since) && added.Field.Or("") == removed.Name.Or("") && added.Field != nil {
				return added
			}
		}
	}
	return nil
}

// fill sets the default of an added field.
func (b *builder) fill(out *Field, owner *model.Type, f *model.Field) {
	added := b.added(owner, f)
	if added == nil {
		return
	}
	out.change = added
	switch {
	case added.Default == nil:
	case value.NamesFunction(added.Default.Text):
		fn := b.hub.Funcs[added.Default.Text]
		out.DefaultFunc = &Func{Name: added.Default.Text, Fails: fn != nil && len(fn.Results) > 1}
		if fn != nil && len(fn.Results) > 0 {
			out.DefaultFunc.Result = fn.Results[0]
		}
	default:
		if v, _ := value.Parse(added.Default.Text); v != nil {
			if text := value.Encoded(b.m, f.Type, v).JSON(); text != out.Newer.Zero {
				out.Default = text
			}
		}
	}
}

// inlineDefault sets the default of an added embedded struct on its fields.
func (b *builder) inlineDefault(added *model.Added, f *model.Field, fields []*Field) {
	for _, out := range fields {
		out.change = added
	}
	if added.Default == nil {
		return
	}
	v, _ := value.Parse(added.Default.Text)
	if v == nil || value.NamesFunction(added.Default.Text) {
		return
	}
	for _, member := range value.Encoded(b.m, f.Type, v).Members {
		for _, out := range fields {
			if text := member.Value.JSON(); out.Newer.JSON == member.Key && text != out.Newer.Zero {
				out.Default = text
			}
		}
	}
}

// convert returns the conversion of a field's value.
func (b *builder) convert(older, newer *model.Ref, changes []model.Change, end *model.Ref) *Value {
	c, to := b.retype(changes, end)
	if c == nil {
		return b.value(older, newer)
	}
	if c.Wraps {
		list := b.m.Underlying(newer)
		if list.Kind != model.KindSlice {
			return &Value{Kind: Impossible, Older: older, Newer: newer}
		}
		single := older
		if older.Kind == model.KindPointer && (b.m.Underlying(list.Elem).Kind != model.KindPointer || older.Elem.Kind == model.KindPointer) {
			single = older.Elem
		}
		v := &Value{Kind: Wrap, Older: older, Newer: newer, Elem: b.value(single, list.Elem), change: c}
		if c.Form != nil && to != nil {
			if list := b.m.Underlying(to); list.Elem != nil {
				v.Elem = b.call(single, b.m.Underlying(newer).Elem, c, list.Elem)
			}
		}
		return v
	}
	if c.Form == nil && c.UpgradeWith.Or("") == "" && c.DowngradeWith.Or("") == "" {
		if v := b.value(older, newer); v.possible() {
			return v
		}
	}
	return b.call(older, newer, c, to)
}

func (v *Value) possible() bool {
	return v == nil || v.Kind != Impossible && v.Elem.possible()
}

func (b *builder) call(older, newer *model.Ref, c *model.Changed, to *model.Ref) *Value {
	if b.toNewest {
		to = nil
	}
	return &Value{Kind: Call, Older: older, Newer: newer, From: c.From, To: to, Up: b.function(c, c.UpgradeWith), Down: b.function(c, c.DowngradeWith), change: c}
}

// function returns what converts a change of type in a direction: a transform, a function or nothing.
func (b *builder) function(c *model.Changed, name *model.Value) *Func {
	if c.Form != nil {
		return &Func{Name: c.Form.Name, Fails: true, Transform: (*jsonconvert.Transform)(c.Form)}
	}
	if name.Or("") == "" {
		return nil
	}
	fn := b.hub.Funcs[name.Text]
	return &Func{Name: name.Text, Fails: fn != nil && len(fn.Results) > 1}
}

// items returns how the items of a list are known.
func (b *builder) items(older, newer *model.Field) *Items {
	o, n := b.m.ListAt(older.Tags, older.Markers, older.Type), b.m.ListAt(newer.Tags, newer.Markers, newer.Type)
	switch {
	case o.Type != n.Type:
		return nil
	case o.Type == model.ListSet:
		return &Items{Set: true}
	case o.Type == model.ListMap && len(o.Keys) > 0 && len(o.Keys) == len(n.Keys):
		return &Items{Older: o.Keys, Newer: n.Keys}
	}
	return nil
}

// enum returns the values of an enum that differ, or nil.
//
// A value that is no constant, but has a constant's name in the other version, must not become that constant. It takes a name
// that is free there.
func enum(older, newer, hub *model.Type) *Enum {
	origin := func(t *model.Type, c *model.Const) string {
		if t == hub {
			return c.Name
		}
		return c.Origin
	}
	byOrigin := map[string]*model.Const{}
	for _, c := range newer.Consts {
		if o := origin(newer, c); o != "" {
			byOrigin[o] = c
		}
	}
	text := func(c *model.Const) string {
		if c.IsString {
			return quote(c.Value)
		}
		return c.Value
	}
	e := &Enum{Up: map[string]string{}, Down: map[string]string{}, open: !older.IsEnum()}
	up, downward := map[string]string{}, map[string]bool{}
	for _, c := range older.Consts {
		if n := byOrigin[c.Origin]; n != nil && c.Origin != "" {
			up[text(c)], downward[text(n)] = text(n), true
			if n.Value != c.Value {
				e.Up[text(c)], e.Down[text(n)] = text(n), text(c)
			}
		}
		for _, f := range older.Fallbacks {
			if n := byOrigin[f.Hub]; f.To == c.Name && n != nil {
				downward[text(n)] = true
				e.fallback(hub, n, c, f)
				if text(n) != text(c) {
					e.Down[text(n)] = text(c)
				}
			}
		}
	}
	for name := range up {
		if downward[name] {
			continue
		}
		free := up[name]
		for range up {
			if next, taken := up[free]; taken {
				free = next
			}
		}
		e.Down[name], e.Up[free] = free, name
	}
	if len(e.Up)+len(e.Down) == 0 {
		return nil
	}
	return e
}

// fallback notes a constant that another represents in the older version.
func (e *Enum) fallback(hub *model.Type, from, to *model.Const, f model.Fallback) {
	if i := slices.IndexFunc(hub.Consts, func(c *model.Const) bool { return c.Name == f.Hub }); i >= 0 {
		from = hub.Consts[i]
	}
	e.fallbacks = append(e.fallbacks, fallback{from, to})
}

func quote(s string) string {
	v := value.OfString(s)
	if v == nil {
		return strconv.Quote(s)
	}
	return v.JSON()
}
