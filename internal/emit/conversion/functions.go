package conversion

import (
	"go/token"
	"strconv"

	"github.com/kindsmith/kindsmith/internal/core/english"
	"github.com/kindsmith/kindsmith/internal/core/gofile"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/versions/steps"
)

// conversions is the variable that all functions use.
const conversions = "conversions"

// writer prints the functions of one older version.
type writer struct {
	c          *emit.Context
	f          *gofile.File
	older, hub *model.Package
}

// kind is a kind, or a list of one, in both versions.
type kind struct{ older, hub *model.Type }

func (w *writer) kinds() (kinds []kind) {
	for _, t := range w.older.Types {
		if t.Kind != nil && !t.Generic && t.Hub != nil {
			if hub := w.c.Model.Type(*t.Hub); hub != nil {
				kinds = append(kinds, kind{t, hub})
			}
		}
	}
	return kinds
}

// function is the conversion of a kind in one direction.
type function struct {
	name     string
	from, to *model.Type
	// in and out are the packages.
	in, out *model.Package
	isHand  bool
}

// ways returns the functions of a kind, up and down.
func (w *writer) ways(k kind) [2]function {
	of := func(from, to *model.Type, in, out *model.Package) function {
		name := model.ConversionFunc(in, from.Name, out, to.Name)
		return function{name, from, to, in, out, w.older.Funcs[name] != nil}
	}
	return [2]function{of(k.older, k.hub, w.older, w.hub), of(k.hub, k.older, w.hub, w.older)}
}

// registration prints RegisterConversions and adds it to the package's AddToScheme.
func (w *writer) registration(kinds []kind) {
	if model.Skips(w.older.Tags, model.PartRegister) {
		return
	}
	if builder, ok := emit.SchemeBuilder(w.older); ok {
		w.f.Block("func init() {", func() {
			w.f.P(builder, ".Register(RegisterConversions)")
		})
		w.f.P()
	}
	w.f.Doc("RegisterConversions adds the conversions between " + w.older.Name + " and " + w.hub.Name + " to a scheme.")
	w.f.Block("func RegisterConversions(s *"+w.f.Ident(machineryRuntime, "Scheme")+") error {", func() {
		w.f.P("return ", w.convert("Register"), "(s,")
		for _, k := range kinds {
			for _, way := range w.ways(k) {
				w.f.P(w.convert("Of"), "(", way.name, "),")
			}
		}
		w.f.P(")")
	})
	w.f.P()
}

func (w *writer) convert(name string) string { return w.f.Ident(gofile.RuntimeConvert, name) }

// functions prints the conversions of kinds, and the methods of controller-runtime.
func (w *writer) functions(kinds []kind) {
	w.f.P("// ", conversions, " converts Go objects by JSONConversion.")
	w.f.P("var ", conversions, " ", w.convert("Conversions"))
	w.f.P()
	for _, k := range kinds {
		for _, way := range w.ways(k) {
			if way.isHand {
				continue
			}
			w.f.Doc(way.name + " converts " + english.A(way.from.Name) + " from " + way.in.Name + " to " + way.out.Name + ".")
			w.f.Block("func "+way.name+"(in *"+w.f.Type(way.from.Ref())+", out *"+w.f.Type(way.to.Ref())+", _ "+w.f.Ident(machineryConversion, "Scope")+") error {", func() {
				w.f.P("return ", conversions, ".Convert(JSONConversion, in, out, ", strconv.Quote(emit.VersionName(way.in)), ", ", strconv.Quote(emit.VersionName(way.out)), ")")
			})
			w.f.P()
		}
	}
	if !w.c.Package.ControllerRuntime {
		return
	}
	for _, k := range kinds {
		if !k.older.Kind.List {
			w.spoke(k)
		}
	}
}

// partial prints, for hand-written functions of the package that convert a type as a whole to the next version or from it, what they
// replace: autoConvert_v1beta1_T_To_v1_T, which they may call.
func (w *writer) partial(api *steps.API, step *steps.Step) {
	m := api.Model
	for _, t := range step.Types {
		for _, way := range []struct {
			fn       *steps.Func
			in, out  model.Name
			from, to string
		}{{t.Up, t.Older, t.Newer, step.Older, step.Newer}, {t.Down, t.Newer, t.Older, step.Newer, step.Older}} {
			in, out := m.Type(way.in), m.Type(way.out)
			if way.fn == nil || way.fn.Package != w.older.Path || in == nil || out == nil || !w.names(in) || !w.names(out) {
				continue
			}
			name := "auto" + way.fn.Name
			w.f.Doc(name + " converts " + english.A(t.Name) + " like generated code, for " + way.fn.Name + ".")
			w.f.Block("func "+name+"(in *"+w.f.Type(in.Ref())+", out *"+w.f.Type(out.Ref())+", _ "+w.f.Ident(machineryConversion, "Scope")+") error {", func() {
				w.f.P("return ", conversions, ".Value(JSONConversion, in, out, ", strconv.Quote(t.Name), ", ", strconv.Quote(way.from), ", ", strconv.Quote(way.to), ")")
			})
			w.f.P()
		}
	}
}

// names reports whether the package can name a type.
func (w *writer) names(t *model.Type) bool {
	return t.Package == w.older.Path || token.IsExported(t.Name)
}

// spoke prints the methods of a kind by which controller-runtime converts it. Hand-written ones are kept.
func (w *writer) spoke(k kind) {
	ways := w.ways(k)
	for i, method := range []string{"ConvertTo", "ConvertFrom"} {
		if k.older.Methods[method] != nil {
			w.c.Diags.Warnf(k.older.Span, codeOwnMethod, "%s.%s of %s is hand-written: conversion webhooks and schemes do not call it, so their results may differ; move its code to %s, which all of them call, and remove it",
				k.older.Name, method, w.older.Name, ways[i].name)
		}
	}
	hub := w.f.Ident(controllerRuntime, "Hub")
	if k.older.Methods["ConvertTo"] == nil {
		w.f.Doc("ConvertTo converts the " + k.older.Name + " to the hub version, " + w.hub.Name + ", and stores it in dst.")
		w.f.P("func (in *", k.older.Name, ") ConvertTo(dst ", hub, ") error { return ", w.convert("To"), "(in, dst, ", ways[0].name, ") }")
		w.f.P()
	}
	if k.older.Methods["ConvertFrom"] == nil {
		w.f.Doc("ConvertFrom sets the " + k.older.Name + " to src, converted from the hub version, " + w.hub.Name + ".")
		w.f.P("func (out *", k.older.Name, ") ConvertFrom(src ", hub, ") error { return ", w.convert("From"), "(src, out, ", ways[1].name, ") }")
		w.f.P()
	}
}

// checkSkipped reports types whose conversion to the next version, or from it, is to be hand-written and is missing.
func (w *writer) checkSkipped(next *model.Package) {
	for _, t := range w.older.Types {
		hub := t
		if t.Hub != nil {
			hub = w.c.Model.Type(*t.Hub)
		}
		if hub == t || hub == nil || t.Generic || !model.Skips(t.Tags, model.PartConversion) && !model.Skips(hub.Tags, model.PartConversion) {
			continue
		}
		newer := hub
		if next != w.hub {
			newer = next.PairOf(hub.ID())
		}
		if newer == nil {
			continue
		}
		span := hub.Span
		for _, tag := range model.Find(hub.Tags, model.RoleSkip) {
			span = tag.Span
		}
		for _, way := range []function{{from: t, to: newer, in: w.older, out: next}, {from: newer, to: t, in: next, out: w.older}} {
			name := model.ConversionFunc(way.in, way.from.Name, way.out, way.to.Name)
			if w.older.Funcs[name] == nil && next.Funcs[name] == nil {
				w.c.Diags.Errorf(span, codeSkipped, "+%[2]s disables the generated %[1]s, and no hand-written one exists; write it in package %[3]s: func %[1]s(in *%[4]s, out *%[5]s, s conversion.Scope) error",
					name, w.c.Tags.WithRole(model.RoleSkip), w.older.Path, w.f.Type(way.from.Ref()), w.f.Type(way.to.Ref()))
			}
		}
	}
}
