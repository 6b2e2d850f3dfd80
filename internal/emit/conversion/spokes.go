package conversion

// spokes prints the conversion methods of controller-runtime for the kinds of older
// versions.
func (w *writer) spokes() {
	for _, p := range w.pairs {
		if p.older.Kind == nil || p.older.Kind.List {
			continue
		}
		hub := w.f.Ident(controllerRuntime, "Hub")
		if p.older.Methods["ConvertTo"] == nil {
			w.f.Doc("ConvertTo converts the " + p.older.Name + " to the hub version, " + w.hub.Name + ", and stores it in dst.")
			w.f.P("func (in *", p.older.Name, ") ConvertTo(dst ", hub, ") error {")
			w.cast("out", "dst", p)
			w.f.P("return ", w.function(p, up), "(in, out, nil)")
			w.f.P("}")
			w.f.P()
		}
		if p.older.Methods["ConvertFrom"] == nil {
			w.f.Doc("ConvertFrom sets the " + p.older.Name + " to src, converted from the hub version, " + w.hub.Name + ".")
			w.f.P("func (out *", p.older.Name, ") ConvertFrom(src ", hub, ") error {")
			w.cast("in", "src", p)
			w.f.P("return ", w.function(p, down), "(in, out, nil)")
			w.f.P("}")
			w.f.P()
		}
	}
}

func (w *writer) cast(name, from string, p pair) {
	hub := w.typeName(p.hub)
	w.f.P(name, ", ok := ", from, ".(*", hub, ")")
	w.f.P("if !ok {")
	w.f.P("return ", w.f.Ident("fmt", "Errorf"), `("`, w.older.Name, ".", p.older.Name, " is converted to and from *", w.hub.Name, ".", p.hub.Name, `, not %T", `, from, ")")
	w.f.P("}")
}
