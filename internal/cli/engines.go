package cli

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kindsmith/kindsmith/internal/cache"
	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/driver"
	"github.com/kindsmith/kindsmith/internal/engines"
	"github.com/kindsmith/kindsmith/internal/eval"
	"github.com/kindsmith/kindsmith/internal/gotypes"
	"github.com/kindsmith/kindsmith/internal/source"
	"github.com/kindsmith/kindsmith/internal/verdict"
)

// rulesFlags select the declarations of the rules.
type rulesFlags struct {
	types driver.ModelConfig
	crds  []string
}

func (f *rulesFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.crds, "crd", nil, "validate against the CustomResourceDefinitions in this `file or folder`; can be repeated")
	cmd.Flags().StringSliceVar(&f.types.BuildTags, "tags", nil, "build tags to load the packages with")
}

// crdEngine returns the engine for the definitions of --crd.
func (f *rulesFlags) crdEngine(stdin io.Reader, bag *diag.Bag) (verdict.Engine, error) {
	e, err := engines.Definitions(f.crds, stdin, bag)
	if err != nil {
		return nil, fmt.Errorf("--crd %w", err)
	}
	return e, nil
}

// typesEngine returns the engine for Go types. If they have mistakes, it reports them and returns
// nil; warnings are for `kindsmith lint`.
func (f *rulesFlags) typesEngine(bag *diag.Bag) (verdict.Engine, error) {
	set, err := f.programs(bag)
	if err != nil || set == nil {
		return nil, err
	}
	e := gotypes.New(set, source.NewFS(nil))
	if len(e.Kinds()) == 0 {
		return nil, fmt.Errorf("%s has no kinds; name other packages, or name CustomResourceDefinitions with --crd", strings.Join(f.types.Patterns, ", "))
	}
	return e, nil
}

// programs returns the rule programs of the types, from the cache if the sources are
// unchanged; nil if the types have mistakes.
func (f *rulesFlags) programs(bag *diag.Bag) (*eval.Set, error) {
	run := begin(f.types.Dir, map[string]any{"programs": f.types})
	if known, ok := run.Known(); ok {
		if set, err := eval.Load(bytes.NewReader(known.Content)); err == nil {
			return set, nil
		}
	}
	f.types.Files = source.NewFS(nil)
	found := &diag.Bag{}
	set, err := engines.Programs(f.types, found)
	if err != nil {
		return nil, err
	}
	for _, d := range found.All() {
		if d.Severity == diag.Error {
			bag.Add(d)
		}
	}
	if set == nil {
		return nil, nil
	}
	var saved bytes.Buffer
	if f.types.Recorded(found) && set.Save(&saved) == nil {
		run.Keep(f.types.Files.Record(), nil, cache.Outcome{Content: saved.Bytes()})
	}
	return set, nil
}
