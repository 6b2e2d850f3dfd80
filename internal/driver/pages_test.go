package driver_test

import (
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/driver"
)

// TestCodes holds codes to one page each, and those of tags and conventions to
// their folder's name: `kindsmith explain` finds examples by it.
func TestCodes(t *testing.T) {
	seen := map[string]bool{}
	for _, code := range driver.Codes() {
		if seen[code.String()] {
			t.Errorf("%s is declared twice", code)
		}
		seen[code.String()] = true
	}
	within := func(folder string, codes []diag.Code) {
		for _, code := range codes {
			if !strings.HasPrefix(code.String(), folder+"/") {
				t.Errorf("%s does not begin with %s/", code, folder)
			}
		}
	}
	for _, d := range driver.Tags().All() {
		within(d.Folder(), d.AllCodes())
	}
	for _, l := range driver.Lints() {
		within(l.Name, l.Codes)
	}
}
