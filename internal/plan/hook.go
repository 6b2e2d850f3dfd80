package plan

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/model"
)

// Hook is a pair of functions of the author that are called after the generated conversion of a
// struct.
type Hook struct {
	// Version is the version that the functions convert to, from the one before, and back.
	Version string `json:"version"`
	// Up and Down are the functions, each with what it sees of the older version; nil for none.
	Up   *HookFunc `json:"up,omitempty"`
	Down *HookFunc `json:"down,omitempty"`
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
}

// HookField is a field of the older version that a hook sees.
type HookField struct {
	Older  *Field `json:"older"`
	Before *Field `json:"before"`
	// Value converts between the older version's type and that of Before.
	Value *Value `json:"value"`
}

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
	hooks := slices.DeleteFunc(slices.Clone(t.Hooks), func(h *Hook) bool { return h.Func(way) == nil })
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
		hook := &Hook{Version: h.Since, Up: b.hookFunc(h.Upgrade, 0, h, older, hub), Down: b.hookFunc(h.Downgrade, 1, h, older, hub)}
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
		out.Fields = append(out.Fields, &HookField{b.name(g), b.name(f), b.chain(label(hub, g), b.name(g), g.Type, f.Type, changes)})
	}
	return out
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

// hooked reports whether a hook of the hub's struct converts what was added or removed in a version.
func (b *builder) hooked(hub *model.Type, since string) bool {
	return since != "" && slices.ContainsFunc(hub.Changes, func(c model.Change) bool {
		h, ok := c.(*model.Hook)
		return ok && h.Since == since
	})
}

// trackHooks sets the versions under which values are tracked that hooks lose.
func (b *builder) trackHooks(t *Type) {
	for _, h := range t.Hooks {
		for _, way := range Ways {
			if e := h.Edges.At(way); e != nil && e.Track {
				at := b.order[h.Version]
				if way == Up {
					at--
				}
				h.set(way, b.versionAt(at))
			}
		}
	}
}
