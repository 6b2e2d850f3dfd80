// Package inspect says what an API makes of an object or of a request: which values break which rules, where the rules are
// declared, what each step changes, and where the API server and the rules disagree.
//
// [New] makes an [API] of one build, whose methods return a [Verdict] about a manifest, or the [Detail] of a request. It sends
// nothing: callers pass the objects of the server.
package inspect

import (
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/objects/gotypes"
	"github.com/kindsmith/kindsmith/internal/rules/eval"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/versions/convert"
)

// API is the API of a build. It is safe for concurrent use.
type API struct {
	// Kinds are the kinds, in the order of their definitions.
	Kinds []*Kind

	mu        sync.Mutex // for all below
	model     *model.Model
	programs  *rule.Programs
	engine    *gotypes.Engine
	converter *convert.Converter
}

// Kind is a kind with its versions.
type Kind struct {
	Group      string    `json:"group"`
	Kind       string    `json:"kind"`
	Plural     string    `json:"plural"`
	Namespaced bool      `json:"namespaced"`
	Versions   []Version `json:"versions"`
	// Declared is where the Go type is.
	Declared *Place `json:"declared"`
}

// Version is a version of a kind.
type Version struct {
	Name       string `json:"name"`
	Served     bool   `json:"served"`
	Storage    bool   `json:"storage"`
	Deprecated bool   `json:"deprecated"`
}

// New returns the API of a model with its rules, whose kinds have definitions.
func New(m *model.Model, programs *rule.Programs, definitions []*unstructured.Unstructured) (*API, error) {
	converter, err := convert.New(m)
	if err != nil {
		return nil, err
	}
	a := &API{Kinds: []*Kind{}, model: m, programs: programs, engine: gotypes.New(eval.New(programs), source.NewFS(nil)), converter: converter}
	for _, definition := range definitions {
		a.Kinds = append(a.Kinds, a.kind(definition))
	}
	return a, nil
}

func (a *API) kind(definition *unstructured.Unstructured) *Kind {
	text := func(fields ...string) string {
		value, _, _ := unstructured.NestedString(definition.Object, append([]string{"spec"}, fields...)...) // generated
		return value
	}
	k := &Kind{Group: text("group"), Kind: text("names", "kind"), Plural: text("names", "plural"), Namespaced: text("scope") == "Namespaced"}
	versions, _, _ := unstructured.NestedSlice(definition.Object, "spec", "versions")
	for _, item := range versions {
		v, _ := item.(map[string]any)
		name, _ := v["name"].(string)
		k.Versions = append(k.Versions, Version{Name: name, Served: v["served"] == true, Storage: v["storage"] == true, Deprecated: v["deprecated"] == true})
	}
	for _, p := range a.model.Packages {
		for _, t := range p.Types {
			if t.Kind != nil && p.Hub == "" && p.Group == k.Group && t.Name == k.Kind {
				k.Declared = placeOf(t.Span)
			}
		}
	}
	return k
}

// Find returns a kind by its group and resource; nil if the API does not have it.
func (a *API) Find(group, resource string) *Kind {
	i := slices.IndexFunc(a.Kinds, func(k *Kind) bool { return k.Group == group && k.Plural == resource })
	if i < 0 {
		return nil
	}
	return a.Kinds[i]
}

// Of returns the kind of an object; nil if the API does not have it.
func (a *API) Of(kind schema.GroupVersionKind) *Kind {
	i := slices.IndexFunc(a.Kinds, func(k *Kind) bool { return k.Group == kind.Group && k.Kind == kind.Kind })
	if i < 0 {
		return nil
	}
	return a.Kinds[i]
}

// Has reports whether the kind has a version.
func (k *Kind) Has(version string) bool {
	return slices.ContainsFunc(k.Versions, func(v Version) bool { return v.Name == version })
}

// In returns the kind in a version.
func (k *Kind) In(version string) schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: k.Group, Version: version, Kind: k.Kind}
}

// Resource returns the resource in a version.
func (k *Kind) Resource(version string) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: k.Group, Version: version, Resource: k.Plural}
}

// Stored is the version in which objects are stored.
func (k *Kind) Stored() string {
	for _, v := range k.Versions {
		if v.Storage {
			return v.Name
		}
	}
	return ""
}

// Place is a position in a source, with the lines around it.
type Place struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	// First is the number of the first of Lines.
	First int      `json:"first"`
	Lines []string `json:"lines"`
}

// around is the number of lines that a place has before and after its own.
const around = 2

func placeOf(span source.Span) *Place {
	if span.IsZero() {
		return nil
	}
	at := span.Position()
	p := &Place{File: span.File.Path, Line: at.Line, Column: at.Column, First: at.Line, Lines: []string{}}
	if span.Elsewhere() {
		return p
	}
	last := span.File.Position(len(span.File.Content)).Line
	p.First = max(1, at.Line-around)
	for line := p.First; line <= min(last, at.Line+around); line++ {
		p.Lines = append(p.Lines, span.File.Line(line))
	}
	return p
}
