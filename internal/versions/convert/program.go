package convert

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"slices"
	"text/template"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/goprogram"
	"github.com/kindsmith/kindsmith/internal/versions/steptable"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// Build says how programs are built that call the functions of packages.
type Build struct {
	// Generated has the generated files as they would be written, by path; nil for those that would be
	// removed.
	Generated map[string][]byte
	// Tags are build tags.
	Tags []string
	// Stderr gets what functions print.
	Stderr io.Writer
}

// Calls reports whether conversions need functions, that is, Start.
func (c *Converter) Calls() bool {
	return slices.ContainsFunc(c.families, func(f *family) bool { return len(f.funcs) > 0 })
}

// Start builds a program for each API group whose conversions need functions, and starts it: from now on,
// functions run. If one does not build, the error is a *goprogram.BuildError. Close ends the programs.
func (c *Converter) Start(ctx context.Context, b Build) error {
	for _, f := range c.families {
		if len(f.funcs) == 0 {
			continue
		}
		var main bytes.Buffer
		if err := programTemplate.Execute(&main, f.imports()); err != nil {
			return err
		}
		program := &goprogram.Source{Dir: f.dir, Main: main.Bytes(), Files: b.Generated, Tags: b.Tags, Stderr: b.Stderr}
		var err error
		if f.program, err = program.Start(ctx); err != nil {
			return err
		}
	}
	return nil
}

// called is a package with functions that a program calls.
type called struct {
	Path  string
	Funcs []steptable.Func
}

// imports returns the packages with the functions of a family.
func (f *family) imports() (list []called) {
	for _, fn := range f.funcs {
		i := slices.IndexFunc(list, func(c called) bool { return c.Path == fn.Package })
		if i < 0 {
			i, list = len(list), append(list, called{Path: fn.Package})
		}
		list[i].Funcs = append(list[i].Funcs, fn)
	}
	return list
}

// Close ends the programs that Start has started.
func (c *Converter) Close() error {
	var errs []error
	for _, f := range c.families {
		if f.program != nil {
			errs = append(errs, f.program.Close())
		}
	}
	return errors.Join(errs...)
}

//go:embed functions.go.tmpl
var programText string

var programTemplate = template.Must(template.New("").Parse(programText))

// ReportBuild reports what the go command says about packages that do not build. It returns the error if that says
// nothing about their files.
func ReportBuild(bag *diag.Bag, err *goprogram.BuildError) error {
	list := err.Mistakes()
	for _, m := range list {
		bag.Errorf(m.At, codeBuild, "%s", m.Message)
	}
	if len(list) == 0 {
		return err
	}
	return nil
}

// call calls a function of the conversions.
func (f *family) call(name string, value []byte) ([]byte, error) {
	c := struct {
		Func  string
		Value *string `json:",omitempty"`
	}{Func: name}
	if value != nil {
		text := string(value)
		c.Value = &text
	}
	var r struct {
		Value, Error string
		Failed       bool
	}
	err := f.program.Call(c, &r)
	if ended := (*goprogram.EndError)(nil); errors.As(err, &ended) {
		return nil, &jsonconvert.Error{Reason: jsonconvert.Failed, Err: fmt.Errorf("the conversion function %w", ended)}
	}
	if err == nil && r.Error != "" {
		e := &jsonconvert.Error{Err: errors.New(r.Error)}
		if r.Failed {
			e.Reason = jsonconvert.Failed
		}
		err = e
	}
	return []byte(r.Value), err
}
