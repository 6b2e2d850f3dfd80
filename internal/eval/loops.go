package eval

import (
	"github.com/kindsmith/kindsmith/internal/rule/order"
	"github.com/kindsmith/kindsmith/runtime/gen/validate"
)

// loops runs rules about values and keys. A condition is looked at once, and not
// for each value.
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

// list validates the items of a list. They are paired with old ones by key or by
// value, and not at all in an atomic list; an item that is as it was is skipped.
// The field that a list is in reports items that are nil.
func (e *evaluation) list(l *order.Loop, p *place) {
	id, cursor := identityOf(l.Place.List), 0
	for i, item := range p.v.parts {
		inner := place{v: item.deref()}
		if inner.v == nil {
			continue
		}
		if id != nil && p.hasOld && p.old != nil {
			inner.old = validate.LookupPtr(items(p.old), &cursor, inner.v, id.same)
			inner.hasOld = inner.old != nil
		}
		if inner.hasOld && (id.keys == nil || equal(inner.v, inner.old)) {
			continue
		}
		at := p.at.Index(i)
		inner.at = &at
		e.body(l.Values, &inner)
	}
}

// mapping validates the entries of a map, by key. Errors of keys are at the map;
// a key that was there before is skipped, and so is a value that is as it was.
func (e *evaluation) mapping(l *order.Loop, p *place) {
	for _, key := range sortedKeys(p.v.entries) {
		inner := place{v: p.v.entries[key]}
		if p.hasOld && p.old != nil {
			inner.old, inner.hasOld = p.old.entries[key]
		}
		if l.Keys != nil && !inner.hasOld {
			e.body(l.Keys, &place{at: p.at, v: &value{typ: p.v.typ.key, text: key}})
		}
		if l.Values == nil || inner.same() {
			continue
		}
		at := p.at.Key(key)
		inner.at = &at
		e.body(l.Values, &inner)
	}
}
