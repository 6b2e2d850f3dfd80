package defaulting

import (
	"encoding/json"
	"math/big"
	"strconv"

	"github.com/kindsmith/kindsmith/internal/model"
)

// Constant is a package-level constant that a default refers to.
type Constant struct {
	*model.Const
	Package string
	// Type is the constant's declared type, or nil for one that is untyped or of
	// a predeclared type.
	Type *model.Type
}

// FindConstant returns the constant that ref(name) means in a package. The
// name's package may be an import path, or a name that the package imports it by.
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

// JSON returns the constant's value as JSON text.
func (c Constant) JSON() string {
	if !c.IsString {
		if r, ok := new(big.Rat).SetString(c.Value); ok && !r.IsInt() { // Go writes exact fractions: 3/2
			f, _ := r.Float64()
			return strconv.FormatFloat(f, 'g', -1, 64)
		}
		return c.Value
	}
	text, err := json.Marshal(c.Value)
	if err != nil {
		return `""` // a Go string always marshals
	}
	return string(text)
}
