// Package fixpoint answers questions about nodes of graphs that may have cycles, such as types that refer to each other.
// Each node is examined once, however many others lead to it.
//
// A [Question] has the rule by which an answer follows from those of other nodes.
package fixpoint

// A Question has a yes-or-no answer for each key, which may depend on the answers for other keys. The zero value is ready
// to use. A key that depends on itself adds nothing to its own answer: a cycle without a yes is a no. For a question
// that holds unless something speaks against it, ask the opposite.
type Question[K comparable] struct {
	// known are final answers. assumed are keys that were answered no while a key that they depend on was open.
	known   map[K]bool
	assumed map[K]bool
	// pending are the keys of assumed, in the order of their answers.
	pending []K
	// open are the keys under examination, by their index in lowest.
	open map[K]int
	// lowest has for each open key the lowest index of the open keys that its answer depends on.
	lowest []int
	// floor is at most the lowest index that the assumed answers depend on.
	floor int
}

// Ask returns the answer for a key. It calls examine if it does not know the answer; examine calls Ask for the keys that
// the answer depends on.
func (q *Question[K]) Ask(key K, examine func() bool) bool {
	if answer, ok := q.known[key]; ok {
		return answer
	}
	if i, ok := q.open[key]; ok {
		q.depend(i)
		return false
	}
	if q.assumed[key] {
		q.depend(q.floor)
		return false
	}
	if q.known == nil {
		q.known, q.assumed, q.open = map[K]bool{}, map[K]bool{}, map[K]int{}
	}
	i, first := len(q.lowest), len(q.pending)
	q.open[key] = i
	q.lowest = append(q.lowest, i)
	answer := examine()
	low := q.lowest[i]
	q.lowest = q.lowest[:i]
	delete(q.open, key)
	switch {
	case answer:
		q.known[key] = true // what assumed a no is examined again
	case low == i:
		q.known[key] = false
		for _, k := range q.pending[first:] {
			q.known[k] = false
		}
	default:
		if len(q.pending) == 0 || low < q.floor {
			q.floor = low
		}
		q.assumed[key] = true
		q.pending = append(q.pending, key)
		q.depend(low)
		return false
	}
	for _, k := range q.pending[first:] {
		delete(q.assumed, k)
	}
	q.pending = q.pending[:first]
	return answer
}

// depend notes that the answer for the key under examination depends on an open key.
func (q *Question[K]) depend(i int) {
	if top := len(q.lowest) - 1; i < q.lowest[top] {
		q.lowest[top] = i
	}
}
