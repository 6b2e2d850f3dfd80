package validate

// Lookup finds the item of an old list that corresponds to an item of the new
// one, or nil.
//
// The search starts at the cursor, which is the place after the previous hit
// and zero at first, and goes outward from there. So a list is correlated in
// linear time if items were changed, deleted or inserted, except that it takes
// a look at every old item to find that an inserted one is not among them.
//
// Upstream takes the first item that is the same. That is another item only if
// the old list holds duplicates; with a nil cursor Lookup does what upstream does.
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

// LookupPtr is Lookup for a list of pointers, of which it skips those that are nil.
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
