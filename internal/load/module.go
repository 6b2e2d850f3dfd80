package load

import (
	"os"

	"golang.org/x/mod/modfile"
)

// Requires reports whether the package's module names another module as a
// direct or indirect requirement.
func (p *Package) Requires(module string) bool {
	if p.GoMod == "" {
		return false
	}
	content, err := os.ReadFile(p.GoMod)
	if err != nil {
		return false
	}
	f, err := modfile.ParseLax(p.GoMod, content, nil)
	if err != nil {
		return false
	}
	for _, r := range f.Require {
		if r.Mod.Path == module {
			return true
		}
	}
	return false
}
