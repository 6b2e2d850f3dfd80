package cli

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/kindsmith/kindsmith/internal/tool/lsp"
)

func newLSP(streams Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "lsp",
		Short: "Report mistakes and complete tags in an editor",
		Long: `Lsp is a language server: an editor starts it, and speaks the Language Server
Protocol with it on standard input and output. While you type, it reports what
lint reports, completes and explains tags, their arguments and values, and
applies fixes. Keep gopls: it reports mistakes in Go.

The settings are those of kindsmith.yaml in a folder above the open file.
Without it, the packages are those of the open files with markers of an API.

docs/guides/editor.md has the settings of VS Code, Neovim, Helix and Emacs.`,
		Example: `  kindsmith lsp`,
		Args:    none,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if streams.Out.Terminal || streams.In == nil {
				return errors.New("lsp speaks with an editor; docs/guides/editor.md has the settings of editors")
			}
			return lsp.Serve(cmd.Context(), duplex{streams.In, streams.Out}, version())
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	cmd.Flags().Bool("stdio", true, "speak on standard input and output, which some editors ask for")
	return cmd
}

// duplex is a stream of two.
type duplex struct {
	io.ReadCloser
	io.Writer
}
