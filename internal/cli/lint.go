package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/driver"
)

// lintFlags are the flags of `kindsmith lint`.
type lintFlags struct {
	config driver.LintConfig
	source sourceFlags
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
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			f.config.Patterns = patterns(args)
			if err := f.source.set(&f.config.Config); err != nil {
				return err
			}
			return lint(streams, f)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.fix, "fix", false, "apply the fixes of diagnostics, then lint again")
	flags.StringSliceVar(&f.config.Enable, "enable", nil, "also check these `conventions`, which only reviewers of Kubernetes' own APIs expect: "+conventions(true))
	flags.StringSliceVar(&f.config.Disable, "disable", nil, "do not check these `conventions`: "+conventions(false))
	f.source.add(flags, &f.config.Config)
	formatFlag(cmd, &f.format)
	return cmd
}

func lint(streams Streams, f lintFlags) error {
	bag := &diag.Bag{}
	if f.fix {
		fixed, err := driver.Fix(f.config, bag)
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
	} else if err := driver.Lint(f.config, bag); err != nil {
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

// conventions lists the conventions that lint alone checks: those that are on, or off, by default.
func conventions(off bool) string {
	var names []string
	for _, l := range driver.Lints() {
		if !l.Always && l.Upstream == off {
			names = append(names, l.Name)
		}
	}
	return strings.Join(names, ", ")
}
