package cli

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kindsmith/kindsmith/internal/core/spell"
	"github.com/kindsmith/kindsmith/internal/tool/explain"
)

// shells write the completion scripts of shells.
var shells = map[string]func(root *cobra.Command, w io.Writer) error{
	"bash":       func(root *cobra.Command, w io.Writer) error { return root.GenBashCompletionV2(w, true) },
	"zsh":        func(root *cobra.Command, w io.Writer) error { return root.GenZshCompletion(w) },
	"fish":       func(root *cobra.Command, w io.Writer) error { return root.GenFishCompletion(w, true) },
	"powershell": func(root *cobra.Command, w io.Writer) error { return root.GenPowerShellCompletionWithDesc(w) },
}

func newCompletion(streams Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "completion <bash, zsh, fish or powershell>",
		Short: "Print a script that completes commands, flags and values in a shell",
		Long: `Completion prints a script for a shell. With it the shell completes commands,
flags, and values: parts, levels, formats, tags and diagnostic codes.`,
		Example: `  kindsmith completion bash > /etc/bash_completion.d/kindsmith
  kindsmith completion zsh > "${fpath[1]}/_kindsmith"
  kindsmith completion fish > ~/.config/fish/completions/kindsmith.fish
  kindsmith completion powershell | Out-String | Invoke-Expression`,
		Args:      cobra.MatchAll(one("shell"), known),
		ValidArgs: []string{"bash", "zsh", "fish", "powershell"},
		RunE: func(cmd *cobra.Command, args []string) error {
			return shells[args[0]](cmd.Root(), streams.Out)
		},
	}
}

// known reports an argument that is not one of the command's.
func known(cmd *cobra.Command, args []string) error {
	if slices.Contains(cmd.ValidArgs, args[0]) {
		return nil
	}
	return spell.Unknown("shell", args[0], cmd.ValidArgs)
}

// values completes a flag with values; several are separated by commas.
func values[T ~string](cmd *cobra.Command, flag string, list []T) {
	several := strings.HasSuffix(cmd.Flags().Lookup(flag).Value.Type(), "Slice")
	must(cmd.RegisterFlagCompletionFunc(flag, func(_ *cobra.Command, _ []string, written string) ([]string, cobra.ShellCompDirective) {
		before := written[:strings.LastIndexByte(written, ',')+1]
		if !several {
			before = ""
		}
		var all []string
		for _, v := range list {
			if v := string(v); !slices.Contains(strings.Split(before, ","), v) {
				all = append(all, before+v)
			}
		}
		return all, cobra.ShellCompDirectiveNoFileComp
	}))
}

// folders completes arguments that are packages.
func folders(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// pages completes the argument of `kindsmith explain`.
func pages(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return explain.New().Names(), cobra.ShellCompDirectiveNoFileComp
}

// must panics on an error that only a mistake in the declaration of a command causes.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
