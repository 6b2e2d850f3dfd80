package jsonconvert

import (
	"fmt"
	"maps"
	"slices"
)

// A direction is the side of its source: that of the older version, or that of the newer one.
const (
	older = 0
	newer = 1
)

// rules are a Type, ready to convert. Index 0 is the older version and 1 the newer one; as a direction it is the side of the
// source.
type rules struct {
	name string
	// id is the number of the type's shape, and slot that of the step.
	id, slot int
	fields   []field
	by       [2]map[string]*field
	// mask has the bits of the keys of by: most keys of an object are in neither.
	mask  uint64
	fills []*field
	moves []move
	hooks []hook
	value *value
	enum  [2]map[string]*node
	isOf  [2]map[string]string
	whole [2]Func
	// isEnum, and what converts other values than objects, if there is any.
	isEnum bool
	// root is the value of an object of the type.
	root value
}

type field struct {
	key [2]Key
	val *value
	// fill is the default, or fillBy returns it, which lower converts from the newest version.
	fill   *node
	fillBy Func
	lower  []*value
}

type value struct {
	typ  *rules
	elem *value
	list *value
	// call converts the value as a whole in a direction; nil copies it. lift and lower convert arguments and results between
	// the version of the source, or of the destination, and the newest one, in their order.
	isCall bool
	call   [2]Func
	lift   [2][]*value
	lower  [2][]*value
	keys   [2][]string
	set    bool
}

type move struct {
	path [2][]PathKey
	keys [2][]string
	// in is what a label or an annotation is in.
	in  [2]string
	val *value
}

type hook struct {
	call  [2]Func
	split *Split
	keys  [2][]string
	// before converts the fields that functions see of the older version, and object the object of the newer version.
	before map[string]ends
	object ends
}

// ends convert between a version and the newest one.
type ends struct{ lift, lower []*value }

// bit returns the bit of a key in a mask.
func bit(key string) uint64 {
	if key == "" {
		return 1
	}
	return 1 << ((uint(len(key)) + uint(key[0])*7 + uint(key[len(key)-1])*13) & 63)
}

// isFilled reports whether the newer version has a default for a field. It replaces what is tracked for the field. Clients cannot
// edit the field in the older version, so it needs no guard: a default may change, and functions are not called for guards.
func (f *field) isFilled() bool { return f != nil && (f.fill != nil || f.fillBy != nil) }

// fewFields is the number of fields up to which comparing names is faster than a map.
const fewFields = 8

// field returns the field that a version has under a name; nil if there is none.
func (r *rules) field(side int, name string) *field {
	if name == "" || r.mask&bit(name) == 0 {
		return nil
	}
	if len(r.fields) > fewFields {
		return r.by[side][name]
	}
	for i := range r.fields {
		if f := &r.fields[i]; f.key[side].Name == name {
			return f
		}
	}
	return nil
}

// compiler makes the rules of an API.
type compiler struct {
	api   *API
	rules []map[string]*rules
	err   error
}

func (c *compiler) compile() error {
	c.rules = make([]map[string]*rules, len(c.api.Steps))
	for k := range c.api.Steps {
		c.rules[k] = map[string]*rules{}
		for name := range c.api.Steps[k].Types {
			c.rules[k][name] = &rules{name: name}
			c.rules[k][name].root.typ = c.rules[k][name]
		}
	}
	for k := range c.api.Steps {
		for _, name := range slices.Sorted(maps.Keys(c.api.Steps[k].Types)) {
			c.typ(k, c.rules[k][name], c.api.Steps[k].Types[name])
		}
	}
	return c.err
}

func (c *compiler) function(name string) Func {
	if name == "" {
		return nil
	}
	fn := c.api.Funcs[name]
	if fn == nil {
		if c.err == nil {
			c.err = fmt.Errorf("the function %s is missing", name)
		}
		return nil
	}
	return func(value []byte) (out []byte, err error) {
		defer func() {
			if p := recover(); p != nil {
				out, err = nil, &Error{Reason: Failed, Err: fmt.Errorf("the conversion function panicked: %v", p)}
			}
		}()
		return fn(value)
	}
}

func (c *compiler) typ(k int, r *rules, t *Type) {
	r.whole = [2]Func{c.function(t.Up), c.function(t.Down)}
	if t.Value != nil {
		r.value = c.value(k, t.Value)
	}
	if t.Enum != nil {
		r.isEnum = true
		for d, cases := range []map[string]string{t.Enum.Up, t.Enum.Down} {
			r.enum[d], r.isOf[d] = map[string]*node{}, map[string]string{}
			for from, to := range cases {
				from, to = spelled(from), spelled(to)
				r.enum[d][from], r.isOf[d][from] = constant(to), to
			}
		}
	}
	r.by = [2]map[string]*field{{}, {}}
	r.fields = make([]field, len(t.Fields))
	for i := range t.Fields {
		def, f := &t.Fields[i], &r.fields[i]
		f.key = [2]Key{def.Older, def.Newer}
		if f.val = c.value(k, &def.Value); len(def.Default) > 0 {
			f.fill = constant(string(def.Default))
		}
		if f.fillBy = c.function(def.DefaultFunc); f.fillBy != nil && def.Result != nil {
			f.lower = c.lower(def.Result, k+1)
		}
		if f.fill != nil || f.fillBy != nil {
			r.fills = append(r.fills, f)
		}
		for side := range f.key {
			if name := f.key[side].Name; name != "" {
				if len(t.Fields) > fewFields {
					r.by[side][name] = f
				}
				r.mask |= bit(name)
			}
		}
	}
	for i := range t.Moves {
		def := &t.Moves[i]
		m := move{path: [2][]PathKey{def.Older, def.Newer}, val: c.value(k, &def.Value)}
		for side, path := range m.path {
			for _, at := range path {
				m.keys[side] = append(m.keys[side], at.Name)
			}
			if above := len(path) - 2; above >= 0 {
				m.in[side] = path[above].Name
			}
		}
		r.moves = append(r.moves, m)
	}
	for i := range t.Hooks {
		def := &t.Hooks[i]
		h := hook{call: [2]Func{c.function(def.Up), c.function(def.Down)}, split: def.Split, keys: [2][]string{def.Older, def.Newer}}
		if def.Split == nil {
			h.before = map[string]ends{}
			for key, v := range def.Before {
				h.before[key] = ends{c.lift(&v, k), c.lower(&v, k)}
			}
			object := Value{Type: def.Type}
			h.object = ends{c.lift(&object, k+1), c.lower(&object, k+1)}
		}
		r.hooks = append(r.hooks, h)
	}
}

// value returns nil for a value that is copied.
func (c *compiler) value(k int, v *Value) *value {
	out := &value{keys: [2][]string{v.OlderKeys, v.NewerKeys}, set: v.Set}
	switch {
	case v.Type != "":
		if out.typ = c.rules[k][v.Type]; out.typ == nil {
			return nil
		}
	case v.Elem != nil:
		if out.elem = c.value(k, v.Elem); out.elem == nil {
			return nil
		}
	case v.List != nil:
		if out.list = c.value(k, v.List); out.list == nil {
			out.list = &value{}
		}
	case v.Call != nil:
		out.isCall = true
		out.call = [2]Func{c.function(v.Call.Up), c.function(v.Call.Down)}
		if t := v.Call.Transform; t != nil {
			for d := range out.call {
				out.call[d] = t.prepared(d == older)
			}
		}
		out.lift = [2][]*value{c.lift(&v.Call.From, k), c.lift(&v.Call.To, k+1)}
		out.lower = [2][]*value{c.lower(&v.Call.To, k+1), c.lower(&v.Call.From, k)}
	default:
		return nil
	}
	return out
}

// lift returns the conversions of a type from a version to the newest one.
func (c *compiler) lift(v *Value, version int) (list []*value) {
	of := v
	for of.Elem != nil {
		of = of.Elem
	}
	for k := version; k < len(c.api.Steps); k++ {
		if step := c.value(k, v); step != nil {
			list = append(list, step)
		}
		if t := c.api.Steps[k].Types[of.Type]; t != nil && t.ToNewest {
			break
		}
	}
	return list
}

// lower returns the conversions of a type from the newest version to another.
func (c *compiler) lower(v *Value, version int) []*value {
	list := c.lift(v, version)
	slices.Reverse(list)
	return list
}

// shapes returns what conversions look at in the values of each type.
func (c *compiler) shapes() map[string]*shape {
	shapes := map[string]*shape{}
	for k := range c.api.Steps {
		for name := range c.api.Steps[k].Types {
			if shapes[name] == nil {
				shapes[name] = &shape{id: firstShape + len(shapes), members: map[string]*shape{}}
			}
			c.rules[k][name].id, c.rules[k][name].slot = shapes[name].id, k
		}
	}
	for k := range c.api.Steps {
		for name, t := range c.api.Steps[k].Types {
			s := shapes[name]
			for i := range t.Fields {
				f := &t.Fields[i]
				for _, key := range []string{f.Older.Name, f.Newer.Name} {
					if below := shapeOf(shapes, &f.Value); key != "" && below != nil {
						s.members[key] = below
					}
				}
			}
			if t.Value != nil {
				if below := shapeOf(shapes, t.Value); below != nil {
					s.items = below.items
				}
			}
		}
	}
	for i, kind := range c.api.Kinds {
		if s := shapes[kind.Name]; s != nil && kind.Store == Annotation {
			of := s.members["metadata"]
			if of == nil {
				of = &shape{id: firstShape + len(shapes) + i, members: map[string]*shape{}}
				s.members["metadata"] = of
			}
			if of.members["annotations"] == nil {
				of.members["annotations"] = &shape{}
			}
		}
	}
	return shapes
}

func shapeOf(shapes map[string]*shape, v *Value) *shape {
	switch {
	case v.Type != "":
		return shapes[v.Type]
	case v.Elem != nil:
		if below := shapeOf(shapes, v.Elem); below != nil {
			return &shape{items: below}
		}
	case v.List != nil:
		if below := shapeOf(shapes, v.List); below != nil {
			return &shape{members: below.members, items: below}
		}
	}
	return nil
}
