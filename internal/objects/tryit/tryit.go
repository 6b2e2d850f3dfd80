// Package tryit judges a manifest for a person who edits it: what is wrong at which line, and the object with its defaults.
//
// [New] takes the rules, and the [Judge] returns a [Verdict] for each document.
//
// The verdict is that of `kindsmith validate`, whose packages it calls. The package links neither the Go loader nor CEL, so
// that it runs in a browser: cmd/kindsmith-wasm is this package as WebAssembly, for the pages of `kindsmith docs --try`.
package tryit

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/objects/gotypes"
	"github.com/kindsmith/kindsmith/internal/objects/manifest"
	"github.com/kindsmith/kindsmith/internal/objects/validate"
	"github.com/kindsmith/kindsmith/internal/objects/verdict"
	"github.com/kindsmith/kindsmith/internal/rules/eval"
	"github.com/kindsmith/kindsmith/runtime/union"
)

// Judge judges manifests. It is not safe for concurrent use.
type Judge struct {
	set *eval.Set
	// types is the engine of Go types, and engine that or one which also runs code; nil code is none.
	types  *gotypes.Engine
	engine verdict.Engine
	code   *coded
}

// New returns the judge of the kinds in a set.
func New(set *eval.Set) *Judge {
	types := gotypes.New(set, nil)
	return &Judge{set: set, types: types, engine: types}
}

// State is the result of a document.
type State string

const (
	// Valid is a document without errors, all of whose rules ran.
	Valid State = "valid"
	// Invalid is a document with errors.
	Invalid State = "invalid"
	// Unchecked is a document without errors, some of whose rules only Go code checks.
	Unchecked State = "unchecked"
)

// Verdict is what is known of a text. It is the same JSON in all versions of a page.
type Verdict struct {
	Documents []Document `json:"documents"`
	// Problems are errors and warnings, by position.
	Problems []Problem `json:"problems"`
}

// Document is one document of the text.
type Document struct {
	// Line is the first line, from 1.
	Line  int   `json:"line"`
	State State `json:"state"`
	// Objects are its objects in words, such as "Database a".
	Objects []string `json:"objects"`
	// NotChecked are the rules and functions that only Go code runs.
	NotChecked []string `json:"notChecked"`
	// Defaulted is the document as a server stores it, as YAML: with defaults, and without what unions clear. It is "" if
	// there is none.
	Defaulted string `json:"defaulted"`
}

// Problem is a message at a place. Lines and columns count from 1, columns in characters.
type Problem struct {
	Line     int    `json:"line"`
	Column   int    `json:"column"`
	Severity string `json:"severity"`
	Message  string `json:"message"`
}

// Judge returns the verdict on a text with YAML or JSON.
func (j *Judge) Judge(text string) Verdict {
	out := Verdict{Documents: []Document{}, Problems: []Problem{}}
	all := &diag.Bag{}
	for _, doc := range manifest.Parse(source.NewFile("manifest.yaml", []byte(text)), all) {
		out.Documents = append(out.Documents, j.document(doc, all))
	}
	for _, d := range all.All() {
		p := d.Span.Position()
		column := 1
		if line := d.Span.File; line != nil {
			column = len([]rune(line.Line(p.Line)[:p.Column-1])) + 1
		}
		out.Problems = append(out.Problems, Problem{Line: p.Line, Column: column, Severity: d.Severity.String(), Message: d.Message})
	}
	return out
}

func (j *Judge) document(doc *manifest.Document, all *diag.Bag) Document {
	bag := &diag.Bag{}
	out := Document{Line: doc.Span.Position().Line, State: Valid, Objects: []string{}, NotChecked: []string{}}
	objects := doc.Objects(bag)
	in := &validate.Input{Documents: []*manifest.Document{doc}, Objects: objects}
	summary := validate.Run(context.Background(), j.engine, in, nil, validate.Options{Strict: true}, bag)
	for _, n := range summary.NotRun {
		out.NotChecked = append(out.NotChecked, n.Text)
	}
	for _, a := range summary.Assumed {
		out.NotChecked = append(out.NotChecked, "rules that depend on "+strings.Join(a.Options, ", "))
	}
	for _, skip := range summary.Skipped {
		out.NotChecked = append(out.NotChecked, "objects "+skip.Reason+": "+strings.Join(skip.Kinds, ", "))
	}
	slices.Sort(out.NotChecked)
	out.NotChecked = slices.Compact(out.NotChecked)
	var texts []string
	for _, o := range objects {
		out.Objects = append(out.Objects, o.String())
		if text := j.defaulted(o); text != "" {
			texts = append(texts, text)
		}
	}
	out.Defaulted = strings.Join(texts, "---\n")
	switch {
	case bag.HasErrors():
		out.State = Invalid
	case len(out.NotChecked) > 0:
		out.State = Unchecked
	}
	all.Append(bag)
	return out
}

// defaulted returns an object as a server stores it; "" if its kind is unknown, or values do not fit their types.
func (j *Judge) defaulted(o *manifest.Object) string {
	name, ok := j.set.Kind(o.Kind)
	if !ok {
		return ""
	}
	object := o.Value
	if j.code != nil {
		if answer, err := j.code.ask(object, nil); err == nil {
			object = answer.object
		}
	}
	object, _, err := j.set.Default(name, object)
	if err != nil {
		return ""
	}
	if object, _, err = j.set.Normalize(name, union.Request{}, object, nil); err != nil {
		return ""
	}
	text, err := json.Marshal(object)
	if err != nil {
		return ""
	}
	yaml, err := manifest.YAML(text)
	if err != nil {
		return ""
	}
	return string(yaml)
}
