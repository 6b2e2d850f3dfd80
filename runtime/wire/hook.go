package wire

import (
	"bytes"
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
	return bytes.Join([][]byte{[]byte("["), a, []byte(","), b, []byte("]")}, nil)
}

// hook is called after the conversion of an object.
type hook struct {
	fn Func
	// label is the version under which what does not come back is tracked, or "".
	label string
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
		if name := c.function(def.Up, def.Down); name != "" {
			if h.fn = c.funcs[name]; h.fn == nil {
				return c.noFunc(name)
			}
		}
		p.hooks = append(p.hooks, h)
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
	written := map[string]bool{}
	label := ""
	for _, h := range p.hooks {
		if h.label != "" {
			label = h.label
		}
		if h.fn == nil {
			continue
		}
		result, err := call(h.fn, pair(src.text, out.append(nil)))
		if err != nil {
			return err
		}
		objects := newNode(result, 0).items()
		out.patch(objects[0], objects[1], written)
	}
	if !r.recording || label == "" {
		return nil
	}
	shown := out.append(nil)
	back := newObject()
	if text, err := r.alone(&value{object: p.back}, shown); err == nil {
		back = newNode(bytes.TrimSpace(text), -1)
	}
	was := newObject()
	for _, key := range slices.Sorted(maps.Keys(written)) {
		if n := out.get(key); n != nil {
			was.set(key, newNode(n.append(nil), -1))
		} else {
			was.set(key, newNode([]byte("null"), -1))
		}
	}
	src.parse()
	back.parse()
	known := map[string]bool{"": true}
	note := func(key string, def *Field) {
		var value, returned []byte
		at := -1
		if n := src.get(key); n != nil {
			value, at = n.text, n.at
		}
		if n := back.get(key); n != nil {
			returned = n.append(nil)
		}
		if !same(value, returned) {
			r.lost = append(r.lost, loss{label: label, hooked: src.at + 1, at: at, value: value, was: was.append(nil), path: []element{{name: key, field: def}}})
		}
	}
	for i := range p.typ.Fields {
		f := &p.typ.Fields[i]
		from, to := f.Hub, f.Older
		if r.up {
			from, to = to, from
		}
		// Other values that differ are tracked by themselves.
		if !known[from] && (f.Hooked || to != "" && (written[to] || f.Value.IsZero())) {
			note(from, f)
		}
		known[from] = true
	}
	for _, key := range slices.Concat(src.names, back.names) {
		if !known[key] {
			note(key, nil)
		}
		known[key] = true
	}
	return nil
}

// patch sets the members of an object that differ between two others, and notes their keys.
func (n *node) patch(before, after *node, written map[string]bool) {
	after.parse()
	for i, key := range after.names {
		value := after.nodes[i]
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
		n.set(key, newNode(value.text, -1))
	}
	before.parse()
	for _, key := range before.names {
		if after.get(key) == nil {
			n.remove(key)
			if written != nil {
				written[key] = true
			}
		}
	}
}

// wasShown reports whether an object has the members that another had when a value of a hook was
// tracked.
func wasShown(object *node, was []byte) bool {
	members := newNode(was, 0)
	if !members.is('{') {
		return false
	}
	members.parse()
	for i, key := range members.names {
		var has []byte
		if n := object.get(key); n != nil {
			has = n.append(nil)
		}
		if !same(has, members.nodes[i].text) {
			return false
		}
	}
	return true
}
