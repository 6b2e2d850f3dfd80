// Package driver runs the stages of the compiler in order.
//
// [Generate], [Lint], [Breaking] and [Model] are the runs of commands. Mistakes of users are in the bag; an error is one of
// I/O, or a bug.
//
// It is the only package which knows the lists of tags and emitters. All stages of a run read through one
// source.FS, whose record is the only list of inputs. Before anything is written, driver refuses files which
// package signature says others wrote, and folders outside the main modules; all temporary files are written
// before the first is renamed.
//
// A Workspace runs repeatedly: load.Loader calls the go command again only if an input of its answer changed,
// and reuses a package if its files and everything it was type-checked with are unchanged. lower.Lowerer
// reuses the model's types of such a package, because no later stage changes them. Tests edit files and
// compare each run with a fresh one.
//
// Diagnostics: diag.Scope decides at the end which errors concern the requested parts. Emitters run although
// there are errors, on a model without the tags with mistakes (check.Sound), so they report theirs in the
// same run; their files are dropped. unknown.go drops diagnostics about declarations whose types are unknown
// at any depth, which may be consequences; codes without types (codes.OfText()) stay. With controller-gen's
// arguments, published.go first leaves out the tags controller-gen does not read.
package driver

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/front/load"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
	"github.com/kindsmith/kindsmith/internal/tool/revision"
	"github.com/kindsmith/kindsmith/internal/versions/steps"
)

// ModelConfig selects the packages of a model.
type ModelConfig struct {
	// Dir is the folder to which patterns are relative; "" is the working directory.
	Dir      string
	Patterns []string
	// Base is the folder that the names of files are relative to; "" is Dir.
	Base string
	// Nested is set if patterns with "..." match packages of modules below, too.
	Nested bool
	// ReadOnly are patterns of packages that are not generated for, but whose generated code may be
	// called.
	ReadOnly []string
	// Complete are import paths of packages of which the model has all types.
	Complete  []string
	BuildTags []string
	// VersionsDir is the pattern of the folders of older versions for packages that do not say it; "" is the
	// folders beside them: see model.ParseVersionsDir.
	VersionsDir string
	// Dependencies selects the rules of types in other modules.
	Dependencies rule.Policy
	// Descriptions reads comments like controller-gen, for its descriptions: also those of the standard library, without
	// // lines that begin with "+", and with all lines of /* */ blocks.
	Descriptions bool
	// Files is the file system of one run, which records inputs; nil is a new one on the disk.
	Files *source.FS `json:"-"`

	// others gets the modules that other runs must load; nil if there are no other runs.
	others *[]load.Other
	// kept are the names of files that other generators write on.
	kept []string
}

// Model loads packages and returns their model, including older versions. Mistakes go to the bag.
// An error is a failure of the environment, such as a missing go.mod.
func Model(cfg ModelConfig, bag *diag.Bag) (*model.Model, error) {
	return new(Workspace).Model(cfg, bag)
}

// Past returns the model of the same packages in a git revision. Mistakes in the packages are not reported.
func (cfg ModelConfig) Past(rev string) (m *model.Model, err error) {
	if cfg.Dir, err = filepath.Abs(cfg.Dir); err != nil {
		return nil, err
	}
	tree, err := revision.Extract(cfg.Dir, rev)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, tree.Remove()) }()
	return cfg.past(tree)
}

// past returns the model of the packages in a copy of a revision. From then on, the configuration is that of the copy.
func (cfg *ModelConfig) past(tree *revision.Tree) (*model.Model, error) {
	if work := os.Getenv("GOWORK"); work != "" && work != "off" {
		return nil, fmt.Errorf("GOWORK=%s names a file of today, so packages of revision %s cannot be loaded; unset GOWORK", work, tree.Name)
	}
	cfg.Dir, _ = tree.Path(cfg.Dir)
	cfg.Files = source.NewFS(nil)
	mistakes := &diag.Bag{} // those of the past are no changes
	m, err := Model(*cfg, mistakes)
	if err != nil {
		return nil, fmt.Errorf("revision %s: %w", tree.Name, err)
	}
	for _, d := range mistakes.All() {
		if d.Severity == diag.Error && slices.Contains(load.Codes(), d.Code) {
			return nil, fmt.Errorf("revision %s: the packages cannot be loaded: %s", tree.Name, strings.TrimPrefix(d.Span.String()+": "+d.Message, ": "))
		}
	}
	return m, nil
}

// Programs returns the rules of a model's types.
func (cfg *ModelConfig) Programs(m *model.Model) *rule.Programs {
	return tag.Programs(m, Tags()).Limited(cfg.Dependencies)
}

// Plan is what happens to objects between an older version and the newest, as it is printed.
type Plan struct {
	Group string `json:"group,omitempty"`
	// Older and Newest are the versions, and Package is the newest one's.
	Older   string     `json:"older"`
	Newest  string     `json:"newest"`
	Package string     `json:"package"`
	Kinds   []PlanKind `json:"kinds"`
	// Steps are those between neighbouring versions, oldest first.
	Steps []*steps.Step `json:"steps"`
}

// PlanKind is a kind of API objects in a plan.
type PlanKind struct {
	steps.Kind
	// Differs says what in the JSON of objects differs first; "" if they need no conversion.
	Differs string `json:"differs,omitempty"`
}

// Plans returns what happens between the older versions with a name and their newest versions.
func Plans(m *model.Model, older string) []*Plan {
	list := []*Plan{}
	for _, api := range steps.Build(m) {
		k := slices.IndexFunc(api.Versions, func(v steps.Version) bool { return v.Name == older })
		if k < 0 || k == len(api.Steps) {
			continue
		}
		p := &Plan{Group: api.Group, Older: older, Newest: api.Versions[len(api.Steps)].Name, Package: api.Newest, Kinds: []PlanKind{}, Steps: api.Steps[k:]}
		for _, kind := range api.Kinds {
			if kind.Item == "" {
				p.Kinds = append(p.Kinds, PlanKind{kind, api.Differs(kind.Name, older)})
			}
		}
		list = append(list, p)
	}
	return list
}

// Environment returns the inputs of a run besides its configuration and the
// files that it reads; false if there may be more.
func Environment(files *source.FS) ([]string, bool) { return load.Environment(files) }

// Recorded reports whether the record of a run's files, with its configuration and
// Environment, has everything that the run depended on. What the go command could
// not load may depend on more, such as the network.
func (cfg *ModelConfig) Recorded(bag *diag.Bag) bool {
	_, ok := Environment(cfg.Files)
	return ok && !slices.ContainsFunc(bag.All(), func(d *diag.Diagnostic) bool { return slices.Contains(load.Codes(), d.Code) })
}

// Rules returns the programs of the root packages' types with rules, by package and in order of
// declaration.
func Rules(m *model.Model) []*rule.Program {
	programs := tag.Programs(m, Tags())
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
