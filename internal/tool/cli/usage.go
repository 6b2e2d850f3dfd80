package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kindsmith/kindsmith/internal/tool/project"
)

// columns is the width of help.
const columns = 100

// groups are the groups of commands in help, in their order.
var groups = []struct {
	title    string
	commands []string
}{
	{"Write", []string{"init", "generate", "dev", "docs", "schema"}},
	{"Check", []string{"lint", "validate", "test", "breaking"}},
	{"Versions", []string{"bump", "convert", "plan", "adopt", "storage"}},
	{"Look up", []string{"explain", "tags", "model"}},
	{"Other", []string{"lsp", "completion", "version", "help"}},
}

// addGroups sorts the commands of root into groups.
func addGroups(root *cobra.Command) {
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title + ":"})
		for _, name := range g.commands {
			for _, c := range root.Commands() {
				if c.Name() == name {
					c.GroupID = g.title
				}
			}
		}
	}
	root.SetHelpCommandGroupID("Other")
}

// usage prints how a command is called: its form, examples, commands or flags.
func usage(cmd *cobra.Command) error {
	var b strings.Builder
	line := cmd.UseLine()
	if cmd.HasAvailableSubCommands() {
		line = cmd.CommandPath() + " <command>"
	}
	fmt.Fprintf(&b, "Usage:\n  %s\n", line)
	if cmd.HasExample() {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", cmd.Example)
	}
	for _, g := range cmd.Groups() {
		fmt.Fprintf(&b, "\n%s\n", g.Title)
		for _, c := range cmd.Commands() {
			if c.GroupID == g.ID && (c.IsAvailableCommand() || c.Name() == "help") {
				fmt.Fprintf(&b, "  %-11s %s\n", c.Name(), c.Short)
			}
		}
	}
	cmd.InitDefaultHelpFlag()
	flags, once := shownFlags(cmd)
	fmt.Fprintf(&b, "\nFlags:\n%s", flags.FlagUsagesWrapped(columns))
	if len(once) > 0 {
		fmt.Fprintf(&b, "\nSettings of a project, in %s or as flags; see `kindsmith explain %s`:\n%s\n",
			project.FileName, project.FileName, fold(strings.Join(once, " "), 2))
	}
	if cmd.HasAvailableSubCommands() {
		b.WriteString("\nRun '" + cmd.CommandPath() + " <command> --help' for the flags of a command.\n")
	}
	_, err := io.WriteString(cmd.OutOrStderr(), b.String())
	return err
}

// shownFlags returns the flags that help describes, and the names of others, which a project sets once.
func shownFlags(cmd *cobra.Command) (shown *pflag.FlagSet, once []string) {
	settings, rare := project.Default(), map[string]bool{}
	for _, o := range settings.Options() {
		rare[o.Name] = o.Once && o.Of(cmd.Name())
	}
	shown = pflag.NewFlagSet(cmd.Name(), pflag.ContinueOnError)
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if rare[f.Name] {
			once = append(once, "--"+f.Name)
		} else {
			shown.AddFlag(f)
		}
	})
	return shown, once
}

// fold breaks words into indented lines that fit.
func fold(text string, indent int) string {
	var b strings.Builder
	at := columns // begin a line
	for _, word := range strings.Fields(text) {
		if at+1+len(word) > columns {
			if b.Len() > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(strings.Repeat(" ", indent) + word)
			at = indent + len(word)
			continue
		}
		b.WriteString(" " + word)
		at += 1 + len(word)
	}
	return b.String()
}

// Reference writes the page of all commands as Markdown: their help.
func Reference(w io.Writer) error {
	root := newRoot(Streams{})
	root.InitDefaultHelpCmd()
	var b strings.Builder
	b.WriteString("# Commands\n\n<!-- Written by `go test ./internal/tool/cli -update`. -->\n\n" +
		"Commands exit with 0 if everything is in order, with 1 if they report diagnostics or stale files, and with 2 if kindsmith itself failed.\n")
	for _, g := range root.Groups() {
		fmt.Fprintf(&b, "\n## %s\n", g.ID)
		for _, c := range root.Commands() {
			if c.GroupID != g.ID {
				continue
			}
			for _, c := range append([]*cobra.Command{c}, c.Commands()...) {
				var help strings.Builder
				c.SetOut(&help)
				if err := c.Help(); err != nil {
					return err
				}
				fmt.Fprintf(&b, "\n### %s\n\n```text\n%s\n```\n", c.CommandPath(), strings.TrimRight(help.String(), "\n"))
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
