package wire

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// Hooked returns a Func that calls a function after the conversion of an object. It decodes the object
// in both versions, and returns the JSON of the converted one before and after the call: both
// arguments and results are lists of two.
func Hooked[From, To any](hook func(in *From, out *To) error) Func {
	return func(value []byte) ([]byte, error) {
		objects := newNode(value, 0).items()
		var in From
		var out To
		for i, o := range []any{&in, &out} {
			if err := utiljson.Unmarshal(objects[i].text, o); err != nil {
				return nil, &Error{Reason: Invalid, Err: err}
			}
		}
		before, err := json.Marshal(&out)
		if err != nil {
			return nil, err
		}
		if err := hook(&in, &out); err != nil {
			return nil, err
		}
		after, err := json.Marshal(&out)
		return pair(before, after), err
	}
}

// pair returns a list of two values.
func pair(a, b []byte) []byte {
	list := append(append(make([]byte, 0, len(a)+len(b)+3), '['), a...)
	return append(append(append(list, ','), b...), ']')
}

// hook is called after the conversion of an object.
type hook struct {
	fn Func
	// label is the version under which what does not come back is tracked, or "".
	label string
	// split is set in place of a function of the author.
	split *Split
}

// hooks adds the hooks of a type to its program.
func (c *compiler) hooks(p *program, t *Type) error {
	p.back = c.back.programs[c.index(t)]
	for i := range t.Hooks {
		def := &t.Hooks[i]
		if !c.up { // the newest is first
			def = &t.Hooks[len(t.Hooks)-1-i]
		}
		h := &hook{label: c.label(def.Since, def.Until)}
		if def.Split != nil {
			h.fn, h.split = splitHook(def.Split, c.up), def.Split
		} else if name := c.function(def.Up, def.Down); name != "" {
			if h.fn = c.funcs[name]; h.fn == nil {
				return c.noFunc(name)
			}
		}
		p.hooks = append(p.hooks, h)
		// Functions lose values together: an inlined struct may have some of other versions than the struct around it.
		if h.split == nil {
			p.ofFunctions = c.table.next(c.up, p.ofFunctions, h.label)
		}
		p.ofHooks = c.table.next(c.up, p.ofHooks, h.label)
	}
	return nil
}

// index returns the index of a type.
func (c *compiler) index(t *Type) int {
	for i := range c.table.Types {
		if &c.table.Types[i] == t {
			return i
		}
	}
	return 0
}

// runHooks calls the hooks of a converted object, and notes what does not come back.
func (r *run) runHooks(p *program, src, out *node) error {
	if len(p.hooks) == 0 {
		return nil
	}
	// The functions may read every field, and fields that only the destination has are theirs.
	functions := &written{label: cmp.Or(p.ofFunctions, p.ofHooks), keys: map[string]bool{}}
	splits := map[string]*written{}
	for _, h := range p.hooks {
		by := functions
		if h.split != nil {
			by = &written{label: cmp.Or(h.label, p.ofHooks), keys: map[string]bool{}, split: h.split}
			for _, key := range splitKeys(h.split, r.up) {
				splits[key] = by
			}
		}
		if h.fn == nil {
			continue
		}
		result, err := call(h.fn, pair(src.text, r.memory.print(out)))
		if err != nil {
			return err
		}
		objects := r.node(result, 0).items()
		out.patch(objects[0], objects[1], by.keys)
	}
	if !r.recording || p.ofHooks == "" {
		return nil
	}
	shown := r.memory.print(out)
	back, unhooked := r.memory.object(), r.memory.object()
	if text, err := r.alone(p.untracked, shown); err == nil {
		back = r.node(bytes.TrimSpace(text), -1)
	}
	if text, err := r.alone(p.unhooked, shown); err == nil {
		unhooked = r.node(bytes.TrimSpace(text), -1)
	}
	src.parse()
	back.parse()
	known := map[string]bool{"": true, "apiVersion": p.typ.Kind != "", "kind": p.typ.Kind != ""}
	zeros := p.zeros(r.up)
	var losing []*written
	note := func(key string, def *Field) {
		var value, returned []byte
		at := -1
		if n := src.get(key); n != nil {
			value, at = n.text, n.at
		}
		if n := back.get(key); n != nil {
			returned = r.memory.print(n)
		}
		if zero := zeros[key]; !sameCompleted(value, returned, ofMember(p.fits(r.up), key)) && (returned != nil || zero == nil || !same(value, zero)) {
			by := functions
			if splits[key] != nil {
				by = splits[key]
			}
			by.parts = append(by.parts, part{element{name: key, field: def}, at, value})
			if !slices.Contains(losing, by) {
				losing = append(losing, by)
			}
		}
	}
	for i := range p.typ.Fields {
		f := &p.typ.Fields[i]
		from, to := f.keys(r.up)
		// Other values that differ are tracked by themselves, unless a hook sets them on the way back.
		if !known[from] && (f.Hooked || to != "" && (functions.keys[to] || f.Value.IsZero() || !same(back.get(from).json(), unhooked.get(from).json()))) {
			note(from, f)
		}
		known[from] = true
	}
	for _, n := range []*node{src, back} {
		for i := range n.nodes {
			if key := n.name(i); !known[key] {
				note(key, nil)
				known[key] = true
			}
		}
	}
	for i := range p.typ.Fields {
		f := &p.typ.Fields[i]
		if from, to := f.keys(r.up); f.Hooked && from == "" && p.splitOf(to, r.up) == nil {
			functions.keys[to] = true
		}
	}
	for _, by := range losing {
		r.lost = append(r.lost, lossOf(by, out, src.at, p.fits(!r.up)))
	}
	return nil
}

// next returns the version that is next to the source's: the older one up, and the newer one down. "" is none.
func (t *Table) next(up bool, a, b string) string {
	if a == "" || b != "" && (t.order(b) < t.order(a)) == up {
		return b
	}
	return a
}

// keys returns the keys of a field in the source and in the destination.
func (f *Field) keys(up bool) (from, to string) {
	if up {
		return f.Older, f.Hub
	}
	return f.Hub, f.Older
}

// written are the keys that hooks have written in the destination.
type written struct {
	label string
	keys  map[string]bool
	// split is what has written them, nil for functions.
	split *Split
	// parts are the members of the source that do not come back from them.
	parts []part
}

// shown returns an object of what the destination shows.
func (w *written) shown(out *node) []byte {
	was := newObject()
	for _, key := range slices.Sorted(maps.Keys(w.keys)) {
		value := null
		if n := out.get(key); n != nil {
			value = n.append(nil)
		}
		was.set(key, newNode(value, -1))
	}
	return was.append(nil)
}

// splitOf returns the split that a key in the destination is of, or nil.
func (p *program) splitOf(key string, up bool) *Split {
	for i := range p.typ.Hooks {
		if s := p.typ.Hooks[i].Split; s != nil && slices.Contains(splitKeys(s, !up), key) {
			return s
		}
	}
	return nil
}

// zeros returns what Go writes for the absent fields that hooks of an object convert, by their keys in the
// source.
func (p *program) zeros(up bool) map[string][]byte {
	zeros := map[string][]byte{}
	for i := range p.typ.Fields {
		if f := &p.typ.Fields[i]; f.Hooked && up && f.OlderZero != nil {
			zeros[f.Older] = f.OlderZero
		} else if f.Hooked && !up && f.HubZero != nil {
			zeros[f.Hub] = f.HubZero
		}
	}
	for i := range p.typ.Hooks {
		s := p.typ.Hooks[i].Split
		switch {
		case s == nil:
		case up != s.Joined:
			zeros[s.Whole] = s.Zero
		default:
			for _, part := range s.Pattern {
				zeros[part.Key] = part.Zero
			}
		}
	}
	return zeros
}

// patch sets the members of an object that differ between two others, and notes their keys.
func (n *node) patch(before, after *node, written map[string]bool) {
	after.parse()
	for i, value := range after.nodes {
		key := after.name(i)
		was := before.get(key)
		if was != nil && same(was.text, value.text) {
			continue
		}
		if written != nil {
			written[key] = true
		}
		if has := n.get(key); has.is('{') && was.is('{') && value.is('{') {
			has.patch(was, value, nil)
			continue
		}
		n.set(key, n.memory.node(value.text, -1))
	}
	before.parse()
	for i := range before.nodes {
		if key := before.name(i); after.get(key) == nil {
			n.remove(key)
			if written != nil {
				written[key] = true
			}
		}
	}
}

// wasShown reports whether an object has the members that another had when a value of a hook was
// tracked. What Go writes for absent ones is none.
func (p *program) wasShown(object *node, was []byte, up bool) bool {
	members := newNode(was, 0)
	if !members.is('{') {
		return false
	}
	members.parse()
	zeros := p.zeros(up)
	for i := range members.nodes {
		key := members.name(i)
		var has []byte
		if n := object.get(key); n != nil {
			has = n.append(nil)
		}
		was := members.nodes[i].text
		if !sameUnset(present(has), present(was), zeros[key]) && !sameWritten(has, was, ofMember(p.fits(up), key)) {
			return false
		}
	}
	return true
}

// fits returns what refuses objects that the type of the older version cannot have, or of the hub; nil refuses none.
func (p *program) fits(older bool) Func {
	if older {
		return p.olderFits
	}
	return p.hubFits
}

// sameUnset reports whether two values are the same, or each is absent or the zero value that Go writes for an absent one.
func sameUnset(a, b, zero []byte) bool {
	unset := func(value []byte) bool { return value == nil || zero != nil && same(value, zero) }
	return same(a, b) || unset(a) && unset(b)
}
