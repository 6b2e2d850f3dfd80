package defaulting

import "github.com/kindsmith/kindsmith/internal/core/model"

// Constant is a package-level constant that a default refers to.
type Constant struct {
	*model.Const
	Package string
	// Type is the constant's declared type, or nil for one that is untyped or of
	// a predeclared type.
	Type *model.Type
}

// FindConstant returns the constant of ref(name) in a package. The name may begin with an import
// path or an import name.
func FindConstant(m *model.Model, from string, name model.Name) (Constant, bool) {
	path := name.Package
	if path == "" {
		path = from
	}
	if p := m.Package(from); p != nil && p.Imports[path] != "" {
		path = p.Imports[path]
	}
	p := m.Package(path)
	if p == nil {
		return Constant{}, false
	}
	if c := p.Consts[name.Name]; c != nil {
		return Constant{Const: c, Package: path}, true
	}
	for _, t := range p.Types {
		for _, c := range t.Consts {
			if c.Name == name.Name {
				return Constant{Const: c, Package: path, Type: t}, true
			}
		}
	}
	return Constant{}, false
}
