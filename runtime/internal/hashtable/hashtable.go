// Package hashtable finds list items by their hashes, in memory that is used again.
//
// [New] makes a [Table] for a list. The caller hashes and compares the items.
package hashtable

import "sync"

// Table is a hash table of the indices of list items, with open addressing. At
// most half of its slots are used.
type Table struct {
	slots []slot
	shift uint // shifting a hash by this gives the number of a slot
}

type slot struct {
	item int32  // the index of the item plus one; zero if the slot is free
	tag  uint32 // bits of the item's hash; items with different bits are not compared
}

var tables = sync.Pool{New: func() any { return new(Table) }}

// New returns an empty table for n items. The caller returns it with Free.
func New(n int) *Table {
	t := tables.Get().(*Table)
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

// Free returns the table's memory.
func (t *Table) Free() { tables.Put(t) }

// Probe is a position in the sequence of slots for an item with a given hash.
type Probe struct {
	at  uint64
	tag uint32
}

// Probe returns the first position for a hash.
func (t *Table) Probe(hash uint64) Probe { return Probe{at: hash >> t.shift, tag: uint32(hash)} }

// Next returns the index of the next item that probably has the same hash, or -1
// if there is none. In that case the probe is at the free slot for the new item.
func (t *Table) Next(p *Probe) int {
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

// Put adds an item at the free slot that Next found.
func (t *Table) Put(p Probe, item int) { t.slots[p.at] = slot{int32(item) + 1, p.tag} }

// Add adds an item whatever the table holds.
func (t *Table) Add(hash uint64, item int) {
	p := t.Probe(hash)
	for t.Next(&p) >= 0 { // to the free slot
	}
	t.Put(p, item)
}
