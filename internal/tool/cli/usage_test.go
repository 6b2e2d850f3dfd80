package cli

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/kindsmith/kindsmith/internal/testing/goldentest"
	"github.com/kindsmith/kindsmith/internal/tool/project"
)

// TestReference checks that docs/reference/commands.md is up to date.
func TestReference(t *testing.T) {
	var out bytes.Buffer
	if err := Reference(&out); err != nil {
		t.Fatal(err)
	}
	goldentest.Check(t, "../../../docs/reference/commands.md", out.Bytes())
}

// TestHelp checks that the help of each command fits, and that each command and each flag is in it.
func TestHelp(t *testing.T) {
	root := newRoot(Streams{})
	root.InitDefaultHelpCmd()
	settings := project.Default()
	all := slices.Concat(root.Commands(), []*cobra.Command{root})
	for _, cmd := range root.Commands() {
		all = append(all, cmd.Commands()...)
	}
	for _, cmd := range all {
		if cmd != root && cmd.GroupID == "" {
			t.Errorf("%s is in no group", cmd.Name())
		}
		var out bytes.Buffer
		cmd.SetOut(&out)
		if err := cmd.Help(); err != nil {
			t.Fatal(err)
		}
		help := out.String()
		for line := range strings.Lines(help) {
			if len([]rune(line)) > columns+1 {
				t.Errorf("%s: the line has more than %d columns: %s", cmd.CommandPath(), columns, line)
			}
		}
		for _, o := range settings.Options() {
			if o.Of(cmd.Name()) && !o.NoFlag && !strings.Contains(help, "--"+o.Name) {
				t.Errorf("the help of %s lacks --%s", cmd.CommandPath(), o.Name)
			}
		}
		if !strings.Contains(help, "--help") {
			t.Errorf("the help of %s has no flags:\n%s", cmd.CommandPath(), help)
		}
	}
	for _, g := range groups {
		for _, name := range g.commands {
			if c, _, err := root.Find([]string{name}); err != nil || c.GroupID != g.title {
				t.Errorf("%s is not in the group %s", name, g.title)
			}
		}
	}
}
