package lsp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/tool/baseline"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
	"github.com/kindsmith/kindsmith/internal/tool/lsp/protocol"
	"github.com/kindsmith/kindsmith/internal/tool/project"
)

const (
	// debounce is how long an analysis waits for further edits, and pause the time without edits after which
	// emitters run.
	debounce = 30 * time.Millisecond
	pause    = 300 * time.Millisecond
)

// workspace analyses the packages of a folder.
type workspace struct {
	server *server
	dir    string
	edited chan struct{}
	stop   context.CancelFunc

	// Only the goroutine of the workspace uses these.
	driver driver.Workspace
	// said are the failures that were logged since the last success.
	said string
	// last are the results of the last analyses, which hold until another file than a manifest is edited.
	last [driver.Quick + 1]result
	// published are the diagnostics that the editor has, by path.
	published map[string]published

	mu sync.Mutex
	// good has, by folder, the last model in which its package could be read.
	good map[string]*model.Model
	// programs makes the rules of a model, and about has what is made of the models in good.
	programs func(*model.Model) *rule.Programs
	about    map[*model.Model]*about
	// found are the diagnostics of the last analysis.
	found []*diag.Diagnostic
	// done is the number of the last edit that was analysed; step is closed when it changes.
	done uint64
	step chan struct{}
}

// result is what an analysis has found outside of manifests, at an edit.
type result struct {
	edit  uint64
	found []*diag.Diagnostic
}

// start starts the analyses of a folder.
func (s *server) start(dir string) *workspace {
	ctx, stop := context.WithCancel(s.ctx)
	w := &workspace{
		server: s, dir: dir, edited: make(chan struct{}, 1), stop: stop,
		published: map[string]published{}, good: map[string]*model.Model{}, about: map[*model.Model]*about{}, step: make(chan struct{}),
	}
	s.analyses.Go(func() { w.run(ctx) })
	return w
}

// wake asks for an analysis.
func (w *workspace) wake() {
	select {
	case w.edited <- struct{}{}:
	default: // one is asked for already
	}
}

// run analyses after each edit, until the context ends.
func (w *workspace) run(ctx context.Context) {
	defer w.clear()
	var late []*diag.Diagnostic // of emitters, in the last complete analysis
	for w.wait(ctx, w.edited, -1) {
		for w.wait(ctx, w.edited, debounce) {
			continue
		}
		state := w.snapshot()
		early, ok := w.analyze(ctx, state, driver.Quick)
		w.finish(state, append(early, state.carry(w.dir, late)...), ok)
		if !ok {
			continue
		}
		if w.wait(ctx, w.edited, pause) {
			w.wake()
			continue
		}
		if all, ok := w.complete(ctx, state); ok {
			late = without(all, early)
			w.finish(state, all, true)
		}
	}
}

// complete runs a complete analysis, which the next edit ends.
func (w *workspace) complete(ctx context.Context, state *snapshot) ([]*diag.Diagnostic, bool) {
	ctx, stop := context.WithCancel(ctx)
	waiting := make(chan struct{})
	go func() {
		defer close(waiting)
		if w.wait(ctx, w.edited, -1) {
			w.wake()
			stop()
		}
	}()
	defer func() {
		stop()
		<-waiting
	}()
	return w.analyze(ctx, state, driver.Complete)
}

// wait returns true after an edit, and false after a time without one, or when the context ends. A negative time is
// unlimited.
func (w *workspace) wait(ctx context.Context, edited <-chan struct{}, limit time.Duration) bool {
	var timeout <-chan time.Time
	if limit >= 0 {
		timer := time.NewTimer(limit)
		defer timer.Stop()
		timeout = timer.C
	}
	select {
	case <-edited:
		return true
	case <-timeout:
		return false
	case <-ctx.Done():
		return false
	}
}

// snapshot is what an analysis reads: the documents of all workspaces, since packages use those of others.
type snapshot struct {
	edit    uint64
	code    uint64 // the edit of others than manifests
	docs    map[string]*document
	own     []*document
	overlay map[string][]byte
}

func (w *workspace) snapshot() *snapshot {
	w.server.mu.Lock()
	defer w.server.mu.Unlock()
	disk := source.NewFS(nil)
	state := &snapshot{edit: w.server.edits, code: w.server.codeEdits, docs: map[string]*document{}, overlay: map[string][]byte{}}
	for path, d := range w.server.docs {
		state.docs[path] = d
		if d.root == w.dir {
			state.own = append(state.own, d)
		}
		if isManifest(path) {
			continue
		}
		// The go command refuses to replace files of the module cache, which nobody edits.
		if saved, err := disk.ReadFile(path); err != nil || !bytes.Equal(saved, d.file.Content) {
			state.overlay[path] = d.file.Content
		}
	}
	return state
}

// analyze returns the diagnostics of the documents in a state; not ok if there are none to publish, because nothing is known.
func (w *workspace) analyze(ctx context.Context, state *snapshot, depth driver.Depth) (list []*diag.Diagnostic, ok bool) {
	defer func() {
		if r := recover(); r != nil {
			w.driver = driver.Workspace{} // which may be incomplete
			w.fail(fmt.Sprintf("kindsmith failed, which is a bug, please report it: %v\n%s", r, debug.Stack()))
			list, ok = nil, false
		}
	}()
	if last := w.last[depth]; last.edit == state.code {
		return append(slices.Clone(last.found), w.manifestsIn(ctx, state)...), true
	}
	list, ok = w.analyzeCode(ctx, state, depth)
	if !ok {
		return nil, false
	}
	w.last[depth] = result{state.code, list}
	return append(slices.Clone(list), w.manifestsIn(ctx, state)...), true
}

// analyzeCode is analyze for all files but manifests.
func (w *workspace) analyzeCode(ctx context.Context, state *snapshot, depth driver.Depth) (list []*diag.Diagnostic, ok bool) {
	bag := &diag.Bag{}
	files := source.NewFS(state.overlay)
	cfg, ignored, err := w.config(state, files, bag)
	if err != nil {
		w.fail(err.Error())
		return nil, false
	}
	if cfg == nil {
		return bag.All(), true
	}
	out, err := w.driver.Analyze(ctx, *cfg, depth, bag)
	switch {
	case errors.Is(err, context.Canceled):
		return nil, false
	case err != nil:
		w.fail(err.Error())
		return nil, false
	}
	all := ignored.Filter(w.dir, bag.All())
	broken := map[string]bool{}
	var elsewhere []string
	list = slices.DeleteFunc(all, func(d *diag.Diagnostic) bool {
		if d.Code == driver.SyntaxCode() && d.Span.File != nil {
			broken[filepath.Dir(w.path(d.Span.File))] = true
		}
		if d.Span.File == nil {
			elsewhere = append(elsewhere, d.Message)
		}
		return d.Span.File == nil || slices.Contains(driver.GoCodes(), d.Code)
	})
	w.fail(strings.Join(elsewhere, "\n"))
	return append(list, w.keep(state, out, broken, cfg.Programs)...), true
}

// keep keeps the models of packages that can be read. It returns the diagnostics of the others, which were found before they
// were broken.
func (w *workspace) keep(state *snapshot, out *driver.Analysis, broken map[string]bool, programs func(*model.Model) *rule.Programs) []*diag.Diagnostic {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.programs = programs
	for _, m := range out.Models {
		for _, p := range m.Packages {
			if p.Root && !p.Generated {
				w.good[p.Dir] = m
			}
		}
	}
	w.forgetModels()
	var before []*diag.Diagnostic
	for _, d := range w.found {
		if d.Span.File != nil && broken[filepath.Dir(w.path(d.Span.File))] && !isManifest(d.Span.File.Path) {
			before = append(before, d)
		}
	}
	return state.carry(w.dir, before)
}

// config returns the configuration of an analysis, and the diagnostics that the project ignores. The configuration is nil if
// no package has types of an API, or kindsmith.yaml cannot be read, which the bag then says.
func (w *workspace) config(state *snapshot, files *source.FS, bag *diag.Bag) (*driver.LintConfig, *baseline.Baseline, error) {
	settings := project.Default()
	if err := settings.Read(files, w.dir, func(*project.Option) bool { return false }, bag); err != nil {
		return nil, nil, err
	}
	if _, err := files.ReadFile(filepath.Join(w.dir, project.FileName)); err != nil {
		settings.Packages = w.packages(state, files)
	}
	if !project.Known(bag) || len(settings.Packages) == 0 {
		return nil, nil, nil
	}
	cfg := settings.LintConfig(files)
	cfg.Dir = w.dir
	var ignored *baseline.Baseline
	if name := settings.Lint.Baseline; name != "" {
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(w.dir, path)
		}
		read, err := baseline.Read(files, path, name)
		if err != nil {
			w.server.log(protocol.MessageWarning, err.Error())
		}
		ignored = read
	}
	return &cfg, ignored, nil
}

// packages returns the patterns of a workspace without kindsmith.yaml: the folders of open files, if some file there has
// markers of an API.
func (w *workspace) packages(state *snapshot, files *source.FS) []string {
	var patterns []string
	for _, d := range state.own {
		dir := filepath.Dir(d.path)
		rel, err := filepath.Rel(w.dir, dir)
		pattern := "./" + filepath.ToSlash(rel)
		if err == nil && filepath.Ext(d.path) == ".go" && !slices.Contains(patterns, pattern) && w.hasMarkers(files, dir) {
			patterns = append(patterns, pattern)
		}
	}
	slices.Sort(patterns)
	return patterns
}

// hasMarkers reports whether a Go file in a folder has a marker of an API.
func (w *workspace) hasMarkers(files *source.FS, dir string) bool {
	names, err := files.List(source.GoFiles, dir)
	if err != nil {
		return false
	}
	prefixes := []string{"+" + foreign.KubebuilderValidation, "+" + foreign.ObjectGenerate, "+" + foreign.ObjectRoot, "+" + foreign.GroupName}
	for _, f := range w.server.tags.Families() {
		if f.Prefix != "" {
			prefixes = append(prefixes, "+"+f.Prefix)
		}
	}
	return slices.ContainsFunc(names, func(name string) bool {
		content, err := files.ReadFile(filepath.Join(dir, name))
		return err == nil && slices.ContainsFunc(prefixes, func(p string) bool { return bytes.Contains(content, []byte(p)) })
	})
}

// finish stores and publishes diagnostics. If they are not known, those of before stay.
func (w *workspace) finish(state *snapshot, list []*diag.Diagnostic, known bool) {
	if known {
		w.publish(state, list)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if known {
		w.found = list
	}
	w.done = state.edit
	close(w.step)
	w.step = make(chan struct{})
}

// reach waits until an edit is analysed, or the context ends.
func (w *workspace) reach(ctx context.Context, edit uint64) {
	for {
		w.mu.Lock()
		done, step := w.done, w.step
		w.mu.Unlock()
		if done >= edit {
			return
		}
		select {
		case <-step:
		case <-ctx.Done():
			return
		}
	}
}

// fail logs why an analysis is incomplete, once.
func (w *workspace) fail(message string) {
	if message != w.said && message != "" {
		w.server.log(protocol.MessageError, message)
	}
	w.said = message
}

// path returns the path of a file of the workspace's diagnostics.
func (w *workspace) path(f *source.File) string {
	path := filepath.FromSlash(f.Path)
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(w.dir, path)
}
