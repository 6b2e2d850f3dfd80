package roundtrip

import "slices"

// steps is the number of edits of a walk.
const steps = 3

// walk edits an object in one version after another. After each edit, it is the same when it comes from any other version, and the
// same in third versions whichever way it takes.
func (o *subject) walk() *violation {
	g := &generator{Rand: random(o.seed), left: 20}
	object := o.start
	for range steps {
		at := o.at(pick(g, o.kind.versions))
		x, err := o.convert(object, at.from, true).tree()
		if err != nil {
			return fails("L3", at.from, err)
		}
		x = x.clone()
		if !at.edit(g, x) {
			continue
		}
		edited := at.subject(x, false, o.seed)
		object = edited.start
		if v, _, _ := at.refused(object); v != nil {
			return nil
		}
		for _, via := range o.kind.versions {
			if v := edited.survives(g, via); v != nil {
				return v
			}
		}
	}
	return nil
}

// survives checks that an edit is there after a round trip through a version, and in a third version.
func (o *subject) survives(g *generator, via *version) *violation {
	there := o.into(via)
	if there.err != nil {
		return fails("L3", via, there.err)
	}
	law := "L3 in " + o.from.name
	if v := o.same(law, via, o.start, o.convert(there, o.from, o.kind.isEnd(via)), o.from); v != nil {
		return v
	}
	to := pick(g, o.kind.versions)
	return o.same(law+", conversion to "+to.name, via, o.into(to), o.convert(there, to, false), to)
}

// place is a value in its parent.
type place struct {
	step
	shape *shape
}

// edit replaces or removes a value of an object. It reports whether there is one.
func (o *origin) edit(g *generator, x *node) bool {
	var places []place
	for i, item := range x.items {
		if key := plain(x.keys[i]); !slices.Contains([]string{"apiVersion", "kind", "metadata"}, key) {
			places = append(places, place{step{x, i}, o.from.shape.at(key)})
			places = item.places(o.from.shape.at(key), places)
		}
	}
	places = slices.DeleteFunc(places, func(p place) bool { return p.shape == nil })
	if len(places) == 0 {
		return false
	}
	p := pick(g, places)
	if p.parent.kind == '{' && g.IntN(5) == 0 {
		p.parent.remove(p.i)
		return true
	}
	p.parent.items[p.i] = g.value(p.shape, 8)
	return true
}

// places appends the values below a tree.
func (n *node) places(s *shape, places []place) []place {
	for i, item := range n.items {
		below := s.item()
		if n.kind == '{' {
			below = s.at(plain(n.keys[i]))
		}
		places = append(places, place{step{n, i}, below})
		places = item.places(below, places)
	}
	return places
}
