// Package defaults writes zz_generated.defaults.go: SetObjectDefaults_<Kind> for
// kinds that have defaults in any field, and RegisterDefaults, which registers them
// with a scheme. A package with defaulter-gen's marker has RegisterDefaults even if no kind has
// defaults.
//
// [Emitter] is called for each package. Mistakes of users are diagnostics with the codes of codes.go.
//
// A struct is defaulted in this order: first the hand-written SetDefaults_<Type>
// functions, then each field: its own default, then the defaults of its fields. The
// fields of a value that a default creates are therefore defaulted too. Package
// defaulting determines which default applies.
package defaults

import (
	"go/token"
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/gofile"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/rules/defaulting/setters"
)

// FileName is the file that the emitter writes.
const FileName = "zz_generated.defaults.go"

const runtimePkg = "k8s.io/apimachinery/pkg/runtime"

// Emitter returns the defaults emitter.
func Emitter() *emit.Emitter {
	return &emit.Emitter{
		Name:    "defaults",
		Part:    diag.Defaults,
		Summary: "SetObjectDefaults_ functions and RegisterDefaults, from +default tags and SetDefaults_ functions",
		Files:   []string{FileName},
		Codes:   codes.All(),
		Emit:    run,
	}
}

func run(c *emit.Context) ([]emit.File, error) {
	w := newWriter(c)
	checkFunctions(c)
	checkGenerics(c)
	if isInput(c) {
		return nil, nil
	}
	tops := w.tops()
	if len(tops) == 0 && !asks(c.Package) {
		return nil, nil
	}
	w.register(tops)
	for _, t := range tops {
		w.function(t)
	}
	for len(w.queue) > 0 {
		next := w.queue[0]
		w.queue = w.queue[1:]
		w.function(next)
	}
	if w.f.Empty() || c.Failed() {
		return nil, nil // code that results from a mistake may not parse
	}
	content, err := w.f.Bytes()
	if err != nil {
		return nil, err
	}
	return []emit.File{{Name: FileName, Content: content}}, nil
}

// asks reports whether a package has defaulter-gen's marker. Hand-written code may call its
// RegisterDefaults even if no type has a default.
func asks(p *model.Package) bool {
	value, ok := emit.MarkerValue(p.Markers, foreign.DefaulterGen)
	return ok && value != "false"
}

// isInput reports whether another package of the run has the functions of this one, which does not
// ask for any.
func isInput(c *emit.Context) bool {
	_, asks := emit.MarkerValue(c.Package.Markers, foreign.DefaulterGen)
	return !asks && slices.ContainsFunc(c.Model.Packages, func(p *model.Package) bool {
		return p.Root && slices.Contains(p.DefaultInputs, c.Package.Path)
	})
}

// writer prints the functions of one package.
type writer struct {
	c    *emit.Context
	f    *gofile.File
	plan *setters.Plan
	// names are the functions of struct types, named at the first call; queue has
	// those to print.
	names map[model.Name]string
	taken map[string]bool
	queue []*model.Type
	// field is the field that code is being printed for.
	field *model.Field
}

func newWriter(c *emit.Context) *writer {
	w := &writer{c: c, f: c.NewFile(), plan: setters.New(c.Model, c.Package), names: map[model.Name]string{}, taken: map[string]bool{}}
	w.f.Reserve("in", "obj", "scheme", "i", "key", "value")
	for name := range c.Package.Decls {
		w.taken[name] = true
	}
	return w
}

// tops returns the types that get an exported function: kinds, and structs with a
// marker.
func (w *writer) tops() []*model.Type {
	var tops []*model.Type
	for _, t := range inputs(w.c) {
		if !w.isTop(t) || !w.plan.Needs(t) || w.plan.ObjectByHand(t) != (model.Name{}) {
			continue
		}
		name := gofile.ObjectDefaulting + t.Name
		w.names[t.ID()], w.taken[name] = name, true
		tops = append(tops, t)
	}
	return tops
}

// isTop reports whether a type gets an exported function: by its own marker, by its
// package's, which names a field that the types have, or as a kind. The type may be declared from
// another struct, as in type Route other.Route.
func (w *writer) isTop(t *model.Type) bool {
	p := w.c.Package
	if t.Generic || t.Alias || w.structOf(t) == nil || !token.IsExported(t.Name) {
		return false
	}
	if v, ok := emit.MarkerValue(t.Markers, foreign.DefaulterGen); ok {
		return v == "true" || v != "false" && emit.IsObject(t)
	}
	named := func(field string) bool { return t.Field(field) != nil }
	return emit.IsObject(t) || slices.ContainsFunc(emit.MarkerList(p.Markers, foreign.DefaulterGen), named)
}

// register prints RegisterDefaults for the kinds among the types.
func (w *writer) register(tops []*model.Type) {
	if w.c.Package.Decls["RegisterDefaults"] {
		return
	}
	var kinds []*model.Type
	for _, t := range tops {
		if emit.IsObject(t) || t.Methods["DeepCopyObject"] != nil {
			kinds = append(kinds, t)
		}
	}
	if len(kinds) == 0 && !asks(w.c.Package) {
		return
	}
	if builder, ok := emit.SchemeBuilder(w.c.Package); ok {
		w.f.Block("func init() {", func() {
			w.f.P(builder, ".Register(RegisterDefaults)")
		})
		w.f.P()
	}
	w.f.P("// RegisterDefaults registers the defaulting functions of this package's kinds.")
	w.f.Block("func RegisterDefaults(scheme *"+w.f.Ident(runtimePkg, "Scheme")+") error {", func() {
		for _, t := range kinds {
			typ := w.f.Type(model.Named(t.Package, t.Name))
			w.f.P("scheme.AddTypeDefaultingFunc(&", typ, "{}, func(obj any) { ", w.names[t.ID()], "(obj.(*", typ, ")) })")
		}
		w.f.P("return nil")
	})
	w.f.P()
}

// function prints the function of a struct type.
func (w *writer) function(t *model.Type) {
	name := w.names[t.ID()]
	typ := w.f.Type(model.Named(t.Package, t.Name))
	w.f.P("// ", name, " sets unset fields of ", typ, " to their defaults.")
	w.f.Block("func "+name+"(in *"+typ+") {", func() {
		for _, call := range w.plan.ByHand(t) {
			w.f.P(w.f.Ident(call.Package, call.Name), "(in)")
		}
		if s := w.structOf(t); s != t && w.plan.Needs(s) {
			w.f.P(w.call(s), "((*", w.f.Type(model.Named(s.Package, s.Name)), ")(in))")
		}
		for _, f := range t.Fields {
			if w.plan.Visible(f) {
				w.field = f
				w.structField(t, f)
			}
		}
	})
	w.f.P()
}

// structOf returns the struct that a type is, or is declared from; nil for other types.
func (w *writer) structOf(t *model.Type) *model.Type {
	r := model.Named(t.Package, t.Name)
	if w.c.Model.Underlying(r).Kind != model.KindStruct {
		return nil
	}
	return w.c.Model.Struct(r)
}

// call returns the defaulting function of a struct type.
func (w *writer) call(t *model.Type) string {
	if f := w.plan.ObjectByHand(t); f != (model.Name{}) {
		return w.f.Ident(f.Package, f.Name)
	}
	if name, ok := w.names[t.ID()]; ok {
		return name
	}
	if f := w.plan.OnlyByHand(t); f != (model.Name{}) {
		return w.f.Ident(f.Package, f.Name)
	}
	name := "setDefaults"
	if t.Package != w.c.Package.Path {
		name += capital(w.f.Import(t.Package))
	}
	name += capital(t.Name)
	for w.taken[name] {
		name += "_"
	}
	w.names[t.ID()], w.taken[name] = name, true
	w.queue = append(w.queue, t)
	return name
}

func capital(name string) string {
	if name[0] >= 'a' && name[0] <= 'z' {
		return string(name[0]-'a'+'A') + name[1:]
	}
	return name
}
