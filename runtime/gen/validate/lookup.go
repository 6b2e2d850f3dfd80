package validate

// Lookup returns the item of an old list that corresponds to an item of the new
// list, or nil.
//
// The search starts at the cursor and continues outward. The cursor is the index
// after the previous hit, initially zero. Correlating two lists therefore takes
// linear time if items were changed, deleted or inserted, except that each
// inserted item is compared with all old items.
//
// Upstream uses the first item that is the same. The result differs only if the
// old list has duplicates; with a nil cursor Lookup returns the same item as
// upstream.
func Lookup[T any](list []T, cursor *int, item *T, same func(a, b *T) bool) *T {
	if cursor == nil {
		cursor = new(int)
	}
	above := *cursor
	for below := above - 1; above < len(list) || below >= 0; above, below = above+1, below-1 {
		if above < len(list) && same(&list[above], item) {
			*cursor = above + 1
			return &list[above]
		}
		if below >= 0 && same(&list[below], item) {
			*cursor = below + 1
			return &list[below]
		}
	}
	return nil
}

// LookupPtr is like Lookup, for a list of pointers; it skips nil items.
func LookupPtr[T any](list []*T, cursor *int, item *T, same func(a, b *T) bool) *T {
	if cursor == nil {
		cursor = new(int)
	}
	above := *cursor
	for below := above - 1; above < len(list) || below >= 0; above, below = above+1, below-1 {
		if above < len(list) && list[above] != nil && same(list[above], item) {
			*cursor = above + 1
			return list[above]
		}
		if below >= 0 && list[below] != nil && same(list[below], item) {
			*cursor = below + 1
			return list[below]
		}
	}
	return nil
}
