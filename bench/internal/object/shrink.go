package object

import "reflect"

// Shrink shrinks objects while interesting returns true. It applies the same steps to
// all of them where they have the same fields. It modifies the objects.
func Shrink(objs []any, interesting func(objs []any) bool) []any {
	for changed := true; changed; {
		changed = false
		for which := range objs {
			if objs[which] == nil {
				continue
			}
			for at := 0; ; at++ {
				done, any := true, false
				for _, step := range []func(node) bool{remove, unset, simplify} {
					smaller, place, ok := shrunk(objs, which, at, step)
					if place {
						done = false
					}
					if ok && interesting(smaller) {
						objs, changed, any = smaller, true, true
						break
					}
				}
				if done {
					break
				}
				if any {
					at--
				}
			}
		}
	}
	return objs
}

// shrunk applies a step to copies: at the node with a number in one object, and at
// the same path in the others. place is whether the node exists, ok whether something
// changed.
func shrunk(objs []any, which, at int, step func(node) bool) (smaller []any, place, ok bool) {
	path := ""
	smaller = make([]any, len(objs))
	smaller[which] = Copy(objs[which])
	walk(smaller[which], func(n node) bool {
		if at > 0 {
			at--
			return true
		}
		path, place = n.path, true
		ok = step(n)
		return false
	})
	if !ok {
		return nil, place, false
	}
	for i := range objs {
		if i == which || objs[i] == nil {
			continue
		}
		smaller[i] = Copy(objs[i])
		if which == 0 { // nodes that only the old object has are shrunk separately
			find(smaller[i], path, func(n node) { step(n) })
		}
	}
	return smaller, place, true
}

func remove(n node) bool {
	if n.remove == nil {
		return false
	}
	n.remove()
	return true
}

func unset(n node) bool {
	if n.value.IsZero() {
		return false
	}
	n.value.SetZero()
	return true
}

// simplify halves a long list or string.
func simplify(n node) bool {
	v := indirect(n.value)
	switch {
	case v.Kind() == reflect.Slice && v.Len() > 1:
		v.Set(v.Slice(0, v.Len()/2))
	case v.Kind() == reflect.String && v.Len() > 1:
		v.SetString(v.String()[:v.Len()/2])
	default:
		return false
	}
	return true
}
