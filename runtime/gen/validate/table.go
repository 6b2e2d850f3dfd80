package validate

import "sync"

// table is a hash table of the indices of list items, with open addressing. At
// most half of its slots are used.
type table struct {
	slots []slot
	shift uint // shifting a hash by this gives the number of a slot
}

type slot struct {
	item int32  // the index of the item plus one; zero if the slot is free
	tag  uint32 // bits of the item's hash; items with different bits are not compared
}

var tables = sync.Pool{New: func() any { return new(table) }}

// newTable returns an empty table for n items. The caller returns it with free.
func newTable(n int) *table {
	t := tables.Get().(*table)
	size, shift := 2, uint(63)
	for size < 2*n {
		size, shift = 2*size, shift-1
	}
	t.shift = shift
	if cap(t.slots) < size {
		t.slots = make([]slot, size)
		return t
	}
	t.slots = t.slots[:size]
	clear(t.slots)
	return t
}

func (t *table) free() { tables.Put(t) }

// probe is a position in the sequence of slots for an item with a given hash.
type probe struct {
	at  uint64
	tag uint32
}

func (t *table) probe(hash uint64) probe { return probe{at: hash >> t.shift, tag: uint32(hash)} }

// next returns the index of the next item that probably has the same hash, or -1
// if there is none. In that case the probe is at the free slot for the new item.
func (t *table) next(p *probe) int {
	for {
		s := t.slots[p.at]
		if s.item == 0 {
			return -1
		}
		p.at = (p.at + 1) & uint64(len(t.slots)-1)
		if s.tag == p.tag {
			return int(s.item) - 1
		}
	}
}

// put adds an item at the free slot that next found.
func (t *table) put(p probe, item int) { t.slots[p.at] = slot{int32(item) + 1, p.tag} }

// add adds an item whatever the table holds.
func (t *table) add(hash uint64, item int) {
	p := t.probe(hash)
	for t.next(&p) >= 0 { // to the free slot
	}
	t.put(p, item)
}
