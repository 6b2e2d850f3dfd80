package eval

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"

	"github.com/kindsmith/kindsmith/internal/core/model"
)

// Kind returns the type of the objects of a group, version and kind.
func (s *Set) Kind(gvk schema.GroupVersionKind) (name TypeName, ok bool) {
	for _, p := range s.model.Packages {
		if p.Group != gvk.Group || p.Version != gvk.Version {
			continue
		}
		if t := p.Type(gvk.Kind); t != nil && t.Kind != nil {
			return t.ID(), true
		}
	}
	return TypeName{}, false
}

// Kinds returns the kinds that the packages of the model declare, newest versions first.
func (s *Set) Kinds() []schema.GroupVersionKind {
	var kinds []schema.GroupVersionKind
	for _, p := range s.model.Packages {
		if !p.Root || p.Version == "" {
			continue
		}
		for _, t := range p.Types {
			if t.Kind != nil {
				kinds = append(kinds, schema.GroupVersionKind{Group: p.Group, Version: p.Version, Kind: t.Name})
			}
		}
	}
	slices.SortFunc(kinds, func(a, b schema.GroupVersionKind) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Kind, b.Kind), version.CompareKubeAwareVersionStrings(b.Version, a.Version))
	})
	return kinds
}

// root are the request paths of most types.
var root = []string{"/"}

// takes reports whether requests to a subresource validate a type.
func (s *Set) takes(t *model.Type, path string) bool { return slices.Contains(s.paths(t), path) }
