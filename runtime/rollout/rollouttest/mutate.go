package rollouttest

import "strconv"

// mutator mutates objects at random paths, to values that are likely to matter.
type mutator struct {
	choose chooser
	know   *knowledge
}

// change returns a mutated copy of a tree.
func (m *mutator) change(s *shape, tree any) any { return m.value(s, "", copyTree(tree), 0) }

// value mutates v, which is at a generic path.
func (m *mutator) value(s *shape, at string, v any, depth int) any {
	switch v := v.(type) {
	case map[string]any:
		switch s.kind {
		case object:
			return m.object(s, at, v, depth)
		case dict:
			return m.dict(s, at, v, depth)
		}
	case []any:
		if s.kind == list {
			return m.list(s, at, v, depth)
		}
	case string:
		if s.kind == text {
			return m.text(at, v)
		}
	case int64:
		if s.kind == integer {
			return m.integer(s, at, v)
		}
	case bool:
		if s.kind == boolean {
			return !v
		}
	}
	if s.kind == opaque && len(s.samples) == 0 {
		return v
	}
	return m.fresh(s, at, depth)
}

func (m *mutator) object(s *shape, at string, v map[string]any, depth int) any {
	if len(s.fields) == 0 {
		return v
	}
	f := pick(m.choose, s.fields)
	old, ok := v[f.name]
	switch choice := m.choose.IntN(8); {
	case !ok || choice == 1:
		v[f.name] = m.fresh(f.shape, join(at, f.name), depth+1)
	case choice == 2:
		delete(v, f.name)
	default:
		v[f.name] = m.value(f.shape, join(at, f.name), old, depth+1)
	}
	return v
}

func (m *mutator) list(s *shape, at string, v []any, depth int) any {
	inside := at + "[*]"
	choice := m.choose.IntN(9)
	if len(v) == 0 {
		return append(v, m.fresh(s.elem, inside, depth+1))
	}
	i := m.choose.IntN(len(v))
	switch choice {
	case 1:
		return append(v, m.fresh(s.elem, inside, depth+1))
	case 2:
		return append(v, copyTree(v[i]))
	case 3:
		return append(v[:i], v[i+1:]...)
	case 4:
		return m.resize(at, v, i)
	case 5:
		j := m.choose.IntN(len(v))
		v[i], v[j] = v[j], v[i]
	case 6:
		if s.nullable {
			v[i] = nil
		}
	default:
		v[i] = m.value(s.elem, inside, v[i], depth+1)
	}
	return v
}

// resize changes the length of a list to one that is likely to matter, by copying
// the i-th item. The copies differ in their first string, as sets and lists of
// named items require.
func (m *mutator) resize(at string, v []any, i int) []any {
	n := m.length(at, mostItems)
	for len(v) < n {
		v = append(v, distinct(copyTree(v[i]), len(v)))
	}
	return v[:n]
}

// distinct changes the first string of an item, or the item if it is a number.
func distinct(item any, n int) any {
	switch item := item.(type) {
	case string:
		return item + strconv.Itoa(n)
	case int64:
		return item + int64(n)
	case map[string]any:
		for _, key := range sortedKeys(item) {
			if s, ok := item[key].(string); ok {
				item[key] = s + strconv.Itoa(n)
				break
			}
		}
	}
	return item
}

func (m *mutator) dict(s *shape, at string, v map[string]any, depth int) any {
	inside := at + "[*]"
	keys := sortedKeys(v)
	choice := m.choose.IntN(8)
	if len(keys) == 0 {
		choice = 1
	}
	switch choice {
	case 1:
		v[m.text(at, "")] = m.fresh(s.elem, inside, depth+1)
	case 2:
		delete(v, pick(m.choose, keys))
	case 3:
		key := pick(m.choose, keys)
		value := v[key]
		delete(v, key)
		v[m.text(at, key)] = value
	case 4:
		key := pick(m.choose, keys)
		for n := m.length(at, mostItems); len(v) < n; {
			v[key+strconv.Itoa(len(v))] = copyTree(v[key])
		}
	default:
		key := pick(m.choose, keys)
		v[key] = m.value(s.elem, inside, v[key], depth+1)
	}
	return v
}

// deepest limits the depth of fresh values of recursive types.
const deepest = 12

// fresh returns a new value.
func (m *mutator) fresh(s *shape, at string, depth int) any {
	switch s.kind {
	case object:
		v := map[string]any{}
		for _, f := range s.fields {
			if depth < deepest && m.choose.IntN(2) == 1 {
				v[f.name] = m.fresh(f.shape, join(at, f.name), depth+1)
			}
		}
		return v
	case list:
		v := []any{}
		for depth < deepest && len(v) < 4 && m.choose.IntN(3) > 0 {
			v = append(v, m.fresh(s.elem, at+"[*]", depth+1))
		}
		return v
	case dict:
		v := map[string]any{}
		for depth < deepest && len(v) < 4 && m.choose.IntN(3) > 0 {
			v[m.text(at, "")] = m.fresh(s.elem, at+"[*]", depth+1)
		}
		return v
	case text:
		return m.text(at, "")
	case integer:
		return m.integer(s, at, 0)
	case number:
		return pick(m.choose, []any{int64(0), 0.5, int64(1), int64(-1), 1e9})
	case boolean:
		return m.choose.IntN(2) == 1
	}
	if len(s.samples) == 0 {
		return nil
	}
	return pick(m.choose, s.samples)
}
