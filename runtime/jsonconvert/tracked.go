package jsonconvert

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

const (
	// format is the number of the format of tracked values that is written. Values of the format before are read: its entries
	// say what the newest version showed, and apply if the version of the entry shows the same.
	format       = 2
	formerFormat = 1
	// maxTracked is the number of bytes that the tracked values of an object may have, where they are read and where they are
	// made. Those that a conversion neither reads nor makes do not count, so stored values cannot make a conversion
	// fail.
	maxTracked = 128 << 10
)

// tracked is what an object keeps for other versions than its own.
type tracked struct {
	// of are the values of known versions, as they are stored.
	of []*node
	// unknown are the values of other versions, which stay as they are.
	unknown []unknownVersion
	hidden  []hidden
	// former means that the values are of the format before.
	former bool
	// later are those of the format before that are restored on the way from the newest version.
	later []*node
	// keep is the enclosing field that does not go with the last value: status, metadata or annotations. null is set if it
	// was null.
	keep string
	null bool
	// size is the number of bytes of the values that were added.
	size int
	// restored is the version whose values were restored last, plus 1.
	restored int
	// each is called with the object in each version on the way; nil calls nothing.
	each func(version int, object *node)
}

type unknownVersion struct {
	upgrade bool
	name    string
	values  *node
}

// hidden is an ordinary label or annotation of versions in which it is no field.
type hidden struct {
	Place
	value *node
}

func (t *tracked) isEmpty() bool {
	return len(t.hidden)+len(t.unknown) == 0 && !slices.ContainsFunc(t.of, func(n *node) bool { return n != nil })
}

// detach returns an object without its tracked values, and these. Values that cannot be read are none.
func (c *Converter) detach(m *memory, x *node, kind *compiledKind) (*node, *tracked) {
	t := &m.tracked
	*t = tracked{of: slices.Grow(t.of[:0], len(c.api.Versions))[:len(c.api.Versions)], unknown: t.unknown[:0], hidden: t.hidden[:0]}
	clear(t.of)
	switch kind.Store {
	case Annotation:
		annotations := m.get(x, "metadata", "annotations")
		text, ok := m.unquote(m.get(annotations, c.annotation))
		if !ok && m.has(annotations, c.annotation) < 0 {
			return x, t
		}
		if stored := m.tracks(text); stored != nil {
			c.read(m, stored, t, kind)
		}
		annotations = m.with(annotations, c.annotation, nil)
		switch {
		case len(annotations.items) > 0 || t.keep == "annotations":
			return m.put(x, annotations, "metadata", "annotations"), t
		case t.null && t.keep == "metadata":
			return m.put(x, null, "metadata", "annotations"), t
		}
		if x = m.put(x, nil, "metadata", "annotations"); t.keep == "" && len(m.look(m.get(x, "metadata")).items) == 0 {
			x = m.put(x, unlessNot(t.null), "metadata")
		}
	case Status:
		stored := m.get(x, "status", "changedValues")
		if stored == nil {
			return x, t
		}
		if len(m.json(stored)) <= maxTracked {
			c.read(m, stored, t, kind)
		}
		if x = m.put(x, nil, "status", "changedValues"); t.keep == "" && len(m.look(m.get(x, "status")).items) == 0 {
			x = m.put(x, unlessNot(t.null), "status")
		}
	}
	return x, t
}

// tracks parses the text of tracked values; nil if it is too long or is none.
func (m *memory) tracks(text string) *node {
	if len(text) > maxTracked {
		return nil
	}
	b := bytesOf(text)
	n, end, err := m.at(text, space(b, 0), storedShape, 0)
	if err != nil || space(b, end) < len(b) {
		return nil
	}
	return n
}

// The numbers of shapes of tracked values, before those of types.
const (
	entryShapeID = iota + 1
	versionsShapeID
	storedShapeID
	firstShape
)

// storedShape and listShape are what is read of tracked values, and of those of a version.
var (
	listShape     = &shape{items: &shape{id: entryShapeID}}
	versionsShape = &shape{id: versionsShapeID, items: listShape}
	storedShape   = &shape{id: storedShapeID, members: map[string]*shape{"upgrades": versionsShape, "downgrades": versionsShape}}
)

// unlessNot returns null if a parent was null, else nothing.
func unlessNot(isNull bool) *node {
	if isNull {
		return null
	}
	return nil
}

// read reads stored values.
func (c *Converter) read(m *memory, stored *node, t *tracked, kind *compiledKind) {
	if number := m.get(stored, "format"); number == nil || number.raw != strconv.Itoa(format) && number.raw != strconv.Itoa(formerFormat) {
		return
	}
	t.former = m.get(stored, "format").raw == strconv.Itoa(formerFormat)
	for _, key := range []string{"upgrades", "downgrades"} {
		versions := m.get(stored, key)
		if m.look(versions) == nil || versions.kind != '{' {
			continue
		}
		for i, name := range versions.keys {
			if k := c.version(name); k >= 0 && t.former && key == "downgrades" {
				if t.later == nil {
					t.later = make([]*node, len(t.of))
				}
				t.later[k] = versions.items[i]
			} else if k >= 0 {
				t.of[k] = versions.items[i]
			} else if !slices.Contains(c.api.Retired, name) {
				t.unknown = append(t.unknown, unknownVersion{key == "upgrades", name, versions.items[i]})
			}
		}
	}
	if list := m.look(m.get(stored, "hidden")); list != nil && list.kind == '[' {
		for _, h := range list.items {
			in, ok := m.get(h, "in").string()
			key, isKey := m.get(h, "key").string()
			value := m.get(h, "value")
			if ok && isKey && isEntry(in, value) && slices.Contains(kind.places, Place{kind.Name, in, key}) {
				t.hidden = append(t.hidden, hidden{Place{kind.Name, in, key}, value})
			}
		}
	}
	t.keep, _ = m.get(stored, "keep").string()
	if n := m.get(stored, "null"); n != nil {
		t.null = n.raw == "true"
	}
}

// attach returns an object of a version with its tracked values.
func (c *Converter) attach(m *memory, y *node, t *tracked, version int, kind *compiledKind) (*node, error) {
	if t.isEmpty() || kind.Store == Untracked {
		return y, nil
	}
	keep, isNull := c.enclosing(m, y, kind, version)
	if t.size > maxTracked {
		return nil, c.tooLarge(m, t)
	}
	m.scratch = c.appendTracked(m.scratch[:0], t, version, keep, isNull)
	if kind.Store == Status {
		return m.put(y, m.of(m.copy(m.scratch)), "status", "changedValues"), nil
	}
	at := len(m.text)
	m.text = appendQuoted(m.text, stringOf(m.scratch))
	text := stringOf(m.text[at:len(m.text):len(m.text)])
	return m.put(y, m.of(text), "metadata", "annotations", c.annotation), nil
}

// enclosing returns which field does not go with the last value, and whether it was null. A field with other members stays anyway,
// unless a client removes them all: then it is as absent as it is empty, apart from a status with defaults.
func (c *Converter) enclosing(m *memory, y *node, kind *compiledKind, version int) (keep string, isNull bool) {
	isKept := func(n *node) bool { return n != nil && n.kind == '{' && isEmpty(n) }
	if kind.Store == Status {
		status := m.get(y, "status")
		of := c.api.Versions[version].resolve(kind.schemas[version]).member("status")
		if of = c.api.Versions[version].resolve(of); isKept(status) || of != nil && of.Filled && status != nil && status.kind == '{' {
			keep = "status"
		}
		return keep, status != nil && status.isNull()
	}
	metadata := m.get(y, "metadata")
	switch annotations := m.get(metadata, "annotations"); {
	case isKept(annotations):
		return "annotations", false
	case annotations != nil && annotations.kind != '{':
		return "metadata", true
	case isKept(metadata):
		return "metadata", false
	}
	return "", metadata != nil && metadata.kind != '{'
}

// appendTracked appends tracked values as JSON.
func (c *Converter) appendTracked(b []byte, t *tracked, version int, keep string, isNull bool) []byte {
	b = strconv.AppendInt(append(b, `{"format":`...), format, 10)
	for _, upgrades := range []bool{true, false} {
		first := true
		add := func(name string, values *node) {
			if first {
				b, first = append(append(b, `,"`...), direction(upgrades)...), false
				b = append(b, `":{`...)
			} else {
				b = append(b, ',')
			}
			b = values.write(append(appendQuoted(b, name), ':'))
		}
		for k, values := range t.of {
			if values != nil && (k > version) == upgrades {
				add(c.api.Versions[k].Name, values)
			}
		}
		for _, u := range t.unknown {
			if u.upgrade == upgrades {
				add(u.name, u.values)
			}
		}
		if !first {
			b = append(b, '}')
		}
	}
	for i, h := range t.hidden {
		if i == 0 {
			b = append(b, `,"hidden":[`...)
		} else {
			b = append(b, ',')
		}
		b = append(appendQuoted(append(b, `{"in":`...), h.In), `,"key":`...)
		b = append(h.value.write(append(appendQuoted(b, h.Key), `,"value":`...)), '}')
	}
	if len(t.hidden) > 0 {
		b = append(b, ']')
	}
	if keep != "" {
		b = appendQuoted(append(b, `,"keep":`...), keep)
	}
	if isNull {
		b = append(b, `,"null":true`...)
	}
	return append(b, '}')
}

// direction returns the key of the values that are restored on the way up, or down.
func direction(upgrades bool) string {
	if upgrades {
		return "upgrades"
	}
	return "downgrades"
}

// tooLarge returns the error about tracked values, with the largest.
func (c *Converter) tooLarge(m *memory, t *tracked) error {
	path, largest := "$", 0
	for _, values := range t.of {
		if m.look(values) == nil || values.kind != '[' {
			continue
		}
		for _, e := range values.items {
			if n := len(m.json(e)); n > largest {
				largest = n
				path, _ = m.get(e, "jsonPath").string()
			}
		}
	}
	return &Error{Path: path, Err: fmt.Errorf("the values that this version cannot represent are %d bytes, this one the largest; the limit is %d", t.size, maxTracked)}
}

// encode returns entries as they are stored.
func (m *memory) encode(entries []entry) *node {
	b := m.text
	at := len(b)
	for i := range entries {
		e := &entries[i]
		b = append(b, "[,"[min(i, 1)])
		var lengths []int
		m.scratch, lengths = appendPath(m.scratch[:0], e.path)
		b = appendQuoted(append(b, `{"jsonPath":`...), stringOf(m.scratch))
		if e.value != nil {
			b = e.value.write(append(b, `,"value":`...))
		}
		if e.was != nil {
			b = e.was.write(append(b, `,"was":`...))
		}
		for j, n := range lengths {
			if j == 0 {
				b = append(b, `,"lengths":[`...)
			} else {
				b = append(b, ',')
			}
			b = strconv.AppendInt(b, int64(n), 10)
		}
		if len(lengths) > 0 {
			b = append(b, ']')
		}
		b = append(b, '}')
	}
	b = append(b, ']')
	m.text = b
	return m.of(stringOf(m.text[at:len(m.text):len(m.text)]))
}

// decode reads stored entries. Those that cannot be read are dropped.
func (m *memory) decode(n *node) (entries []entry, dropped int64) {
	if n.kind == '[' && !n.open {
		if parsed, _, err := m.at(n.raw, 0, listShape, 0); err == nil {
			n = parsed
		}
	}
	if m.look(n); n.kind != '[' {
		return nil, 1
	}
	entries = m.entries[:0]
	defer func() { m.entries = entries[:0] }()
	for _, item := range n.items {
		var text, value, was, of *node
		for i, key := range m.members(item) {
			switch key {
			case "jsonPath":
				text = item.items[i]
			case "value":
				value = item.items[i]
			case "was":
				was = item.items[i]
			case "lengths":
				of = item.items[i]
			}
		}
		ok := true
		var lengths []int
		if list := m.look(of); list != nil && list.kind == '[' {
			for _, l := range list.items {
				length, err := strconv.Atoi(m.json(l))
				ok = ok && err == nil
				lengths = append(lengths, length)
			}
		}
		path, err := m.parsePath(text, lengths)
		if !ok || err != nil {
			dropped++
			continue
		}
		entries = append(entries, entry{path, value, was})
	}
	return entries, dropped
}

// The paths that are kept are the first ones of objects, with short texts: most objects of a kind track the same fields.
const (
	manyPaths = 256
	longPath  = 128
)

// parsePath is parsePath for the JSON of paths, which may have been read before.
func (m *memory) parsePath(n *node, lengths []int) ([]step, error) {
	if !n.isString() {
		return nil, errPath
	}
	if path, ok := m.known[n.raw]; ok {
		return path, nil
	}
	text, ok := m.unquote(n)
	if !ok {
		return nil, errPath
	}
	path, err := parsePath(m, text, lengths)
	if err != nil || len(m.known) >= manyPaths || len(n.raw) > longPath || slices.ContainsFunc(path, func(s step) bool { return s.kind != memberStep }) {
		return path, err
	}
	if m.known == nil {
		m.known = map[string][]step{}
	}
	kept := make([]step, len(path))
	for i, s := range path {
		kept[i] = step{kind: memberStep, names: []string{strings.Clone(s.names[0])}}
	}
	m.known[strings.Clone(n.raw)] = kept
	return kept, nil
}

// TrackingAnnotation returns the annotation in which objects of a group keep tracked values.
func TrackingAnnotation(group string) string {
	if group == "" {
		return "versioned/changed-values"
	}
	return "versioned." + group + "/changed-values"
}
