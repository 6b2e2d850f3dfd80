package jsonconvert

import (
	"encoding/json"
	"errors"
	"fmt"
)

// hook converts several fields of the source together.
func (p *pure) hook(h *hook, n, out *node, d int) (*node, error) {
	if h.split != nil {
		p.event = true
		return p.split(h, n, out, d)
	}
	fn := h.call[d]
	if fn == nil {
		return out, nil
	}
	p.event = true
	var in, result *node
	var err error
	if d == older {
		if in, err = p.before(h, n, true); err == nil {
			result, err = p.each(h.object.lift, out, older)
		}
	} else if in, err = p.each(h.object.lift, n, older); err == nil {
		result, err = p.before(h, out, true)
	}
	if err != nil {
		return nil, err
	}
	pair, err := p.call(fn, p.m.build('[', nil, []*node{in, result}))
	if err != nil {
		return nil, err
	}
	if p.m.look(pair); pair == nil || pair.kind != '[' || len(pair.items) != 2 {
		return nil, &Error{Reason: Failed, Err: errors.New("the hook returned no pair")}
	}
	var is [2]*node
	for i, object := range pair.items {
		if d == older {
			is[i], err = p.each(h.object.lower, object, newer)
		} else {
			is[i], err = p.before(h, object, false)
		}
		if err != nil {
			return nil, err
		}
	}
	return p.patch(out, is[0], is[1]), nil
}

// before returns the fields that a hook sees of the older version, lifted to the newest one or lowered from it.
func (p *pure) before(h *hook, n *node, lift bool) (*node, error) {
	var keys []string
	var items []*node
	p.m.look(n)
	for i, key := range n.keys {
		e, ok := h.before[key]
		if !ok {
			continue
		}
		list, d := e.lower, newer
		if lift {
			list, d = e.lift, older
		}
		v, err := p.each(list, n.items[i], d)
		if err != nil {
			return nil, below("."+key, err)
		}
		if v != nil {
			keys, items = append(keys, key), append(items, v)
		}
	}
	return p.m.build('{', keys, items), nil
}

// patch sets the members that differ between two objects in a third.
func (p *pure) patch(out, before, after *node) *node {
	m := p.m
	if m.look(before); m.look(after) == nil || before == nil {
		return out
	}
	for i, key := range after.keys {
		if was := m.get(before, key); was == nil || !m.same(was, after.items[i], false) {
			out = m.with(out, key, after.items[i])
		}
	}
	for _, key := range before.keys {
		if m.has(after, key) < 0 {
			out = m.with(out, key, nil)
		}
	}
	return out
}

// split divides a string into fields, or joins it from them.
func (p *pure) split(h *hook, n, out *node, d int) (*node, error) {
	s := h.split
	if d == older == s.Joined {
		whole, err := s.join(p.m, n)
		if err != nil {
			return nil, errorOf(err)
		}
		if whole != "" {
			out = p.m.with(out, s.Whole, p.m.of(p.m.copy(quoteText(whole))))
		}
		return out, nil
	}
	is := p.m.get(n, s.Whole)
	if is.isNull() {
		return out, nil
	}
	whole, ok := is.string()
	if !ok {
		return nil, &Error{Path: "." + s.Whole, Err: fmt.Errorf("%s is not a string", p.m.json(is))}
	}
	var raw json.RawMessage
	if err := divided(*s, whole, &raw); err != nil {
		return nil, errorOf(err)
	}
	parts, err := p.m.parse(p.m.copy(raw))
	if err != nil {
		return nil, err
	}
	p.m.look(parts)
	for i, key := range parts.keys {
		out = p.m.with(out, key, parts.items[i])
	}
	return out, nil
}
