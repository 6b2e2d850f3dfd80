package wire

import (
	"bytes"
	"slices"
	"strconv"
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
	if r.scratch == nil {
		r.scratch = make([]byte, 0, 4*minBlock)
	}
	r.scratch = append(r.scratch[:0], '$')
	b := r.scratch
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
			var selects bool
			if b, selects = r.appendSelector(append(b, '['), e, list, version); !selects {
				b = strconv.AppendInt(b, int64(e.index), 10)
				lengths = append(lengths, e.length)
			}
			b = append(b, ']')
		case e.move != nil:
			for _, key := range t.keys(e.move, version) {
				b = appendStep(b, key)
			}
		case len(e.parts) > 0:
			for i, p := range e.parts {
				b = append(b, map[bool]byte{true: '[', false: ','}[i == 0])
				b = appendSingle(b, t.name(p.field, p.name, version))
			}
			b = append(b, ']')
		case e.key:
			b = append(appendSingle(append(b, '['), e.name), ']')
		default:
			b = appendStep(b, t.name(e.field, e.name, version))
		}
	}
	r.scratch = b
	return string(b), lengths
}

// appendSelector appends what selects an item of a list of the converted object by its keys; false if only its index
// does.
func (r *run) appendSelector(b []byte, e *element, list *node, version string) ([]byte, bool) {
	if e.of == nil || e.of.def == nil || !e.of.def.Set && len(e.of.def.Keys) == 0 {
		return b, false
	}
	var buffer [2]string
	names := buffer[:0]
	for _, key := range e.of.def.Keys {
		names = append(names, r.table.name(e.of.keyField(key), key, version))
	}
	index := r.index(e.of, names, list, r.up, version)
	if e.index >= len(index.values) {
		return b, false
	}
	keys := index.values[e.index]
	if index.find(keys) != e.index || !slices.ContainsFunc(keys, isScalar) {
		return b, false
	}
	b = append(b, '?')
	if e.of.def.Set {
		return appendScalar(append(b, "@=="...), keys[0]), true
	}
	for i, name := range names {
		if i > 0 {
			b = append(b, " && "...)
		}
		if !isScalar(keys[i]) {
			b = appendStep(append(b, "!@"...), name)
		} else {
			b = appendScalar(append(appendStep(append(b, '@'), name), "=="...), keys[i])
		}
	}
	return b, true
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
	var namesBuffer [2]string
	var valuesBuffer [2][]byte
	names, values := namesBuffer[:0], append(valuesBuffer[:0], e.set)
	if e.set == nil {
		values = values[:0]
		for i := range e.keys {
			names, values = append(names, e.keys[i].name), append(values, e.keys[i].value)
		}
	}
	return r.index(v, names, from, inHub, version).find(values)
}

// index returns the index of a list of the hub or of the older version, by keys with the names of a version.
func (r *run) index(v *value, names []string, list *node, inHub bool, version string) *listIndex {
	var keysBuffer [2]target
	var namesBuffer [2]string
	keys, inList := append(keysBuffer[:0], target{value: each(v)}), namesBuffer[:0]
	if len(names) > 0 {
		item := keys[0]
		keys = keys[:0]
		for _, name := range names {
			key := r.table.follow(item, &element{name: name}, version, r.up)
			if name = key.from; inHub != !r.up {
				name = key.to
			}
			keys, inList = append(keys, key), append(inList, name)
		}
	}
	if known := r.indexes[list]; known != nil && slices.Equal(known.names, inList) {
		return known
	}
	items := list.items()
	index := &listIndex{names: slices.Clone(inList), values: make([][][]byte, len(items)), plain: make(map[string]int, len(items))}
	all := make([][]byte, len(items)*len(keys))
	var buffer [128]byte
	for i, item := range items {
		values := all[i*len(keys) : (i+1)*len(keys)]
		for j := range keys {
			var convert *value
			switch {
			case inHub:
			case r.up:
				convert = keys[j].value
			default:
				convert = keys[j].value.reverse()
			}
			n := item
			if len(names) > 0 {
				n = item.get(index.names[j])
			}
			if n == nil {
				continue
			}
			value := r.memory.print(n)
			if converted, err := r.alone(convert, value); err == nil {
				value = converted
			}
			values[j] = present(value)
		}
		index.values[i] = values
		if id, ok := plainID(buffer[:0], values); !ok {
			index.plain = nil
		} else if index.plain != nil {
			if _, repeated := index.plain[string(id)]; repeated {
				i = -1
			}
			index.plain[string(id)] = i
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
		var buffer [128]byte
		if id, ok := plainID(buffer[:0], keys); ok {
			if i, ok := x.plain[string(id)]; ok {
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

// plainID appends a text that keys share only if they are the same; false for keys that have several spellings.
func plainID(id []byte, keys [][]byte) ([]byte, bool) {
	for _, key := range keys {
		if !isNoKey(key) {
			if !isPlain(key) {
				return nil, false
			}
			id = append(id, key...)
		}
		id = append(id, ',')
	}
	return id, true
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
