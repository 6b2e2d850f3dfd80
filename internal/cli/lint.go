package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/driver"
	"github.com/kindsmith/kindsmith/internal/source"
)

// lintFlags are the flags of `kindsmith lint`.
type lintFlags struct {
	*settings
	fix    bool
	format diag.Format
}

func newLint(streams Streams) *cobra.Command {
	var f lintFlags
	cmd := &cobra.Command{
		Use:   "lint [packages]",
		Short: "Report mistakes in types and markers, and violations of API conventions",
		Long: `Lint reports mistakes in the types and markers of packages, by default ./...,
and violations of API conventions. It reports all that generate does, except
about files that generate must not overwrite. The exit code is 1 if it reports
an error or a warning. 'kindsmith explain' has a page for every code.`,
		Example: `  kindsmith lint
  kindsmith lint ./api/... --fix
  kindsmith lint --format sarif > kindsmith.sarif
  kindsmith lint --format github             # annotations in GitHub Actions`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: folders,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.begin(cmd, args); err != nil {
				return err
			}
			return lint(streams, f)
		},
	}
	f.settings = newSettings(cmd)
	cmd.Flags().BoolVar(&f.fix, "fix", false, "apply the fixes of diagnostics, then lint again")
	formatFlag(cmd, &f.format)
	return cmd
}

func lint(streams Streams, f lintFlags) error {
	bag := &diag.Bag{}
	files := source.NewFS(nil)
	s, err := f.read(files, bag)
	if err != nil {
		return err
	}
	if bag.HasErrors() {
		return reportAll(streams.Out, f.format, bag)
	}
	config := driver.LintConfig{Config: config(s, files), Enable: s.Lint.Enable, Disable: s.Lint.Disable}
	if f.fix {
		fixed, err := driver.Fix(config, bag)
		for _, name := range fixed.Files {
			if _, err := fmt.Fprintln(streams.Err, "fixed", name); err != nil {
				return err
			}
		}
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(streams.Err, "%s made\n", plural(fixed.Fixes, "fix", "fixes")); err != nil {
			return err
		}
	} else if err := driver.Lint(config, bag); err != nil {
		return err
	}
	list := bag.All()
	if err := report(streams.Out, f.format, list); err != nil {
		return err
	}
	if len(list) > 0 {
		return errDiagnostics
	}
	return nil
}
