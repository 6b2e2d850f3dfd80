package customvalidation

import (
	"maps"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/gofile"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

const (
	operationPkg = "k8s.io/apimachinery/pkg/api/operation"
	fieldPkg     = "k8s.io/apimachinery/pkg/util/validation/field"
)

func check(n *tag.Node, c *model.Tag, bag *diag.Bag) {
	_, f := find(n)
	if f == nil && elsewhere(n) {
		bag.Warnf(c.Span, codeNoFunction, "package %s has no function %s, so generated Go does not call it", n.Owner.Package, name(n))
		return
	}
	if f == nil {
		bag.Errorf(c.Span, codeNoFunction, "package %s has no function %s; write func %s%s", validators(n), name(n), name(n), signature(n))
		return
	}
	value := valueType(n)
	want := []*model.Ref{
		model.Named("context", "Context"), model.Named(operationPkg, "Operation"),
		model.PointerTo(model.Named(fieldPkg, "Path")), value, value,
	}
	results := []*model.Ref{model.Named(fieldPkg, "ErrorList")}
	if !slices.EqualFunc(f.Params, want, (*model.Ref).Equal) || !slices.EqualFunc(f.Results, results, (*model.Ref).Equal) {
		bag.Errorf(f.Span, codeSignature, "%s must be func%s", f.Name, signature(n)).
			Note(c.Span, "called for this tag")
	}
}

// find returns the function that the tag calls and its package: the type's package, or the one with
// its validators.
func find(n *tag.Node) (*model.Package, *model.Func) {
	for _, p := range n.Model.Packages {
		if p.Path != n.Owner.Package && !slices.Contains(p.Inputs, n.Owner.Package) {
			continue
		}
		if f := p.Funcs[name(n)]; f != nil {
			return p, f
		}
	}
	return nil, nil
}

// validators is the package that the type's validators are generated into.
func validators(n *tag.Node) string {
	for _, p := range n.Model.Packages {
		if p.Root && slices.Contains(p.Inputs, n.Owner.Package) {
			return p.Path
		}
	}
	return n.Owner.Package
}

// elsewhere reports whether the function may be in the API server of a native type, where other
// packages cannot call it.
func elsewhere(n *tag.Node) bool {
	p := n.Model.Package(n.Owner.Package)
	return p == nil || p.External
}

// valueType is the type of value and oldValue: one that can be nil.
func valueType(n *tag.Node) *model.Ref {
	if n.Place().CanBeNil(n.Model) {
		return n.Type
	}
	return model.PointerTo(n.Type)
}

func signature(n *tag.Node) string {
	typ := strings.ReplaceAll(valueType(n).String(), n.Owner.Package+".", "")
	return "(ctx context.Context, op operation.Operation, fldPath *field.Path, value, oldValue " + typ + ") field.ErrorList"
}

// checkPackage reports functions with the prefix of custom validations that no tag calls.
func checkPackage(m *model.Model, p *model.Package, bag *diag.Bag) {
	called := map[string]bool{}
	for _, path := range append([]string{p.Path}, p.Inputs...) {
		if types := m.Package(path); types != nil {
			for _, t := range types.Types {
				calls(m, t, called)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.Funcs)) {
		if strings.HasPrefix(name, gofile.CustomValidation) && !called[name] {
			bag.Errorf(p.Funcs[name].Span, codeUntagged, "nothing calls %s; add +k8s:customValidation to the type or field, or rename the function", name)
		}
	}
}

// calls collects the functions that the tags of a type call.
func calls(m *model.Model, t *model.Type, called map[string]bool) {
	visit := func(n *tag.Node, list []*model.Tag) {
		for _, c := range list {
			for n := n; c != nil && n != nil; n, c = n.Inner(c), c.Inner {
				if c.Is(model.RoleCustomValidation) {
					called[name(n)] = true
				}
			}
		}
	}
	visit(tag.TypeNode(m, nil, t), t.Tags)
	for _, f := range t.Fields {
		visit(tag.FieldNode(m, nil, t, f), f.Tags)
	}
}
