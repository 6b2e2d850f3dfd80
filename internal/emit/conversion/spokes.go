package conversion

import "github.com/kindsmith/kindsmith/internal/plan"

// spokes prints the conversion methods of controller-runtime for the kinds of older
// versions. Hand-written ones are kept.
func (w *writer) spokes() {
	for _, t := range w.plan.Types {
		older := w.m.Type(t.Older)
		if older.Kind == nil || older.Kind.List {
			continue
		}
		w.checkSpoke(t, plan.Up, "ConvertTo")
		w.checkSpoke(t, plan.Down, "ConvertFrom")
		if older.Methods["ConvertTo"] == nil {
			w.f.Doc("ConvertTo converts the " + older.Name + " to the hub version, " + w.hub.Name + ", and stores it in dst.")
			w.f.P("func (in *", older.Name, ") ConvertTo(dst ", w.f.Ident(controllerRuntime, "Hub"), ") error {")
			w.cast("out", "dst", t)
			w.f.P("return ", w.function(t, plan.Up), "(", w.given(t, plan.Up, "in"), ", out, nil)")
			w.f.P("}")
			w.f.P()
		}
		if older.Methods["ConvertFrom"] == nil {
			w.f.Doc("ConvertFrom sets the " + older.Name + " to src, converted from the hub version, " + w.hub.Name + ".")
			w.f.P("func (out *", older.Name, ") ConvertFrom(src ", w.f.Ident(controllerRuntime, "Hub"), ") error {")
			w.cast("in", "src", t)
			w.f.P("return ", w.function(t, plan.Down), "(", w.given(t, plan.Down, "in"), ", out, nil)")
			w.f.P("}")
			w.f.P()
		}
	}
}

// checkSpoke warns of a hand-written method, which neither JSON nor schemes are converted by.
func (w *writer) checkSpoke(t *plan.Type, way plan.Way, method string) {
	if older := w.m.Type(t.Older); older.Methods[method] != nil {
		w.c.Diags.Warnf(older.Span, codeOwnMethod, "%s.%s of %s is hand-written: conversion webhooks and schemes do not call it, so their results may differ; move its code to %s, which all of them call, and remove it",
			older.Name, method, w.older.Name, w.function(t, way))
	}
}

func (w *writer) cast(name, from string, t *plan.Type) {
	hub := w.typeName(t.Hub)
	w.f.P(name, ", ok := ", from, ".(*", hub, ")")
	w.f.P("if !ok {")
	w.f.P("return ", w.f.Ident("fmt", "Errorf"), `("`, w.older.Name, ".", t.Older.Name, " is converted to and from *", w.hub.Name, ".", t.Hub.Name, `, not %T", `, from, ")")
	w.f.P("}")
}
