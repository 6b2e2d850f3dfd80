package rollouttest

import (
	"iter"
	"slices"
)

// subject is the input of a validation: an object, and on an update the old object.
type subject struct {
	obj, old any
	update   bool
}

func (s subject) weight() float64 {
	if !s.update {
		return weight(s.obj)
	}
	// Count what both sides share once.
	return 1 + weight(s.obj) + weight(s.old) + distance(s.obj, s.old)
}

// distance is the weight of the differences between two trees.
func distance(a, b any) float64 {
	switch a := a.(type) {
	case map[string]any:
		if b, ok := b.(map[string]any); ok {
			sum := 0.0
			for _, key := range sortedKeys(a) {
				if other, ok := b[key]; ok {
					sum += distance(a[key], other)
				} else {
					sum += weight(a[key])
				}
			}
			for _, key := range sortedKeys(b) {
				if _, ok := a[key]; !ok {
					sum += weight(b[key])
				}
			}
			return sum
		}
	case []any:
		if b, ok := b.([]any); ok {
			short := min(len(a), len(b))
			sum := 0.0
			for i := range short {
				sum += distance(a[i], b[i])
			}
			for _, item := range slices.Concat(a[short:], b[short:]) {
				sum += weight(item)
			}
			return sum
		}
	default:
		if isScalar(b) && a == b {
			return 0
		}
	}
	return weight(a) + weight(b)
}

func isScalar(v any) bool {
	switch v.(type) {
	case map[string]any, []any:
		return false
	}
	return true
}

// shrink returns the smallest subject that it finds for which keep returns true. It
// calls keep at most tries times.
func shrink(s subject, tries int, keep func(subject) bool) subject {
	for progress := true; progress; {
		progress = false
		current := s.weight()
		for candidate := range smaller(s) {
			if candidate.weight() >= current {
				continue
			}
			if tries--; tries < 0 {
				return s
			}
			if keep(candidate) {
				s, progress = candidate, true
				break
			}
		}
	}
	return s
}

// smaller yields subjects with one reduction each.
func smaller(s subject) iter.Seq[subject] {
	return func(yield func(subject) bool) {
		if !s.update {
			for e := range edits(s.obj) {
				if obj, ok := e.apply(s.obj); ok && !yield(subject{obj: obj}) {
					return
				}
			}
			return
		}
		if !yield(subject{obj: s.obj}) {
			return
		}
		for e := range edits(s.obj) {
			obj, _ := e.apply(s.obj)
			// Edit both sides first: they should stay equal where it does not matter.
			if old, ok := e.apply(s.old); ok && !yield(subject{obj, old, true}) || !yield(subject{obj, s.old, true}) {
				return
			}
		}
		for e := range edits(s.old) {
			if old, ok := e.apply(s.old); ok && !yield(subject{s.obj, old, true}) {
				return
			}
		}
		for e := range alignments(s.obj, s.old) {
			if old, ok := e.apply(s.old); ok && !yield(subject{s.obj, old, true}) {
				return
			}
			if obj, ok := e.apply(s.obj); ok && !yield(subject{obj, s.old, true}) {
				return
			}
		}
	}
}

// edit replaces or removes the value at a path of map keys and list indices.
type edit struct {
	path  []any
	value any
	drop  bool
}

// apply returns an edited copy of a tree; not ok if the path does not exist. Values
// outside of the path are shared with the tree.
func (e edit) apply(tree any) (edited any, ok bool) {
	if len(e.path) == 0 {
		return e.value, !e.drop
	}
	rest := edit{e.path[1:], e.value, e.drop}
	switch step := e.path[0].(type) {
	case string:
		m, _ := tree.(map[string]any)
		item, ok := m[step]
		if !ok {
			return nil, false
		}
		out := make(map[string]any, len(m))
		for k, v := range m {
			out[k] = v
		}
		if e.drop && len(rest.path) == 0 {
			delete(out, step)
			return out, true
		}
		out[step], ok = rest.apply(item)
		return out, ok
	case int:
		l, _ := tree.([]any)
		if step >= len(l) {
			return nil, false
		}
		out := slices.Clone(l)
		if e.drop && len(rest.path) == 0 {
			return slices.Delete(out, step, step+1), true
		}
		out[step], ok = rest.apply(l[step])
		return out, ok
	}
	return nil, false
}

// edits yields edits that may make a tree smaller, largest effect first.
func edits(tree any) iter.Seq[edit] {
	return func(yield func(edit) bool) { editsAt(nil, tree, yield) }
}

func editsAt(path []any, tree any, yield func(edit) bool) bool {
	replace := func(v any) bool { return yield(edit{path: path, value: v}) }
	at := func(step any) []any { return append(slices.Clone(path), step) }
	switch v := tree.(type) {
	case map[string]any:
		keys := sortedKeys(v)
		for _, key := range keys {
			if !yield(edit{path: at(key), drop: true}) {
				return false
			}
		}
		for _, key := range keys {
			if !editsAt(at(key), v[key], yield) {
				return false
			}
		}
		for _, key := range keys {
			for short := range shorterTexts(key) {
				if _, taken := v[short]; !taken && !replace(renamed(v, key, short)) {
					return false
				}
			}
		}
	case []any:
		for cut := len(v); cut > 1; cut /= 2 {
			if !replace(v[:len(v)-cut]) || !replace(v[cut:]) {
				return false
			}
		}
		for i := range v {
			if !yield(edit{path: at(i), drop: true}) {
				return false
			}
		}
		for i := range v {
			if !editsAt(at(i), v[i], yield) {
				return false
			}
		}
	case string:
		for short := range shorterTexts(v) {
			if !replace(short) {
				return false
			}
		}
	case int64:
		if v < 0 && !replace(-v) {
			return false
		}
		for cut := v; cut != 0; cut /= 2 {
			if !replace(v - cut) {
				return false
			}
		}
	case float64:
		return replace(int64(0)) && replace(int64(v)) && replace(v/2)
	case bool:
		return !v || replace(false)
	}
	return true
}

func renamed(m map[string]any, from, to string) map[string]any {
	out := make(map[string]any, len(m))
	for k, v := range m {
		if k == from {
			k = to
		}
		out[k] = v
	}
	return out
}

// shorterTexts yields shorter strings, and strings with other characters replaced by
// plain letters.
func shorterTexts(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		runes := []rune(s)
		for cut := len(runes); cut > 0; cut /= 2 {
			if !yield(string(runes[:len(runes)-cut])) || !yield(string(runes[cut:])) {
				return
			}
		}
		// Each character separately, if there are not too many.
		for i := 0; i < min(len(runes), 100); i++ {
			if !yield(string(runes[:i]) + string(runes[i+1:])) {
				return
			}
			if runes[i] != 'a' && !yield(string(runes[:i])+"a"+string(runes[i+1:])) {
				return
			}
		}
	}
}

// alignments yields edits that make one tree equal to the other at some path.
func alignments(a, b any) iter.Seq[edit] {
	return func(yield func(edit) bool) { alignmentsAt(nil, a, b, yield) }
}

func alignmentsAt(path []any, a, b any, yield func(edit) bool) bool {
	if distance(a, b) == 0 {
		return true
	}
	if len(path) > 0 && (!yield(edit{path: path, value: a}) || !yield(edit{path: path, value: b})) {
		return false
	}
	switch a := a.(type) {
	case map[string]any:
		if b, ok := b.(map[string]any); ok {
			for _, key := range sortedKeys(a) {
				if other, ok := b[key]; ok && !alignmentsAt(append(slices.Clone(path), key), a[key], other, yield) {
					return false
				}
			}
		}
	case []any:
		if b, ok := b.([]any); ok {
			for i := range min(len(a), len(b)) {
				if !alignmentsAt(append(slices.Clone(path), i), a[i], b[i], yield) {
					return false
				}
			}
		}
	}
	return true
}
