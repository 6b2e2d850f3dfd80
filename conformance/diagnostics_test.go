package conformance_test

import (
	"testing"

	"github.com/kindsmith/kindsmith/conformance/corpus"
	"github.com/kindsmith/kindsmith/internal/testing/goldentest"
)

// TestDiagnostics compares the diagnostics of each case's package.
func TestDiagnostics(t *testing.T) {
	w := load(t)
	for _, d := range w.stray {
		t.Errorf("a diagnostic outside of all cases: %s: %s [%s]", d.Span, d.Message, d.Code)
	}
	for _, c := range w.cases {
		if c.Name == corpus.Semantics+"/"+refusedLiterals {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			goldentest.CheckSection(t, c.Path, c.Archive, corpus.Diagnostics, c.text(c.found))
			if !c.ok() && len(c.Objects) > 0 {
				t.Error("the case has objects, but its package has errors")
			}
		})
	}
}
