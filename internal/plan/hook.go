package plan

import (
	"encoding/json"
	"slices"

	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// Hook is a pair of functions of the author that are called after the generated conversion of a
// struct.
type Hook struct {
	// Version is the version that the functions convert to, from the one before, and back.
	Version string `json:"version"`
	// Up and Down are the functions, each with what it sees of the older version; nil for none.
	Up   *HookFunc `json:"up,omitempty"`
	Down *HookFunc `json:"down,omitempty"`
	// Split converts in both directions in place of functions.
	Split *Split `json:"split,omitempty"`
	// Edges are what the functions lose.
	Edges Edges `json:"edges,omitzero"`
	Tracked
}

// HookFunc is one function. Up, it takes pointers to Before and to the hub's struct; down, the
// reverse.
type HookFunc struct {
	Func
	// Before is a struct of the hub's package with fields of the version before, and Fields are
	// those that the older version has.
	Before model.Name   `json:"before"`
	Fields []*HookField `json:"fields,omitempty"`
	// Completes are the fields that were added in the hook's version, if later versions added a default to their values. The
	// function sets what its version has.
	Completes []*CompletionField `json:"completes,omitempty"`
}

// HookField is a field of the older version that a hook sees.
type HookField struct {
	Older  *Field `json:"older"`
	Before *Field `json:"before"`
	// Value converts between the older version's type and that of Before.
	Value *Value `json:"value"`
}

// Split is a string that is several fields in the other version.
type Split struct {
	jsonconvert.Split
	// Whole is the string, and Fields are the fields, in the order of the pattern.
	WholeField *Field   `json:"wholeField"`
	Fields     []*Field `json:"fields"`
}

// Divides reports whether a conversion divides the string.
func (s *Split) Divides(way Way) bool { return way == Up != s.Joined }

// Func returns the function of a direction, or nil.
func (h *Hook) Func(way Way) *HookFunc {
	if way == Up {
		return h.Up
	}
	return h.Down
}

// HooksOf returns the hooks of a type with a function in a direction, in the order in which they are
// called.
func (t *Type) HooksOf(way Way) []*Hook {
	hooks := slices.DeleteFunc(slices.Clone(t.Hooks), func(h *Hook) bool { return h.Func(way) == nil && h.Split == nil })
	if way == Down {
		slices.Reverse(hooks)
	}
	return hooks
}

// hooks adds the hooks of a struct.
func (b *builder) hooks(t *Type, older, hub *model.Type) {
	for _, c := range hub.Changes {
		h, ok := c.(*model.Hook)
		if !ok || b.order[h.Since] <= b.order[b.Older.Name] {
			continue
		}
		if h.Split != nil {
			if hook := b.split(h, older, hub); hook != nil {
				t.Hooks = append(t.Hooks, hook)
			}
			continue
		}
		hook := &Hook{Version: h.Since, Up: b.hookFunc(h.Upgrade, 0, h, older, hub), Down: b.hookFunc(h.Downgrade, 1, h, older, hub)}
		if hook.Up != nil {
			hook.Up.Completes = b.ofHook(h, hub)
		}
		var names []*Func
		for _, way := range Ways {
			if fn := hook.Func(way); fn != nil {
				names = append(names, &fn.Func)
			}
		}
		for _, way := range Ways {
			if len(names) > 0 && !h.IsLossless() {
				hook.Edges.set(way, b.tracked(&Edge{
					Loss: Unknown, Span: h.Span, Lossy: h.Reason(), Reason: authored(names[0], names[len(names)-1]) + " " + hub.Name,
				}))
			}
		}
		t.Hooks = append(t.Hooks, hook)
	}
	slices.SortStableFunc(t.Hooks, func(x, y *Hook) int { return b.order[x.Version] - b.order[y.Version] })
}

// ofHook returns the fields that belong to a hook, as far as what it sets there has to be completed.
func (b *builder) ofHook(h *model.Hook, hub *model.Type) (fields []*CompletionField) {
	for _, f := range hub.Fields {
		added := addedBy(f.Changes)
		if added == nil || added.Since != h.Since {
			continue
		}
		if since := b.lastChange(f, h.Since); b.completes(f.Type, since) {
			fields = append(fields, &CompletionField{Op: &Op{Kind: Keep, Hub: b.name(hub, f), Type: f.Type, Span: f.Span}, Since: since})
		}
	}
	return fields
}

func (b *builder) hookFunc(name *model.Value, was int, h *model.Hook, older, hub *model.Type) *HookFunc {
	fn := b.hub.Funcs[name.Or("")]
	if fn == nil || len(fn.Params) != 2 {
		return nil
	}
	before := b.m.Type(fn.Params[was].Elem.ID())
	out := &HookFunc{Func: Func{Name: fn.Name, Fails: len(fn.Results) > 0}, Before: before.ID()}
	for _, f := range before.Fields {
		g := b.was(older, hub, f.JSON, b.order[h.Since]-1)
		if g == nil {
			continue // the older version lacks it
		}
		changes := slices.DeleteFunc(retypes(g.Origin.Steps), func(c *model.Changed) bool { return b.order[c.Since] >= b.order[h.Since] })
		out.Fields = append(out.Fields, &HookField{b.name(older, g), b.name(before, f), b.chain(label(hub, g), b.name(older, g), g.Type, f.Type, changes)})
	}
	return out
}

// split returns the conversion of a string to fields or back; nil if the older version has none of what
// was there before.
func (b *builder) split(h *model.Hook, older, hub *model.Type) *Hook {
	pattern, err := jsonconvert.ParsePattern(h.Split.Parts.Or(""))
	if err != nil {
		return nil
	}
	field := func(name string, isNew bool) (out *Field, f *model.Field) {
		if isNew {
			f = hub.Field(h.Split.Fields[name])
		} else {
			f = b.was(older, hub, name, b.order[h.Since]-1)
		}
		if f == nil {
			return nil, nil
		}
		of := older
		if isNew {
			of = hub
		}
		out = b.name(of, f)
		out.Type, out.Zero = f.Type, Written(b.m, f)
		return out, f
	}
	raw := func(f *Field) json.RawMessage {
		if f.Zero == "" {
			return nil
		}
		return json.RawMessage(f.Zero)
	}
	s := &Split{Split: jsonconvert.Split{Joined: h.Split.Joined, Pattern: pattern}}
	s.WholeField, _ = field(h.Split.Name.Text, s.Joined)
	if s.WholeField == nil {
		return nil
	}
	s.Whole, s.Zero = s.WholeField.JSON, raw(s.WholeField)
	found := false
	for i := range pattern {
		p := &pattern[i]
		if p.Key == "" {
			continue
		}
		of, f := field(p.Key, !s.Joined)
		if s.Fields = append(s.Fields, of); of == nil {
			p.Key = ""
			continue
		}
		found = true
		p.Key, p.Zero, p.Transform = of.JSON, raw(of), b.ofText(f.Type)
		p.Omits = p.Zero == nil && f.Type.Kind != model.KindPointer
	}
	if !found {
		return nil
	}
	hook := &Hook{Version: h.Since, Split: s}
	for _, way := range Ways {
		reason := "values of " + hub.Name + "." + s.Whole + " need not be " + h.Split.Parts.Text
		if !s.Divides(way) {
			reason = "parts of " + hub.Name + "." + s.Whole + " may have texts that separate them in " + h.Split.Parts.Text
		}
		hook.Edges.set(way, b.tracked(&Edge{Loss: Some, Span: h.Span, Lossy: h.Reason(), Reason: reason}))
	}
	return hook
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

// was returns the field of an older struct that has a JSON name in a later version before the hub.
func (b *builder) was(older, hub *model.Type, name string, version int) *model.Field {
	p := b.m.Package(b.hub.Versions[version].Package)
	if p == nil {
		return nil
	}
	for _, t := range p.Types {
		if t.Hub == nil || *t.Hub != hub.ID() {
			continue
		}
		for _, g := range t.Fields {
			if g.JSON != name || g.Origin == nil {
				continue
			}
			for _, f := range older.Fields {
				if f.Origin != nil && sameOrigin(f.Origin, g.Origin) {
					return f
				}
			}
		}
	}
	return nil
}

// sameOrigin reports whether two fields of older versions are the same of the hub, or the same that
// was removed.
func sameOrigin(a, c *model.Origin) bool {
	if a.Field != "" || c.Field != "" {
		return a.Field == c.Field
	}
	return slices.ContainsFunc(a.Steps, func(s model.Change) bool {
		_, removed := s.(*model.Removed)
		return removed && slices.Contains(c.Steps, s)
	})
}

// hooked reports whether a hook of the hub's struct converts a field that a version added or removed. Functions may set every
// field that was added with them, but know only those before that their struct has.
func (b *builder) hooked(older, hub *model.Type, f *model.Field, since string) bool {
	return since != "" && slices.ContainsFunc(hub.Changes, func(c model.Change) bool {
		h, ok := c.(*model.Hook)
		if !ok || h.Since != since {
			return false
		}
		if h.Split != nil {
			hook := b.split(h, older, hub)
			return hook != nil && slices.ContainsFunc(append(hook.Split.Fields, hook.Split.WholeField), func(of *Field) bool { return of != nil && of.Go == f.Name })
		}
		knows := func(fn *HookFunc) bool {
			return fn != nil && slices.ContainsFunc(fn.Fields, func(of *HookField) bool { return of.Older.Go == f.Name })
		}
		return hub.Field(f.Name) == f || knows(b.hookFunc(h.Upgrade, 0, h, older, hub)) || knows(b.hookFunc(h.Downgrade, 1, h, older, hub))
	})
}

// trackHooks sets the versions under which values are tracked that hooks lose: those in which the fields that a split, or
// functions, convert are as in the source.
func (b *builder) trackHooks(t *Type, older, hub *model.Type) {
	for _, h := range t.Hooks {
		since, until := b.order[h.Version], b.order[h.Version]-1
		for _, op := range t.Fields {
			switch {
			case op.Hooked && op.Kind == Add && t.splitOf(op) == h.Split:
				since = max(since, b.changedAt(hub.Field(op.Hub.Go)))
			case op.Hooked && op.Kind == Drop && t.splitOf(op) == h.Split:
				f := older.Field(op.Older.Go)
				until = min(until, b.unchangedUntil(op.Type), b.sameUntil(retypes(f.Origin.Steps)))
			}
		}
		for way, at := range map[Way]int{Down: since, Up: until} {
			if e := h.Edges.At(way); e != nil && e.Track {
				h.set(way, b.versionAt(at))
			}
		}
	}
}

// splitOf returns the split that converts an added or removed field, nil if functions do.
func (t *Type) splitOf(op *Op) *Split {
	for _, h := range t.Hooks {
		if h.Split == nil {
			continue
		}
		fields, name := h.Split.Fields, op.Older
		if op.Hub != nil {
			name = op.Hub
		}
		if h.Split.Joined == (op.Hub != nil) {
			fields = []*Field{h.Split.WholeField}
		}
		if slices.ContainsFunc(fields, func(f *Field) bool { return f.Go == name.Go }) {
			return h.Split
		}
	}
	return nil
}

// changedAt returns the last version that changed the JSON of a field's values, or added it.
func (b *builder) changedAt(f *model.Field) int {
	at := b.newest(f.Type)
	for _, c := range f.Changes {
		if renames, ok := c.(*model.Changed); !ok || renames.From != nil {
			at = max(at, b.order[c.Base().Since])
		}
	}
	return at
}
