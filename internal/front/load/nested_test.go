package load

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

// TestNested compares the types of a package whose fields were pointers during the check with those of a plain check.
func TestNested(t *testing.T) {
	const text = `package p



type A struct {
	B, Q B ` + "`json:\"b\"`" + `
	D [2][3]B
	E *B
	F []B
	C
	G struct{ B B }

}

type B struct{ X, Y C }

type C struct{ Z int }

func (C) M() {}

type D A

type E = A

type G[T any] struct{ V T; B B }

type H struct{ V G[B]; A A }
`
	check := func(shortened bool) (*Package, *token.FileSet) {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "p.go", text, 0)
		if err != nil {
			t.Fatal(err)
		}
		p := &Package{Info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}}
		var long *nested
		if shortened {
			if long = shorten([]*ast.File{file}); long == nil {
				t.Fatal("nothing is shortened")
			}
		}
		if p.Types, err = (&types.Config{}).Check("p", fset, []*ast.File{file}, p.Info); err != nil {
			t.Fatal(err)
		}
		long.restore(p)
		return p, fset
	}
	defer func(limit int) { nestedLimit = limit }(nestedLimit)
	nestedLimit = 2
	want, _ := check(false)
	got, fset := check(true)
	for _, name := range want.Types.Scope().Names() {
		a, b := want.Types.Scope().Lookup(name), got.Types.Scope().Lookup(name)
		if x, y := types.ObjectString(a, nil), types.ObjectString(b, nil); x != y {
			t.Errorf("%s is\n%s\nwant\n%s", fset.Position(b.Pos()), y, x)
		}
		if x, y := a.Type().Underlying().String(), b.Type().Underlying().String(); x != y {
			t.Errorf("%s is\n%s\nwant\n%s", fset.Position(b.Pos()), y, x)
		}
	}
}
