// Package cli is the command line of kindsmith, with one file per command.
//
// [Run] takes the arguments and the streams, and returns the exit code. [Reference] writes the page of all commands.
//
// Functions return the commands, which write to the given streams, so that tests
// run them like main. Package driver does the work.
package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/spell"
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

// usageError is a mistake in a command line whose remedy is not in its message, but in the help of the command.
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
		SilenceUsage:      true,
		SilenceErrors:     true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		Version:           versionLine(),
		Args:              cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return unknownCommand(cmd, args[0])
		},
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetHelpCommand(newHelp())
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(
		newInit(streams), newGenerate(streams), newDev(streams), newLint(streams), newBreaking(streams), newBump(streams), newAdopt(streams), newValidate(streams), newConvert(streams), newPlan(streams), newStorage(streams), newTest(streams), newDocs(streams), newSchema(streams), newExplain(streams), newTags(streams), newModel(streams), newLSP(streams), newCompletion(streams), newVersion(streams),
	)
	addGroups(root)
	root.SetUsageFunc(usage)
	return root
}

func unknownCommand(root *cobra.Command, name string) error {
	var names []string
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	if near := spell.Nearest(name, names); near != "" {
		return fmt.Errorf("unknown command %q; did you mean %q?", name, near)
	}
	return usageError{fmt.Errorf("unknown command %q", name)}
}

// fewFlags is the greatest number of flags that a message lists.
const fewFlags = 8

// flagError says what is wrong with a flag, and which one the author may have meant.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var value *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		word, dashes := unknown.GetSpecifiedName(), "--"
		if group := unknown.GetSpecifiedShortnames(); group != "" {
			word, dashes = group, "-"
		}
		word, _, _ = strings.Cut(word, "=")
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				names = append(names, f.Name)
			}
		})
		if near := spell.Nearest(word, names); near != "" {
			return fmt.Errorf("unknown flag %s%s; did you mean --%s?", dashes, word, near)
		}
		if len(names) <= fewFlags {
			return fmt.Errorf("unknown flag %s%s; %s has --%s", dashes, word, cmd.CommandPath(), strings.Join(names, ", --"))
		}
		return usageError{fmt.Errorf("unknown flag %s%s", dashes, word)}
	case errors.As(err, &value):
		return fmt.Errorf("--%s: %w", value.GetFlag().Name, wrongValue(value))
	}
	return usageError{err}
}

// wrongValue says which values a flag takes.
func wrongValue(e *pflag.InvalidValueError) error {
	switch e.GetFlag().Value.Type() {
	case "bool":
		return fmt.Errorf("%q is not true or false", e.GetValue())
	case "int":
		return fmt.Errorf("%q is not a whole number", e.GetValue())
	case "duration":
		return fmt.Errorf("%q is not a duration, such as 90s", e.GetValue())
	}
	return e.Unwrap()
}

// one is the check of a command with one argument, of which what says in words what it is.
func one(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch len(args) {
		case 0:
			return missing(cmd, what)
		case 1:
			return nil
		}
		return fmt.Errorf("%s takes one argument, a %s; remove %s", cmd.CommandPath(), what, strings.Join(args[1:], " "))
	}
}

// some is the check of a command with one or more arguments.
func some(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return missing(cmd, what)
		}
		return nil
	}
}

// none reports arguments of a command that takes none.
func none(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("%s takes no arguments; remove %s", cmd.CommandPath(), strings.Join(args, " "))
}

// missing says what to write, with the first example of a command.
func missing(cmd *cobra.Command, what string) error {
	example, _, _ := strings.Cut(strings.TrimSpace(cmd.Example), "\n")
	example, _, _ = strings.Cut(example, "  #")
	return fmt.Errorf("name a %s, such as: %s", what, strings.TrimSpace(example))
}

// formatFlag adds --format for diagnostics. It is also -o, as in kubectl, for commands that print nothing else.
func formatFlag(cmd *cobra.Command, format *diag.Format) {
	*format = diag.Text
	short := "o"
	if cmd.Name() == "generate" {
		short = "" // the output of generate is files
	}
	cmd.Flags().VarP((*formatValue)(format), "format", short, "format of diagnostics: text, json, sarif or github")
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
