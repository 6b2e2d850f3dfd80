package validate

import "github.com/kindsmith/kindsmith/runtime/internal/hashtable"

// Cursor is the state of correlating the items of a new list with those of an old
// one. The zero Cursor is ready; Free releases what it holds.
type Cursor struct {
	// next is the index after the previous hit.
	next int
	// passed counts the old items that were compared and differed.
	passed int
	// index finds old items by their hashes. It is built when comparing has cost as
	// much.
	index *hashtable.Table
}

// Free releases the memory that the cursor holds.
func (c *Cursor) Free() {
	if c.index != nil {
		c.index.Free()
		c.index = nil
	}
}

// Lookup returns the item of an old list that corresponds to an item of the new
// list, or nil. A cursor is for one list. same must be an equivalence relation, and
// hash must return equal hashes for items that are the same.
//
// The search starts after the previous hit and continues outward, which finds
// items at once unless many were inserted, deleted or moved. Then it uses a hash
// table, so that correlating two lists takes linear time.
//
// Upstream uses the first item that is the same. The result differs only if the
// old list has duplicates.
func Lookup[T any](list []T, c *Cursor, item *T, hash func(*T) uint64, same func(a, b *T) bool) *T {
	if c.next < len(list) && same(&list[c.next], item) {
		c.next++
		return &list[c.next-1]
	}
	return search(len(list), func(i int) *T { return &list[i] }, c, item, hash, same)
}

// LookupPtr is like Lookup, for a list of pointers; it skips nil items.
func LookupPtr[T any](list []*T, c *Cursor, item *T, hash func(*T) uint64, same func(a, b *T) bool) *T {
	if c.next < len(list) && list[c.next] != nil && same(list[c.next], item) {
		c.next++
		return list[c.next-1]
	}
	return search(len(list), func(i int) *T { return list[i] }, c, item, hash, same)
}

func search[T any](n int, old func(i int) *T, c *Cursor, item *T, hash func(*T) uint64, same func(a, b *T) bool) *T {
	hit := func(i int) bool {
		if i < 0 || i >= n || old(i) == nil || !same(old(i), item) {
			return false
		}
		c.next = i + 1
		return true
	}
	if c.index == nil && n > shortList && c.passed > 2*n {
		c.index = hashtable.New(n)
		for i := range n {
			if old(i) != nil {
				c.index.Add(hash(old(i)), i)
			}
		}
	}
	if c.index != nil {
		p := c.index.Probe(hash(item))
		for i := c.index.Next(&p); i >= 0; i = c.index.Next(&p) {
			if hit(i) {
				return old(i)
			}
		}
		return nil
	}
	for above, below := c.next, c.next-1; above < n || below >= 0; above, below = above+1, below-1 {
		if hit(above) {
			return old(above)
		}
		if hit(below) {
			return old(below)
		}
		c.passed += 2
	}
	return nil
}
