// Package cli is the command line of kindsmith, one file a command.
//
// Commands are made by functions and write to the streams that they are given,
// so that a test can run them like main does. They do no work of their own:
// package driver does.
package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/kindsmith/kindsmith/internal/diag"
)

// The exit codes.
const (
	// ExitClean: nothing was found.
	ExitClean = 0
	// ExitFindings: there are findings, or generated files are out of date.
	ExitFindings = 1
	// ExitFailed: the tool itself could not do its work.
	ExitFailed = 2
)

// errFindings ends a command whose findings have been written already.
var errFindings = errors.New("findings")

// Run runs the command that the arguments ask for, and returns its exit code.
func Run(args []string, streams Streams) int {
	root := newRoot(streams)
	root.SetArgs(args)
	root.SetOut(streams.Out)
	root.SetErr(streams.Err)
	cmd, err := root.ExecuteC()
	switch {
	case err == nil:
		return ExitClean
	case errors.Is(err, errFindings):
		return ExitFindings
	}
	_, _ = fmt.Fprintf(streams.Err, "kindsmith: %v\n", err)
	var usage usageError
	if errors.As(err, &usage) {
		_, _ = fmt.Fprintf(streams.Err, "Run '%s --help' for usage.\n", cmd.CommandPath())
	}
	return ExitFailed
}

// usageError is a command line that means nothing.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func newRoot(streams Streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "kindsmith",
		Short: "Go types as the one definition of a Kubernetes API",
		Long: `Kindsmith reads Go types and the markers in their comments, and writes what a
Kubernetes API is made of: deep copies, defaults, validation, older versions
and their conversions, and CustomResourceDefinitions.

Exit codes: 0 clean, 1 findings, 2 kindsmith itself failed.`,
		Example: `  kindsmith generate ./api/...
  kindsmith generate --check
  kindsmith lint --fix
  kindsmith explain maxLength`,
		SuggestionsMinimumDistance: 2,
		SilenceUsage:               true,
		SilenceErrors:              true,
		CompletionOptions:          cobra.CompletionOptions{HiddenDefaultCmd: true},
		Args:                       cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return usageError{unknownCommand(cmd, args[0])}
		},
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.AddCommand(
		newGenerate(streams), newLint(streams), newValidate(streams), newTest(streams), newExplain(streams), newTags(streams), newModel(streams), newVersion(streams),
	)
	return root
}

func unknownCommand(root *cobra.Command, name string) error {
	if near := root.SuggestionsFor(name); len(near) > 0 {
		return fmt.Errorf("unknown command %q; did you mean %q?", name, near[0])
	}
	return fmt.Errorf("unknown command %q", name)
}

// arguments reports a wrong number of arguments as wrong usage.
func arguments(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return usageError{err}
		}
		return nil
	}
}

// patterns are the packages that a command is about.
func patterns(args []string) []string {
	if len(args) == 0 {
		return []string{"./..."}
	}
	return args
}

// formatFlag adds --format for diagnostics.
func formatFlag(cmd *cobra.Command, format *diag.Format) {
	*format = diag.Text
	cmd.Flags().Var((*formatValue)(format), "format", "how to write diagnostics: text, json, sarif or github")
}

// formatValue is a format as a flag.
type formatValue diag.Format

func (f *formatValue) String() string { return string(*f) }
func (f *formatValue) Type() string   { return "format" }
func (f *formatValue) Set(s string) error {
	format, err := diag.ParseFormat(s)
	*f = formatValue(format)
	return err
}
