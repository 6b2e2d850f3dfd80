package eval

import "github.com/kindsmith/kindsmith/internal/core/model"

// subjects are the packages that validators are generated for: roots, and the packages that their
// +k8s:validation-gen-input names.
func subjects(m *model.Model) map[string]bool {
	all := map[string]bool{}
	for _, p := range m.Packages {
		if p.Root || len(p.GeneratedFuncs) > 0 {
			all[p.Path] = true
			for _, input := range p.Inputs {
				all[input] = true
			}
		}
	}
	return all
}
