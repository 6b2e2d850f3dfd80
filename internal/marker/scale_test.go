package marker_test

import (
	"strings"
	"testing"
	"time"

	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/marker"
)

// Reading takes time in proportion to the text, whatever the mistakes: one line of
// a hundred kilobytes must not stop a run. The limit is far above what it takes, and
// far below what quadratic time would.
func TestParseLongLines(t *testing.T) {
	for _, pattern := range []string{"a=+", "a(", "a=[", "(", ",", "a: 1, ", "a b ", "\"", "\\", "# ", " ", "'", "“", "=", "k8s:", "+a"} {
		for _, prefix := range []string{"a", "a=", "a(", "a(b: ", "a=[\"", "a=\""} {
			long := prefix + strings.Repeat(pattern, 100_000/len(pattern))
			_, markers := scan("// +" + long)
			if len(markers) == 0 {
				continue
			}
			start := time.Now()
			var bag diag.Bag
			marker.Parse(markers[0], &bag)
			if took := time.Since(start); took > 2*time.Second {
				t.Errorf("%s and %q repeated: took %v", prefix, pattern, took)
			}
		}
	}
}
