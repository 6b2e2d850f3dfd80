package load

import (
	"go/ast"
	"go/token"
	"go/types"
)

// go/types checks that no struct contains itself by a walk over the structs in each struct, once for each path to them. If
// every struct contains the next one twice, the time doubles with each. So where a struct consists of very many, its
// fields are pointers for the check, which end the walk, and get their types afterwards.

// nestedLimit is the number of types in a struct, counted once for each path, from which its fields are pointers. It is far
// above that of any useful type: the Go compiler walks in the same way.
var nestedLimit = 1 << 12

// nested are the struct types of a package in which fields are pointers while it is checked.
type nested struct {
	// sizes are the numbers of types in declared types, specs their declarations.
	sizes map[string]int
	specs map[string]*ast.TypeSpec
	// fields are the changed fields of each struct, by their indices.
	fields map[string]map[int]bool
	undo   []func()
}

// Nests reports whether go/types would check the structs in files for long.
func Nests(files []*ast.File) bool { return count(files) != nil }

// shorten makes pointers of the fields that the check would walk for long. It returns nil if there are none.
func shorten(files []*ast.File) *nested {
	n := count(files)
	if n == nil {
		return nil
	}
	for name, spec := range n.specs {
		if s, ok := spec.Type.(*ast.StructType); ok {
			n.replace(name, s)
		}
	}
	return n
}

// count counts the types in the types of a package. It returns nil if no type has very many.
func count(files []*ast.File) *nested {
	n := &nested{sizes: map[string]int{}, specs: map[string]*ast.TypeSpec{}, fields: map[string]map[int]bool{}}
	for _, f := range files {
		for _, decl := range f.Decls {
			if g, ok := decl.(*ast.GenDecl); ok && g.Tok == token.TYPE {
				for _, spec := range g.Specs {
					if spec := spec.(*ast.TypeSpec); spec.TypeParams == nil {
						n.specs[spec.Name.Name] = spec
					}
				}
			}
		}
	}
	most := 0
	for name := range n.specs {
		most = max(most, n.declared(name))
	}
	if most < nestedLimit {
		return nil
	}
	return n
}

// open is the number of types in a type that is being counted: a struct that contains itself is a mistake, which the
// check reports.
const open = 0

func (n *nested) declared(name string) int {
	spec := n.specs[name]
	if spec == nil {
		return 1
	}
	size, ok := n.sizes[name]
	if !ok {
		n.sizes[name] = open
		size = n.size(spec.Type)
		n.sizes[name] = size
	}
	return size
}

// size returns the number of types that a walk over a type visits, up to an amount that is never walked.
func (n *nested) size(e ast.Expr) int {
	size := 1
	switch e := e.(type) {
	case *ast.ParenExpr:
		return n.size(e.X)
	case *ast.Ident:
		return n.declared(e.Name)
	case *ast.ArrayType:
		if e.Len != nil {
			size += n.size(e.Elt)
		}
	case *ast.StructType:
		for _, f := range e.Fields.List {
			size += max(1, len(f.Names)) * n.size(f.Type)
		}
	}
	return min(size, 1<<40)
}

// replace makes pointers of the large fields of a struct.
func (n *nested) replace(name string, s *ast.StructType) {
	i := 0
	for _, f := range s.Fields.List {
		vars := max(1, len(f.Names))
		place := &f.Type
		for {
			if array, ok := (*place).(*ast.ArrayType); ok && array.Len != nil {
				place = &array.Elt
				continue
			}
			break
		}
		if typ, ok := (*place).(*ast.Ident); ok && n.size(typ)*len(s.Fields.List) >= nestedLimit {
			*place = &ast.StarExpr{Star: typ.Pos(), X: typ} // the check reads it, and a mistake has the position of the type
			n.undo = append(n.undo, func() { *place = typ })
			if n.fields[name] == nil {
				n.fields[name] = map[int]bool{}
			}
			for j := range vars {
				n.fields[name][i+j] = true
			}
		}
		i += vars
	}
}

// restore restores the syntax, and the types of the fields.
func (n *nested) restore(p *Package) {
	if n == nil {
		return
	}
	for _, undo := range n.undo {
		undo()
	}
	if p.Types == nil {
		return
	}
	scope := p.Types.Scope()
	structs := map[*types.Struct]*types.Struct{}
	for name, fields := range n.fields {
		obj, ok := scope.Lookup(name).(*types.TypeName)
		if !ok {
			continue
		}
		was, ok := obj.Type().Underlying().(*types.Struct)
		if !ok {
			continue
		}
		vars, tags := make([]*types.Var, was.NumFields()), make([]string, was.NumFields())
		for i := range vars {
			vars[i], tags[i] = was.Field(i), was.Tag(i)
			if fields[i] {
				v := vars[i]
				vars[i] = types.NewField(v.Pos(), v.Pkg(), v.Name(), pointee(v.Type()), v.Embedded())
			}
		}
		structs[was] = types.NewStruct(vars, tags)
	}
	for _, name := range scope.Names() {
		obj, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || obj.IsAlias() {
			continue
		}
		named, ok := obj.Type().(*types.Named)
		if !ok {
			continue
		}
		if s, ok := named.Underlying().(*types.Struct); ok && structs[s] != nil {
			named.SetUnderlying(structs[s])
		}
	}
	for e, tv := range p.Info.Types {
		if s, ok := tv.Type.(*types.Struct); ok && structs[s] != nil {
			tv.Type = structs[s]
			p.Info.Types[e] = tv
		}
	}
}

// pointee returns the type of a field without the pointer, which is in arrays.
func pointee(t types.Type) types.Type {
	switch t := t.(type) {
	case *types.Array:
		return types.NewArray(pointee(t.Elem()), t.Len())
	case *types.Pointer:
		return t.Elem()
	}
	return t
}
