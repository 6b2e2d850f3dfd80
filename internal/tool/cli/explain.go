package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/kindsmith/kindsmith/internal/tool/explain"
)

func newExplain(streams Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "explain [tag, marker, convention or code]",
		Short: "Print the page of a tag, a marker, a convention or a diagnostic code",
		Long: `Explain prints the page of a tag, a marker of controller-gen, an API convention,
a diagnostic code, or kindsmith.yaml. Diagnostics show their code in brackets.
The "+" and the prefix of a tag or a marker are optional. Without an argument,
explain lists everything that has a page.`,
		Example: `  kindsmith explain
  kindsmith explain maxLength
  kindsmith explain versioned:added
  kindsmith explain +kubebuilder:validation:Minimum
  kindsmith explain structomitempty
  kindsmith explain maxlength/negative
  kindsmith explain kindsmith.yaml`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return one("tag, convention or code")(cmd, args)
		},
		ValidArgsFunction: pages,
		RunE: func(_ *cobra.Command, args []string) error {
			index := explain.New()
			if len(args) == 0 {
				_, err := io.WriteString(streams.Out, index.Contents())
				return err
			}
			page, ok := index.Page(args[0])
			if !ok {
				return unknownPage(index, args[0])
			}
			_, err := io.WriteString(streams.Out, page)
			return err
		},
	}
}

func unknownPage(index *explain.Index, name string) error {
	if near := index.Nearest(name); near != "" {
		return fmt.Errorf("no tag, marker, convention or code is named %q; did you mean %q?", name, near)
	}
	return fmt.Errorf("no tag, marker, convention or code is named %q; `kindsmith explain` lists all names", name)
}
