package wire

import (
	"bytes"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Converter converts objects between the versions of one API group. It is safe for
// concurrent use.
type Converter struct {
	group    string
	hub      string
	versions []string
	// routes are by the older version.
	routes map[string]*route
	// restores are annotations with objects that earlier conversions have stored.
	restores []Restore
	// dropped counts the tracked values that did not apply.
	dropped atomic.Int64
}

// route converts between one older version and the hub.
type route struct {
	// older and hub are apiVersions.
	older, hub string
	kinds      map[string]int
	up, down   []*program
	table      *Table
}

// New returns the converter of the older versions of a group, which have the same hub.
func New(conversions ...Conversion) (*Converter, error) {
	c := &Converter{routes: map[string]*route{}}
	for i, conversion := range conversions {
		t := conversion.Table
		if i > 0 && (t.Group != c.group || t.Hub != c.hub) {
			return nil, fmt.Errorf("conversions are of several groups or hubs: %s and %s", apiVersion(c.group, c.hub), apiVersion(t.Group, t.Hub))
		}
		if c.routes[t.Older] != nil || t.Older == t.Hub {
			return nil, fmt.Errorf("two conversions are of %s", t.Older)
		}
		c.group, c.hub = t.Group, t.Hub
		r := &route{older: apiVersion(t.Group, t.Older), hub: apiVersion(t.Group, t.Hub), kinds: map[string]int{}}
		for i := range t.Types {
			if t.Types[i].Kind != "" {
				r.kinds[t.Types[i].Kind] = i
			}
		}
		var err error
		if r.up, r.down, err = compile(t, conversion.Funcs); err != nil {
			return nil, err
		}
		r.table = t
		c.routes[t.Older] = r
		for _, restore := range t.Restores {
			if !slices.Contains(c.restores, restore) {
				c.restores = append(c.restores, restore)
			}
		}
		c.versions = append(c.versions, t.Older)
	}
	c.versions = append(c.versions, c.hub)
	return c, nil
}

// Dropped returns the number of tracked values so far that were not restored: someone
// changed the value in the other version, its list or its parent is gone, or the value
// does not fit its field.
func (c *Converter) Dropped() int64 { return c.dropped.Load() }

// Versions returns the names of the versions, the hub last.
func (c *Converter) Versions() []string { return slices.Clone(c.versions) }

func apiVersion(group, version string) string {
	if group == "" {
		return version
	}
	return group + "/" + version
}

// version returns the version in an apiVersion of the group.
func (c *Converter) version(apiVersion []byte) (string, bool) {
	v := apiVersion
	if c.group != "" {
		group, rest, ok := bytes.Cut(apiVersion, []byte("/"))
		if !ok || string(group) != c.group {
			return "", false
		}
		v = rest
	}
	for _, known := range c.versions {
		if string(v) == known {
			return known, true
		}
	}
	return "", false
}

// Convert appends the object, converted to a version, to dst. Objects that have the
// version already are appended as they are. In an error dst is as it was.
func (c *Converter) Convert(dst, object []byte, to string) ([]byte, error) {
	if !slices.Contains(c.versions, to) {
		return dst, &Error{Err: fmt.Errorf("unknown desired API version %q; known are %s", to, strings.Join(c.versions, ", "))}
	}
	b := newBuffer()
	defer b.release()
	return c.convert(dst, object, to, b)
}

// buffer has the memory that conversions need one after another.
type buffer struct {
	// object is what an object is in the hub, between two conversions.
	object []byte
	run    run
	memory memory
}

// buffers have the memory of earlier conversions. The garbage collector takes it if there are no more.
var buffers = sync.Pool{New: func() any { return &buffer{} }}

func newBuffer() *buffer { return buffers.Get().(*buffer) }

// release makes the memory available to other conversions. The buffer must not be used afterwards.
func (b *buffer) release() {
	b.memory.clear()
	lost := b.run.lost[:cap(b.run.lost)]
	clear(lost)
	if b.run = (run{}); len(lost) <= maxBlock/8 {
		b.run.lost = lost[:0]
	}
	if cap(b.object) > 2*chunkSize {
		b.object = nil
	}
	buffers.Put(b)
}

// convert converts an object to a version that is known, for the kind alone if there is one.
func (c *Converter) convert(dst, object []byte, to string, b *buffer, kinds ...string) ([]byte, error) {
	out, end, err := c.next(dst, object, to, b, kinds...)
	if err == nil && space(object, end) < len(object) {
		err = &Error{Path: "$", Err: errSyntax}
	}
	if err != nil {
		return dst, err
	}
	return append(out, object[end:]...), nil
}

// next converts the object that a text begins with, and returns the index after it.
func (c *Converter) next(dst, text []byte, to string, b *buffer, kinds ...string) (_ []byte, end int, err error) {
	h, err := head(text)
	if err == nil {
		err = h.check(kinds)
	}
	if err != nil {
		return dst, 0, err
	}
	from, ok := c.version(h.apiVersion)
	if !ok {
		return dst, 0, &Error{Err: fmt.Errorf("unknown API version %q", h.apiVersion)}
	}
	switch {
	case from == to:
		if end, err = skip(text, space(text, 0), 0); err != nil {
			return dst, 0, &Error{Err: err}
		}
		return append(dst, text[:end]...), end, nil
	case len(c.restores) == 0:
		return c.between(dst, text, h.kind, from, to, b)
	}
	if end, err = skip(text, space(text, 0), 0); err != nil {
		return dst, 0, &Error{Err: err}
	}
	object, _ := c.imported(text[:end], h.kind, from)
	out, _, err := c.between(dst, object, h.kind, from, to, b)
	return out, end, err
}

// between converts the object that a text begins with from one version to another, and returns the index after it.
func (c *Converter) between(dst, text, kind []byte, from, to string, b *buffer) (_ []byte, end int, err error) {
	switch {
	case from == c.hub:
		return c.step(dst, text, kind, to, false, b)
	case to == c.hub:
		return c.step(dst, text, kind, from, true, b)
	}
	if b.object, end, err = c.step(b.object[:0], text, kind, from, true, b); err != nil {
		return dst, 0, err
	}
	out, _, err := c.step(dst, b.object, kind, to, false, b)
	return out, end, err
}

// step converts the object that a text begins with between an older version and the hub, and returns
// the index after it.
func (c *Converter) step(dst, text, kind []byte, older string, up bool, b *buffer) (_ []byte, end int, err error) {
	r := c.routes[older]
	i, ok := r.kinds[string(kind)]
	if !ok {
		return dst, 0, &Error{Err: fmt.Errorf("unknown kind %q", kind)}
	}
	out, end, _, err := c.along(r, dst, text, i, up, nil, b)
	return out, end, err
}

// along converts the object of one of a route's types that a text begins with. It returns the index
// after it, and whether values are tracked or were. encoded is that of the run. A panic is an error of
// this object: it must not stop the conversion of others.
func (c *Converter) along(r *route, dst, text []byte, i int, up bool, encoded Func, b *buffer) (out []byte, end int, tracked bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			out, end, tracked, err = dst, 0, false, &Error{Reason: Failed, Err: fmt.Errorf("the conversion panicked: %v\n%s", p, debug.Stack())}
		}
	}()
	b.memory.clear()
	b.run = run{memory: &b.memory, src: text, out: dst, from: r.hub, to: r.older, tracker: tracker{converter: c, table: r.table, up: up, encoded: encoded, lost: b.run.lost[:0]}}
	run, programs := &b.run, r.down
	if up {
		programs = r.up
		run.from, run.to = run.to, run.from
	}
	if end, err = run.value(&programs[i].root, space(text, 0), 0); err != nil {
		return dst, 0, false, run.located(err)
	}
	if run.dropped > 0 {
		c.dropped.Add(run.dropped)
	}
	run.copyTo(end)
	return run.out, end, run.touched, nil
}

// valid reports an error if a text is not one JSON value.
func valid(text []byte) error {
	end, err := skip(text, space(text, 0), 0)
	if err == nil && space(text, end) < len(text) {
		err = errSyntax
	}
	if err != nil {
		return &Error{Err: err}
	}
	return nil
}

// header is what says how to convert an object.
type header struct{ apiVersion, kind []byte }

// head finds the apiVersion and the kind of an object, as they are in its JSON. It reads no
// further than it must.
func head(object []byte) (header, error) {
	var h header
	i := space(object, 0)
	if i >= len(object) || object[i] != '{' {
		return h, &Error{Err: errors.New("not a JSON object")}
	}
	var m member
	for o := open(i); h.apiVersion == nil || h.kind == nil; o.at = m.end {
		more, err := o.member(object, &m)
		if err == nil && more {
			m.end, err = skip(object, m.value, 1)
		}
		if err != nil {
			return h, &Error{Err: err}
		}
		if !more {
			break
		}
		switch string(object[m.key:m.keyEnd]) {
		case `"apiVersion"`:
			h.apiVersion = object[m.value:m.end]
		case `"kind"`:
			h.kind = object[m.value:m.end]
		}
	}
	return h, nil
}

// check checks what head found, the kind first, and removes the quotes.
func (h *header) check(kinds []string) error {
	kind, err := unquoted("kind", h.kind)
	if err != nil {
		return err
	}
	if len(kinds) > 0 && !slices.Contains(kinds, string(kind)) {
		return &Error{Err: fmt.Errorf("unexpected kind %q, expected %q", kind, strings.Join(kinds, `" or "`))}
	}
	version, err := unquoted("apiVersion", h.apiVersion)
	h.kind, h.apiVersion = kind, version
	return err
}

func unquoted(name string, text []byte) ([]byte, error) {
	switch {
	case len(text) == 0 || string(text) == `""`:
		return nil, &Error{Err: fmt.Errorf("the field %q is missing", name)}
	case text[0] != '"':
		return nil, &Error{Err: fmt.Errorf("the field %q must be a string", name)}
	}
	return text[1 : len(text)-1], nil
}
