package docs_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/testing/workspacetest"
)

var (
	inline      = regexp.MustCompile("`kindsmith ([^`]+)`")
	placeholder = regexp.MustCompile(`<[^>]*>`)
)

// TestInline checks the commands in sentences and tables: their subcommands and flags exist, and kindsmith explain has the page.
func TestInline(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "kindsmith")
	if err := workspacetest.Kindsmith(binary); err != nil {
		t.Fatal(err)
	}
	pages := map[string]string{} // a page with the command
	err := filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".md" {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range inline.FindAllStringSubmatch(fence.ReplaceAllString(string(text), ""), -1) {
			pages[strings.Join(strings.Fields(m[1]), " ")] = path
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(pages) < 40 {
		t.Errorf("only %d commands were found", len(pages))
	}
	for command, page := range pages {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			args := strings.Fields(placeholder.ReplaceAllString(command, "x"))
			if args[0] != "explain" || args[len(args)-1] == "x" {
				at := slices.IndexFunc(args, func(a string) bool { return strings.HasPrefix(a, "-") })
				if at < 0 {
					at = len(args)
				}
				args = slices.Insert(args, at, "--help") // does nothing else
			}
			out, err := exec.Command(binary, args...).CombinedOutput()
			if err != nil && !strings.Contains(string(out), "flag needs an argument") {
				t.Errorf("%s has kindsmith %s: %v\n%s", page, command, err, out)
			}
		})
	}
}
