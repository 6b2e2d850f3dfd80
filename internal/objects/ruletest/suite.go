// Package ruletest runs tests of validation rules from files. A case has an object, the object
// before an update, and the expected validation errors.
//
// [Read] reads cases, and [Run] runs them through engines. What a case did not expect is a diagnostic; the [Summary] has the
// counts, and the rules that no case breaks.
package ruletest

import (
	"path/filepath"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/core/spell"
	"github.com/kindsmith/kindsmith/internal/objects/manifest"
)

// Case is one test.
type Case struct {
	// Name is the case's name, which is unique in its file.
	Name string
	// Object is the object to validate, Old the object before an update, nil on a create.
	Object, Old *manifest.Object
	// Expect are the expected validation errors; none for a valid object.
	Expect []Expected
	// Options are those of verdict.Request; nil if the case has none. A case with its own does not run through schemas,
	// which are published for fixed options.
	Options map[string]bool

	name    source.Span
	file    *source.File
	changes []change
	inline  *manifest.Node // the object, if the case has it in full
}

// File returns the path of the case's file.
func (c *Case) File() string { return c.file.Path }

// Expected is a validation error that a case expects.
type Expected struct {
	// Path is the canonical path of the field.
	Path string
	// Type is empty if any type matches.
	Type field.ErrorType
	// Message is part of the error's text.
	Message string
	// Engine is set if only this engine reports the error.
	Engine string

	span source.Span
}

// change is a value that a case sets.
type change struct {
	path  string
	place source.Span
}

// suffix is the suffix of the names of test files in folders.
const suffix = "_test"

// Read reads the cases in files and folders. In folders these are the files named
// *_test.yaml, *_test.yml or *_test.json. Mistakes in the files are reported.
func Read(names []string, bag *diag.Bag) ([]*Case, error) {
	var paths []string
	for _, name := range names {
		found, err := manifest.Find(name, isTest)
		if err != nil {
			return nil, err
		}
		paths = append(paths, found...)
	}
	files, err := manifest.Files(paths, nil)
	if err != nil {
		return nil, err
	}
	r := &reader{bag: bag, bases: map[string]*manifest.Object{}}
	for _, file := range files {
		r.readFile(file)
	}
	return r.cases, nil
}

func isTest(path string) bool {
	return strings.HasSuffix(strings.TrimSuffix(path, filepath.Ext(path)), suffix)
}

// reader reads test files.
type reader struct {
	bag   *diag.Bag
	cases []*Case
	bases map[string]*manifest.Object // by path

	file  *source.File
	named map[string]source.Span // cases of the file
}

func (r *reader) readFile(file *source.File) {
	r.file, r.named = file, map[string]source.Span{}
	before := len(r.cases)
	errors := r.bag.Errors()
	for _, doc := range manifest.Parse(file, r.bag) {
		doc.Root.Duplicates(func(d manifest.Duplicate) {
			r.bag.Errorf(d.Key, codeMalformed, "%s is repeated; remove one", d.Path).Note(d.First, "the first one")
		})
		r.document(doc)
	}
	if len(r.cases) == before && r.bag.Errors() == errors {
		r.bag.Warnf(file.Span(0, 0), codeNoCases, "the file has no cases")
	}
}

// document reads one document: a base and cases that start from it.
func (r *reader) document(doc *manifest.Document) {
	var base *manifest.Object
	var cases []any
	var places *manifest.Node
	r.fields(doc.Value, doc.Root, "a test file", []entry{
		{"base", func(value any, at *manifest.Node) { base = r.base(value, at) }},
		{"cases", func(value any, at *manifest.Node) {
			places = at
			var ok bool
			if cases, ok = value.([]any); !ok {
				r.malformed(at, "cases must be a list")
			}
		}},
	})
	for i, value := range cases {
		r.readCase(value, places.Item(i), base)
	}
}

// entry is a field of a mapping with its reader.
type entry struct {
	name string
	read func(value any, at *manifest.Node)
}

// fields reads a mapping in the order of the entries.
func (r *reader) fields(value any, at *manifest.Node, what string, entries []entry) {
	object, ok := value.(map[string]any)
	if !ok {
		r.malformed(at, "%s must be a mapping with: %s", what, strings.Join(names(entries), ", "))
		return
	}
	for _, name := range at.Names() {
		known := false
		for _, e := range entries {
			known = known || e.name == name
		}
		if !known {
			d := r.bag.Errorf(at.LocateKey(name), codeMalformed, "%s has no field %q", what, name).Voids(complete(at))
			if near := spell.DidYouMean(name, names(entries)); near != "" {
				d.Message += near
			} else {
				d.Message += "; its fields are: " + strings.Join(names(entries), ", ")
			}
		}
	}
	for _, e := range entries {
		if value, ok := object[e.name]; ok {
			e.read(value, at.Field(e.name))
		}
	}
}

// complete is the fact that a mapping has the fields that its author means.
func complete(at *manifest.Node) diag.Fact { return diag.About("mapping", at.Place().Span.String()) }

func names(entries []entry) []string {
	var list []string
	for _, e := range entries {
		list = append(list, e.name)
	}
	return list
}

func (r *reader) malformed(at *manifest.Node, format string, args ...any) *diag.Diagnostic {
	return r.bag.Errorf(at.Place().Span, codeMalformed, format, args...)
}

// text reads a string that is not empty.
func (r *reader) text(into *string, what string) func(value any, at *manifest.Node) {
	return func(value any, at *manifest.Node) {
		text, ok := value.(string)
		switch value.(type) {
		case bool, int64, float64:
			r.malformed(at, "%s must be a string, but YAML reads %v; write it in quotes", what, value)
			return
		}
		if !ok || text == "" {
			r.malformed(at, "%s must be a string", what)
			return
		}
		*into = text
	}
}

// base returns the base of cases, nil if there is a mistake. It is an object, or the path of a file
// relative to the test file.
func (r *reader) base(value any, at *manifest.Node) *manifest.Object {
	name, ok := value.(string)
	if !ok {
		return r.object(value, at)
	}
	path := filepath.Join(filepath.Dir(r.file.Path), filepath.FromSlash(name))
	if known, ok := r.bases[path]; ok {
		return known
	}
	r.bases[path] = nil
	file, err := manifest.ReadFile(path)
	if err != nil {
		r.malformed(at, "cannot read the base: %v", err)
		return nil
	}
	var objects []*manifest.Object
	errors := r.bag.Errors()
	for _, doc := range manifest.Parse(file, r.bag) {
		objects = append(objects, doc.Objects(r.bag)...)
	}
	if len(objects) != 1 {
		if r.bag.Errors() == errors {
			r.malformed(at, "a base must be one object; the file has %d", len(objects))
		}
		return nil
	}
	r.bases[path] = objects[0]
	return objects[0]
}

// object returns an object in the test file, nil if there is a mistake.
func (r *reader) object(value any, at *manifest.Node) *manifest.Object {
	doc := &manifest.Document{Value: runtime.DeepCopyJSONValue(value), Root: at}
	objects := doc.Objects(r.bag)
	if len(objects) != 1 {
		return nil
	}
	return objects[0]
}
