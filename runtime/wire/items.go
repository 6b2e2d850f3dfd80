package wire

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

// Items of lists are known by their keys, those of sets by their values. A key can have other constants, or another
// type, in each version. A path has the key as the hub shows it, because each table converts between its older
// version and the hub. A key that does not come back is tracked like other values, and a path has the one that does.
// Items that have the same keys in the hub are known by their index.

// listIndex has the keys of a list's items as the hub shows them.
type listIndex struct {
	// names are the names of the keys in the list; without any, an item is its key.
	names []string
	// values are the keys of each item, nil for absent ones. plain has the items by their keys, -1 for
	// several items; nil if a key has other spellings.
	values [][][]byte
	plain  map[string]int
}

// pathTo returns the JSONPath of a value with the names of a version, and the lengths of the lists whose items it
// selects by index. The elements are innermost first, and out is the converted object.
func (r *run) pathTo(out *node, elements []element, version string) (path string, lengths []int) {
	t := r.table
	var b strings.Builder
	b.WriteByte('$')
	for i := range slices.Backward(elements) {
		e := &elements[i]
		list := out
		out = r.shownIn(out, e)
		switch {
		case e.list:
			if t.isSingle(e.wrapped(), version) {
				continue
			}
			if e.wrapped() != nil && !r.up {
				list = listOf(list)
			}
			selector := r.selector(e, list, version)
			if selector == "" {
				selector = strconv.Itoa(e.index)
				lengths = append(lengths, e.length)
			}
			b.WriteString("[" + selector + "]")
		case e.move != nil:
			for _, key := range t.keys(e.move, version) {
				b.WriteString(step(key))
			}
		case len(e.parts) > 0:
			for i, p := range e.parts {
				b.WriteString(map[bool]string{true: "[", false: ","}[i == 0] + single(t.name(p.field, p.name, version)))
			}
			b.WriteByte(']')
		case e.key:
			b.WriteString("[" + single(e.name) + "]")
		default:
			name := t.name(e.field, e.name, version)
			b.WriteString(step(name))
		}
	}
	return b.String(), lengths
}

// selector returns what selects an item of a list of the converted object by its keys, "" if only its index does.
func (r *run) selector(e *element, list *node, version string) string {
	if e.of == nil || e.of.def == nil || !e.of.def.Set && len(e.of.def.Keys) == 0 {
		return ""
	}
	var names []string
	for _, key := range e.of.def.Keys {
		names = append(names, r.table.name(e.of.keyField(key), key, version))
	}
	index := r.index(e.of, names, list, r.up, version)
	if e.index >= len(index.values) {
		return ""
	}
	keys := index.values[e.index]
	if index.find(keys) != e.index || !slices.ContainsFunc(keys, isScalar) {
		return ""
	}
	if e.of.def.Set {
		return "?@==" + scalar(keys[0])
	}
	var tests []string
	for i, name := range names {
		if !isScalar(keys[i]) {
			tests = append(tests, "!@"+step(name))
		} else {
			tests = append(tests, "@"+step(name)+"=="+scalar(keys[i]))
		}
	}
	return "?" + strings.Join(tests, " && ")
}

// keyField returns the field that is a key of a list's items in both versions, nil if it is the same in both.
func (v *value) keyField(key string) *Field {
	if v.elem != nil {
		for i := range v.elem.Fields {
			if f := &v.elem.Fields[i]; f.Hub == key && f.Older != "" {
				return f
			}
		}
	}
	return nil
}

// wrapped returns the list of an item, if that is a single value in some version.
func (e *element) wrapped() *Value {
	if e.of != nil && (e.of.wrap || e.of.unwrap) {
		return e.of.def
	}
	return nil
}

// find returns the index of the item of a list that an element of a path selects, or -1. The index in the path is
// that in list, which has a length. Its keys are those of the list from, of the hub or of the older version.
func (r *run) find(v *value, e *element, list *node, length int, from *node, inHub bool, version string) int {
	switch {
	case e.implied && len(list.items()) > 0 && length > 0:
		return 0
	case e.keys == nil && e.set == nil && e.index < len(list.items()) && e.length == length:
		return e.index
	case e.keys == nil && e.set == nil:
		return -1
	}
	var names []string
	values := [][]byte{e.set}
	if e.set == nil {
		values = nil
		for _, k := range e.keys {
			names, values = append(names, k.name), append(values, k.value)
		}
	}
	return r.index(v, names, from, inHub, version).find(values)
}

// index returns the index of a list of the hub or of the older version, by keys with the names of a version.
func (r *run) index(v *value, names []string, list *node, inHub bool, version string) *listIndex {
	index := &listIndex{}
	toHub := make([]*value, max(1, len(names)))
	for i := range toHub {
		key := target{value: each(v)}
		if len(names) > 0 {
			key = r.table.follow(key, &element{name: names[i]}, version, r.up)
			name := key.from
			if inHub != !r.up {
				name = key.to
			}
			index.names = append(index.names, name)
		}
		switch {
		case inHub:
		case r.up:
			toHub[i] = key.value
		default:
			toHub[i] = key.value.reverse()
		}
	}
	if known := r.indexes[list]; known != nil && slices.Equal(known.names, index.names) {
		return known
	}
	items := list.items()
	index.values, index.plain = make([][][]byte, len(items)), make(map[string]int, len(items))
	for i, item := range items {
		values := make([][]byte, len(toHub))
		for j, convert := range toHub {
			n := item
			if len(names) > 0 {
				n = item.get(index.names[j])
			}
			if n == nil {
				continue
			}
			value := n.append(nil)
			if converted, err := r.alone(convert, value); err == nil {
				value = converted
			}
			values[j] = present(value)
		}
		index.values[i] = values
		if id, ok := plainID(values); !ok {
			index.plain = nil
		} else if index.plain != nil {
			if _, repeated := index.plain[id]; repeated {
				i = -1
			}
			index.plain[id] = i
		}
	}
	if r.indexes == nil {
		r.indexes = map[*node]*listIndex{}
	}
	r.indexes[list] = index
	return index
}

// find returns the index of the item with keys, or -1 if it is not one.
func (x *listIndex) find(keys [][]byte) int {
	if x.plain != nil {
		if id, ok := plainID(keys); ok {
			if i, ok := x.plain[id]; ok {
				return i
			}
			return -1
		}
	}
	found := -1
	for i, values := range x.values {
		switch {
		case !slices.EqualFunc(values, keys, sameKey):
		case found >= 0:
			return -1 // the list is not one of unique items
		default:
			found = i
		}
	}
	return found
}

// sameKey reports whether keys are equal. An empty one is like an absent one, which Go may write in its
// place.
func sameKey(a, b []byte) bool { return same(a, b) || isNoKey(a) && isNoKey(b) }

func isNoKey(key []byte) bool { return present(key) == nil || isEmpty(key) }

// plainID returns a text that keys share only if they are the same; false for keys that have several spellings.
func plainID(keys [][]byte) (string, bool) {
	var id []byte
	for _, key := range keys {
		if !isNoKey(key) {
			if !isPlain(key) {
				return "", false
			}
			id = append(id, key...)
		}
		id = append(id, ',')
	}
	return string(id), true
}

// isPlain reports whether a value is a string without escapes or a short integer. Two of them are the same
// only if their texts are.
func isPlain(value []byte) bool {
	switch {
	case len(value) == 0:
		return false
	case value[0] == '"':
		return bytes.IndexByte(value, '\\') < 0
	}
	start := len(value) - len(bytes.TrimPrefix(value, []byte("-")))
	return digits(value, start) == len(value) && len(value) > start && len(value) < 19 && string(value) != "-0"
}

// wrote notes that members with these keys were written in the converted object.
func (r *run) wrote(keys ...string) {
	for _, index := range r.indexes {
		for _, key := range keys {
			if slices.Contains(index.names, key) {
				clear(r.indexes)
				return
			}
		}
	}
}
