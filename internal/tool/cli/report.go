package cli

import (
	"fmt"
	"os"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/tool/explain"
)

// report writes diagnostics to a stream. In text format it adds a summary line.
func report(s Stream, format diag.Format, list []*diag.Diagnostic) error {
	opts := diag.Options{Version: version(), Color: s.Color, Width: s.Width}
	if format == diag.SARIF || format == diag.GitHub {
		if dir, err := os.Getwd(); err == nil {
			opts.Dir, opts.Root = dir, source.Repository(dir)
		}
		opts.Help = explain.New().Help
	}
	if err := diag.Render(s, format, list, opts); err != nil {
		return err
	}
	if format != diag.Text || len(list) == 0 {
		return nil
	}
	_, err := fmt.Fprintln(s, diag.Summary(list))
	return err
}
