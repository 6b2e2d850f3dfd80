package cli

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/objects/manifest"
	"github.com/kindsmith/kindsmith/internal/objects/validate"
	"github.com/kindsmith/kindsmith/internal/objects/verdict"
	"github.com/kindsmith/kindsmith/internal/tool/project"
)

// validateFlags are the flags of `kindsmith validate`.
type validateFlags struct {
	*settings
	files  []string
	old    []string
	format diag.Format
}

func newValidate(streams Streams) *cobra.Command {
	var f validateFlags
	cmd := &cobra.Command{
		Use:   "validate -f FILE [packages | --crd FILE]",
		Short: "Validate manifests without a cluster",
		Long: `Validate reads API objects from YAML and JSON and validates them like an API
server: it sets defaults, then runs the rules of the Go types in the packages,
by default ./..., or the rules of CustomResourceDefinitions. It compiles no Go
code, and needs no cluster and no network.

Each validation error has its position in the manifest, the broken rule, and the
position of the rule. 'kindsmith explain' has a page for every code.

With --old the objects of -f are updates of the old objects: update rules run,
and unchanged values may break rules. Objects are paired by group, kind,
namespace and name.`,
		Example: `  kindsmith validate -f deploy/ --crd config/crd/bases
  kindsmith validate -f deploy/ --crd config/crd/bases --strict
  kindsmith validate -f new.yaml --old old.yaml --crd config/crd/bases
  helm template . | kindsmith validate -f - --crd crds/ --format github`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: folders,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.begin(cmd, args); err != nil {
				return err
			}
			if err := fileWithoutFlag(f.files, args); err != nil {
				return err
			}
			if err := f.check(); err != nil {
				return err
			}
			return runValidate(cmd, streams, f)
		},
	}
	f.settings = newSettings(cmd)
	flags := cmd.Flags()
	flags.StringArrayVarP(&f.files, "filename", "f", nil, "validate the manifests in this `file or folder`, or standard input for -; can be repeated")
	flags.StringArrayVar(&f.old, "old", nil, "read the objects before an update from this `file or folder`; can be repeated")
	formatFlag(cmd, &f.format)
	return cmd
}

// fileWithoutFlag reports a manifest that the author names as a package.
func fileWithoutFlag(files, args []string) error {
	for _, arg := range args {
		if ext := filepath.Ext(arg); len(files) == 0 && (ext == ".yaml" || ext == ".yml" || ext == ".json") {
			return fmt.Errorf("%s is not a package; to read its objects, write -f %s", arg, arg)
		}
	}
	return nil
}

// check returns mistakes in the command line.
func (f *validateFlags) check() error {
	if len(f.files) == 0 {
		return errors.New("-f is missing; name the manifests to validate, such as: kindsmith validate -f deploy/")
	}
	if f.fixed["crd"] && f.fixed["packages"] {
		return errors.New("use packages or --crd, not both")
	}
	if f.fixed["packages"] {
		f.fix("crd")
	}
	stdin := 0
	for _, name := range slices.Concat(f.files, f.old, f.flags.Definitions) {
		if name == manifest.Stdin {
			stdin++
		}
	}
	if stdin > 1 {
		return errors.New("standard input can be read only once")
	}
	return nil
}

func runValidate(cmd *cobra.Command, streams Streams, f validateFlags) error {
	bag := &diag.Bag{}
	files, in := source.NewFS(nil), cmd.InOrStdin()
	s, err := f.read(files, bag)
	if err != nil {
		return err
	}
	if bag.HasErrors() {
		return reportAll(streams.Out, f.format, bag)
	}
	engine, err := validateEngine(s, files, in, bag)
	if err != nil {
		return err
	}
	if engine == nil {
		return reportAll(streams.Out, f.format, bag)
	}
	now, err := validate.Read(f.files, in, bag)
	if err != nil {
		return err
	}
	if len(now.Documents) == 0 && len(bag.All()) == 0 && !s.Validate.AllowEmpty {
		return fmt.Errorf("%s has no manifests; name another file or folder, or allow that with --allow-empty", strings.Join(f.files, ", "))
	}
	var old *validate.Input
	if len(f.old) > 0 {
		if old, err = validate.Read(f.old, in, bag); err != nil {
			return err
		}
	}
	summary := validate.Run(cmd.Context(), engine, now, old, validate.Options{Strict: s.Validate.Strict, SkipUnknown: s.Validate.SkipUnknown, Options: s.Enabled()}, bag)
	list := bag.All()
	if err := report(streams.Out, f.format, list); err != nil {
		return err
	}
	for _, line := range summary.Lines() {
		if _, err := fmt.Fprintln(streams.Err, line); err != nil {
			return err
		}
	}
	if len(list) > 0 {
		return errDiagnostics
	}
	return nil
}

// reportAll ends a command that stops because of diagnostics.
func reportAll(to Stream, format diag.Format, bag *diag.Bag) error {
	if err := report(to, format, bag.All()); err != nil {
		return err
	}
	return errDiagnostics
}

// validateEngine returns the engine that the settings select, nil if its source has mistakes.
func validateEngine(s project.Settings, files *source.FS, stdin io.Reader, bag *diag.Bag) (verdict.Engine, error) {
	if len(s.Definitions) > 0 {
		return crdEngine(s.Definitions, stdin, bag)
	}
	return typesEngine(s.Model(files), bag)
}
