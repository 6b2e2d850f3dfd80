package jsonconvert

import "slices"

// Go's JSON of an object may lack what the JSON has that it was decoded from. Go leaves out an empty struct with omitzero, or writes one
// without, which is a difference if a version has a default for a field of the struct. And it leaves out an empty list with omitempty,
// which a function may have returned. Conversions of Go objects keep what is lacking like any other loss, as tracked values for the version
// of the object itself.

// CanLack reports whether Go's JSON of a kind in a version may lack what Complete keeps.
func (c *Converter) CanLack(kind, version string) bool {
	if k := c.version(version); k < 0 || c.kinds[kind] == nil || c.kinds[kind].schemas[k] == nil {
		return false
	}
	return c.HasFilled(kind, version) || slices.ContainsFunc(c.api.Steps, func(s Step) bool {
		for _, t := range s.Types {
			isMade := func(f Field) bool { return f.Value.isMade() }
			if t.Up != "" || t.Down != "" || len(t.Moves)+len(t.Hooks) > 0 || t.Value.isMade() || slices.ContainsFunc(t.Fields, isMade) {
				return true
			}
		}
		return false
	})
}

// isMade reports whether a conversion makes another value of a value, or of a part.
func (v *Value) isMade() bool { return v != nil && (v.Call != nil || v.List != nil || v.Elem.isMade()) }

// HasFilled reports whether a kind has structs in a version, without a pointer, for whose fields a version has defaults.
func (c *Converter) HasFilled(kind, version string) bool {
	k := c.version(version)
	if k < 0 || c.kinds[kind] == nil {
		return false
	}
	v := &c.api.Versions[k]
	seen := map[*Schema]bool{}
	var isIn func(s *Schema) bool
	isIn = func(s *Schema) bool {
		if s = v.resolve(s); s == nil || seen[s] {
			return false
		}
		seen[s] = true
		for _, f := range s.Fields {
			if of := v.resolve(f); of != nil && of.Filled && !f.Pointer || isIn(f) {
				return true
			}
		}
		return isIn(s.Elem)
	}
	return isIn(c.kinds[kind].schemas[k])
}

// Complete returns the JSON of an object with tracked values for what written lacks, which is the JSON of the Go object that it is decoded
// to. It returns the object itself if nothing is lacking. Conversions of what written becomes restore it first.
func (c *Converter) Complete(object, written []byte) ([]byte, error) {
	m := c.memories.Get().(*memory)
	defer func() { m.reset(); c.memories.Put(m) }()
	h, err := c.head(m, stringOf(object), nil)
	if err != nil {
		return nil, err
	}
	is, err := m.parse(stringOf(written))
	if err != nil || h.kind.Store == Untracked {
		return object, err
	}
	is, _ = c.detach(m, is, h.kind)
	x, t := c.detach(m, h.object, h.kind)
	d := differ{m: m, known: &c.api.Versions[h.version]}
	d.diff(unchanged, h.kind.schemas[h.version], nil, m.body(is), m.body(x))
	if d.err != nil || len(d.out) == 0 {
		return object, d.err
	}
	own := m.encode(d.out)
	t.of[h.version], t.size = own, len(own.raw)
	if x, err = c.attach(m, x, t, h.version, h.kind); err != nil {
		return nil, err
	}
	return x.write(nil), nil
}

// body returns an object without what conversions of Go objects copy.
func (m *memory) body(n *node) *node {
	for _, key := range []string{"apiVersion", "kind", "metadata"} {
		n = m.with(n, key, nil)
	}
	return n
}

// restoreOwn restores in an object what Go's JSON of it lacks.
func (c *Converter) restoreOwn(m *memory, kind *compiledKind, x *node, t *tracked, at int) *node {
	own := t.of[at]
	t.of[at] = nil
	if own == nil || t.former {
		return x
	}
	x, edit := c.restore(m, unchanged, x, own, false, kind, at, older)
	if edit != nil {
		t.restored = at + 1
	}
	return x
}
