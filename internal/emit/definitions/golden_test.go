package definitions_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/emit/definitions"
	"github.com/kindsmith/kindsmith/internal/testing/emittest"
	"github.com/kindsmith/kindsmith/internal/testing/goldentest"
)

func TestGolden(t *testing.T) {
	for _, dir := range []string{"declarative", "defaults", "enums", "metadata"} {
		t.Run(dir, func(t *testing.T) { emittest.Golden(t, definitions.Emitter(), "./testdata/"+dir) })
	}
	t.Run("versions", func(t *testing.T) { emittest.Golden(t, definitions.Emitter(), "./testdata/versions/...") })
}

// TestMistakes checks the diagnostics of each mistake.
func TestMistakes(t *testing.T) {
	for _, dir := range []string{"mistakes", "server", "declarative", "metadata"} {
		t.Run(dir, func(t *testing.T) {
			m, bag := emittest.Model(t, "./testdata/"+dir)
			run(t, m, bag)
			var b strings.Builder
			for _, d := range bag.All() {
				fmt.Fprintf(&b, "%s %s [%s]\n\t%q\n", place(d.Span.String()), d.Severity, d.Code, d.Span.Text())
				fmt.Fprintf(&b, "\t%s\n", d.Message)
				for _, n := range d.Notes {
					fmt.Fprintf(&b, "\tnote: %s %s\n", place(n.Span.String()), n.Message)
				}
				if d.Fix != nil {
					fmt.Fprintf(&b, "\tfix: %s\n", d.Fix.Message)
				}
			}
			goldentest.Check(t, "testdata/"+dir+"/diagnostics.txt", []byte(b.String()))
		})
	}
}

// place removes the folder from a position.
func place(s string) string { return s[strings.LastIndexByte(s, '/')+1:] }
