// Package admission runs the generated defaults, unions and validation of kinds, as the webhooks of a manager would.
//
// [Start] builds the [Program] and starts it.
//
// The generated code runs in a program of package goprogram. kindsmith itself cannot load it.
package admission

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"text/template"

	"github.com/kindsmith/kindsmith/internal/core/goprogram"
)

// Program answers admission reviews. It is an http.Handler.
type Program struct {
	// Paths are the paths of its webhooks.
	Paths []string

	mu      sync.Mutex
	program *goprogram.Program
}

//go:embed main.go.tmpl
var mainText string

var mainTemplate = template.Must(template.New("").Parse(mainText))

// Start builds and starts the program of packages. If they do not build, the error is a *goprogram.BuildError. What the code of
// the packages prints goes to stderr.
func Start(ctx context.Context, packages []goprogram.Package, tags []string, stderr io.Writer) (*Program, error) {
	var main bytes.Buffer
	if err := mainTemplate.Execute(&main, packages); err != nil {
		return nil, err
	}
	source := &goprogram.Source{Dir: packages[0].Dir, Main: main.Bytes(), Tags: tags, Stderr: stderr}
	started, err := source.Start(ctx)
	if err != nil {
		return nil, err
	}
	p := &Program{program: started}
	var hello struct{ Paths []string }
	if err := started.Call(struct{}{}, &hello); err != nil {
		_ = started.Close()
		return nil, fmt.Errorf("the generated webhooks: %w", err)
	}
	p.Paths = hello.Paths
	return p, nil
}

// Serves reports whether the program has a webhook at a path.
func (p *Program) Serves(path string) bool { return slices.Contains(p.Paths, path) }

// ServeHTTP answers an admission review.
func (p *Program) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	request := struct {
		Path string
		Body []byte
	}{r.URL.Path, body}
	var answer struct {
		Status int
		Body   []byte
	}
	p.mu.Lock()
	err = p.program.Call(request, &answer)
	p.mu.Unlock()
	if err != nil {
		http.Error(w, "the generated webhooks: "+err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(answer.Status)
	_, _ = w.Write(answer.Body) // an error is one of the connection
}

// Close ends the program when it has answered.
func (p *Program) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.program.Close()
}
