package driver_test

import (
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

// TestCodes checks that each code has one page, and that the codes of tags and conventions begin
// with the folder's name, by which `kindsmith explain` finds examples.
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
