package validation

import (
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/emit"
)

// register writes RegisterValidations and adds it to the package's AddToScheme.
func (g *generator) register(ctl emit.Controls) {
	if ctl.Scheme == nil {
		return
	}
	var types []*model.Type
	for _, t := range ctl.Roots {
		if g.queued[t.ID().String()] && ctl.Registers(t) {
			types = append(types, t)
		}
	}
	if len(types) == 0 {
		return
	}
	f := g.file
	if builder, ok := emit.SchemeBuilder(g.c.Package); ok {
		f.P("func init() { ", builder, ".Register(RegisterValidations) }")
		f.P()
	}
	f.P("// RegisterValidations adds the validators of this package to the scheme.")
	f.Block("func RegisterValidations(scheme *"+f.Ident(ctl.Scheme.Package, ctl.Scheme.Name)+") error {", func() {
		for _, t := range types {
			g.registerType(t)
		}
		f.P("return nil")
	})
	f.P()
}

func (g *generator) registerType(t *model.Type) {
	f := g.file
	list, typ := f.Ident(fieldPkg, "ErrorList"), f.Ident(t.Package, t.Name)
	f.P("scheme.AddValidationFunc((*", typ, ")(nil), func(ctx ", f.Ident(contextPkg, "Context"), ", op ", f.Ident(operationPkg, "Operation"), ", obj, oldObj any) ", list, " {")
	f.Block("switch op.Request.SubresourcePath() {", func() {
		paths := t.Subresources()
		for i, p := range paths {
			paths[i] = quote(p)
		}
		f.P("case ", strings.Join(paths, ", "), ":")
		f.P("old, _ := oldObj.(*", typ, ")")
		f.P("return Validate_", t.Name, "(ctx, op, nil, obj.(*", typ, "), old)")
	})
	f.P("return ", list, "{", f.Ident(fieldPkg, "InternalError"), "(nil, ", f.Ident("fmt", "Errorf"),
		`("no validation found for %T, subresource: %v", obj, op.Request.SubresourcePath()))}`)
	f.P("})")
}
