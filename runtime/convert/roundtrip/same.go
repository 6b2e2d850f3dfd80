package roundtrip

import "strconv"

// difference is where two trees differ.
type difference struct{ path, a, b string }

// comparison compares trees of a type: nothing differs that the type cannot tell apart.
type comparison struct {
	// encoded means that the trees are of Go objects, which leave out empty lists and maps.
	encoded bool
}

// diff returns where two trees differ; nil if they do not. Without a shape each byte of scalars counts, and each key.
func (c comparison) diff(a, b *node, s *shape) *difference {
	switch {
	case a == b:
		return nil
	case a.kind != b.kind:
		return &difference{"", a.String(), b.String()}
	case a.kind == '{':
		return c.objects(a, b, s)
	case a.kind == '[':
		if len(a.items) != len(b.items) {
			return &difference{"", a.String(), b.String()}
		}
		for i := range a.items {
			if d := c.diff(a.items[i], b.items[i], s.item()); d != nil {
				return d.below(index(i))
			}
		}
		return nil
	case a.text == b.text || s != nil && same(a.text, b.text):
		return nil
	}
	return &difference{"", a.text, b.text}
}

// below adds a step before the path.
func (d *difference) below(step string) *difference {
	d.path = step + d.path
	return d
}

func (c comparison) objects(a, b *node, s *shape) *difference {
	for i, spelled := range a.keys {
		key := plain(spelled)
		var other *node
		if i < len(b.keys) && b.keys[i] == spelled { // most objects have the same order
			other = b.items[i]
		} else {
			other = b.get(key)
		}
		if d := c.member(a.items[i], other, s, key); d != nil {
			return d.below("." + key)
		}
	}
	for i, spelled := range b.keys {
		if i < len(a.keys) && a.keys[i] == spelled {
			continue
		}
		if key := plain(spelled); a.get(key) == nil {
			if d := c.member(nil, b.items[i], s, key); d != nil {
				return d.below("." + key)
			}
		}
	}
	return nil
}

// member compares a member of two objects, one of which may lack it.
func (c comparison) member(a, b *node, s *shape, key string) *difference {
	if a == b {
		return nil
	}
	f := s.field(key)
	switch absentA, absentB := c.isAbsent(a, f), c.isAbsent(b, f); {
	case absentA && absentB:
		return nil
	case a == nil:
		return &difference{"", "nothing", b.String()}
	case b == nil:
		return &difference{"", a.String(), "nothing"}
	}
	return c.diff(a, b, s.at(key))
}

// isAbsent reports whether the Go type of a field cannot tell a value from an absent one. f is nil for members of maps and for
// unknown fields.
func (c comparison) isAbsent(n *node, f *field) bool {
	switch {
	case n == nil:
		return true
	case f == nil:
		return false
	case n.text == "null":
		return true
	case c.encoded && c.isEmpty(n, f.shape):
		return true
	}
	return !f.pointer && c.isZero(n, f.shape)
}

// isEmpty reports whether Go may leave out a value.
func (c comparison) isEmpty(n *node, s *shape) bool {
	return n.kind == '[' && len(n.items) == 0 || n.kind == '{' && len(n.items) == 0 && s.form == mapForm || s.form == bytesForm && n.text == `""`
}

// isZero reports whether a value is the zero value of a type.
func (c comparison) isZero(n *node, s *shape) bool {
	switch s.form {
	case structForm:
		if n.kind != '{' || s.filled && !c.encoded {
			return false
		}
		for i, key := range n.keys {
			if !c.isAbsent(n.items[i], s.field(plain(key))) {
				return false
			}
		}
		return true
	case mapForm:
		return n.kind == '{' && len(n.items) == 0
	case bytesForm, anyForm:
		return false
	}
	if s.zero == "" || n.kind == '{' {
		return false
	}
	return n.kind == 's' && s.zero[0] != '[' && same(n.text, s.zero) || n.kind == '[' && n.canonical() == s.zero
}

// same reports whether two scalars have the same value.
func same(a, b string) bool {
	if a == b {
		return true
	}
	if a[0] == '"' && b[0] == '"' {
		return plain(a) == plain(b)
	}
	x, xErr := strconv.ParseFloat(a, 64)
	y, yErr := strconv.ParseFloat(b, 64)
	return xErr == nil && yErr == nil && x == y
}

func index(i int) string { return "[" + strconv.Itoa(i) + "]" }
