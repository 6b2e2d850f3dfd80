package cli

import "github.com/spf13/cobra"

func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:     "help [command]",
		Short:   "Print the help of a command",
		Long:    `Help prints what a command does, its flags and examples.`,
		Example: `  kindsmith help generate`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return one("command")(cmd, args)
		},
		ValidArgsFunction: func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, c := range cmd.Root().Commands() {
				if c.IsAvailableCommand() {
					names = append(names, c.Name()+"\t"+c.Short)
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if found, rest, err := cmd.Root().Find(args); err == nil && len(rest) == 0 {
				return found.Help()
			}
			return unknownCommand(cmd.Root(), args[0])
		},
	}
}
