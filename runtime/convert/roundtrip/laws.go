package roundtrip

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/kindsmith/kindsmith/runtime/wire"
)

// pair is a version with another that its objects go by way of.
type pair struct {
	*suite
	kind      *kind
	from, via *version
}

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

// run checks objects and returns the first violation of each law.
func (p *pair) run(seed uint64, objects int) []string {
	var violations []string
	reported := map[string]bool{}
	converted := 0
	var last error
	for i := range uint64(objects) {
		x, odd := p.generate(seed + i)
		x, v, err := p.examine(x, odd)
		if err != nil {
			last = err
			continue
		}
		converted++
		if v == nil || reported[v.law] {
			continue
		}
		reported[v.law] = true
		small, v := p.shrink(x, v, odd)
		violations = append(violations, fmt.Sprintf("%s from %s by way of %s, seed %d: %s\nobject: %s", p.kind.name, p.from.name, p.via.name, seed+i, v, small))
	}
	if converted == 0 {
		violations = append(violations, fmt.Sprintf("%s: no object converts from %s to %s, such as: %v", p.kind.name, p.from.name, p.via.name, last))
	}
	return violations
}

// generate returns an object of a seed. Some are made in another version and converted:
// their values are those that conversion functions expect.
func (p *pair) generate(seed uint64) (x *node, odd bool) {
	g := &generator{Rand: random(seed)}
	g.odd = g.IntN(2) == 0
	if g.IntN(3) == 0 {
		if other := pick(g, p.kind.versions); other != p.from {
			g.shapes = other.shapes
			for x := g.object(other.typ, p.apiVersion(other), p.kind.name); ; {
				out, err := p.convert(x, p.from)
				if err == nil {
					return p.untracked(out, false), g.odd
				}
				if !drop(x, err) {
					break
				}
			}
		}
	}
	g.shapes = p.from.shapes
	return g.object(p.from.typ, p.apiVersion(p.from), p.kind.name), g.odd
}

func (s *suite) convert(x *node, to *version) (*node, error) {
	out, err := s.converter.Convert(nil, x.append(nil, ""), to.name)
	if err != nil {
		return nil, err
	}
	return parse(out)
}

// examine returns the object without the values that do not convert, and the first law
// that it breaks.
func (p *pair) examine(x *node, odd bool) (*node, *violation, error) {
	x = x.clone()
	for {
		_, err := p.convert(x, p.via)
		if err == nil {
			return x, p.check(x, odd), nil
		}
		if in, typedErr := p.decode(x, p.from); typedErr == nil && !odd {
			if _, typedErr = p.convertTyped(in, p.from, p.via); typedErr == nil {
				return x, fails("JSON does not convert, and Go objects do", err), nil
			}
		}
		if !drop(x, err) {
			return nil, nil, err
		}
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
func (p *pair) check(x *node, odd bool) *violation {
	space := ""
	if odd {
		space = " "
	}
	text := x.append(nil, space)
	if out, err := p.converter.Convert(nil, text, p.from.name); err != nil || !bytes.Equal(out, text) {
		return &violation{"L6, JSON", difference{"", string(text), fmt.Sprintf("%s, error %v", out, err)}}
	}
	converted, err := p.converter.Convert(nil, text, p.via.name)
	if err != nil {
		return fails("conversion of JSON", err)
	}
	there, err := parse(converted)
	if err != nil {
		return fails("conversion of JSON", err)
	}
	if v := p.oneWay(x, there); v != nil {
		return v
	}
	if v := p.comesBack(x, there, p.law()+", JSON"); v != nil {
		return v
	}
	// An edit is an object of the other version, whose way back is by this one.
	other := &pair{p.suite, p.kind, p.via, p.from}
	edited := there.clone()
	if other.edit(edited) {
		if again, err := p.convert(edited, p.from); err == nil {
			if v := other.comesBack(edited, again, law3); v != nil {
				return v
			}
		}
	}
	if v := p.chain(x, there); v != nil || odd {
		return v
	}
	return p.typed(x)
}

// chain checks that the version by way of which an object is stored does not decide what it is in a
// third version.
func (p *pair) chain(x, there *node) *violation {
	for _, to := range p.kind.versions {
		if to == p.from || to == p.via {
			continue
		}
		direct, err := p.convert(x, to)
		stepwise, err2 := p.convert(there, to)
		if errors.Join(err, err2) != nil {
			continue // the laws of other pairs are about failures
		}
		c := comparison{shapes: to.shapes, via: p.via.name}
		if d := c.diff(p.untracked(direct, true), p.untracked(stepwise, true), to.typ, "", false); d != nil {
			return &violation{"chain to " + to.name + ", JSON", *d}
		}
	}
	return nil
}

const law3 = "L3, JSON"

// untracked returns the object without the values that conversions track, and without the
// objects that hold nothing else. With empty, it has none of these objects if they are empty.
func (p *pair) untracked(x *node, empty bool) *node {
	x = x.clone()
	for _, path := range [][]string{{"status", "changedValues"}, {"metadata", "annotations", "versioned." + p.group + "/changed-values"}} {
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
func (p *pair) oneWay(x, there *node) *violation {
	before, after := p.untracked(x, true).only("metadata"), p.untracked(there, true).only("metadata")
	for _, e := range p.moved() {
		before.prune(e.path(), true)
		after.prune(e.path(), true)
	}
	if before.String() != after.String() {
		// A conversion that the author wrote decodes whole objects. A value that moves may leave an empty map.
		decoded := p.from.of(p.from.typ).decoded || len(p.moved()) > 0
		if d := (comparison{shapes: &shapes{}}).diff(before, after, nil, "", decoded); d != nil || !decoded {
			return &violation{"L7, JSON", difference{"metadata", before.String(), after.String()}}
		}
	}
	if path, key := p.unknown(x, there.String(), p.from.typ, ""); key != "" {
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
				typ = m.typ
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
			if slices.Contains(m.know.missing, p.from.name) && !m.know.filled {
				return below
			}
		}
		if at := p.added(item, typ, below); at != "" {
			return at
		}
	}
	return ""
}

// comesBack converts an object back and compares it with what it was.
func (p *pair) comesBack(x, there *node, law string) *violation {
	back, err := p.convert(there, p.from)
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
			if len(m.know.lost) > 0 {
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

// editable appends the strings and bools of a tree that any value may replace.
func (p *pair) editable(n *node, t reflect.Type, know flags, scalars []*node) []*node {
	if n == nil || t == nil {
		return scalars
	}
	t = indirect(t)
	of := p.from.of(t)
	if p.from.ownJSON(t) || of.decoded || know.decoded || len(of.values)+len(of.lost)+len(know.lost)+len(know.missing)+len(know.keys) > 0 || know.unique {
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

// typed checks the laws for Go objects, and that both forms agree on what Go objects encode.
func (p *pair) typed(x *node) *violation {
	in, text, err := p.stable(x)
	if err != nil {
		return fails("encoding", err)
	}
	before := reflect.New(p.from.typ).Interface()
	if err := utiljson.Unmarshal(text, before); err != nil {
		return fails("decoding", err)
	}
	converted, wireErr := p.converter.Convert(nil, text, p.via.name)
	out, err := p.convertTyped(in, p.from, p.via)
	if (err == nil) != (wireErr == nil) {
		return &violation{"JSON and Go objects convert differently", difference{a: fmt.Sprintf("JSON fails with %v", wireErr), b: fmt.Sprintf("Go objects fail with %v", err)}}
	}
	if err != nil {
		return nil
	}
	there := reflect.New(p.via.typ).Interface()
	if err := utiljson.Unmarshal(converted, there); err != nil {
		return fails("decoding", err)
	}
	agree := comparison{shapes: &shapes{}}
	if v := p.compare(agree, there, out, p.via, "JSON and Go objects convert differently"); v != nil {
		return v
	}
	if at := shared(in, out); at != "" {
		return &violation{"memory is shared", difference{path: at, a: "the converted object has memory of the original"}}
	}
	if before, after := p.meta(in), p.meta(out); !equality.Semantic.DeepEqual(before, after) {
		return &violation{"L7, Go", difference{"metadata", fmt.Sprint(before), fmt.Sprint(after)}}
	}
	back, err := p.convertTyped(out, p.via, p.from)
	if err != nil {
		return nil // the law for JSON has compared what the failure is about
	}
	if v := p.compare(agree, before, in, p.from, "the original changes"); v != nil {
		return v
	}
	return p.compare(comparison{shapes: p.from.shapes, via: p.via.name}, before, back, p.from, p.law()+", Go")
}

// stable returns an object as a Go object, and the JSON that it decodes from and encodes to. Go objects
// differ in what JSON does not express: encoding leaves out an empty list, and then the struct that has
// only this list.
func (p *pair) stable(x *node) (any, []byte, error) {
	for text := x.append(nil, ""); ; {
		o := reflect.New(p.from.typ).Interface()
		if err := utiljson.Unmarshal(text, o); err != nil {
			return nil, nil, err
		}
		again, err := json.Marshal(o)
		if err != nil || bytes.Equal(text, again) {
			return o, text, err
		}
		text = again
	}
}

// meta returns the metadata of an object without tracked values, nil if it has none.
func (p *pair) meta(o any) any {
	f := reflect.ValueOf(o).Elem().FieldByName("ObjectMeta")
	if !f.IsValid() {
		return nil
	}
	meta, ok := f.Interface().(metav1.ObjectMeta)
	if !ok {
		return f.Interface()
	}
	meta.Annotations = maps.Clone(meta.Annotations)
	meta.Labels = maps.Clone(meta.Labels)
	delete(meta.Annotations, "versioned."+p.group+"/changed-values")
	for _, e := range p.moved() {
		delete(map[string]map[string]string{"annotations": meta.Annotations, "labels": meta.Labels}[e.Map], e.Key)
	}
	return meta
}

func (p *pair) decode(x *node, v *version) (any, error) {
	o := reflect.New(v.typ).Interface()
	return o, utiljson.Unmarshal(x.append(nil, ""), o)
}

// convertTyped converts by way of the hub.
func (p *pair) convertTyped(in any, from, to *version) (any, error) {
	if from.conversions != nil {
		out := reflect.New(from.conversions.hub).Interface()
		if err := from.conversions.up(in, out); err != nil {
			return nil, err
		}
		in = out
	}
	if to.conversions != nil {
		out := reflect.New(to.conversions.older).Interface()
		if err := to.conversions.down(in, out); err != nil {
			return nil, err
		}
		in = out
	}
	return in, nil
}

// compare compares the JSON of Go objects.
func (p *pair) compare(c comparison, a, b any, v *version, law string) *violation {
	x, err := treeOf(a)
	if err != nil {
		return fails(law, err)
	}
	y, err := treeOf(b)
	if err != nil {
		return fails(law, err)
	}
	if d := c.diff(x, y, v.typ, "", false); d != nil {
		return &violation{law, *d}
	}
	return nil
}

// treeOf returns the JSON of a Go object without its TypeMeta, which conversions leave
// to schemes.
func treeOf(o any) (*node, error) {
	text, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	n, err := parse(text)
	if err != nil {
		return nil, err
	}
	for i := len(n.keys) - 1; i >= 0; i-- {
		if key := plain(n.keys[i]); key == "apiVersion" || key == "kind" {
			n.remove(i)
		}
	}
	return n, nil
}
