package cli

import (
	"fmt"
	"io"
	"regexp"

	"github.com/spf13/cobra"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/objects/ruletest"
	"github.com/kindsmith/kindsmith/internal/objects/verdict"
	"github.com/kindsmith/kindsmith/internal/tool/project"
)

// testFlags are the flags of `kindsmith test`.
type testFlags struct {
	*settings
	run     string
	verbose bool
	format  diag.Format
}

func newTest(streams Streams) *cobra.Command {
	var f testFlags
	cmd := &cobra.Command{
		Use:   "test FILE...",
		Short: "Test validation rules without a cluster",
		Long: `Test runs tests of validation rules. A test file has cases: an object, written
as changes to a base, the object before an update, and the expected validation
errors. In folders, files named *_test.yaml are test files.
docs/guides/test-rules.md describes their format.

Each case runs through every available engine: the rules of the Go types in
--types, and the rules of the CustomResourceDefinitions in --crd. A case passes
if each engine reports the expected errors and no others.

Rules that no case breaks are listed at the end; --all-rules makes them errors.`,
		Example: `  kindsmith test rules/ --crd config/crd/bases
  kindsmith test rules/ --crd config/crd/bases --run replicas -v
  kindsmith test rules/ --crd config/crd/bases --all-rules`,
		Args: some("file or folder"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.begin(cmd, nil); err != nil {
				return err
			}
			return runTest(cmd, streams, f, args)
		},
	}
	f.settings = newSettings(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.run, "run", "", "run the cases whose names match this regular `expression`")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "list all cases")
	formatFlag(cmd, &f.format)
	return cmd
}

func runTest(cmd *cobra.Command, streams Streams, f testFlags, names []string) error {
	var filter *regexp.Regexp
	if f.run != "" {
		var err error
		if filter, err = regexp.Compile(f.run); err != nil {
			return fmt.Errorf("--run: %w", err)
		}
	}
	bag := &diag.Bag{}
	files := source.NewFS(nil)
	s, err := f.read(files, bag)
	if err != nil {
		return err
	}
	if bag.HasErrors() {
		return reportAll(streams.Out, f.format, bag)
	}
	engines, err := testEngines(s, files, cmd.InOrStdin(), bag)
	if err != nil {
		return err
	}
	if engines == nil {
		return reportAll(streams.Out, f.format, bag)
	}
	cases, err := ruletest.Read(names, bag)
	if err != nil {
		return err
	}
	summary := ruletest.Run(cmd.Context(), cases, engines, s.Enabled(), filter, bag)
	if len(summary.Outcomes) == 0 && len(bag.All()) == 0 && !s.Test.AllowEmpty {
		return fmt.Errorf("no case to run")
	}
	switch {
	case s.Test.AllRules:
		summary.Report(diag.Error, bag)
	case f.format != diag.Text:
		summary.Report(diag.Warning, bag)
	}
	failed := bag.HasErrors()
	if f.verbose {
		if err := listOutcomes(streams.Err, summary); err != nil {
			return err
		}
	}
	if err := report(streams.Out, f.format, bag.All()); err != nil {
		return err
	}
	if err := sumUp(streams, f.format == diag.Text && !s.Test.AllRules, summary); err != nil {
		return err
	}
	if failed {
		return errDiagnostics
	}
	return nil
}

// testEngines returns all available engines, none if the source of one has mistakes.
func testEngines(s project.Settings, files *source.FS, stdin io.Reader, bag *diag.Bag) ([]verdict.Engine, error) {
	var engines []verdict.Engine
	if len(s.Definitions) > 0 {
		e, err := crdEngine(s.Definitions, stdin, bag)
		if err != nil {
			return nil, err
		}
		engines = append(engines, e)
	}
	if len(s.Test.Types) > 0 {
		s.Packages = s.Test.Types
	}
	if len(s.Test.Types) > 0 || len(engines) == 0 {
		e, err := typesEngine(s.Model(files), bag)
		if err != nil || e == nil {
			return nil, err
		}
		engines = append(engines, e)
	}
	return engines, nil
}

func listOutcomes(w io.Writer, summary *ruletest.Summary) error {
	for _, o := range summary.Outcomes {
		verdict := "pass"
		if !o.Passed {
			verdict = "FAIL"
		}
		if _, err := fmt.Fprintf(w, "%s  %s: %s\n", verdict, o.File(), o.Case.Name); err != nil {
			return err
		}
	}
	return nil
}

// sumUp writes the counts, and the rules that no case breaks if asked to.
func sumUp(streams Streams, unbroken bool, summary *ruletest.Summary) error {
	var lines []string
	if unbroken && len(summary.Unbroken) > 0 {
		lines = append(lines, "No case breaks these rules:")
		for _, u := range summary.Unbroken {
			lines = append(lines, fmt.Sprintf("  %v: %v", u.Rule.Span, u))
		}
	}
	for _, rule := range summary.NotRun {
		lines = append(lines, "not run: "+rule.String())
	}
	lines = append(lines, fmt.Sprintf("%s, %d failed; %d of %s broken by a case",
		diag.Count(len(summary.Outcomes), "case", "cases"), summary.Failed, summary.Rules-len(summary.Unbroken), diag.Count(summary.Rules, "rule", "rules")))
	for _, line := range lines {
		if _, err := fmt.Fprintln(streams.Err, line); err != nil {
			return err
		}
	}
	return nil
}
