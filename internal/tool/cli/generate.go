package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/gofile"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/tool/cache"
	"github.com/kindsmith/kindsmith/internal/tool/controllergen"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
	"github.com/kindsmith/kindsmith/internal/tool/project"
	"github.com/kindsmith/kindsmith/internal/tool/requires"
)

// generateFlags are the flags of `kindsmith generate`.
type generateFlags struct {
	*settings
	replace, stdout, check, watch bool
	format                        diag.Format
	// explain is withDisk, withControllerGen, or "".
	explain string
	// command has controller-gen's arguments, nil if there are none.
	command *controllergen.Command
}

// webhookPart is the part that writes the configurations of webhooks; webhookDir is where, if nothing else is said.
const webhookPart, webhookDir = "webhook", "config/webhook"

// request is what one run is asked for.
type request struct {
	config driver.Config
	// headerFile and crdHeaderFile are the names of files.
	headerFile, crdHeaderFile string
}

func newGenerate(streams Streams) *cobra.Command {
	var f generateFlags
	cmd := &cobra.Command{
		Use:   "generate [packages]",
		Short: "Generate code and CustomResourceDefinitions from types and markers",
		Long: `Generate writes Go code and CustomResourceDefinitions for the types and markers
of the packages, by default ./.... It writes nothing if it reports an error. An
error about one part alone, such as a definition that is too large for an API
server, leaves out only this part.

Runs whose inputs have not changed are skipped: the diagnostics of the last
successful run are printed again. KINDSMITH_CACHE sets the folder that records
runs, by default in the user's cache folder; "off" disables skipping.

Instead of packages, the arguments may be those of controller-gen: generators
(object, crd, rbac, webhook, applyconfiguration, schemapatch) with their
options, paths= and output:.

The parts for --only and --skip:
` + parts(),
		Example: `  kindsmith generate
  kindsmith generate ./api/... --header-file hack/boilerplate.go.txt
  kindsmith generate --only deepcopy,crd
  kindsmith generate --coverage
  kindsmith generate --watch                 # run again after each change
  kindsmith generate --check                 # in CI: print a diff and fail if files are stale
  kindsmith generate --explain-diff          # print which markers and options change files
  kindsmith generate --explain-diff=controller-gen
  kindsmith generate object crd rbac:roleName=manager webhook paths=./...
  kindsmith generate k8s.io/api/apps/v1 --output-root gen`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: folders,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.begin(cmd, args); err != nil {
				return err
			}
			return generate(cmd.Context(), streams, f)
		},
	}
	f.settings = newSettings(cmd)
	flags := cmd.Flags()
	flags.SetNormalizeFunc(alias)
	flags.BoolVar(&f.replace, "replace", false, "overwrite files of other generators, to switch to kindsmith; hand-written files are never overwritten")
	flags.BoolVar(&f.stdout, "stdout", false, "write no files; print their contents")
	flags.BoolVar(&f.check, "check", false, "write nothing; print a diff of stale files, and exit with code 1 if there are any")
	flags.StringVar(&f.explain, "explain-diff", "", "write nothing; print each difference from this `source`, with the marker or the option that causes it: disk, or controller-gen for the definitions and deep copies that it would write")
	flags.Lookup("explain-diff").NoOptDefVal = withDisk
	values(cmd, "explain-diff", []string{withDisk, withControllerGen})
	flags.BoolVar(&f.watch, "watch", false, "run again whenever an input file changes, until interrupted")
	formatFlag(cmd, &f.format)
	return cmd
}

// parts lists the emitters for the help text.
func parts() string {
	var b strings.Builder
	for _, e := range driver.Emitters() {
		fmt.Fprintf(&b, "  %-12s %s\n", e.Name, strings.TrimSpace(fold(e.Summary, 15)))
	}
	return strings.TrimRight(b.String(), "\n")
}

// begin reads flags and arguments.
func (f *generateFlags) begin(cmd *cobra.Command, args []string) (err error) {
	if !slices.ContainsFunc(args, controllergen.Is) {
		err = f.settings.begin(cmd, args)
	} else if err = f.settings.begin(cmd, nil); err == nil {
		err = f.parse(cmd.Flags(), args)
	}
	if err != nil {
		return err
	}
	switch {
	case f.explain != "" && f.explain != withDisk && f.explain != withControllerGen:
		return fmt.Errorf("unknown value %q of --explain-diff; write --explain-diff, or --explain-diff=%s", f.explain, withControllerGen)
	case f.explain != "" && (f.watch || f.prints()):
		return errors.New("--explain-diff compares files, and cannot be combined with --watch or with output that is printed")
	}
	if f.check && f.prints() {
		return errors.New("--check compares files, and files that are printed cannot be compared; write them, or remove --check")
	}
	return nil
}

// generate runs once, or again after each change.
func generate(ctx context.Context, streams Streams, f generateFlags) error {
	if f.watch {
		return generateAgain(ctx, streams, f)
	}
	workspace := driver.Workspace{Once: true}
	_, err := generateOnce(streams, f, &workspace)
	return err
}

// generateOnce runs once and returns the record of its inputs, in their state after the run's files
// are written.
func generateOnce(streams Streams, f generateFlags, workspace *driver.Workspace) (*source.Record, error) {
	bag := &diag.Bag{}
	files := source.NewFS(nil)
	r, err := f.request(files, bag)
	if err != nil {
		return files.Record(), err
	}
	if !project.Known(bag) {
		return files.Record(), reportAll(streams.Err, f.format, bag)
	}
	if err := r.readHeaders(bag); err != nil {
		return files.Record(), err
	}
	run := begin(r.config.Dir, map[string]any{
		"generate": r.config, "format": f.format, "color": streams.Err.Color, "width": streams.Err.Width,
	})
	if !f.watch && f.explain == "" && !bag.HasErrors() {
		if known, ok := run.Known(); ok {
			if _, err := streams.Err.Write(known.Content); err != nil || f.check {
				return nil, err
			}
			return nil, upToDate(streams, known.Files)
		}
	}
	isMistaken := bag.HasErrors() // what is asked for is not known, so nothing is written
	p := startProgress(streams.Err)
	r.config.Progress = p.stage
	out, err := workspace.Generate(r.config, bag)
	p.stop()
	if err != nil {
		return files.Record(), err
	}
	var output bytes.Buffer
	if err := report(streams.Err.tee(&output), f.format, bag.All()); err != nil {
		return files.Record(), err
	}
	if bag.HasErrors() && (isMistaken || f.explain != "" || len(out.Files)+len(out.Printed) == 0) {
		return files.Record(), errDiagnostics
	}
	if f.explain != "" {
		if err := explainDiff(streams, f, r.config, out); err != nil || !f.check {
			return files.Record(), err
		}
	}
	advice, err := advise(out.Needs)
	if err != nil {
		return files.Record(), err
	}
	if out.Known && f.explain == "" && advice == "" { // advice is repeated until it is followed
		run.Keep(files.Record(), out.Changes(), cache.Outcome{Content: output.Bytes(), Files: remaining(out.Files)})
	}
	if f.check {
		return files.Record(), cmp.Or(compare(streams, out.Files, f.explain == ""), blocked(streams, bag, out))
	}
	if err := writeAdvised(streams, out, advice, r.config.Prints()); err != nil {
		return files.Record(), err
	}
	return files.Record().After(out.Changes()), blocked(streams, bag, out)
}

// blocked fails if a run has errors that only some parts are not written for, and names these.
func blocked(streams Streams, bag *diag.Bag, out *driver.Output) error {
	if !bag.HasErrors() {
		return nil
	}
	if _, err := fmt.Fprintf(streams.Err, "not written because of the errors: %s\n", strings.Join(out.Blocked, ", ")); err != nil {
		return err
	}
	return errDiagnostics
}

// request returns what a run is asked for by flags, arguments and kindsmith.yaml.
func (f *generateFlags) request(files *source.FS, bag *diag.Bag) (*request, error) {
	s, err := f.read(files, bag)
	if err != nil {
		return nil, err
	}
	g := s.Generate
	if _, err := gofile.ParseAliases(g.ImportAlias); err != nil {
		return nil, err
	}
	r := &request{config: s.Config(files), headerFile: g.HeaderFile, crdHeaderFile: g.CRDHeaderFile}
	cfg := &r.config
	cfg.Replace, cfg.Explain = f.replace, f.explain != ""
	if f.command != nil {
		r.follow(f.command, g.PublishTags)
	}
	if cfg.CRDs.Slim && filepath.Clean(cfg.SlimCRDDir) == filepath.Clean(cfg.CRDDir) {
		return nil, fmt.Errorf("slim CustomResourceDefinitions would replace the complete ones in %s; give --slim-crd-dir another folder", cfg.CRDDir)
	}
	if f.command != nil {
		return r, nil
	}
	for _, dir := range []string{cfg.CRDDir, cfg.SlimCRDDir} {
		if cfg.PolicyDir != "" && dir != "" && filepath.Clean(cfg.PolicyDir) == filepath.Clean(dir) {
			return nil, fmt.Errorf("policies and CustomResourceDefinitions need different folders, and both are %s; give --policy-dir another one", cfg.PolicyDir)
		}
	}
	cfg.Only, cfg.Skip, cfg.OutputRoot = g.Only, g.Skip, g.OutputRoot
	if cfg.WebhookDir == "" && slices.Contains(g.Only, webhookPart) {
		cfg.WebhookDir = webhookDir
	}
	cfg.Header.Year, cfg.CRDHeader.Year = g.Year, g.Year
	if f.stdout {
		cfg.Sinks = map[string]driver.Sink{"": driver.ToOutput}
	}
	if g.Coverage {
		cfg.With = append(cfg.With, "coverage")
	}
	if g.Helpers {
		cfg.With = append(cfg.With, "helpers")
	}
	if g.OpenAPI || g.OpenAPIDir != "" {
		cfg.With = append(cfg.With, "openapi")
	}
	return r, nil
}

// prints reports whether a run prints files.
func (f *generateFlags) prints() bool {
	if f.command == nil {
		return f.stdout
	}
	var r request
	r.follow(f.command, false)
	return r.config.Prints()
}

// readHeaders reads the header files.
func (r *request) readHeaders(bag *diag.Bag) (err error) {
	if r.config.Header.Text, err = r.readHeader(r.headerFile, driver.Header, bag); err != nil {
		return err
	}
	if r.config.CRDHeader.Text, err = r.readHeader(r.crdHeaderFile, driver.ManifestHeader, bag); err != nil {
		return err
	}
	return r.readGeneratorHeaders(bag)
}

// readHeader returns the text of a header file; "" if there is none.
func (r *request) readHeader(name string, text func(*source.File, *diag.Bag) string, bag *diag.Bag) (string, error) {
	if name == "" {
		return "", nil
	}
	path, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	content, err := r.config.Files.ReadFile(path)
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

// compare fails if files are out of date, and writes a diff of them if asked for.
func compare(streams Streams, files []*driver.File, diff bool) error {
	stale := 0
	for _, f := range files {
		if f.Changed() {
			stale++
		}
	}
	if stale == 0 {
		return nil
	}
	if diff {
		if _, err := streams.Out.Write(driver.Diff(files)); err != nil {
			return err
		}
	}
	verb := "are"
	if stale == 1 {
		verb = "is"
	}
	if _, err := fmt.Fprintf(streams.Err, "%s %s out of date; run kindsmith generate\n", diag.Count(stale, "file", "files"), verb); err != nil {
		return err
	}
	return errDiagnostics
}

// write writes the files and prints one line for each, and what to do that the project builds.
func write(streams Streams, out *driver.Output, prints bool) error {
	advice, err := advise(out.Needs)
	if err != nil {
		return err
	}
	return writeAdvised(streams, out, advice, prints)
}

// writeAdvised writes the files and prints one line for each, and the advice. If the run prints files, nothing else goes
// to the output, so that other commands can read it.
func writeAdvised(streams Streams, out *driver.Output, advice string, prints bool) error {
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
		line := verb + " " + f.Name
		if f.Note != "" && f.Content != nil {
			line += ": " + f.Note
		}
		if _, err := fmt.Fprintln(streams.Out, line); err != nil {
			return err
		}
	}
	if !changed {
		if err := upToDate(streams, len(files)); err != nil {
			return err
		}
	}
	_, err := io.WriteString(streams.Out, advice)
	return err
}

// advise returns lines with the commands after which projects build the generated code, "" if they do so already.
func advise(needs []requires.Needs) (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	var lines strings.Builder
	files := source.NewFS(nil)
	for _, n := range needs {
		advice := n.Advise(files, release())
		if line := advice.Line(dir); line != "" {
			fmt.Fprintf(&lines, "%s; run: %s\n", advice.Reason(), line)
		}
	}
	return lines.String(), nil
}

func upToDate(streams Streams, files int) error {
	_, err := fmt.Fprintf(streams.Out, "%s, all up to date\n", diag.Count(files, "file", "files"))
	return err
}
