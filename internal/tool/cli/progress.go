package cli

import (
	"fmt"
	"sync"
	"time"
)

// progressDelay is the time after which a run shows its progress.
const progressDelay = time.Second

// progress shows the stage of a run on one line of a terminal and clears it when the
// run ends. Short runs, and runs without a terminal, show nothing.
type progress struct {
	mu      sync.Mutex
	stream  Stream
	timer   *time.Timer
	current string
	visible bool
	stopped bool
}

// startProgress starts to show the stages of a run after a delay.
func startProgress(s Stream) *progress {
	p := &progress{stream: s}
	if s.Terminal {
		p.timer = time.AfterFunc(progressDelay, p.show)
	}
	return p
}

// stage sets the current stage.
func (p *progress) stage(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.current = name
	if p.visible {
		p.print()
	}
}

func (p *progress) show() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stopped {
		return
	}
	p.visible = true
	p.print()
}

// stop clears the line.
func (p *progress) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stopped = true
	if p.timer != nil {
		p.timer.Stop()
	}
	if p.visible {
		_, _ = fmt.Fprint(p.stream, clearLine)
		p.visible = false
	}
}

const clearLine = "\r\x1b[K"

func (p *progress) print() {
	text := p.current + "…"
	if runes := []rune(text); p.stream.Width > 0 && len(runes) >= p.stream.Width {
		text = string(runes[:p.stream.Width-1]) // stop cannot clear a wrapped line
	}
	_, _ = fmt.Fprint(p.stream, clearLine+text)
}
