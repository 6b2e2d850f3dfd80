package eval

import (
	"github.com/kindsmith/kindsmith/internal/rules/rule/order"
	"github.com/kindsmith/kindsmith/runtime/gen/validate"
)

// loops runs rules on values and keys. It evaluates a condition once.
func (e *evaluation) loops(loops []order.Loop, p *place) {
	for i := range loops {
		if l := &loops[i]; l.When == nil || e.applies(l.When, p, false) {
			e.loop(l, p)
		}
	}
}

func (e *evaluation) loop(l *order.Loop, p *place) {
	inner := *p
	inner.v = p.v.deref()
	if inner.hasOld {
		inner.old = p.old.deref()
	}
	switch inner.v.typ.form {
	case listForm:
		e.list(l, &inner)
	case mapForm:
		e.mapping(l, &inner)
	default:
		e.skipLoop(l)
	}
}

// list validates the items of a list. It correlates them with old items by key or by value, except
// in atomic lists, and skips unchanged items. The enclosing field reports nil items.
func (e *evaluation) list(l *order.Loop, p *place) {
	id := identityOf(l.Place.List)
	var cursor validate.Cursor
	defer cursor.Free()
	for i, item := range p.v.parts {
		inner := place{v: item.deref()}
		if inner.v == nil {
			continue
		}
		if id != nil && p.hasOld && p.old != nil {
			inner.old = validate.LookupPtr(items(p.old), &cursor, inner.v, id.hash, id.same)
			inner.hasOld = inner.old != nil
		}
		if inner.hasOld && !e.set.programs.Strict(l.Place.Type) && (id.keys == nil || equal(inner.v, inner.old)) {
			continue
		}
		at := p.at.Index(i)
		inner.at = &at
		e.body(l.Values, &inner)
	}
}

// mapping validates the entries of a map, by key. Errors of keys are at the path of the map. It
// skips old keys and unchanged values.
func (e *evaluation) mapping(l *order.Loop, p *place) {
	for _, key := range sortedKeys(p.v.entries) {
		inner := place{v: p.v.entries[key]}
		if p.hasOld && p.old != nil {
			inner.old, inner.hasOld = p.old.entries[key]
		}
		if l.Keys != nil && !inner.hasOld {
			e.body(l.Keys, &place{at: p.at, v: &value{typ: p.v.typ.key, text: key}})
		}
		if l.Values == nil || inner.same() && !e.set.programs.Strict(l.Place.Type) {
			continue
		}
		at := p.at.Key(key)
		inner.at = &at
		e.body(l.Values, &inner)
	}
}
