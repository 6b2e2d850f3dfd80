package roundtrip

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// origin is a version of a kind whose objects are tested.
type origin struct {
	*suite
	kind    *kind
	from    *version
	results *results
}

// at returns another version of the kind.
func (o *origin) at(v *version) *origin { return &origin{o.suite, o.kind, v, o.results} }

// violation is a law that an object breaks.
type violation struct {
	law string
	// via is the version that the object goes to.
	via *version
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

// is reports whether two violations are of the same law and version.
func (v *violation) is(other *violation) bool {
	return other != nil && v.law == other.law && v.via == other.via
}

// fails returns the violation that a conversion fails.
func fails(law string, via *version, err error) *violation {
	return &violation{law, via, difference{a: err.Error()}}
}

// run checks objects of a version and returns the first violation of each law, for each version that
// they go to.
func (o *origin) run(seed uint64, objects int) []string {
	var reported []*violation
	var texts []string
	converted := 0
	var last error
	for i := range uint64(objects) {
		o.results.reset()
		x, odd, err := o.generate(seed + i)
		if err != nil {
			last = err
			continue
		}
		converted++
		v := o.subject(x, odd, seed+i).check()
		if v == nil || slices.ContainsFunc(reported, v.is) {
			continue
		}
		reported = append(reported, v)
		small, v := o.shrink(x, odd, seed+i, v)
		texts = append(texts, fmt.Sprintf("%s from %s through %s, seed %d: %s\nobject: %s", o.kind.name, o.from.name, v.via.name, seed+i, v, small))
	}
	if converted == 0 {
		texts = append(texts, fmt.Sprintf("%s: no object of %s converts to all versions, such as: %v", o.kind.name, o.from.name, last))
	}
	return texts
}

// generate returns an object of a seed that functions do not refuse. Some are made in another version and converted: their
// values are those that functions expect.
func (o *origin) generate(seed uint64) (x *node, odd bool, err error) {
	g := &generator{Rand: random(seed)}
	g.odd, g.sparse = g.IntN(2) == 0, g.IntN(3) == 0
	if other := pick(g, o.kind.versions); g.IntN(3) == 0 && other != o.from {
		x, err = o.at(other).accepted(g.object(o.kind, other, o.apiVersion(other)))
		if err == nil {
			if x, err = o.bare(o.convert(o.results.ofTree(x, ""), o.from, true)); err == nil {
				x, err = o.accepted(x)
			}
		}
		if err == nil {
			return x, g.odd, nil
		}
	}
	x, err = o.accepted(g.object(o.kind, o.from, o.apiVersion(o.from)))
	return x, g.odd, err
}

// maxRefused is the number of values that functions may refuse in an object.
const maxRefused = 100

// accepted returns an object without the values that functions refuse.
func (o *origin) accepted(x *node) (_ *node, err error) {
	for range maxRefused {
		var at *version
		var refused *node
		if at, refused, err = o.refused(o.results.ofTree(x, "")); at == nil {
			return x, err
		}
		if refused = refused.clone(); !drop(refused, err) {
			return nil, err
		}
		if at == o.from {
			x = refused
		} else if x, err = o.bare(o.convert(o.results.ofTree(refused, ""), o.from, true)); err != nil {
			return nil, err
		}
	}
	return nil, err
}

// refused returns the first version, in each direction, in which an object does not convert to the next one; nil if it converts
// to all versions.
func (o *origin) refused(object *result) (*version, *node, error) {
	o.spread(object, true)
	if !slices.ContainsFunc(o.kind.versions, func(v *version) bool { return o.convert(object, v, true).err != nil }) {
		return nil, nil, nil
	}
	first := slices.Index(o.kind.versions, o.from)
	for _, way := range []int{1, -1} {
		at := object
		for k := first; k+way >= 0 && k+way < len(o.kind.versions); k += way {
			next := o.convert(at, o.kind.versions[k+way], true)
			if next.err != nil && !isFault(next.err) {
				x, err := o.bare(at)
				if err != nil {
					return nil, nil, err
				}
				return o.kind.versions[k], x, next.err
			}
			if next.err != nil {
				break // a law is about it
			}
			at = next
		}
	}
	return nil, nil, nil
}

// isFault reports whether an error is a fault of conversions, and not a value that a function refuses.
func isFault(err error) bool {
	var e *jsonconvert.Error
	return !errors.As(err, &e) || e.Reason == jsonconvert.Broken
}

// drop removes the value that an error is about. It reports whether there is one.
func drop(x *node, err error) bool {
	var e *jsonconvert.Error
	if !errors.As(err, &e) {
		return false
	}
	steps := x.find(e.Path)
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

// subject is an object that is tested.
type subject struct {
	*origin
	x *node
	// odd means that the object has what Go objects cannot hold.
	odd bool
	// seed decides what happens at random.
	seed uint64
	// start is the object as JSON.
	start *result
	// variants are objects that are the same for their Go type.
	variants []*result
	// isReadable means that Go decodes the object.
	isReadable bool
}

func (o *origin) subject(x *node, odd bool, seed uint64) *subject {
	space := ""
	if odd {
		space = " "
	}
	return &subject{origin: o, x: x, odd: odd, seed: seed, start: o.results.ofTree(x, space)}
}

// into returns the object in a version.
func (o *subject) into(v *version) *result { return o.convert(o.start, v, true) }

// check returns the first law that an object breaks; nil if it breaks none.
func (o *subject) check() *violation {
	if same := o.into(o.from); same != o.start {
		return &violation{"L6", o.from, difference{"", string(o.start.text), fmt.Sprintf("%s, error %v", same.text, same.err)}}
	}
	_, err := o.start.decode(o.from)
	o.isReadable = err == nil
	laws := []func(*version, *result) *violation{o.oneWay, o.equivalent}
	o.spread(o.start, true)
	isTracked := o.kind.store != jsonconvert.Untracked // else values are lost
	if isTracked {
		for _, via := range o.kind.versions {
			if there := o.into(via); there.err == nil {
				o.spread(there, o.kind.isEnd(via))
			}
		}
		laws = append(laws, o.comesBack, o.otherWays, o.forge)
	}
	if v := o.each(laws...); v != nil {
		return v
	}
	if isTracked {
		if v := o.walk(); v != nil {
			return v
		}
	}
	if o.odd {
		return nil
	}
	t, v := o.typed()
	if v != nil {
		return v
	}
	return o.each(t.check)
}

// each checks laws with the object in each of the other versions, whose tree is known.
func (o *subject) each(laws ...func(*version, *result) *violation) *violation {
	for _, via := range o.kind.versions {
		if via == o.from {
			continue
		}
		there := o.into(via)
		if _, err := there.tree(); err != nil {
			return fails("conversion", via, err)
		}
		for _, law := range laws {
			if v := law(via, there); v != nil {
				return v
			}
		}
	}
	return nil
}

// law is the law of round trips through a version.
func (o *origin) law(via *version) string {
	if o.from.age > via.age {
		return "L1"
	}
	return "L2"
}

// comesBack checks that an object is the same after a round trip, without stored values.
func (o *subject) comesBack(via *version, there *result) *violation {
	again := o.convert(there, o.from, o.kind.isEnd(via))
	if again == o.start {
		return nil
	}
	back, err := again.tree()
	if err != nil {
		return fails(o.law(via), via, err)
	}
	if d := (comparison{}).diff(o.x, back, o.from.shape); d != nil {
		return &violation{o.law(via), via, *d}
	}
	if !o.kind.keepsMetadata {
		return nil // it is compared with the object
	}
	if before, after := o.x.get("metadata"), back.get("metadata"); !before.equal(after) && before.canonical() != after.canonical() {
		return &violation{"L7", via, difference{"metadata", before.String(), after.String()}}
	}
	return nil
}

// oneWay checks the laws about one conversion.
func (o *subject) oneWay(via *version, there *result) *violation {
	x, err := o.bare(o.start)
	if err != nil {
		return fails("L7", via, err)
	}
	y, err := o.bare(there)
	if err != nil {
		return fails("L7", via, err)
	}
	before, after := o.metadata(x), o.metadata(y)
	if d := (comparison{}).diff(before, after, o.from.shape); d != nil {
		return &violation{"L7", via, *d}
	}
	if key := unknown(o.x, there.text); key != "" && o.kind.store != jsonconvert.Untracked {
		return &violation{"L5", via, difference{"", key, "nothing"}}
	}
	if path := o.invented(via, y); path != "" {
		return &violation{"L4", via, difference{path, "nothing", "a value"}}
	}
	if o.isReadable {
		if _, err := there.decode(via); err != nil {
			return fails("Go cannot read the object", via, err)
		}
	}
	return nil
}

// metadata returns an object without stored values as one with the metadata alone, without labels and annotations that are fields
// in some version.
func (o *origin) metadata(x *node) *node {
	out := object()
	m := x.get("metadata")
	if m == nil {
		return out
	}
	if len(o.kind.places) > 0 {
		m = m.clone()
	}
	out.add("metadata", m)
	for _, p := range o.kind.places {
		if in := m.get(p.In); in != nil {
			in.drop(p.Key)
			if len(in.items) == 0 {
				m.drop(p.In)
			}
		}
	}
	return out
}

// unknown returns an unknown field of a tree that a text lacks.
func unknown(n *node, text []byte) (key string) {
	for i, item := range n.items {
		if n.kind == '{' {
			if key := plain(n.keys[i]); strings.HasPrefix(key, unknownKey) && !bytes.Contains(text, []byte(key)) {
				return key
			}
		}
		if key := unknown(item, text); key != "" {
			return key
		}
	}
	return ""
}

// equivalent checks that objects that are the same for their Go type are the same after a conversion.
func (o *subject) equivalent(via *version, there *result) *violation {
	if o.variants == nil {
		o.variants = []*result{o.results.ofTree(o.x.bare(o.from.shape), ""), o.results.ofTree(o.x.explicit(o.from.shape), "")}
	}
	for _, variant := range o.variants {
		o.spread(variant, true)
		other := o.convert(variant, via, true)
		if other.err != nil {
			return fails("L8", via, fmt.Errorf("%w, of %s", other.err, variant.text))
		}
		if v := o.same("L8", via, there, other, via); v != nil {
			return v
		}
	}
	return nil
}

// bare returns an object without what its type cannot tell from an absent value.
func (n *node) bare(s *shape) *node {
	out := &node{kind: n.kind, text: n.text}
	for i, item := range n.items {
		if n.kind == '[' {
			out.items = append(out.items, item.bare(s.item()))
			continue
		}
		key := plain(n.keys[i])
		if f := s.field(key); f == nil || !(comparison{}).isAbsent(item, f) {
			out.keys, out.items = append(out.keys, n.keys[i]), append(out.items, item.bare(s.at(key)))
		}
	}
	return out
}

// explicit returns an object with the zero values of fields that it lacks, as Go writes them.
func (n *node) explicit(s *shape) *node {
	out := &node{kind: n.kind, text: n.text, keys: slices.Clone(n.keys)}
	for i, item := range n.items {
		below := s.item()
		if n.kind == '{' {
			below = s.at(plain(n.keys[i]))
		}
		out.items = append(out.items, item.explicit(below))
	}
	if n.kind != '{' || s == nil {
		return out
	}
	for _, f := range s.fields {
		if n.get(f.key) == nil && !f.pointer && f.form == scalarForm && f.key != "apiVersion" && f.key != "kind" {
			out.add(f.key, scalar(f.zero))
		}
	}
	return out
}

// same checks that two objects of a version are the same, without their stored values.
func (o *origin) same(law string, via *version, a, b *result, of *version) *violation {
	if a == b && a.err == nil {
		return nil
	}
	x, err := o.bare(a)
	if err != nil {
		return fails(law, of, err)
	}
	y, err := o.bare(b)
	if err != nil {
		return fails(law, via, err)
	}
	if d := (comparison{}).diff(x, y, of.shape); d != nil {
		return &violation{law, via, *d}
	}
	return nil
}

// otherWays checks that the version through which an object goes does not decide what it is in another.
func (o *subject) otherWays(to *version, there *result) *violation {
	for _, via := range o.kind.versions {
		if via == o.from || via == to || o.into(via).err != nil {
			continue
		}
		law := "conversion to " + to.name
		other := o.convert(o.into(via), to, false)
		if v := o.same(law, via, there, other, to); v != nil {
			return v
		}
		if a, b := o.storedIn(there, to), o.storedIn(other, to); a != b {
			return &violation{law + ", stored values", via, difference{"", a, b}}
		}
	}
	return nil
}
