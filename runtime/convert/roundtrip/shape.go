package roundtrip

import (
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/kindsmith/kindsmith/runtime/convert"
)

// flags are what is known of a value beyond its Go type.
type flags struct {
	// lost are versions by way of which the value does not come back, and missing those
	// that lack the field.
	lost, missing []string
	// first are versions by way of which only the first item of a list comes back.
	first []string
	// filled means that the field has a value in objects of versions that lack it.
	filled bool
	// decoded means that Go code reads the value, and exact that it keeps zero values.
	decoded, exact bool
	// zero means that a zero value equals an absent one, and late that it need not keep its position.
	zero, late bool
	// keys identify the items of a list, which is a set if unique is set.
	keys   []string
	unique bool
	values []string
	closed bool
}

// member is a field of a struct in JSON.
type member struct {
	key  string
	typ  reflect.Type
	know flags
}

// shapes describes the types of one version.
type shapes struct {
	// know are the flags by type and field; those of "" are the type's.
	know map[string]map[string]flags
	// pkg is the package of the version's kinds.
	pkg string
	// entries are the labels and annotations that are fields in some version.
	entries []Entry
	// members caches the members of structs, and methods whether types have JSON of their
	// methods, by reflect.Type.
	members, methods sync.Map
}

// of returns the flags of a type.
func (s *shapes) of(t reflect.Type) flags { return s.field(t, "") }

func (s *shapes) field(t reflect.Type, key string) flags {
	if t.PkgPath() != s.pkg {
		return flags{}
	}
	name := t.Name()
	if s.know[name] == nil {
		name, _, _ = strings.Cut(name, "[") // an instance that all versions use as it is
	}
	return s.know[name][key]
}

// structure returns the members of a struct type in JSON, with those of inlined structs.
func (s *shapes) structure(t reflect.Type) []member {
	if list, ok := s.members.Load(t); ok {
		return list.([]member)
	}
	var list []member
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		inlined := f.Anonymous && name == "" || slices.Contains(strings.Split(options, ","), "inline")
		if name == "-" || !f.IsExported() && !f.Anonymous {
			continue
		}
		if inlined && indirect(f.Type).Kind() == reflect.Struct {
			know, of := s.field(t, f.Name), s.of(indirect(f.Type))
			for _, m := range s.structure(indirect(f.Type)) {
				m.know.lost = append(slices.Clone(m.know.lost), know.lost...)
				m.know.missing = append(slices.Clone(m.know.missing), know.missing...)
				m.know.filled = m.know.filled || know.filled
				m.know.decoded = m.know.decoded || know.decoded || of.decoded
				list = append(list, m)
			}
			continue
		}
		if name == "" {
			name = f.Name
		}
		list = append(list, member{key: name, typ: f.Type, know: s.field(t, name)})
	}
	s.members.Store(t, list)
	return list
}

// member returns the type and the flags of a key.
func (s *shapes) member(t reflect.Type, key string) (member, bool) {
	list := s.structure(t)
	i := slices.IndexFunc(list, func(m member) bool { return m.key == key })
	if i < 0 {
		return member{}, false
	}
	return list[i], true
}

func indirect(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

var (
	changedValues = reflect.TypeFor[convert.ChangedValues]()
	jsonMarshaler = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
)

// ownJSON reports whether a type has JSON of its methods.
func ownJSON(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(jsonMarshaler) || p.Implements(textMarshaler)
}

func (s *shapes) ownJSON(t reflect.Type) bool {
	own, ok := s.methods.Load(t)
	if !ok {
		own = ownJSON(t)
		s.methods.Store(t, own)
	}
	return own.(bool)
}

// difference is where two trees differ.
type difference struct{ path, a, b string }

// comparison compares trees of one version's types.
type comparison struct {
	*shapes
	// via is the version that a value came by; what that loses is not compared.
	via string
	// exact compares the spelling of scalars that no Go code reads.
	exact bool
	// tracked means that the value comes back as a whole: neither the order of keys is compared, nor
	// null with an absent value.
	tracked bool
}

// diff returns where two trees differ; nil if they do not. t may be nil.
func (c comparison) diff(a, b *node, t reflect.Type, path string, decoded bool) *difference {
	if t != nil {
		if t = indirect(t); slices.Contains(c.of(t).lost, c.via) {
			return nil
		}
		decoded = decoded || c.of(t).decoded
	}
	if a.kind != b.kind {
		return &difference{path, a.String(), b.String()}
	}
	switch a.kind {
	case 's':
		if a.text == b.text || (decoded || !c.exact) && same(a.text, b.text) {
			return nil
		}
		if !c.exact && strings.HasSuffix(path, "/changed-values") { // the order of keys in it has no meaning
			x, errX := parse([]byte(plain(a.text)))
			y, errY := parse([]byte(plain(b.text)))
			if errX == nil && errY == nil {
				return comparison{shapes: &shapes{}}.diff(x, y, nil, path, false)
			}
		}
		return &difference{path, a.text, b.text}
	case '[':
		if len(a.items) != len(b.items) {
			return &difference{path, a.String(), b.String()}
		}
		for i := range a.items {
			if d := c.diff(a.items[i], b.items[i], elem(t), path+index(i), decoded); d != nil {
				return d
			}
		}
		return nil
	}
	return c.object(a, b, t, path, decoded)
}

func (c comparison) object(a, b *node, t reflect.Type, path string, decoded bool) *difference {
	var order [2][]string
	for side, n := range []*node{a, b} {
		other := []*node{b, a}[side]
		for i, key := range n.keys {
			key = plain(key)
			at := path + "." + key
			m, known := c.at(t, key)
			c.inMetadata(at, &m)
			if slices.Contains(m.know.lost, c.via) {
				continue
			}
			there, item := other.get(key), n.items[i]
			if slices.Contains(m.know.first, c.via) {
				if c.blank(item, m.typ) && (there == nil || c.blank(there, m.typ)) {
					continue
				}
				there, item = there.first(), item.first()
			}
			if (decoded || m.know.decoded && !m.know.exact || m.know.zero) && c.empty(n.items[i], m.typ) && (there == nil || there.text == "null") {
				continue // Go code does not tell it from an absent value
			}
			// What converts keeps its position; what is restored or decoded need not.
			if !slices.Contains(m.know.missing, c.via) && !m.know.decoded && (!m.know.zero || !c.empty(n.items[i], m.typ)) && (!m.know.late || !c.blank(n.items[i], m.typ)) {
				order[side] = append(order[side], key)
			}
			if there == nil && n.items[i].text == "null" && (c.tracked || m.know.filled && slices.Contains(m.know.missing, c.via)) {
				continue // a parent of values that move
			}
			if there == nil && path == "" && key == "status" && c.vanishes(item, m.typ) {
				continue // it is compared without tracked values, and is none if it is empty
			}
			if there == nil {
				d := &difference{path: at, a: n.items[i].String(), b: "nothing"}
				if side == 1 {
					d.a, d.b = d.b, d.a
				}
				return d
			}
			if side == 1 {
				continue
			}
			var typ reflect.Type
			if known {
				typ = m.typ
			}
			below := c
			if m.know.filled && slices.Contains(m.know.missing, c.via) {
				below.tracked = true // other values may have moved into it
			}
			if d := below.diff(item, there, typ, at, decoded || m.know.decoded); d != nil {
				return d
			}
		}
	}
	if c.exact && !c.tracked && !decoded && !slices.Equal(order[0], order[1]) {
		return &difference{path, "keys in the order " + strings.Join(order[0], ", "), strings.Join(order[1], ", ")}
	}
	return nil
}

// vanishes reports whether an object has only values that may become absent.
func (c comparison) vanishes(n *node, t reflect.Type) bool {
	if n.kind != '{' || t == nil {
		return false
	}
	for i, item := range n.items {
		m, _ := c.at(indirect(t), plain(n.keys[i]))
		if absent := item.nothing() || (m.know.decoded && !m.know.exact || m.know.zero) && c.empty(item, m.typ); !absent && !c.vanishes(item, m.typ) {
			return false
		}
	}
	return true
}

// inMetadata completes what is known of the labels and annotations that are fields in other versions.
func (c comparison) inMetadata(path string, m *member) {
	for _, e := range c.entries {
		switch path {
		case ".metadata", ".metadata." + e.Map:
			m.know.missing, m.know.zero = []string{c.via}, true
		case ".metadata." + e.Map + "." + e.Key:
			m.know.missing = []string{c.via}
		}
	}
}

// empty reports whether a value may be the zero value of its type, which may be nil.
func (s *shapes) empty(n *node, t reflect.Type) bool {
	if t != nil {
		t = indirect(t)
	}
	switch n.text {
	case "null", "false", `""`, "0", "-0":
		return true
	case "": // an object or a list
		if n.kind == '[' {
			return len(n.items) == 0
		}
		for i, item := range n.items {
			if m, _ := s.at(t, plain(n.keys[i])); !s.empty(item, m.typ) {
				return false
			}
		}
		return true
	}
	if t == nil || !s.ownJSON(t) {
		return false
	}
	zero, err := json.Marshal(reflect.New(t).Interface())
	return err == nil && n.text == string(zero) // 0s
}

// blank reports whether a value is empty, or a list whose first item is.
func (s *shapes) blank(n *node, t reflect.Type) bool {
	return s.empty(n, t) || n.kind == '[' && s.empty(n.items[0], elem(t))
}

// at returns the member of a struct, or the value of a map.
func (s *shapes) at(t reflect.Type, key string) (member, bool) {
	switch {
	case t == nil || s.ownJSON(t):
		return member{}, false
	case t.Kind() == reflect.Map:
		return member{key: key, typ: t.Elem()}, true
	case t.Kind() == reflect.Struct:
		return s.member(t, key)
	}
	return member{}, false
}

// elem returns the type of a list's items, nil if it is not known.
func elem(t reflect.Type) reflect.Type {
	if t != nil && (t.Kind() == reflect.Slice || t.Kind() == reflect.Array) && !ownJSON(t) {
		return t.Elem()
	}
	return nil
}

func index(i int) string { return "[" + strconv.Itoa(i) + "]" }
