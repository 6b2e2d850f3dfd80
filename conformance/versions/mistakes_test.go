package versions_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/testing/workspacetest"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

// TestRandomMistakes edits the markers of random APIs at random: kindsmith reports what is wrong, each mistake with its
// position, and writes nothing if there is an error.
func TestRandomMistakes(t *testing.T) {
	dir, files := t.TempDir(), workspacetest.Files("random.example.com")
	for i := range 4 * *seeds {
		seed := *first + uint64(i)
		files[fmt.Sprintf("s%d/v1/types.go", seed)] = mistaken(newAPI(seed).file(fmt.Sprintf("s%d.example.com", seed), *kinds), seed)
	}
	for name, text := range files {
		if err := source.WriteFile(filepath.Join(dir, name), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := workspacetest.Use(dir, t.Setenv); err != nil {
		t.Fatal(err)
	}
	bag := &diag.Bag{}
	out, err := driver.Generate(driver.Config{ModelConfig: driver.ModelConfig{Dir: dir, Patterns: []string{"./..."}}}, bag)
	if err != nil {
		t.Fatal(err)
	}
	if !bag.HasErrors() || len(out.Files) > 0 {
		t.Errorf("%d errors, %d files", bag.Errors(), len(out.Files))
	}
	for _, d := range bag.All() {
		if d.Span.IsZero() {
			t.Errorf("no position: %s [%s]", d.Message, d.Code)
		}
	}
}

var (
	markerLine = regexp.MustCompile(`(?m)^\s*// \+versioned:.*\n`)
	argument   = regexp.MustCompile(`"[^"]*"|\w+: `)
)

// mistaken returns the text of a package with some markers that are repeated, at another item, without an argument, or with
// the argument of another marker.
func mistaken(text string, seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 11))
	for range 1 + r.IntN(4) {
		lines := markerLine.FindAllStringIndex(text, -1)
		if len(lines) == 0 {
			return text
		}
		from, to := lines[r.IntN(len(lines))], lines[r.IntN(len(lines))]
		marker, other := text[from[0]:from[1]], text[to[0]:to[1]]
		switch r.IntN(3) {
		case 0: // at another item, too
			text = text[:to[0]] + marker + text[to[0]:]
		case 1: // with another argument
			text = text[:from[0]] + exchange(r, marker, other) + text[from[1]:]
		default: // without an argument
			text = text[:from[0]] + exchange(r, marker, `""`) + text[from[1]:]
		}
	}
	return text
}

// exchange replaces an argument of a marker by one of another marker.
func exchange(r *rand.Rand, marker, other string) string {
	args := argument.FindAllStringIndex(marker, -1)
	theirs := slices.DeleteFunc(argument.FindAllString(other, -1), func(s string) bool { return strings.HasSuffix(s, ": ") })
	args = slices.DeleteFunc(args, func(at []int) bool { return strings.HasSuffix(marker[at[0]:at[1]], ": ") })
	if len(args) == 0 || len(theirs) == 0 {
		return marker
	}
	at := args[r.IntN(len(args))]
	return marker[:at[0]] + theirs[r.IntN(len(theirs))] + marker[at[1]:]
}
