package cli

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/objects/gotypes"
	"github.com/kindsmith/kindsmith/internal/objects/verdict"
	"github.com/kindsmith/kindsmith/internal/rules/eval"
	"github.com/kindsmith/kindsmith/internal/tool/cache"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
	"github.com/kindsmith/kindsmith/internal/tool/engines"
)

// crdEngine returns the engine for the definitions of --crd.
func crdEngine(crds []string, stdin io.Reader, bag *diag.Bag) (verdict.Engine, error) {
	e, err := engines.Definitions(crds, stdin, bag)
	if err != nil {
		return nil, fmt.Errorf("--crd %w", err)
	}
	return e, nil
}

// typesEngine returns the engine for Go types. If they have mistakes, it reports them and returns
// nil; warnings are for `kindsmith lint`.
func typesEngine(types driver.ModelConfig, bag *diag.Bag) (verdict.Engine, error) {
	set, err := programs(types, bag)
	if err != nil || set == nil {
		return nil, err
	}
	e := gotypes.New(set, source.NewFS(nil))
	if len(e.Kinds()) == 0 {
		return nil, fmt.Errorf("%s has no kinds; name other packages, or name CustomResourceDefinitions with --crd", strings.Join(types.Patterns, ", "))
	}
	return e, nil
}

// programs returns the rule programs of the types, from the cache if the sources are
// unchanged; nil if the types have mistakes.
func programs(types driver.ModelConfig, bag *diag.Bag) (*eval.Set, error) {
	run := begin(types.Dir, map[string]any{"programs": types})
	if known, ok := run.Known(); ok {
		if set, err := eval.Load(bytes.NewReader(known.Content)); err == nil {
			return set, nil
		}
	}
	found := &diag.Bag{}
	set, err := engines.Programs(types, found)
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
	if types.Recorded(found) && set.Save(&saved) == nil {
		run.Keep(types.Files.Record(), nil, cache.Outcome{Content: saved.Bytes()})
	}
	return set, nil
}
