package validate

// Index returns the index of the first item that matches, or -1.
func Index[T any](items []T, match func(*T) bool) int {
	for i := range items {
		if match(&items[i]) {
			return i
		}
	}
	return -1
}

// IndexPtr is like Index, for a list of pointers; nil items never match.
func IndexPtr[T any](items []*T, match func(*T) bool) int {
	for i, item := range items {
		if item != nil && match(item) {
			return i
		}
	}
	return -1
}
