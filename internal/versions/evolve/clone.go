package evolve

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/model"
)

// clone copies what a projection changes: the root packages and companions, down to their items. The copy shares
// tags and types of fields with the model.
func clone(m *model.Model) *model.Model {
	out := &model.Model{Packages: slices.Clone(m.Packages)}
	for i, p := range out.Packages {
		if p.Root || p.Companion {
			out.Packages[i] = clonePackage(p)
		}
	}
	out.Index()
	return out
}

func clonePackage(p *model.Package) *model.Package {
	c := *p
	c.Versions = copies(p.Versions)
	c.Types = copies(p.Types)
	for _, t := range c.Types {
		t.Fields, t.Consts = copies(t.Fields), copies(t.Consts)
		t.Fallbacks = slices.Clone(t.Fallbacks)
		t.Changes = cloneChanges(t.Changes)
		for _, f := range t.Fields {
			f.Changes = cloneChanges(f.Changes)
		}
		for _, k := range t.Consts {
			k.Changes = cloneChanges(k.Changes)
		}
	}
	return &c
}

// copies returns pointers to copies.
func copies[T any](list []*T) []*T {
	if list == nil {
		return nil
	}
	out := make([]*T, len(list))
	for i, x := range list {
		c := *x
		out[i] = &c
	}
	return out
}

// cloneChanges copies the changes of a type, because a projection resolves their fromTypes and splits.
func cloneChanges(list []model.Change) []model.Change {
	out := slices.Clone(list)
	for i, c := range out {
		switch c := c.(type) {
		case *model.Changed:
			copied := *c
			out[i] = &copied
		case *model.Hook:
			if c.Split != nil {
				copied, split := *c, *c.Split
				copied.Split = &split
				out[i] = &copied
			}
		}
	}
	return out
}
