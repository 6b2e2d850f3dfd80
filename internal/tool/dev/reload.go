package dev

import (
	"time"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/tool/dev/inspect"
)

// The states of a reload.
const (
	Generating = "generating"
	Serving    = "serving"
	Failed     = "failed"
)

// Reload is what happens after a save.
type Reload struct {
	State string `json:"state"`
	// Changed are the names of the files; "" for the first build.
	Changed string    `json:"changed"`
	Begin   time.Time `json:"begin"`
	// Generated and Applied are the milliseconds of the generator, and of all after it until the API is served.
	Generated float64 `json:"generated"`
	Applied   float64 `json:"applied"`
	// Kept is set if the API of an earlier build is served.
	Kept bool `json:"kept"`
	// Lines are what dev has printed meanwhile, and Mistakes what is wrong in the source.
	Lines    []string          `json:"lines"`
	Mistakes []inspect.Mistake `json:"mistakes"`
	// API is that of the build; nil if it is not served.
	API *inspect.API `json:"-"`
}

func (s *Session) tell(r Reload) {
	if s.Notice != nil {
		s.Notice(r)
	}
}

// notice tells how the use of a build has ended.
func (s *Session) notice(b *Build, changed string, begin time.Time, served bool) {
	milliseconds := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	after := time.Since(begin)
	if changed != "" { // the first build was made before
		after -= b.Took
	}
	r := Reload{
		State: Failed, Changed: changed, Begin: begin, Generated: milliseconds(b.Took), Applied: milliseconds(after),
		Kept: !served && len(s.served) > 0, Lines: append([]string{}, s.said...), Mistakes: []inspect.Mistake{},
	}
	if served {
		r.State, r.API = Serving, b.API
	}
	for _, d := range b.Found {
		if d.Severity != diag.Hint {
			r.Mistakes = append(r.Mistakes, inspect.MistakeOf(d))
		}
	}
	s.tell(r)
}
