package roundtrip

import "slices"

// steps is the number of edits of a walk.
const steps = 3

// walk edits an object in one version after another. After each edit, it is the same when it comes from any other version, and the
// same in third versions whichever way it takes.
func (o *subject) walk() *violation {
	g := &generator{Rand: random(o.seed), left: 20}
	text := o.text
	for range steps {
		at := &origin{o.suite, o.kind, pick(g, o.kind.versions)}
		x, err := o.convert(text, at.from).tree()
		if err != nil {
			return fails("L3", at.from, err)
		}
		x = x.clone()
		if !at.edit(g, x) {
			continue
		}
		text = x.append(nil, "")
		if v, _, _ := at.refused(text); v != nil {
			return nil
		}
		for _, via := range o.kind.versions {
			if v := at.edited(g, x, text, via); v != nil {
				return v
			}
		}
	}
	return nil
}

// edited checks an edited object in another version.
func (o *origin) edited(g *generator, x *node, text []byte, via *version) *violation {
	there := o.convert(text, via)
	back, err := o.convert(there.text, o.from).tree()
	if there.err != nil {
		err = there.err
	}
	if err != nil {
		return fails("L3", via, err)
	}
	if d := (comparison{}).diff(o.untracked(x), o.untracked(back), o.from.shape, ""); d != nil {
		return &violation{"L3 in " + o.from.name, via, *d}
	}
	to := pick(g, o.kind.versions)
	a, errA := o.convert(text, to).tree()
	b, errB := o.convert(there.text, to).tree()
	if errA != nil || errB != nil {
		if errA == nil {
			return fails("L3", via, errB)
		}
		return fails("L3", to, errA)
	}
	if d := (comparison{}).diff(o.untracked(a), o.untracked(b), to.shape, ""); d != nil {
		return &violation{"L3 in " + o.from.name + ", conversion to " + to.name, via, *d}
	}
	return nil
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
