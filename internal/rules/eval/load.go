package eval

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
)

// Load returns the set that Save has written.
func Load(r io.Reader) (*Set, error) {
	var in file
	if err := json.NewDecoder(r).Decode(&in); err != nil {
		return nil, fmt.Errorf("the rule programs cannot be read: %w", err)
	}
	if in.Format != fileFormat {
		return nil, fmt.Errorf("the rule programs are of format %d, and this kindsmith reads format %d; write them again", in.Format, fileFormat)
	}
	m := &model.Model{Packages: in.Packages}
	m.Freeze()
	byType := map[TypeName]*rule.Program{}
	for _, p := range in.Programs {
		byType[p.Type] = p
	}
	programs := rule.NewPrograms(m, func(t *model.Type, _ map[string]*model.Ref) *rule.Program {
		if p := byType[t.ID()]; p != nil {
			return p
		}
		return &rule.Program{Type: t.ID(), Place: &rule.Place{Scope: rule.OnType, Owner: t.ID(), Type: model.Named(t.Package, t.Name), Unset: m.UnsetValue(t.Ref())}}
	})
	subjects, subresources := map[string]bool{}, map[TypeName][]string{}
	for _, path := range in.Subjects {
		subjects[path] = true
	}
	for _, s := range in.Subresources {
		subresources[s.Type] = s.Paths
	}
	paths := func(t *model.Type) []string {
		if paths, ok := subresources[t.ID()]; ok {
			return paths
		}
		return root
	}
	s := newSet(programs, subjects, paths)
	for _, e := range in.Elsewhere {
		s.Elsewhere(e.Type, e.Rules)
	}
	return s, nil
}
