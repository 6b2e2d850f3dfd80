package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/manifest"
	"github.com/kindsmith/kindsmith/internal/validate"
	"github.com/kindsmith/kindsmith/internal/verdict"
)

// validateFlags are the flags of `kindsmith validate`.
type validateFlags struct {
	rules  rulesFlags
	files  []string
	old    []string
	opts   validate.Options
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
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			f.rules.types.Patterns = args
			if err := f.check(); err != nil {
				return usageError{err}
			}
			return runValidate(cmd, streams, f)
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVarP(&f.files, "filename", "f", nil, "validate the manifests in this `file or folder`, or standard input for -; can be repeated")
	flags.StringArrayVar(&f.old, "old", nil, "read the objects before an update from this `file or folder`; can be repeated")
	flags.BoolVar(&f.opts.Strict, "strict", false, "report unknown fields and duplicate keys")
	flags.BoolVar(&f.opts.SkipUnknown, "skip-unknown", false, "skip objects whose kind is not defined")
	f.rules.add(cmd)
	formatFlag(cmd, &f.format)
	return cmd
}

// check returns mistakes in the command line.
func (f *validateFlags) check() error {
	if len(f.files) == 0 {
		return errors.New("-f is missing; it names the manifests to validate")
	}
	if len(f.rules.crds) > 0 && len(f.rules.types.Patterns) > 0 {
		return errors.New("use packages or --crd, not both")
	}
	stdin := 0
	for _, name := range slices.Concat(f.files, f.old, f.rules.crds) {
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
	in := cmd.InOrStdin()
	engine, err := f.engine(in, bag)
	if err != nil {
		return err
	}
	if engine == nil {
		return reportAll(streams, f.format, bag)
	}
	now, err := validate.Read(f.files, in, bag)
	if err != nil {
		return err
	}
	var old *validate.Input
	if len(f.old) > 0 {
		if old, err = validate.Read(f.old, in, bag); err != nil {
			return err
		}
	}
	summary := validate.Run(cmd.Context(), engine, now, old, f.opts, bag)
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
func reportAll(streams Streams, format diag.Format, bag *diag.Bag) error {
	if err := report(streams.Out, format, bag.All()); err != nil {
		return err
	}
	return errDiagnostics
}

// engine returns the engine that the command line selects, nil if its source has mistakes.
func (f *validateFlags) engine(stdin io.Reader, bag *diag.Bag) (verdict.Engine, error) {
	if len(f.rules.crds) > 0 {
		return f.rules.crdEngine(stdin, bag)
	}
	f.rules.types.Patterns = patterns(f.rules.types.Patterns)
	return f.rules.typesEngine(bag)
}
