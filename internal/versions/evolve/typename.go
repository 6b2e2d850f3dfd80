package evolve

import (
	"go/token"
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/model"
)

// typeNameAt returns the Go name of a type in a version.
func (h *evolver) typeNameAt(t *model.Type, v int) string {
	for _, s := range h.of(t).after(v) {
		if s.fromName() != "" {
			return s.fromName()
		}
	}
	return t.Name
}

// typeNamed returns the one of the types that has a name in a version, or nil.
func (h *evolver) typeNamed(types map[*model.Type]bool, name string, v int) *model.Type {
	for _, t := range h.pkg.Types {
		if types[t] && h.typeNameAt(t, v) == name {
			return t
		}
	}
	return nil
}

// generatedNames are the exported names that generated files of a package declare.
var generatedNames = []string{"AddToScheme", "GroupName", "GroupVersion", "Install", "Kind", "RegisterDefaults", "Resource", "SchemeBuilder", "SchemeGroupVersion"}

// checkTypeName reports a previous name that a type cannot have.
func (h *evolver) checkTypeName(t *model.Type, c *model.Changed, v int) bool {
	if c.FromName == nil {
		return true
	}
	fail := func(format string, args ...any) bool {
		h.bag.Errorf(c.FromName.Span, codeTypeName, format, args...)
		return false
	}
	switch name := c.FromName.Text; {
	case t.Kind != nil:
		return fail("%s is a kind, and all versions of a kind have one name, which is that of the Go type; remove the marker", t.Name)
	case t.Alias:
		return fail("%s is an alias of %s, and older versions use that; remove the marker", t.Name, h.spell(t.Def))
	case !exported(t.Name):
		return fail("%s is not exported, so no program uses its name; remove the marker", t.Name)
	case !token.IsIdentifier(name) || !exported(name):
		return fail("fromName of a type is its exported Go name in older versions, such as Old%s", t.Name)
	case slices.Contains(generatedNames, name):
		return fail("generated code of package %s declares %s, so no type can have this name; remove the marker", h.versions[v-1].Name, name)
	}
	return true
}

// checkTypeNames reports types of a generated version that have the name of another declaration there.
func (h *evolver) checkTypeNames(v int, types map[*model.Type]bool, existing *model.Package) {
	byType, byConst := map[string]*model.Type{}, map[string]*model.Const{}
	for _, t := range h.pkg.Types {
		for _, k := range t.Consts {
			if types[t] && h.of(k).exists(v) {
				goName, _ := h.constAt(k, v)
				byConst[goName] = k
			}
		}
	}
	for _, t := range h.pkg.Types {
		if !types[t] {
			continue
		}
		name, version := h.typeNameAt(t, v), h.versions[v].Name
		other := byType[name]
		byType[name] = t
		at := h.nameSpan(t, v)
		if other != nil && at == t.Span { // the other one was renamed
			t, other, at = other, t, h.nameSpan(other, v)
		}
		switch {
		case at == t.Span || h.bag.Has(at, codeOneName):
		case other != nil:
			h.bag.Errorf(at, codeOneName, "%s and %s are both named %s in %s; change the fromName of one, or mark the version in which it was added",
				other.Name, t.Name, name, version).Note(other.Span, "the other type")
		case byConst[name] != nil:
			h.bag.Errorf(at, codeOneName, "%s and the constant %s are both named %s in %s; change the fromName", t.Name, byConst[name].Name, name, version).
				Note(byConst[name].Span, "the constant")
		case existing != nil && existing.Decls[name]:
			h.bag.Errorf(at, codeOneName, "%s is named %s in %s, and the hand-written code of package %s declares %[2]s too; rename the hand-written declaration, or change the fromName",
				t.Name, name, version, existing.Path)
		}
	}
}
