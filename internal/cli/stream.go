package cli

import (
	"io"
	"os"

	"golang.org/x/term"
)

// Streams are where a command writes to: results to Out, all else to Err.
type Streams struct {
	Out, Err Stream
}

// Stream is a writer and what is known about who reads it.
type Stream struct {
	io.Writer
	// Terminal is set when a person watches, Color when they are to see colours.
	Terminal, Color bool
	// Width is the number of cells of a terminal's line, 0 when it is not known.
	Width int
}

// NewStream returns a stream on an open file. Colours go to terminals, unless
// the environment says otherwise (https://no-color.org).
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

// tee returns a stream that writes to w as well.
func (s Stream) tee(w io.Writer) Stream {
	s.Writer = io.MultiWriter(s.Writer, w)
	return s
}
