package measure

import (
	"testing"
	"time"
)

var sink []byte

func TestInTurns(t *testing.T) {
	results, err := InTurns(Effort{Rounds: 2, Time: 5 * time.Millisecond},
		func() {
			for start := time.Now(); time.Since(start) < 100*time.Microsecond; {
			}
		},
		func() { sink = make([]byte, 1000) },
	)
	if err != nil {
		t.Fatal(err)
	}
	slow, allocating := results[0], results[1]
	if slow.NsPerOp < 100_000 || slow.Allocs != 0 {
		t.Errorf("the slow function takes %v", slow)
	}
	if allocating.NsPerOp <= 0 || allocating.NsPerOp > slow.NsPerOp || allocating.Allocs != 1 {
		t.Errorf("the allocating function takes %v", allocating)
	}
}
