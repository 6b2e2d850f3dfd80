package jsonconvert

import (
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// Converter converts objects between the versions of an API group. It is safe for concurrent use.
type Converter struct {
	api *API
	// Strict makes conversions fail that lose a value without having noticed. Round-trip tests set it: it takes time.
	Strict     bool
	annotation string
	kinds      map[string]*compiledKind
	rules      []map[string]*rules
	// root is the shape of objects.
	root shape
	// names are the apiVersions as JSON.
	names []*node
	// dropped counts the tracked values that did not apply.
	dropped  atomic.Int64
	memories sync.Pool
}

// New returns the converter of an API.
func New(api *API) (*Converter, error) {
	if len(api.Steps)+1 != len(api.Versions) {
		return nil, fmt.Errorf("the API has %d versions and %d steps; it has a step between any two neighbours", len(api.Versions), len(api.Steps))
	}
	for k := range api.Steps {
		if s := &api.Steps[k]; s.Older != api.Versions[k].Name || s.Newer != api.Versions[k+1].Name {
			return nil, fmt.Errorf("step %d is from %s to %s, and not from %s to %s", k, s.Older, s.Newer, api.Versions[k].Name, api.Versions[k+1].Name)
		}
	}
	if err := api.check(); err != nil {
		return nil, err
	}
	compiler := compiler{api: api}
	if err := compiler.compile(); err != nil {
		return nil, err
	}
	c := &Converter{api: api, annotation: TrackingAnnotation(api.Group), kinds: map[string]*compiledKind{}, rules: compiler.rules, root: shape{kinds: compiler.shapes()}}
	for i := range api.Kinds {
		c.kinds[api.Kinds[i].Name] = c.compiled(&api.Kinds[i])
	}
	for i := range api.Versions {
		c.names = append(c.names, constant(string(appendQuoted(nil, c.apiVersion(i)))))
	}
	c.memories.New = func() any { return &memory{} }
	return c, nil
}

// compiledKind is a kind with what conversions need of it.
type compiledKind struct {
	*Kind
	// rules are those of each step, schemas the types of each version; nil where there is none.
	rules   []*rules
	schemas []*Schema
	// places are the labels and annotations that are fields in some version.
	places []Place
}

func (c *Converter) compiled(kind *Kind) *compiledKind {
	r := &compiledKind{Kind: kind}
	for _, rules := range c.rules {
		r.rules = append(r.rules, rules[kind.Name])
	}
	for i := range c.api.Versions {
		v := &c.api.Versions[i]
		r.schemas = append(r.schemas, v.kind(kind.Name))
		for _, p := range v.Places {
			if p.Kind == kind.Name {
				r.places = append(r.places, p)
			}
		}
	}
	return r
}

// Dropped returns the number of tracked values so far that were not restored: someone changed the value in the other version,
// its list or its parent is gone, or the value does not fit its field.
func (c *Converter) Dropped() int64 { return c.dropped.Load() }

// Versions returns the names of the versions, the newest last.
func (c *Converter) Versions() []string {
	var names []string
	for i := range c.api.Versions {
		names = append(names, c.api.Versions[i].Name)
	}
	return names
}

func (c *Converter) version(name string) int {
	return slices.IndexFunc(c.api.Versions, func(v Version) bool { return v.Name == name })
}

func (c *Converter) apiVersion(k int) string {
	if c.api.Group == "" {
		return c.api.Versions[k].Name
	}
	return c.api.Group + "/" + c.api.Versions[k].Name
}

// Convert appends the object, converted to a version, to dst. Objects that have the version already are appended as they are. In
// an error dst is as it was.
func (c *Converter) Convert(dst, object []byte, to string) ([]byte, error) {
	end := c.version(to)
	if end < 0 {
		return dst, &Error{Err: fmt.Errorf("unknown desired API version %q; known are %s", to, strings.Join(c.Versions(), ", "))}
	}
	m := c.memories.Get().(*memory)
	defer func() { m.reset(); c.memories.Put(m) }()
	out, i, err := c.next(m, dst, stringOf(object), end)
	if err == nil && space(object, i) < len(object) {
		err = &Error{Path: "$", Err: errSyntax}
	}
	if err != nil {
		return dst, err
	}
	return append(out, object[i:]...), nil
}

// ConvertOnTheWay converts an object to a version, and calls a function with the results of Convert for versions on the way, and for the
// version itself. Each step is taken once. The function must not keep its argument, and may have been called if there is an error. Lists,
// and objects with values of the former format, have no results on the way.
func (c *Converter) ConvertOnTheWay(object []byte, to string, each func(version string, object []byte)) error {
	end := c.version(to)
	if end < 0 {
		_, err := c.Convert(nil, object, to)
		return err
	}
	m := c.memories.Get().(*memory)
	defer func() { m.reset(); m.each = nil; c.memories.Put(m) }()
	m.each = func(k int, y *node) {
		m.out = y.write(m.out[:0])
		each(c.api.Versions[k].Name, m.out)
	}
	out, i, err := c.next(m, m.out[:0], stringOf(object), end)
	if err == nil && space(object, i) < len(object) {
		err = &Error{Path: "$", Err: errSyntax}
	}
	if err == nil {
		m.out = out
		each(to, out)
	}
	return err
}

// next converts the object that a text begins with, and returns the index after it. A panic is an error of this object: it must
// not stop the conversion of others.
func (c *Converter) next(m *memory, dst []byte, text string, to int, kinds ...string) (out []byte, end int, err error) {
	defer func() {
		if p := recover(); p != nil {
			out, end, err = dst, 0, &Error{Reason: Broken, Err: fmt.Errorf("the conversion panicked: %v\n%s", p, debug.Stack())}
		}
	}()
	h, err := c.head(m, text, kinds)
	if err != nil {
		return dst, 0, err
	}
	if h.version == to {
		return append(dst, text[:h.end]...), h.end, nil
	}
	if v := &c.api.Versions[to]; !v.has(h.kind.Name) {
		return dst, 0, &Error{Err: fmt.Errorf("version %q has no kind %q", v.Name, h.kind.Name)}
	}
	y, err := c.convert(m, h.object, h.kind, h.version, to)
	if err != nil {
		var e *Error
		if errors.As(err, &e) && !strings.HasPrefix(e.Path, "$") {
			err = &Error{Reason: e.Reason, Path: "$" + e.Path, Err: e.Err}
		}
		return dst, 0, err
	}
	return y.write(dst), h.end, nil
}

// convert converts an object of a kind.
func (c *Converter) convert(m *memory, x *node, kind *compiledKind, at, to int) (*node, error) {
	if kind.Item != "" {
		return c.list(m, x, kind, at, to)
	}
	var refused []int
	for {
		bare, t := c.detach(m, x, kind)
		if t.each = m.each; t.former {
			t.each = nil
		}
		bare = c.restoreStored(m, bare, t, kind, at)
		for _, k := range refused {
			t.of[k] = nil
		}
		y, err := c.via(m, kind, bare, t, at, to)
		if err != nil && t.restored > 0 { // somebody wrote a value that a version behind it cannot have
			c.dropped.Add(1)
			refused = append(refused, t.restored-1)
			continue
		}
		if err == nil {
			y, err = c.attach(m, y, t, to, kind)
		}
		if err != nil {
			return nil, err
		}
		return m.with(y, "apiVersion", c.names[to]), nil
	}
}

// via converts an object with tracked values. Those of the format before are of the newest version, also where versions between have
// a part of the value. So objects with such values go there first, as they did then.
func (c *Converter) via(m *memory, kind *compiledKind, x *node, t *tracked, at, to int) (_ *node, err error) {
	if newest := len(c.api.Versions) - 1; t.former && c.api.Versions[newest].has(kind.Name) {
		if x, err = c.steps(m, kind, x, t, at, newest); err != nil {
			return nil, err
		}
		at = newest
	}
	t.former = false
	for k, values := range t.later {
		t.of[k] = m.merged(t.of[k], values)
	}
	return c.steps(m, kind, x, t, at, to)
}

// steps takes the steps between two versions.
func (c *Converter) steps(m *memory, kind *compiledKind, x *node, t *tracked, at, to int) (_ *node, err error) {
	stored := m.get(x, "metadata", "uid") != nil
	if at != to {
		x = c.restoreOwn(m, kind, x, t, at)
	}
	for at != to {
		next := at + 1
		if to < at {
			next = at - 1
		}
		if x, err = c.step(m, kind, x, t, at, next, stored); err != nil {
			return nil, err
		}
		if at = next; at != to && t.each != nil {
			y, err := c.attach(m, x, t, at, kind)
			if err != nil {
				return nil, err
			}
			t.each(at, m.with(y, "apiVersion", c.names[at]))
		}
	}
	return x, nil
}

// list converts the objects of a list one by one.
func (c *Converter) list(m *memory, x *node, kind *compiledKind, at, to int) (*node, error) {
	m.each = nil
	item := c.kinds[kind.Item]
	x = m.with(x, "apiVersion", c.names[to])
	items := m.look(m.get(x, "items"))
	if item == nil || items == nil || items.kind != '[' {
		return x, nil
	}
	list := make([]*node, len(items.items))
	for i, object := range items.items {
		if object.kind != '{' {
			list[i] = object
			continue
		}
		y, err := c.convert(m, object, item, at, to)
		if err != nil {
			return nil, below(".items["+strconv.Itoa(i)+"]", err)
		}
		if m.has(object, "apiVersion") < 0 {
			y = m.with(y, "apiVersion", nil)
		}
		list[i] = y
	}
	return m.with(x, "items", m.build('[', nil, list)), nil
}

// step converts an object to a neighbouring version.
func (c *Converter) step(m *memory, kind *compiledKind, x *node, t *tracked, at, next int, stored bool) (*node, error) {
	from, to := c.api.Versions[at].Places, c.api.Versions[next].Places
	for _, p := range to {
		if p.Kind != kind.Name || slices.Contains(from, p) {
			continue
		}
		if v := m.get(x, "metadata", p.In, p.Key); v != nil {
			x = m.put(x, nil, "metadata", p.In, p.Key)
			t.hidden = append(t.hidden, hidden{p, v})
		}
	}
	y, err := c.pair(m, kind, x, t, at, next, stored)
	if err != nil || len(t.hidden) == 0 {
		return y, err
	}
	t.hidden = slices.DeleteFunc(t.hidden, func(h hidden) bool {
		if slices.Contains(to, h.Place) {
			return false
		}
		if m.get(y, "metadata", h.In, h.Key) == nil {
			y = m.put(y, h.value, "metadata", h.In, h.Key)
		}
		return true
	})
	return y, nil
}

// pair converts an object to a neighbouring version, restores what that version had, and keeps what does not come back.
func (c *Converter) pair(m *memory, kind *compiledKind, x *node, t *tracked, at, next int, stored bool) (*node, error) {
	d := older
	if next < at {
		d = newer
	}
	values := t.of[next]
	t.of[at], t.of[next] = nil, nil
	typ := kind.rules[min(at, next)]
	if typ == nil {
		return x, nil
	}
	root := &typ.root
	there := pure{m: m, stored: stored, marks: kind.Store != Untracked}
	m.marks = m.marks[:0]
	plain, err := there.value(root, x, d)
	if err != nil {
		return nil, err
	}
	y, edit := plain, (*edit)(nil)
	if values != nil {
		if y, edit = c.restore(m, root, plain, values, t.former, kind, next, 1-d); edit != nil {
			t.restored = next + 1
		}
	}
	if kind.Store == Untracked {
		return y, nil
	}
	l := look{m: m, root: root, known: &c.api.Versions[at], schema: kind.schemas[at], side: d, stored: stored, isWhole: there.event}
	entries, err := c.lookBack(&l, x, y, edit)
	if err != nil && edit != nil { // somebody else wrote the values
		y = plain
		c.dropped.Add(1)
		entries, err = c.lookBack(&l, x, y, nil)
	}
	if err == nil && t.former && y != plain { // the value may be one that the source has too, and shows another for
		entries, err = c.lookBack(&l, x, plain, nil)
	}
	if err != nil {
		return nil, err
	}
	if len(entries) > 0 {
		t.of[at] = m.encode(entries)
		t.size += len(t.of[at].raw)
	}
	return y, nil
}

// restore applies tracked values of a version to an object that has just been converted to it, and returns what it changed; nil
// for nothing.
func (c *Converter) restore(m *memory, root *value, y *node, values *node, former bool, kind *compiledKind, version, side int) (*node, *edit) {
	entries, dropped := m.decode(values)
	a := applier{m: m, side: side, known: &c.api.Versions[version], places: kind.places, dropped: dropped, former: former}
	y = a.apply(root, kind.schemas[version], y, entries)
	if a.dropped > 0 {
		c.dropped.Add(a.dropped)
	}
	return y, a.root
}

// lookBack returns the entries for what of x does not come back from y. In strict mode it also looks at the whole object, and
// fails if that finds others.
func (c *Converter) lookBack(l *look, x, y *node, edit *edit) ([]entry, error) {
	entries, err := l.entries(x, y, edit)
	if err != nil || !c.Strict {
		return entries, err
	}
	whole := *l
	whole.isWhole = true
	l.m.found = nil
	all, err := whole.entries(x, y, edit)
	if err != nil {
		return nil, err
	}
	if !l.m.isSame(entries, all) {
		path := "$"
		if len(all) > 0 {
			text, _ := appendPath(nil, all[0].path)
			path = string(text)
		}
		return nil, &Error{Reason: Broken, Path: path, Err: fmt.Errorf("the value does not come back from the next version, and the conversion did not notice")}
	}
	return entries, nil
}

// head is an object with what says how to convert it.
type head struct {
	object  *node
	kind    *compiledKind
	version int
	// end is the index in the text after the object.
	end int
}

// head parses the object that a text begins with.
func (c *Converter) head(m *memory, text string, kinds []string) (h head, err error) {
	b := bytesOf(text)
	i := space(b, 0)
	if i >= len(b) || b[i] != '{' {
		return h, &Error{Err: errors.New("not a JSON object")}
	}
	if h.object, h.end, err = m.at(text, i, &c.root, 0); err != nil {
		return h, &Error{Err: err}
	}
	return h, c.identify(m, &h, kinds)
}

// identify finds the kind and the version of an object.
func (c *Converter) identify(m *memory, h *head, kinds []string) error {
	kind, err := required(m, h.object, "kind")
	if err != nil {
		return err
	}
	if len(kinds) > 0 && !slices.Contains(kinds, kind) {
		return &Error{Err: fmt.Errorf("unexpected kind %q, expected %q", kind, strings.Join(kinds, `" or "`))}
	}
	version, err := required(m, h.object, "apiVersion")
	if err != nil {
		return err
	}
	h.version = slices.IndexFunc(c.names, func(n *node) bool { return n.raw[1:len(n.raw)-1] == version })
	if h.version < 0 {
		return &Error{Err: fmt.Errorf("unknown API version %q", version)}
	}
	if h.kind = c.kinds[kind]; h.kind == nil || !c.api.Versions[h.version].has(kind) {
		return &Error{Err: fmt.Errorf("unknown kind %q", kind)}
	}
	return nil
}

func required(m *memory, n *node, key string) (string, error) {
	switch v := m.get(n, key); {
	case v == nil || v.raw == `""`:
		return "", &Error{Err: fmt.Errorf("the field %q is missing", key)}
	case !v.isString():
		return "", &Error{Err: fmt.Errorf("the field %q must be a string", key)}
	default:
		return v.raw[1 : len(v.raw)-1], nil
	}
}

// ConvertValue appends a value of a type that steps name, converted between two versions, to dst. Functions that convert values of the
// type as a whole are not called, since they may call it. Nothing is tracked.
func (c *Converter) ConvertValue(dst, text []byte, typ, from, to string) (out []byte, err error) {
	at, end := c.version(from), c.version(to)
	if at < 0 || end < 0 {
		return dst, &Error{Err: fmt.Errorf("the versions %s and %s are not both known", from, to)}
	}
	m := c.memories.Get().(*memory)
	defer func() { m.reset(); c.memories.Put(m) }()
	defer func() {
		if p := recover(); p != nil {
			out, err = dst, &Error{Reason: Failed, Err: fmt.Errorf("the conversion panicked: %v\n%s", p, debug.Stack())}
		}
	}()
	n, err := m.parse(stringOf(text))
	for at != end && err == nil && n != nil {
		next, d := at+1, older
		if end < at {
			next, d = at-1, newer
		}
		if r := c.rules[min(at, next)][typ]; r != nil {
			bare := *r
			bare.whole = [2]Func{}
			n, err = (&pure{m: m}).value(&value{typ: &bare}, n, d)
		}
		at = next
	}
	if err != nil {
		return dst, err
	}
	if n == nil {
		n = null
	}
	return n.write(dst), nil
}

// ConvertField appends the value of a field of a type in the next version, or with up unset in the version before, to dst. It returns
// false if the value is lost there, does not come back as it was, or cannot be converted. step is the index of the step.
func (c *Converter) ConvertField(dst, text []byte, step int, up bool, typ, key string) (out []byte, ok bool) {
	d := newer
	if up {
		d = older
	}
	f := c.rules[step][typ].field(d, key)
	m := c.memories.Get().(*memory)
	defer func() { m.reset(); c.memories.Put(m) }()
	defer func() {
		if recover() != nil {
			out, ok = dst, false // who converts the object finds the reason
		}
	}()
	x, err := m.parse(stringOf(text))
	if err != nil {
		return dst, false
	}
	p := pure{m: m}
	there, err := p.field(f, x, d)
	if err != nil || there == nil {
		return dst, false
	}
	if back, err := p.field(f, there, 1-d); err != nil || back == nil || !m.same(x, back, false) {
		return dst, false
	}
	return there.write(dst), true
}
