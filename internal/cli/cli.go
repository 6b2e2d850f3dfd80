// Package cli is the command line of kindsmith, with one file per command.
//
// Functions return the commands, which write to the given streams, so that tests
// run them like main. Package driver does the work.
package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/kindsmith/kindsmith/internal/diag"
)

// The exit codes.
const (
	// ExitClean: no diagnostics.
	ExitClean = 0
	// ExitDiagnostics: diagnostics were reported, or generated files are out of date.
	ExitDiagnostics = 1
	// ExitFailed: the tool itself failed.
	ExitFailed = 2
)

// errDiagnostics ends a command that has already written its diagnostics.
var errDiagnostics = errors.New("diagnostics were reported")

// Run runs the command given by the arguments and returns its exit code.
func Run(args []string, streams Streams) int {
	root := newRoot(streams)
	root.SetArgs(args)
	root.SetOut(streams.Out)
	root.SetErr(streams.Err)
	cmd, err := root.ExecuteC()
	switch {
	case err == nil:
		return ExitClean
	case errors.Is(err, errDiagnostics):
		return ExitDiagnostics
	}
	_, _ = fmt.Fprintf(streams.Err, "kindsmith: %v\n", err)
	var usage usageError
	if errors.As(err, &usage) {
		_, _ = fmt.Fprintf(streams.Err, "Run '%s --help' for usage.\n", cmd.CommandPath())
	}
	return ExitFailed
}

// usageError is an invalid command line.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func newRoot(streams Streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "kindsmith",
		Short: "Go types as the single definition of a Kubernetes API",
		Long: `Kindsmith reads Go types and the markers in their comments and generates the code
of a Kubernetes API: deep copies, defaults, validation, older versions, their
conversions, and CustomResourceDefinitions.

Exit codes: 0 clean, 1 diagnostics were reported or files are out of date,
2 kindsmith itself failed.`,
		Example: `  kindsmith generate ./api/...
  kindsmith generate --check
  kindsmith lint --fix
  kindsmith explain maxLength`,
		SuggestionsMinimumDistance: 2,
		SilenceUsage:               true,
		SilenceErrors:              true,
		CompletionOptions:          cobra.CompletionOptions{DisableDefaultCmd: true},
		Version:                    versionLine(),
		Args:                       cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return usageError{unknownCommand(cmd, args[0])}
		},
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetHelpCommand(newHelp())
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.AddCommand(
		newInit(streams), newGenerate(streams), newLint(streams), newBreaking(streams), newBump(streams), newAdopt(streams), newValidate(streams), newConvert(streams), newTest(streams), newExplain(streams), newTags(streams), newModel(streams), newCompletion(streams), newVersion(streams),
	)
	return root
}

func unknownCommand(root *cobra.Command, name string) error {
	if near := root.SuggestionsFor(name); len(near) > 0 {
		return fmt.Errorf("unknown command %q; did you mean %q?", name, near[0])
	}
	return fmt.Errorf("unknown command %q", name)
}

// arguments reports a wrong number of arguments as a usage error.
func arguments(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return usageError{err}
		}
		return nil
	}
}

// formatFlag adds --format for diagnostics.
func formatFlag(cmd *cobra.Command, format *diag.Format) {
	*format = diag.Text
	cmd.Flags().Var((*formatValue)(format), "format", "format of diagnostics: text, json, sarif or github")
	values(cmd, "format", diag.Formats())
}

// formatValue is the flag value of a format.
type formatValue diag.Format

func (f *formatValue) String() string { return string(*f) }
func (f *formatValue) Type() string   { return "format" }
func (f *formatValue) Set(s string) error {
	format, err := diag.ParseFormat(s)
	*f = formatValue(format)
	return err
}
