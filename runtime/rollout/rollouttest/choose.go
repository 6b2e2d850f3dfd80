package rollouttest

// chooser makes the random decisions of a mutation.
type chooser interface {
	// IntN returns a number from 0 to n-1; n is positive.
	IntN(n int) int
}

// tape reads decisions from bytes, so that Go's fuzzing, which mutates bytes, makes
// the decisions. At the end of the bytes it returns 0.
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
