// Package driver puts the stages of the compiler in their order.
package driver

import (
	"maps"
	"slices"

	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/load"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/plan"
	"github.com/kindsmith/kindsmith/internal/rule"
	"github.com/kindsmith/kindsmith/internal/source"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// ModelConfig says which packages to make a model of.
type ModelConfig struct {
	// Dir is the folder in which patterns are understood; "" is the working directory.
	Dir      string
	Patterns []string
	// ReadOnly are patterns of packages whose generated code may be called, and
	// which are not to be generated for.
	ReadOnly  []string
	BuildTags []string
	// Files is what the run reads files through, and what records them; nil is a
	// new one on the disk. It is for one run.
	Files *source.FS `json:"-"`

	// kept are the names of files that other generators write on.
	kept []string
}

// Model loads packages and returns their model, older versions included.
// Mistakes go to the bag; an error is of the environment, such as no go.mod.
func Model(cfg ModelConfig, bag *diag.Bag) (*model.Model, error) {
	return new(Workspace).Model(cfg, bag)
}

// Programs returns what the tags of a model's types mean.
func Programs(m *model.Model) *rule.Programs { return tag.Programs(m, Tags()) }

// Plans returns the conversions between older versions with a name and their newest
// versions, by import path.
func Plans(m *model.Model, older string) []*plan.Plan {
	plans := plan.Build(m)
	list := []*plan.Plan{}
	for _, path := range slices.Sorted(maps.Keys(plans)) {
		if plans[path].Older.Name == older {
			list = append(list, plans[path])
		}
	}
	return list
}

// Environment returns what a run depends on beside its configuration and the
// files that it reads; false if there may be more.
func Environment(files *source.FS) ([]string, bool) { return load.Environment(files) }

// Recorded reports whether the record of a run's files, with its configuration and
// Environment, has everything that the run depended on. What the go command could
// not load may depend on more, such as the network.
func (cfg *ModelConfig) Recorded(bag *diag.Bag) bool {
	_, ok := Environment(cfg.Files)
	return ok && !slices.ContainsFunc(bag.All(), func(d *diag.Diagnostic) bool { return slices.Contains(load.Codes(), d.Code) })
}

// Rules returns the programs of the types of the packages that a model is of, as
// far as these have rules, by package and in order of declaration.
func Rules(m *model.Model) []*rule.Program {
	programs := Programs(m)
	list := []*rule.Program{}
	for _, p := range m.Packages {
		if !p.Root {
			continue
		}
		for _, t := range p.Types {
			if program := programs.Of(t); len(program.Rules)+len(program.Fields) > 0 {
				list = append(list, program)
			}
		}
	}
	return list
}
