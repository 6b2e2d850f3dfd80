package jsonconvert

// restoreStored returns an object of a version without the objects of other versions that conversions which people wrote have
// stored in its annotations, as Cluster API's MarshalData does.
//
// It adds the tracked values that a conversion of the stored object to the version makes. So the conversion that follows restores
// them as if it had stored them itself: a value that was edited since wins over them. An annotation that cannot be read stays,
// and counts as dropped.
func (c *Converter) restoreStored(m *memory, x *node, t *tracked, kind *compiledKind, version int) *node {
	for _, r := range c.api.Restores {
		annotations := m.get(x, "metadata", "annotations")
		data := m.get(annotations, plainKey(r.Annotation))
		if data == nil {
			continue
		}
		of, ok := c.storedTracked(m, data, r.Version, kind, version)
		if !ok {
			c.dropped.Add(1)
			continue
		}
		if annotations = m.with(annotations, plainKey(r.Annotation), nil); len(annotations.items) == 0 {
			annotations = nil
		}
		x = m.put(x, annotations, "metadata", "annotations")
		for k, values := range of {
			t.of[k] = m.merged(t.of[k], values)
		}
	}
	return x
}

// storedTracked returns the tracked values that the conversion of a stored object makes; false if it cannot be converted, or if they are
// too large to be tracked.
func (c *Converter) storedTracked(m *memory, data *node, otherwise string, kind *compiledKind, version int) ([]*node, bool) {
	text, ok := data.string()
	if !ok {
		return nil, false
	}
	n, err := m.parse(text)
	if err != nil || n.kind != '{' {
		return nil, false
	}
	of := c.version(otherwise)
	if is, _ := m.get(n, "apiVersion").string(); is != "" {
		of = -1
		for k := range c.api.Versions {
			if c.apiVersion(k) == is {
				of = k
			}
		}
	}
	if is, _ := m.get(n, "kind").string(); of < 0 || is != "" && is != kind.Name {
		return nil, false
	}
	t := &tracked{of: make([]*node, len(c.api.Versions))}
	_, err = c.steps(m, kind, m.with(n, "metadata", nil), t, of, version)
	return t.of, err == nil && t.size <= maxTracked
}

// merged returns the tracked values of two lists. Of those with the same path the first counts.
func (m *memory) merged(own, others *node) *node {
	switch {
	case others == nil:
		return own
	case m.look(own) == nil || own.kind != '[':
		return others
	}
	known := map[string]bool{}
	for _, e := range own.items {
		path, _ := m.get(e, "jsonPath").string()
		known[path] = true
	}
	items := append(make([]*node, 0, len(own.items)), own.items...)
	for _, e := range m.look(others).items {
		if path, _ := m.get(e, "jsonPath").string(); !known[path] {
			items = append(items, e)
		}
	}
	return m.build('[', nil, items)
}
