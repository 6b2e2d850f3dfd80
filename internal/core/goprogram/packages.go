package goprogram

import (
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/model"
)

// Package has kinds in one version.
type Package struct {
	// Path is the import path, and Dir the folder.
	Path, Dir string
	// Kinds are the names of types.
	Kinds []string
}

// Packages returns the packages of a model that have kinds, in all versions.
func Packages(m *model.Model) (all []Package) {
	for _, p := range m.Packages {
		if p.External || p.Group == "" {
			continue
		}
		found := Package{Path: p.Path, Dir: p.Dir}
		names := map[string]bool{}
		for _, t := range p.Types {
			names[t.Name] = t.Kind != nil
		}
		for _, t := range p.Types {
			if item, isList := strings.CutSuffix(t.Name, "List"); t.Kind != nil && (!isList || !names[item]) {
				found.Kinds = append(found.Kinds, t.Name)
			}
		}
		if len(found.Kinds) > 0 {
			all = append(all, found)
		}
	}
	return all
}
