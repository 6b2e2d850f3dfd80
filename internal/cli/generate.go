package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kindsmith/kindsmith/internal/cache"
	"github.com/kindsmith/kindsmith/internal/controllergen"
	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/driver"
	"github.com/kindsmith/kindsmith/internal/source"
)

// generateFlags are the flags of `kindsmith generate`.
type generateFlags struct {
	config driver.Config
	// headerFile and crdHeaderFile are the names of files.
	headerFile, crdHeaderFile string
	year                      string
	maxDescription            int
	embeddedMeta              bool
	stdout                    bool
	source                    sourceFlags
	check                     bool
	coverage                  bool
	watch                     bool
	format                    diag.Format
}

func newGenerate(streams Streams) *cobra.Command {
	var f generateFlags
	cmd := &cobra.Command{
		Use:   "generate [packages]",
		Short: "Generate code and CustomResourceDefinitions from types and markers",
		Long: `Generate writes Go code and CustomResourceDefinitions for the types and markers
of the packages, by default ./.... It writes nothing if it reports an error.

Runs whose inputs have not changed are skipped: the diagnostics of the last
successful run are printed again. KINDSMITH_CACHE sets the folder that records
runs, by default in the user's cache folder; "off" disables skipping.

Instead of packages, the arguments may be those of controller-gen: generators
(object, crd, rbac, webhook) with their options, paths= and output:.

The parts for --only:
` + parts(),
		Example: `  kindsmith generate
  kindsmith generate ./api/... --header-file hack/boilerplate.go.txt
  kindsmith generate --only deepcopy,crd
  kindsmith generate --coverage
  kindsmith generate --watch                 # run again after each change
  kindsmith generate --check                 # in CI: print a diff and fail if files are stale
  kindsmith generate object crd rbac:roleName=manager webhook paths=./...
  kindsmith generate k8s.io/api/apps/v1 --output-root gen`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if slices.ContainsFunc(args, controllergen.Is) {
				if err := f.command(cmd.Flags(), args); err != nil {
					return usageError{err}
				}
			} else {
				f.config.Patterns = patterns(args)
				f.settings()
			}
			if f.coverage {
				f.config.With = []string{"coverage"}
			}
			return generate(cmd.Context(), streams, f)
		},
	}
	flags := cmd.Flags()
	flags.SetNormalizeFunc(alias)
	flags.StringSliceVar(&f.config.Only, "only", nil, "parts to write (default all)")
	flags.StringVar(&f.config.OutputRoot, "output-root", "", "write Go files below `dir`, by import path, instead of into their packages")
	flags.StringVar(&f.config.CRDDir, "crd-dir", "config/crd/bases", "write CustomResourceDefinitions to `dir`")
	flags.BoolVar(&f.config.Replace, "replace", false, "overwrite files of other generators, to switch to kindsmith; hand-written files are never overwritten")
	flags.StringVar(&f.headerFile, "header-file", "", "begin every Go file with the comments in `file`; YEAR becomes the year in which the Go file was first written")
	flags.StringVar(&f.crdHeaderFile, "crd-header-file", "", "begin every CustomResourceDefinition with the YAML comments in `file`; YEAR as in --header-file")
	flags.StringVar(&f.year, "year", "", "replace YEAR in headers by this `year`")
	flags.IntVar(&f.maxDescription, "max-desc-len", -1, "shorten descriptions in CustomResourceDefinitions to this number of `bytes`, at the end of a sentence or word; 0 omits them (default unlimited)")
	flags.BoolVar(&f.embeddedMeta, "embedded-object-meta", true, "write the fields of metadata within objects, such as that of templates; without them API servers prune the metadata")
	flags.BoolVar(&f.stdout, "stdout", false, "write no files; print their contents")
	flags.BoolVar(&f.check, "check", false, "write nothing; print a diff of stale files, and exit with code 1 if there are any")
	flags.BoolVar(&f.coverage, "coverage", false, "also write a test file that makes a package's tests fail unless they break every rule; existing files are updated without the flag")
	flags.BoolVar(&f.watch, "watch", false, "run again whenever an input file changes, until interrupted")
	f.source.add(flags, &f.config)
	formatFlag(cmd, &f.format)
	return cmd
}

// parts lists the emitters for the help text.
func parts() string {
	var b strings.Builder
	for _, e := range driver.Emitters() {
		fmt.Fprintf(&b, "  %-12s %s\n", e.Name, e.Summary)
	}
	return strings.TrimRight(b.String(), "\n")
}

// generate runs once, or again after each change.
func generate(ctx context.Context, streams Streams, f generateFlags) error {
	if err := driver.CheckNames(f.config.Only); err != nil {
		return usageError{err}
	}
	if err := f.source.set(&f.config); err != nil {
		return err
	}
	if f.config.Prints() && f.check {
		return usageError{errors.New("--check compares files, and files that are printed cannot be compared; write them, or remove --check")}
	}
	if f.watch {
		return generateAgain(ctx, streams, f)
	}
	var workspace driver.Workspace
	_, err := generateOnce(streams, f, &workspace)
	return err
}

// generateOnce runs once and returns the record of its inputs, in their state after the run's files
// are written.
func generateOnce(streams Streams, f generateFlags, workspace *driver.Workspace) (*source.Record, error) {
	bag := &diag.Bag{}
	files := source.NewFS(nil)
	f.config.Files = files
	if err := f.readHeaders(bag); err != nil {
		return files.Record(), err
	}
	run := begin(f.config.Dir, map[string]any{
		"generate": f.config, "format": f.format, "color": streams.Err.Color, "width": streams.Err.Width,
	})
	if !f.watch && !bag.HasErrors() {
		if known, ok := run.Known(); ok {
			if _, err := streams.Err.Write(known.Content); err != nil || f.check {
				return nil, err
			}
			return nil, upToDate(streams, known.Files)
		}
	}
	p := startProgress(streams.Err, progressDelay)
	f.config.Progress = p.stage
	out, err := workspace.Generate(f.config, bag)
	p.stop()
	if err != nil {
		return files.Record(), err
	}
	var output bytes.Buffer
	if err := report(streams.Err.tee(&output), f.format, bag.All()); err != nil {
		return files.Record(), err
	}
	if bag.HasErrors() {
		return files.Record(), errDiagnostics
	}
	if out.Known {
		run.Keep(files.Record(), out.Changes(), cache.Outcome{Content: output.Bytes(), Files: remaining(out.Files)})
	}
	if f.check {
		return files.Record(), compare(streams, out.Files)
	}
	return files.Record().After(out.Changes()), write(streams, out, f.config.Prints())
}

// settings copies flags to the configuration.
func (f *generateFlags) settings() {
	if f.maxDescription >= 0 {
		f.config.CRDs.MaxDescription = &f.maxDescription
	}
	f.config.CRDs.BareObjectMeta = !f.embeddedMeta
	if f.stdout {
		f.config.Sinks = map[string]driver.Sink{"": driver.ToOutput}
	}
	f.config.Header.Year, f.config.CRDHeader.Year = f.year, f.year
}

// readHeaders reads the files of --header-file and --crd-header-file.
func (f *generateFlags) readHeaders(bag *diag.Bag) (err error) {
	if f.config.Header.Text, err = f.readHeader(f.headerFile, driver.Header, bag); err != nil {
		return err
	}
	if f.config.CRDHeader.Text, err = f.readHeader(f.crdHeaderFile, driver.ManifestHeader, bag); err != nil {
		return err
	}
	return f.readGeneratorHeaders(bag)
}

// readHeader returns the text of a header file; "" if there is none.
func (f *generateFlags) readHeader(name string, text func(*source.File, *diag.Bag) string, bag *diag.Bag) (string, error) {
	if name == "" {
		return "", nil
	}
	path, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	content, err := f.config.Files.ReadFile(path)
	if wrong := (*fs.PathError)(nil); errors.As(err, &wrong) {
		return "", &fs.PathError{Op: wrong.Op, Path: name, Err: wrong.Err}
	}
	return text(source.NewFile(name, content), bag), err
}

// remaining counts the files that exist after writing.
func remaining(files []*driver.File) int {
	n := 0
	for _, f := range files {
		if f.Content != nil {
			n++
		}
	}
	return n
}

// compare writes a diff of the files that are out of date.
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
	return errDiagnostics
}

// write writes the files and prints one line for each. If the run prints files, nothing else goes to
// the output, so that other commands can read it.
func write(streams Streams, out *driver.Output, prints bool) error {
	files := out.Files
	for _, f := range out.Printed {
		if _, err := streams.Out.Write(f.Content); err != nil {
			return err
		}
	}
	if prints {
		if len(files) == 0 {
			return nil
		}
		streams.Out = streams.Err
	}
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
		if len(out.Needs) > 0 {
			_, err := fmt.Fprintln(streams.Out, "go.mod lacks modules that the generated code needs; run: go get", strings.Join(out.Needs, " "))
			return err
		}
		return nil
	}
	return upToDate(streams, len(files))
}

func upToDate(streams Streams, files int) error {
	_, err := fmt.Fprintf(streams.Out, "%s, all up to date\n", plural(files, "file", "files"))
	return err
}
