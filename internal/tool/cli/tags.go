package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kindsmith/kindsmith/internal/core/spell"
	"github.com/kindsmith/kindsmith/internal/tool/explain"
)

func newTags(streams Streams) *cobra.Command {
	form := formValue(explain.Text)
	cmd := &cobra.Command{
		Use:   "tags",
		Short: "List all tags",
		Long: `Tags lists all tags: their scopes, types, arguments and values, their errors,
and their support in each back-end.`,
		Example: `  kindsmith tags
  kindsmith tags --format json | jq -r '.tags[].name'`,
		Args:              none,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(*cobra.Command, []string) error {
			return explain.New().Catalogue(streams.Out, string(form))
		},
	}
	cmd.Flags().VarP(&form, "format", "o", "output format: "+strings.Join(explain.Forms(), ", "))
	values(cmd, "format", explain.Forms())
	return cmd
}

// formValue is the flag value of a form of the catalogue.
type formValue string

func (f *formValue) String() string { return string(*f) }
func (f *formValue) Type() string   { return "format" }
func (f *formValue) Set(s string) error {
	if !slices.Contains(explain.Forms(), s) {
		return spell.Unknown("format", s, explain.Forms())
	}
	*f = formValue(s)
	return nil
}
