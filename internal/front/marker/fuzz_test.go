package marker_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/front/marker"
)

// addMistakes adds the lines of the archives in testdata/parse to a corpus.
func addMistakes(f *testing.F, add func(text string)) {
	f.Helper()
	paths, err := filepath.Glob("testdata/parse/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, section := range txtar.Parse(content).Files {
			if section.Name != "input" {
				continue
			}
			for line := range strings.Lines(string(section.Data)) {
				add(strings.TrimSpace(line))
			}
		}
	}
}

// FuzzParse checks that parsing terminates, that all spans are within the marker, and
// that a printed tag parses to the same tag.
func FuzzParse(f *testing.F) {
	addMistakes(f, func(text string) { f.Add(strings.TrimPrefix(text, "// +")) })
	for _, text := range []string{
		`k8s:a(x: "1", y: z)=+k8s:b("q")=[1, {"a": "]"}] # why`,
		"a(`b`)=-0x1F", "a=1.5e3", "a=null", "a=ref(b.C)", "a=b,c=d", `a="\ud83c\udf89\x00\377"`, "a=+b=+c=+d(e)=f#g",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, markers := scan("// +" + text)
		if len(markers) == 0 {
			return
		}
		m := markers[0]
		var bag diag.Bag
		parsed := marker.Parse(m, &bag)
		list := bag.All()
		for _, d := range list {
			checkWithin(t, m, d.Span)
			for _, n := range d.Notes {
				checkWithin(t, m, n.Span)
			}
			if d.Fix != nil {
				for _, e := range d.Fix.Edits {
					checkWithin(t, m, e.Span)
				}
			}
		}
		rendered(list)
		diag.ApplyFixes(list)
		if parsed == nil {
			if len(list) == 0 {
				t.Error("no tag, but no diagnostic")
			}
			return
		}
		checkTag(t, m, parsed, len(list) > 0)
		printed := parsed.String()
		again, newList := parseLine(printed)
		sameTag(t, printed, parsed, again)
		if len(list) == 0 && len(newList) > 0 {
			t.Errorf("%s printed as %s has diagnostics:\n%s", text, printed, rendered(newList))
		}
	})
}

func checkWithin(t *testing.T, m marker.Marker, s source.Span) {
	t.Helper()
	if s.File != m.Span.File || s.Start < m.Span.Start || s.End > m.Span.End || s.Start > s.End {
		t.Errorf("span [%d, %d) is not within the marker's [%d, %d)", s.Start, s.End, m.Span.Start, m.Span.End)
	}
}

// checkTag checks the spans of a tag, and that missing parts are reported.
func checkTag(t *testing.T, m marker.Marker, tag *marker.Tag, reported bool) {
	t.Helper()
	checkWithin(t, m, tag.Span)
	if got := tag.NameSpan.Text(); got != tag.Name {
		t.Errorf("span of name %q is of %q", tag.Name, got)
	}
	for _, a := range tag.Args {
		if a.Name != "" {
			checkWithin(t, m, a.NameSpan)
		}
		checkWithin(t, m, a.Value.Span)
		if a.Value.Kind == marker.None && !reported {
			t.Error("an argument is unreadable, but not reported")
		}
	}
	if tag.Payload == nil {
		return
	}
	checkWithin(t, m, tag.Payload.Span)
	if tag.Payload.Kind == marker.None && !reported {
		t.Error("a payload is unreadable, but not reported")
	}
	if (tag.Payload.Kind == marker.Chain) != (tag.Payload.Tag != nil) {
		t.Errorf("kind %v, tag %v", tag.Payload.Kind, tag.Payload.Tag)
	}
	if chained := tag.Chained(); chained != nil {
		checkTag(t, m, chained, reported)
	}
}

// FuzzScan checks that spans are correct, that markers are in order, and that prose
// has no markers.
func FuzzScan(f *testing.F) {
	addMistakes(f, func(text string) { f.Add(text) })
	for _, text := range []string{
		"// Prose.\n\t// +a=1 # why \r\n//+b\n// + k8s:c", "/** +a\n * +b\n * text\n */ // +c", "/*\n* a\n+b\n*/\n//go:build x", "/*", "//", "+a",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		span, markers := scan(text)
		end := 0
		for _, m := range markers {
			checkMarker(t, m)
			if m.Span.Start < end {
				t.Errorf("marker %q begins at %d, before %d where the last one ends", m.Name, m.Span.Start, end)
			}
			end = m.Span.End
			var bag diag.Bag
			marker.Parse(m, &bag)
		}
		for line := range strings.Lines(marker.Prose(span)) {
			if _, found := scan("//" + strings.TrimSuffix(line, "\n")); len(found) > 0 {
				t.Errorf("marker %q in prose", line)
			}
		}
	})
}
