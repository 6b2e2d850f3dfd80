package driver

import (
	"bytes"
	"cmp"
	"fmt"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
)

// Fixed is the result of Fix.
type Fixed struct {
	// Fixes is the number of applied fixes, Files the sorted display names of changed files.
	Fixes int
	Files []string
	// Folders are those of the linted packages.
	Folders []string
}

// maxRounds is the maximum number of rounds: overlapping fixes are applied in different rounds.
const maxRounds = 5

// Fix applies the fixes of diagnostics in files below the run's folder, but not in others such as
// those of the module cache. Then it fills the bag with the remaining diagnostics.
func Fix(cfg LintConfig, bag *diag.Bag) (done Fixed, err error) {
	if err := cfg.complete(); err != nil {
		return done, err
	}
	var w Workspace
	overlay := cfg.Files.Overlay()
	changed := map[string]bool{}
	for range maxRounds {
		found := &diag.Bag{}
		if _, err := w.Lint(cfg, found); err != nil {
			return done, err
		}
		list := slices.DeleteFunc(cfg.Baseline.Filter(cfg.Dir, found.All()), func(d *diag.Diagnostic) bool { return !isOwn(d.Fix) })
		contents, n, _ := diag.ApplyFixes(list)
		if n == 0 {
			break
		}
		for _, f := range slices.SortedFunc(maps.Keys(contents), byPath) {
			if err := cfg.rewrite(f, contents[f]); err != nil {
				return done, err
			}
			changed[f.Path] = true
		}
		done.Fixes += n
		cfg.Files = source.NewFS(overlay)
	}
	done.Files = slices.Sorted(maps.Keys(changed))
	done.Folders, err = w.Lint(cfg, bag)
	return done, err
}

// isOwn reports whether a diagnostic has a fix with edits only in files below the run's folder,
// whose paths are relative.
func isOwn(f *diag.Fix) bool {
	return f != nil && !slices.ContainsFunc(f.Edits, func(e diag.Edit) bool {
		return e.Span.File == nil || !filepath.IsLocal(filepath.FromSlash(e.Span.File.Path))
	})
}

func byPath(a, b *source.File) int { return cmp.Compare(a.Path, b.Path) }

// rewrite replaces a file's content. A file that was formatted stays formatted, and
// keeps its line endings.
// It is a bug in a fix if what it leaves behind is no Go.
func (cfg *ModelConfig) rewrite(f *source.File, content []byte) error {
	if _, err := parser.ParseFile(token.NewFileSet(), f.Path, content, parser.SkipObjectResolution); err != nil {
		return fmt.Errorf("a fix would break %s; this is a bug in kindsmith: %w", f.Path, err)
	}
	if formatted, err := format.Source(f.Content); err == nil && bytes.Equal(formatted, f.Content) {
		if content, err = format.Source(content); err != nil {
			return err
		}
	}
	path := filepath.Join(cfg.Dir, filepath.FromSlash(f.Path))
	was, err := cfg.Files.ReadFile(path)
	if err != nil {
		return err
	}
	return source.WriteFile(path, source.EndingsOf(was, content))
}
