package validate

import (
	"iter"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Entries returns an iterator over the entries of m, for validating them:
//
//	for key, value := range validate.Entries(r, m) {
//		at := at.Key(string(key))
//		validateValue(r, &at, &value)
//	}
//
// The iteration order is random, because sorting the keys of valid maps would
// allocate. The errors are sorted when the loop ends: by key, and in the order of
// reporting within an entry, regardless of their paths. Loops may be nested, left
// with break and return, and iterate over keys only. A recursive function passes
// key and value by value to another function, which is not inlined and takes their
// addresses; see Path.
func Entries[K ~string, V any](r *Run, m map[K]V) iter.Seq2[K, V] {
	return func(yield func(K, V) bool) { entries(r, m, yield) }
}

func entries[K ~string, V any](r *Run, m map[K]V, yield func(K, V) bool) {
	start := len(r.errs)
	for key, value := range m {
		before := len(r.errs)
		more := yield(key, value)
		if len(r.errs) > before {
			r.foundBelow(string(key), before)
		}
		if !more {
			break
		}
	}
	if len(r.errs) > start {
		r.sortByKey(start)
	}
}

// foundBelow records that the errors since from belong to one map entry. It
// overwrites the records of loops inside that entry, which are no longer needed.
func (r *Run) foundBelow(key string, from int) {
	for len(r.keys) < len(r.errs) {
		r.keys = append(r.keys, "")
	}
	for i := from; i < len(r.errs); i++ {
		r.keys[i] = key
	}
}

// sortByKey sorts the errors since from by key.
func (r *Run) sortByKey(from int) {
	type found struct {
		key string
		err *field.Error
	}
	all := make([]found, len(r.errs)-from)
	for i := range all {
		all[i] = found{r.keys[from+i], r.errs[from+i]}
	}
	slices.SortStableFunc(all, func(a, b found) int { return strings.Compare(a.key, b.key) })
	for i := range all {
		r.errs[from+i] = all[i].err
	}
}
