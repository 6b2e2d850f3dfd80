package cli

import (
	"io"
	"os"

	"golang.org/x/term"
)

// Streams are the outputs of a command: results go to Out, everything else to Err. In is its input.
type Streams struct {
	In       io.ReadCloser
	Out, Err Stream
}

// Stream is a writer and the properties of its terminal.
type Stream struct {
	io.Writer
	// Terminal is whether the stream is a terminal; Color is whether to use colours.
	Terminal, Color bool
	// Width is the number of columns of the terminal, 0 if unknown.
	Width int
}

// NewStream returns a stream for an open file. It uses colours on terminals, unless
// the environment disables them (https://no-color.org).
func NewStream(f *os.File, getenv func(string) string) Stream {
	s := Stream{Writer: f, Terminal: term.IsTerminal(int(f.Fd()))}
	if !s.Terminal {
		return s
	}
	s.Color = getenv("NO_COLOR") == "" && getenv("TERM") != "dumb"
	if width, _, err := term.GetSize(int(f.Fd())); err == nil {
		s.Width = width
	}
	return s
}

// tee returns a stream that also writes to w.
func (s Stream) tee(w io.Writer) Stream {
	s.Writer = io.MultiWriter(s.Writer, w)
	return s
}
