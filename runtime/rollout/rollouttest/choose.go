package rollouttest

// chooser makes the decisions of a mutation.
type chooser interface {
	// IntN returns a number from 0 up to n, which is positive.
	IntN(n int) int
}

// tape makes the decisions that its bytes say, so that Go's fuzzing, which knows
// only bytes, decides. When it is at its end it says 0 for ever.
type tape struct{ bytes []byte }

func (t *tape) IntN(n int) int {
	choice := 0
	for limit := n - 1; limit > 0 && len(t.bytes) > 0; limit >>= 8 {
		choice = choice<<8 | int(t.bytes[0])
		t.bytes = t.bytes[1:]
	}
	return choice % n
}

func pick[V any](c chooser, list []V) V { return list[c.IntN(len(list))] }
