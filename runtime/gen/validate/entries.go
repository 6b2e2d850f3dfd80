package validate

import (
	"iter"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Entries returns an iterator over the entries of m, to validate them:
//
//	for key, value := range validate.Entries(r, m) {
//		at := at.Key(string(key))
//		validateValue(r, &at, &value)
//	}
//
// The entries come in Go's random order, since putting the keys of every valid
// map in order would allocate. Instead the errors are put in order once the
// loop is over: by key, those of one entry as they were found, whatever path
// they were reported at. Loops may be nested, left with break and return, and
// run over the keys alone. A recursive function hands key and value to another
// by value, which is not inlined and takes their addresses; see Path.
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

// foundBelow notes that the errors since from are those of one map entry. It
// overwrites what loops inside that entry noted, which is no longer needed.
func (r *Run) foundBelow(key string, from int) {
	for len(r.keys) < len(r.errs) {
		r.keys = append(r.keys, "")
	}
	for i := from; i < len(r.errs); i++ {
		r.keys[i] = key
	}
}

// sortByKey puts the errors since from in the order of their keys.
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
