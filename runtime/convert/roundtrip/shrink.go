package roundtrip

// tries bounds the objects that shrink tries.
const tries = 3000

// shrink returns the smallest object that it finds that breaks the same law.
func (o *origin) shrink(x *node, odd bool, seed uint64, v *violation) (*node, *violation) {
	fits := func(x *node) bool {
		_, err := o.results.ofTree(x, "").decode(o.from)
		return err == nil
	}
	fit := fits(x) // another fault of values that are not of the types would hide this one
	left := tries
	for again := true; again && left > 0; {
		again = false
		for _, change := range []func(parent *node, i int) bool{omit, simplify} {
			for at := 0; left > 0; left-- {
				candidate, n := x.clone(), at
				parent, i := candidate.nth(&n)
				if parent == nil {
					break
				}
				at++
				if identity := parent == candidate && (parent.keys[i] == `"apiVersion"` || parent.keys[i] == `"kind"`); identity || !change(parent, i) || fit && !fits(candidate) {
					continue
				}
				o.results.reset()
				if refused, _, _ := o.refused(o.results.ofTree(candidate, "")); refused != nil {
					continue
				}
				if found := o.subject(candidate, odd, seed).check(); v.is(found) {
					// The position now has another value.
					x, v, again = candidate, found, true
					at--
				}
			}
		}
	}
	return x, v
}

// nth returns the parent and the position of the n-th value below a tree, in the order of
// the text; nil if there are fewer.
func (n *node) nth(count *int) (*node, int) {
	for i, item := range n.items {
		if *count == 0 {
			return n, i
		}
		*count--
		if parent, i := item.nth(count); parent != nil {
			return parent, i
		}
	}
	return nil, 0
}

func omit(parent *node, i int) bool {
	parent.remove(i)
	return true
}

// simplify replaces a scalar by a simple one. It reports whether that changes it.
func simplify(parent *node, i int) bool {
	old := parent.items[i].text
	if parent.items[i].kind != 's' || old == "" {
		return false
	}
	simple := map[byte]string{'"': `"a"`, 't': "true", 'f': "false", 'n': "null"}[old[0]]
	if simple == "" {
		simple = "1"
	}
	parent.items[i] = scalar(simple)
	return simple != old
}
