// Package dev serves an API while its types are edited: it applies generated manifests to an API server, converts objects on
// this machine, and does both again after each change.
//
// A [Session] does this until its context ends. Mistakes of the author are diagnostics, and [*ServerError] is what the API
// server refused.
//
// A change with a mistake leaves everything as it was: the objects, the definitions, and the conversion.
package dev

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/tool/dev/cluster"
	"github.com/kindsmith/kindsmith/internal/tool/dev/hooks"
	"github.com/kindsmith/kindsmith/internal/tool/dev/inspect"
	"github.com/kindsmith/kindsmith/internal/tool/watch"
)

// Object is a generated manifest.
type Object struct {
	*unstructured.Unstructured
	// Text is the YAML of the object.
	Text []byte
}

// Build is the result of one run of the generator.
type Build struct {
	// Record has the inputs of the run, in their state after it.
	Record *source.Record
	// Failed is set if the run reported mistakes, and Err if it could not be made. There is nothing else then.
	Failed bool
	Err    error
	// Objects are the definitions, policies and webhook configurations.
	Objects []Object
	// Converter converts the objects of the definitions.
	Converter hooks.Converter
	// Admission answers the webhooks of the configurations; nil if a program of the user does, or nothing.
	Admission interface {
		http.Handler
		io.Closer
	}
	// Without are the names of webhooks that nothing answers, and that Objects therefore do not have.
	Without []string
	// Wrote is the number of files that changed.
	Wrote int
	// Found are the mistakes and warnings of the run.
	Found []*diag.Diagnostic
	// API is what the page shows of the build; nil without a page.
	API *inspect.API
	// Took is how long the run took.
	Took time.Duration
}

// Drop ends the programs of a build. Call it for a build that is not served.
func (b *Build) Drop() error {
	var errs []error
	if b.Converter != nil {
		errs = append(errs, b.Converter.Close())
	}
	if b.Admission != nil {
		errs = append(errs, b.Admission.Close())
	}
	return errors.Join(errs...)
}

// Session serves an API.
type Session struct {
	// Generate runs the generator, and reports mistakes.
	Generate func(ctx context.Context) *Build
	// Cluster is the API server, and Hooks has its webhooks.
	Cluster *cluster.Cluster
	Hooks   *hooks.Server
	// Program is what --run starts; nil for nothing.
	Program *Program
	// Out gets a line for each thing that happens.
	Out io.Writer
	// Notice gets what happens after a save; it may be nil.
	Notice func(Reload)

	// admission ends the program that answers webhooks; nil for none.
	admission io.Closer
	// served are the names of the definitions that were applied.
	served []string
	// without are those of the last build.
	without []string
	// said are the lines since the last save.
	said []string
}

// Say prints a line with the time.
func (s *Session) Say(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	s.said = append(s.said, line)
	_, _ = fmt.Fprintf(s.Out, "%s %s\n", time.Now().Format("15:04:05"), line)
}

// Run applies builds, one after each change, until the context is done. ready is called when the first
// build without mistakes is served. The error is that of the system, or the cause of the context.
func (s *Session) Run(ctx context.Context, first *Build, ready func()) error {
	watcher, err := watch.New()
	if err != nil {
		return err
	}
	defer watcher.Close()
	for build, changed, begin := first, "", time.Now(); ; {
		served := s.use(ctx, build, changed, begin)
		s.notice(build, changed, begin, served)
		if served && ready != nil {
			ready()
			ready = nil
		}
		if err := watcher.Wait(ctx, build.Record); err != nil {
			return s.ended(ctx, err)
		}
		changed, begin = names(build.Record), time.Now()
		s.said = nil
		s.tell(Reload{State: Generating, Changed: changed, Begin: begin, Kept: len(s.served) > 0})
		if build = s.Generate(ctx); ctx.Err() != nil {
			return s.ended(ctx, errors.Join(ctx.Err(), build.Drop()))
		}
	}
}

// ServerError is the cause of a context that ends because the API server did.
type ServerError struct{ Err error }

func (e *ServerError) Error() string { return e.Err.Error() }
func (e *ServerError) Unwrap() error { return e.Err }

// ended returns why the context is done, nil if the user wants it.
func (s *Session) ended(ctx context.Context, err error) error {
	if ctx.Err() == nil {
		return err
	}
	if server := (*ServerError)(nil); errors.As(context.Cause(ctx), &server) {
		return server
	}
	return nil
}

// use applies a build and reports whether it is served.
func (s *Session) use(ctx context.Context, b *Build, changed string, begin time.Time) bool {
	if changed != "" {
		changed += ": "
	}
	reason := ""
	switch {
	case b.Err != nil:
		reason = b.Err.Error()
	case b.Failed:
		reason = "mistakes, see above"
	case s.refused(ctx, b):
		reason = "the API server refuses definitions, see above"
		if err := b.Drop(); err != nil {
			s.Say("%v", err)
		}
	}
	if reason != "" {
		kept := "nothing is served until then"
		if len(s.served) > 0 {
			kept = "the last good API is still served"
		}
		s.Say("%s%s; %s", changed, reason, kept)
		return false
	}
	if err := s.Hooks.Use(b.Converter); err != nil {
		s.Say("the converter of before: %v", err)
	}
	if s.Program == nil {
		if err := s.admit(b); err != nil {
			s.Say("the webhooks of before: %v", err)
		}
	}
	if len(b.Without) > 0 && !slices.Equal(b.Without, s.without) {
		s.Say("your own code serves the webhooks %s, so they are missing here; run it with --run", strings.Join(b.Without, ", "))
	}
	s.without = b.Without
	done, failed := s.apply(ctx, b)
	if ctx.Err() != nil {
		return false
	}
	if b.Wrote > 0 {
		done = append(done, diag.Count(b.Wrote, "file", "files")+" written")
	}
	if s.Program != nil {
		s.Program.webhooks = slices.ContainsFunc(b.Objects, func(o Object) bool { return cluster.HasWebhooks(o.Unstructured) })
		switch started, err := s.Program.restart(ctx, s); {
		case ctx.Err() != nil:
			return false
		case err != nil:
			failed = true
			s.Say("%v", err)
		case started != "":
			done = append(done, started)
		}
	}
	switch {
	case len(done) > 0:
	case len(s.served) == 0:
		done = []string{"the packages have no kinds; add one, or name other packages"}
	default:
		done = []string{"no difference"}
	}
	s.Say("%s%s (%s)", changed, strings.Join(done, ", "), took(begin))
	return !failed
}

// admit makes the webhooks of a build answer, and ends those of the build before.
func (s *Session) admit(b *Build) error {
	before := s.admission
	s.admission = nil
	if b.Admission == nil {
		s.Hooks.Admission(nil)
	} else {
		s.Hooks.Admission(b.Admission)
		s.admission = b.Admission
	}
	if before == nil {
		return nil
	}
	return before.Close()
}

// Close ends the webhooks of the last build.
func (s *Session) Close() error {
	if s.admission == nil {
		return nil
	}
	return s.admission.Close()
}

// refused reports whether the API server refuses definitions of a build, and says why.
func (s *Session) refused(ctx context.Context, b *Build) (refused bool) {
	for _, o := range b.Objects {
		if !cluster.IsDefinition(o.Unstructured) || !s.Cluster.Changed(o.Unstructured) {
			continue
		}
		err := s.Cluster.Check(ctx, o.Unstructured)
		if err == nil || ctx.Err() != nil {
			continue
		}
		refused = true
		s.Say("error: %v", err)
		if advice := advise(err); advice != "" {
			s.Say("  %s", advice)
		}
	}
	return refused
}

// apply applies the objects of a build that have changed. It returns a text for each thing that it did.
func (s *Session) apply(ctx context.Context, b *Build) (done []string, failed bool) {
	var applied []string
	var names []string
	for _, o := range b.Objects {
		if cluster.IsDefinition(o.Unstructured) {
			names = append(names, o.GetName())
		}
		if !s.Cluster.Changed(o.Unstructured) {
			continue
		}
		var stored []*unstructured.Unstructured
		if cluster.IsDefinition(o.Unstructured) {
			stored = s.Cluster.Stored(ctx, o.GetName())
		}
		if err := s.Cluster.Apply(ctx, o.Unstructured); err != nil {
			if ctx.Err() != nil {
				return nil, true
			}
			s.Say("error: %v", err)
			failed = failed || cluster.IsDefinition(o.Unstructured)
			continue
		}
		if !slices.Contains(applied, o.GetName()) { // a policy and its binding
			applied = append(applied, o.GetName())
		}
		for _, line := range broken(ctx, o, stored) {
			s.Say("warning: %s", line)
		}
	}
	for _, name := range s.served {
		if !slices.Contains(names, name) {
			s.Say("the packages do not have %s any more; it stays with its objects until you run kubectl delete crd %s", name, name)
		}
	}
	s.served = names
	if len(applied) > 0 {
		done = append(done, "applied "+strings.Join(applied, ", "))
	}
	return done, failed
}

// advise says what to do about an error of an API server.
func advise(err error) string {
	if strings.Contains(err.Error(), "status.storedVersions") {
		return "objects may be stored in a version that you removed: serve it again and run kindsmith storage run, or delete the definition with its objects"
	}
	return ""
}

// names returns the inputs of a record that have changed, for display.
func names(r *source.Record) string {
	changed := r.Changed(source.NewFS(nil))
	isFile := func(in source.Input) bool { return in.Kind == source.Content || in.Kind == source.Header }
	if slices.ContainsFunc(changed, isFile) { // the listings of folders have changed because of files
		changed = slices.DeleteFunc(changed, func(in source.Input) bool { return !isFile(in) })
	}
	var list []string
	for _, in := range changed {
		name := in.Path
		if rel, err := filepath.Rel(".", name); err == nil && filepath.IsLocal(rel) {
			name = rel
		} else if abs, err := filepath.Abs("."); err == nil {
			if rel, err := filepath.Rel(abs, name); err == nil {
				name = rel
			}
		}
		if name = filepath.ToSlash(name); !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	const most = 3
	if len(list) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(list[:most], ", "), len(list)-most)
	}
	return strings.Join(list, ", ")
}

// took returns the time since a moment, such as 0.4s.
func took(begin time.Time) string {
	return fmt.Sprintf("%.1fs", time.Since(begin).Seconds())
}
