package defaults

import (
	"maps"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/gofile"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/rules/defaulting/setters"
)

// checkFunctions reports functions that have the name of a defaulting function but
// the wrong signature.
func checkFunctions(c *emit.Context) {
	for _, name := range slices.Sorted(maps.Keys(c.Package.Funcs)) {
		for _, prefix := range []string{gofile.Defaulting, gofile.ObjectDefaulting} {
			typ, ok := strings.CutPrefix(name, prefix)
			if !ok {
				continue
			}
			meant := func(t *model.Type) bool { return t.Name == typ && !t.Generic }
			types := slices.DeleteFunc(slices.Clone(inputs(c)), func(t *model.Type) bool { return !meant(t) })
			if len(types) > 0 && !slices.ContainsFunc(types, func(t *model.Type) bool { return setters.TakesPointer(c.Package.Funcs[name], t) }) {
				c.Diags.Errorf(c.Package.Funcs[name].Span, codeSignature, "%s has the wrong signature, so generated code does not call it; it must be func(in *%s)", name, typ)
			}
		}
	}
}

// inputs returns the types of the package and of its +k8s:defaulter-gen-input packages.
func inputs(c *emit.Context) []*model.Type {
	types := slices.Clone(c.Package.Types)
	for _, path := range c.Package.DefaultInputs {
		if p := c.Model.Package(path); p != nil {
			types = append(types, p.Types...)
		}
	}
	return types
}

// checkGenerics warns about defaults in generic types, which get no code.
func checkGenerics(c *emit.Context) {
	for _, t := range c.Package.Types {
		if !t.Generic {
			continue
		}
		for _, f := range t.Fields {
			if f.Default != nil {
				c.Diags.Warnf(f.Default.Span, codeGeneric, "defaults in the generic type %s apply in the schema only; set this one in a SetDefaults_ function of a type that uses %s", t.Name, t.Name)
			}
		}
	}
}
