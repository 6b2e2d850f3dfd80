package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/tool/baseline"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
	"github.com/kindsmith/kindsmith/internal/tool/project"
)

// lintFlags are the flags of `kindsmith lint`.
type lintFlags struct {
	*settings
	fix bool
	// write is set to write the baseline.
	write  bool
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
  kindsmith lint --format github             # annotations in GitHub Actions
  kindsmith lint --baseline lint.yaml --write-baseline
  kindsmith lint --baseline lint.yaml        # report only what is new`,
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
	cmd.Flags().BoolVar(&f.write, "write-baseline", false, "write all diagnostics to the file of --baseline and report none")
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
	if !project.Known(bag) {
		return reportAll(streams.Out, f.format, bag)
	}
	config := s.LintConfig(files)
	path, err := f.readBaseline(&config, s.Lint.Baseline)
	if err != nil {
		return err
	}
	var folders []string
	if f.fix {
		folders, err = fix(streams, config, bag)
	} else {
		folders, err = driver.Lint(config, bag)
	}
	if err != nil {
		return err
	}
	if f.write {
		return writeBaseline(streams, config, path, s.Lint.Baseline, bag.All())
	}
	list := config.Baseline.Apply(files, config.Dir, folders, bag.All())
	if err := report(streams.Out, f.format, list); err != nil {
		return err
	}
	if slices.ContainsFunc(list, func(d *diag.Diagnostic) bool { return d.Severity != diag.Hint }) {
		return errDiagnostics
	}
	return nil
}

// fix applies fixes and says which files changed. It returns the folders of the packages.
func fix(streams Streams, config driver.LintConfig, bag *diag.Bag) ([]string, error) {
	fixed, err := driver.Fix(config, bag)
	for _, name := range fixed.Files {
		if _, err := fmt.Fprintln(streams.Err, "fixed", name); err != nil {
			return nil, err
		}
	}
	if err != nil {
		return nil, err
	}
	_, err = fmt.Fprintf(streams.Err, "%s made\n", diag.Count(fixed.Fixes, "fix", "fixes"))
	return fixed.Folders, err
}

// readBaseline reads the baseline with a name, unless it is to be written. It returns its path.
func (f *lintFlags) readBaseline(config *driver.LintConfig, name string) (path string, err error) {
	if config.Dir, err = filepath.Abs(config.Dir); err != nil {
		return "", err
	}
	if path = name; !filepath.IsAbs(name) {
		path = filepath.Join(config.Dir, name)
	}
	switch {
	case f.write && name == "":
		return "", errors.New("--write-baseline needs the file: --baseline <file>")
	case f.write && f.fix:
		return "", errors.New("--write-baseline accepts all diagnostics, so there is nothing for --fix; run one after the other")
	case name == "" || f.write:
		return path, nil
	}
	config.Baseline, err = baseline.Read(config.Files, path, name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%s does not exist; write it with --write-baseline", name)
	}
	return path, err
}

func writeBaseline(streams Streams, config driver.LintConfig, path, name string, list []*diag.Diagnostic) error {
	content, err := baseline.New(path, config.Dir, list)
	if err != nil {
		return err
	}
	if err := source.WriteFile(path, content); err != nil {
		return err
	}
	_, err = fmt.Fprintf(streams.Err, "wrote %s with %s\n", name, diag.Count(len(list), "diagnostic", "diagnostics"))
	return err
}
