package load

import "golang.org/x/mod/modfile"

// Requires reports whether a package's module names another module as a direct
// or indirect requirement.
func (r *Result) Requires(p *Package, module string) bool {
	if p.GoMod == "" {
		return false
	}
	content, err := r.files.ReadFile(p.GoMod)
	if err != nil {
		return false
	}
	f, err := modfile.ParseLax(p.GoMod, content, nil)
	if err != nil {
		return false
	}
	for _, req := range f.Require {
		if req.Mod.Path == module {
			return true
		}
	}
	return false
}
