package cli

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kindsmith/kindsmith/internal/cache"
	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/driver"
	"github.com/kindsmith/kindsmith/internal/rule"
	"github.com/kindsmith/kindsmith/internal/source"
)

// generateFlags are the flags of `kindsmith generate`.
type generateFlags struct {
	config     driver.Config
	headerFile string
	level      string
	check      bool
	coverage   bool
	format     diag.Format
}

func newGenerate(streams Streams) *cobra.Command {
	var f generateFlags
	cmd := &cobra.Command{
		Use:   "generate [packages]",
		Short: "Write everything that the types and markers of packages define",
		Long: `Generate writes everything that the types and markers of the packages define,
by default of ./..., in one pass. Nothing is written when there is an error.

A run that can only find again that everything is up to date is not made: what
it would say is remembered in a folder that KINDSMITH_CACHE names, by default
with the caches of the user. KINDSMITH_CACHE=off makes all runs.

The parts, for --only:
` + parts(),
		Example: `  kindsmith generate
  kindsmith generate ./api/... --header-file hack/boilerplate.go.txt
  kindsmith generate --only deepcopy,crd
  kindsmith generate --coverage
  kindsmith generate --check                 # in CI: fails with a diff of what is stale
  kindsmith generate k8s.io/api/apps/v1 --output-root gen`,
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			f.config.Patterns = patterns(args)
			if f.coverage {
				f.config.With = []string{"coverage"}
			}
			return generate(streams, f)
		},
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&f.config.Only, "only", nil, "the parts to write, by default all")
	flags.StringVar(&f.config.OutputRoot, "output-root", "", "write Go files below `dir`, by import path, instead of beside their packages")
	flags.StringVar(&f.config.CRDDir, "crd-dir", "config/crd/bases", "write CustomResourceDefinitions to `dir`")
	flags.StringVar(&f.headerFile, "header-file", "", "put the Go comments in `file` above every Go file; YEAR in them is the year in which that was first written")
	flags.StringSliceVar(&f.config.Projection.Options, "enable-options", nil, "publish schemas for API servers on which these `options` of +k8s:ifEnabled and +k8s:ifDisabled are on, and all others off")
	flags.StringVar(&f.level, "level", "beta", "publish rules that are at least this stable: alpha, beta or stable")
	flags.BoolVar(&f.check, "check", false, "write nothing; print a diff of what is out of date, and exit with 1 if anything is")
	flags.BoolVar(&f.coverage, "coverage", false, "write, beside the rest, a test file by which a package's tests must break every rule; where there is one, it is kept up to date without")
	flags.StringSliceVar(&f.config.ReadOnly, "readonly-pkg", nil, "call the validators that these `packages` have already, where they are about types of others")
	flags.StringSliceVar(&f.config.BuildTags, "tags", nil, "build tags to load the packages with")
	formatFlag(cmd, &f.format)
	return cmd
}

// levels are the values of --level.
var levels = map[string]rule.Level{"alpha": rule.Alpha, "beta": rule.Beta, "stable": rule.Stable}

// parts lists the emitters for the help text.
func parts() string {
	var b strings.Builder
	for _, e := range driver.Emitters() {
		fmt.Fprintf(&b, "  %-12s %s\n", e.Name, e.Summary)
	}
	return strings.TrimRight(b.String(), "\n")
}

func generate(streams Streams, f generateFlags) error {
	if err := driver.CheckNames(f.config.Only); err != nil {
		return usageError{err}
	}
	var ok bool
	if f.config.Projection.Level, ok = levels[f.level]; !ok {
		return usageError{fmt.Errorf("there is no level %q; the levels are: alpha, beta, stable", f.level)}
	}
	bag := &diag.Bag{}
	if f.headerFile != "" {
		content, err := os.ReadFile(f.headerFile)
		if err != nil {
			return err
		}
		f.config.Header = driver.Header(source.NewFile(f.headerFile, content), bag)
	}
	run := begin(f, streams.Err)
	if known, ok := run.Known(); ok && !bag.HasErrors() {
		if _, err := streams.Err.Write(known.Report); err != nil || f.check {
			return err
		}
		return upToDate(streams, known.Files)
	}
	p := startProgress(streams.Err, progressDelay)
	f.config.Progress = p.stage
	out, err := driver.Generate(f.config, bag)
	p.stop()
	if err != nil {
		return err
	}
	var said bytes.Buffer
	if err := report(streams.Err.tee(&said), f.format, bag.All()); err != nil {
		return err
	}
	if bag.HasErrors() {
		return errFindings
	}
	if out.Inputs != nil {
		run.Keep(*out.Inputs, out.Changes(), cache.Outcome{Report: said.Bytes(), Files: remaining(out.Files)})
	}
	if f.check {
		return compare(streams, out.Files)
	}
	return write(streams, out.Files)
}

// remaining counts the files that are there when all is written.
func remaining(files []*driver.File) int {
	n := 0
	for _, f := range files {
		if f.Content != nil {
			n++
		}
	}
	return n
}

// compare writes what is out of date as a diff.
func compare(streams Streams, files []*driver.File) error {
	stale := 0
	for _, f := range files {
		if f.Changed() {
			stale++
		}
	}
	if stale == 0 {
		return nil
	}
	if _, err := streams.Out.Write(driver.Diff(files)); err != nil {
		return err
	}
	verb := "are"
	if stale == 1 {
		verb = "is"
	}
	if _, err := fmt.Fprintf(streams.Err, "%s %s out of date; run kindsmith generate\n", plural(stale, "file", "files"), verb); err != nil {
		return err
	}
	return errFindings
}

// write writes the files and says so, a line each.
func write(streams Streams, files []*driver.File) error {
	if _, err := driver.Write(files); err != nil {
		return err
	}
	changed := false
	for _, f := range files {
		if !f.Changed() {
			continue
		}
		changed = true
		verb := "wrote"
		if f.Content == nil {
			verb = "removed"
		}
		if _, err := fmt.Fprintln(streams.Out, verb, f.Name); err != nil {
			return err
		}
	}
	if changed {
		return nil
	}
	return upToDate(streams, len(files))
}

func upToDate(streams Streams, files int) error {
	_, err := fmt.Fprintf(streams.Out, "%s, all up to date\n", plural(files, "file", "files"))
	return err
}
