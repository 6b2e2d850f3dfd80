package roundtrip

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/runtime/wire"
)

// origin is a version of a kind whose objects are tested.
type origin struct {
	*suite
	kind *kind
	from *version
}

// pair is a version with another that its objects go by way of.
type pair struct {
	*origin
	via *version
}

// pairs returns the version with each of the others.
func (f *origin) pairs() []*pair {
	var pairs []*pair
	for _, via := range f.kind.versions {
		if via != f.from {
			pairs = append(pairs, &pair{f, via})
		}
	}
	return pairs
}

func (p *pair) reverse() *pair { return &pair{&origin{p.suite, p.kind, p.via}, p.from} }

// violation is a law that an object breaks.
type violation struct {
	law string
	difference
}

func (v *violation) String() string {
	text := v.law
	if v.path != "" {
		text += ": " + v.path
	}
	if v.b == "" {
		return text + ": " + v.a
	}
	return text + ": " + v.a + " became " + v.b
}

// fails returns the violation that a conversion fails.
func fails(law string, err error) *violation {
	return &violation{law, difference{a: err.Error()}}
}

// run checks objects of a version and returns the first violation of each law, for each version that
// they go by way of.
func (f *origin) run(seed uint64, objects int) []string {
	var violations []string
	pairs := f.pairs()
	reported, converted := make([]map[string]bool, len(pairs)), make([]int, len(pairs))
	last := make([]error, len(pairs))
	for i := range uint64(objects) {
		o := f.generate(seed + i)
		for n, p := range pairs {
			o, v, err := p.examine(o)
			if err != nil {
				last[n] = err
				continue
			}
			converted[n]++
			if v == nil || reported[n][v.law] {
				continue
			}
			if reported[n] == nil {
				reported[n] = map[string]bool{}
			}
			reported[n][v.law] = true
			small, v := p.shrink(o, v)
			violations = append(violations, fmt.Sprintf("%s from %s by way of %s, seed %d: %s\nobject: %s", f.kind.name, f.from.name, p.via.name, seed+i, v, small))
		}
	}
	for n, p := range pairs {
		if converted[n] == 0 {
			violations = append(violations, fmt.Sprintf("%s: no object converts from %s to %s, such as: %v", f.kind.name, f.from.name, p.via.name, last[n]))
		}
	}
	return violations
}

// generate returns an object of a seed. Some are made in another version and converted:
// their values are those that conversion functions expect.
func (f *origin) generate(seed uint64) *subject {
	g := &generator{Rand: random(seed)}
	g.odd, g.sparse = g.IntN(2) == 0, g.IntN(3) == 0
	if g.IntN(3) == 0 {
		if other := pick(g, f.kind.versions); other != f.from {
			g.shapes = other.shapes
			for x := g.object(other.typ, f.apiVersion(other), f.kind.name); ; {
				out, err := f.convert(x.append(nil, ""), f.from).tree()
				if err == nil {
					return f.subject(f.untracked(out, false), g.odd)
				}
				if !drop(x, err) {
					break
				}
			}
		}
	}
	g.shapes = f.from.shapes
	return f.subject(g.object(f.from.typ, f.apiVersion(f.from), f.kind.name), g.odd)
}

// subject is an object that is tested, with what conversions make of it. Each is made once.
type subject struct {
	*origin
	x *node
	// odd means that the object has what Go objects cannot hold.
	odd bool
	// text is the object as JSON.
	text []byte
	// converted are the results by version.
	converted map[*version]*result
	// decoded is the object in Go, made by Go.
	decoded *decoded
}

func (f *origin) subject(x *node, odd bool) *subject {
	space := ""
	if odd {
		space = " "
	}
	return &subject{origin: f, x: x, odd: odd, text: x.append(nil, space), converted: map[*version]*result{}}
}

// in returns the object in a version.
func (o *subject) in(v *version) *result {
	r := o.converted[v]
	if r == nil {
		r = o.convert(o.text, v)
		o.converted[v] = r
	}
	return r
}

// result is what a conversion of JSON returns.
type result struct {
	text []byte
	err  error
	// parsed is the tree of the text, once it is needed.
	parsed *node
}

func (s *suite) convert(text []byte, to *version) *result {
	out, err := s.converter.Convert(nil, text, to.name)
	return &result{text: out, err: err}
}

func (r *result) tree() (*node, error) {
	if r.err == nil && r.parsed == nil {
		r.parsed, r.err = parse(r.text)
	}
	return r.parsed, r.err
}

// examine returns the object without the values that do not convert, and the first law
// that it breaks.
func (p *pair) examine(o *subject) (*subject, *violation, error) {
	for {
		_, err := o.in(p.via).tree()
		if err == nil {
			return o, p.check(o), nil
		}
		if in, typedErr := p.decode(o.text, p.from); typedErr == nil && !o.odd {
			if _, typedErr = p.convertTyped(in, p.from, p.via); typedErr == nil {
				return o, fails("JSON does not convert, and Go objects do", err), nil
			}
		}
		x := o.x.clone()
		if !drop(x, err) {
			return nil, nil, err
		}
		o = p.subject(x, o.odd)
	}
}

// drop removes the value that an error is about. It reports whether there is one.
func drop(x *node, err error) bool {
	steps := x.find(pathOf(err))
	if len(steps) == 0 {
		return false
	}
	last := steps[len(steps)-1]
	if last.parent.kind == '[' {
		last.parent.items[last.i] = scalar("null")
	} else {
		last.parent.remove(last.i)
	}
	return true
}

func pathOf(err error) string {
	if e := (*wire.Error)(nil); errors.As(err, &e) {
		return e.Path
	}
	return ""
}

// check returns the first law that an object breaks; nil if it breaks none.
func (p *pair) check(o *subject) *violation {
	if same := o.in(p.from); same.err != nil || !bytes.Equal(same.text, o.text) {
		return &violation{"L6, JSON", difference{"", string(o.text), fmt.Sprintf("%s, error %v", same.text, same.err)}}
	}
	converted := o.in(p.via)
	there, err := converted.tree()
	if err != nil {
		return fails("conversion of JSON", err)
	}
	if v := p.oneWay(o.x, there, string(converted.text)); v != nil {
		return v
	}
	if v := p.comesBack(o.x, o.text, there, p.convert(converted.text, p.from), p.law()+", JSON"); v != nil {
		return v
	}
	if !o.odd {
		if v := p.forge(o, there); v != nil {
			return v
		}
	}
	// An edit is an object of the other version, whose way back is by this one.
	other := p.reverse()
	edited := there.clone()
	if other.edit(edited) {
		text := edited.append(nil, "")
		if again, err := p.convert(text, p.from).tree(); err == nil {
			if v := other.comesBack(edited, text, again, p.convert(again.append(nil, ""), p.via), law3); v != nil {
				return v
			}
		}
	}
	if v := p.chain(o); v != nil || o.odd {
		return v
	}
	return p.typed(o)
}

// chain checks that the version by way of which an object is stored does not decide what it is in a
// third version.
func (p *pair) chain(o *subject) *violation {
	for _, to := range p.kind.versions {
		if to == p.from || to == p.via {
			continue
		}
		direct, stepwise := o.in(to), p.convert(o.in(p.via).text, to)
		if direct.err == nil && bytes.Equal(direct.text, stepwise.text) {
			continue
		}
		a, err := direct.tree()
		b, err2 := stepwise.tree()
		if errors.Join(err, err2) != nil {
			continue // the laws of other pairs are about failures
		}
		c := comparison{shapes: to.shapes, via: p.via.name}
		if d := c.diff(p.untracked(a, true), p.untracked(b, true), to.typ, "", false); d != nil {
			return &violation{"chain to " + to.name + ", JSON", *d}
		}
	}
	return nil
}

const law3 = "L3, JSON"

// untracked returns the object without the values that conversions track, and without the
// objects that hold nothing else. With empty, it has none of these objects if they are empty.
func (s *suite) untracked(x *node, empty bool) *node {
	x = x.clone()
	for _, path := range [][]string{{"status", "changedValues"}, {"metadata", "annotations", wire.TrackingAnnotation(s.group)}} {
		x.prune(path, empty)
	}
	return x
}

// law is the law of round trips from the version.
func (p *pair) law() string {
	if p.from.age > p.via.age {
		return "L1"
	}
	return "L2"
}

// oneWay checks the laws about one conversion.
func (p *pair) oneWay(x, there *node, text string) *violation {
	before, after := p.untracked(x.only("metadata"), true), p.untracked(there.only("metadata"), true)
	for _, e := range p.moved() {
		before.prune(e.path(), true)
		after.prune(e.path(), true)
	}
	if before.String() != after.String() {
		// A conversion that the author wrote decodes whole objects. A value that moves may leave an empty map.
		decoded := p.from.of(p.from.typ).decoded || len(p.from.entries) > 0
		if d := (comparison{shapes: &shapes{}}).diff(before, after, nil, "", decoded); d != nil || !decoded {
			return &violation{"L7, JSON", difference{"metadata", before.String(), after.String()}}
		}
	}
	if path, key := p.unknown(x, text, p.from.typ, ""); key != "" {
		return &violation{"L5, JSON", difference{path, key, "nothing"}}
	}
	if path := p.added(there, p.via.typ, ""); path != "" {
		return &violation{"L4, JSON", difference{path, "nothing", "a value"}}
	}
	return nil
}

// moved returns the labels and annotations that are fields in the hub or in one of the versions.
func (p *pair) moved() []Entry {
	return slices.DeleteFunc(slices.Clone(p.from.entries), func(e Entry) bool {
		return !slices.Contains(e.Versions, p.from.name) && !slices.Contains(e.Versions, p.via.name)
	})
}

// unknown returns an unknown field of a tree that a text lacks.
func (p *pair) unknown(n *node, text string, t reflect.Type, path string) (at, key string) {
	if t != nil {
		t = indirect(t)
		if of := p.from.of(t); of.decoded || slices.Contains(of.lost, p.via.name) {
			return "", ""
		}
	}
	for i, item := range n.items {
		below, typ := path+index(i), elem(t)
		if n.kind == '{' {
			key := plain(n.keys[i])
			below, typ = path+"."+key, nil
			if strings.HasPrefix(key, unknownKey) && !strings.Contains(text, key) {
				return below, key
			}
			if m, ok := p.from.at(t, key); ok {
				if m.know.decoded || slices.Contains(m.know.lost, p.via.name) {
					continue
				}
				if typ = m.typ; slices.Contains(m.know.first, p.via.name) {
					item = item.first()
				}
			}
		}
		if at, key := p.unknown(item, text, typ, below); key != "" {
			return at, key
		}
	}
	return "", ""
}

// added returns the path of a field that objects of the version lack and that a
// conversion gave a value.
func (p *pair) added(n *node, t reflect.Type, path string) string {
	if t == nil || p.via.of(indirect(t)).decoded {
		return ""
	}
	t = indirect(t)
	for i, item := range n.items {
		below, typ := path+index(i), elem(t)
		if n.kind == '{' {
			m, ok := p.via.at(t, plain(n.keys[i]))
			if !ok || m.know.decoded {
				continue
			}
			below, typ = path+"."+m.key, m.typ
			if slices.Contains(m.know.missing, p.from.name) {
				if m.know.filled {
					continue // its default may have any fields
				}
				return below
			}
		}
		if at := p.added(item, typ, below); at != "" {
			return at
		}
	}
	return ""
}

// comesBack compares an object with what it is after it went by way of the other version.
func (p *pair) comesBack(x *node, text []byte, there *node, again *result, law string) *violation {
	if again.err == nil && bytes.Equal(text, again.text) {
		return nil
	}
	back, err := again.tree()
	if err != nil {
		if p.excepted(there, pathOf(err)) {
			return nil
		}
		return fails(law, err)
	}
	c := comparison{shapes: p.from.shapes, via: p.via.name, exact: true}
	if law == law3 { // an edit makes tracked values stale
		x, back = p.untracked(x, true), p.untracked(back, true)
	}
	if d := c.diff(x, back, p.from.typ, "", false); d != nil {
		return &violation{law, *d}
	}
	return nil
}

// excepted reports whether a value of the other version may be lost.
func (p *pair) excepted(there *node, path string) bool {
	t := p.via.typ
	for _, step := range there.find(path) {
		if t = indirect(t); len(p.via.of(t).lost) > 0 {
			return true
		}
		typ := elem(t)
		if step.parent.kind == '{' {
			m, _ := p.via.at(t, plain(step.parent.keys[step.i]))
			if len(m.know.lost)+len(m.know.first) > 0 {
				return true
			}
			typ = m.typ
		}
		if t = typ; t == nil {
			return false
		}
	}
	of := p.via.of(indirect(t))
	return len(of.lost) > 0
}

// edit changes a string or a bool that both versions have. It reports whether there is one.
func (p *pair) edit(x *node) bool {
	var scalars []*node
	for _, part := range []string{"spec", "status"} {
		if m, ok := p.from.at(p.from.typ, part); ok {
			scalars = p.editable(x.get(part), m.typ, m.know, scalars)
		}
	}
	if len(scalars) == 0 {
		return false
	}
	s := scalars[random(uint64(len(scalars))).IntN(len(scalars))]
	switch s.text {
	case "true":
		s.text = "false"
	case "false":
		s.text = "true"
	default:
		s.text = `"an edit"`
	}
	return true
}

// editable appends the strings and bools of a tree that any value may replace. Tracked values are not edited: a client that
// changes some of them gets a mix.
func (p *pair) editable(n *node, t reflect.Type, know flags, scalars []*node) []*node {
	if n == nil || t == nil {
		return scalars
	}
	t = indirect(t)
	of := p.from.of(t)
	if t == changedValues || p.from.ownJSON(t) || of.decoded || know.decoded || len(of.values)+len(of.lost)+len(know.lost)+len(know.missing)+len(know.keys) > 0 || know.unique {
		return scalars
	}
	if n.kind == 's' && (t.Kind() == reflect.String || t.Kind() == reflect.Bool) {
		return append(scalars, n)
	}
	for i, item := range n.items {
		m := member{typ: elem(t)}
		if n.kind == '{' {
			m, _ = p.from.at(t, plain(n.keys[i]))
		}
		scalars = p.editable(item, m.typ, m.know, scalars)
	}
	return scalars
}

// leavesOut reports whether Go leaves out a value of an object.
func leavesOut(object, encoded []byte) bool {
	a, errA := parse(object)
	b, errB := parse(encoded)
	if errA != nil || errB != nil {
		return false
	}
	for _, key := range []string{"apiVersion", "kind"} { // which Go objects need not have
		if b.get(key) == nil {
			b.add(key, scalar("null"))
		}
	}
	return a.exceeds(b)
}

// writesUnset reports whether Go writes a zero value, of a field that Go code converts or that becomes a list, that an object
// lacks.
func (p *pair) writesUnset(object, encoded []byte) bool {
	a, errA := parse(object)
	b, errB := parse(encoded)
	return errA == nil && errB == nil && p.fillsUnset(a, b, p.via.typ)
}

func (p *pair) fillsUnset(a, b *node, t reflect.Type) bool {
	for i, item := range b.items {
		if b.kind == '[' {
			if i < len(a.items) && p.fillsUnset(a.items[i], item, elem(t)) {
				return true
			}
			continue
		}
		if t != nil {
			t = indirect(t)
		}
		m, _ := p.via.at(t, plain(b.keys[i]))
		switch other := a.get(plain(b.keys[i])); {
		case other == nil && (m.know.decoded || m.know.late):
			return true
		case other == nil && item.kind == '{' && p.fillsUnset(&node{kind: '{'}, item, m.typ): // in a struct that it lacks
			return true
		case other != nil && p.fillsUnset(other, item, m.typ):
			return true
		}
	}
	return false
}

// exceeds reports whether a tree has a member that another has not.
func (n *node) exceeds(of *node) bool {
	for i, item := range n.items {
		var other *node
		if n.kind == '{' {
			other = of.get(plain(n.keys[i]))
		} else if i < len(of.items) {
			other = of.items[i]
		}
		if other == nil || item.exceeds(other) {
			return true
		}
	}
	return false
}
