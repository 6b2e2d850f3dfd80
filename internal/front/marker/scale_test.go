package marker_test

import (
	"strings"
	"testing"
	"time"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/front/marker"
)

// Parsing takes time proportional to the length of the text, whatever the mistakes: a
// line of a hundred kilobytes must not block a run. The limit is far above the expected
// time and far below quadratic time.
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
