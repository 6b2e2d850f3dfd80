package cli

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// buffer is written to by the timer too.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

func TestProgress(t *testing.T) {
	for name, test := range map[string]struct {
		terminal bool
		width    int
		// run describes a run between start and stop.
		run  func(p *progress)
		want string
	}{
		"a run that is over soon shows nothing": {
			terminal: true,
			run: func(p *progress) {
				p.stage("loading")
				time.Sleep(progressDelay - time.Millisecond)
				p.stage("checking")
			},
			want: "",
		},
		"nobody watches": {
			run: func(p *progress) {
				p.stage("loading")
				time.Sleep(2 * progressDelay)
				p.stage("checking")
			},
			want: "",
		},
		"a long run shows its stage, and each that follows": {
			terminal: true,
			run: func(p *progress) {
				p.stage("loading")
				time.Sleep(progressDelay + time.Millisecond)
				p.stage("checking")
				p.stage("writing crd")
			},
			want: clearLine + "loading…" + clearLine + "checking…" + clearLine + "writing crd…" + clearLine,
		},
		"only the stage at hand is shown": {
			terminal: true,
			run: func(p *progress) {
				p.stage("loading")
				p.stage("checking")
				time.Sleep(progressDelay + time.Millisecond)
			},
			want: clearLine + "checking…" + clearLine,
		},
		"a narrow terminal cuts the line": {
			terminal: true, width: 6,
			run: func(p *progress) {
				p.stage("loading")
				time.Sleep(progressDelay + time.Millisecond)
			},
			want: clearLine + "loadi" + clearLine,
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var out buffer
				p := startProgress(Stream{Writer: &out, Terminal: test.terminal, Width: test.width})
				test.run(p)
				synctest.Wait()
				p.stop()
				time.Sleep(2 * progressDelay) // no output follows stop
				if got := out.String(); got != test.want {
					t.Errorf("got %q, want %q", got, test.want)
				}
				if strings.Contains(out.String(), "\n") {
					t.Error("progress is more than one line")
				}
			})
		})
	}
}
