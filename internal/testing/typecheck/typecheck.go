// Package typecheck type-checks packages from the sources of all dependencies. Nothing is compiled, so it is fast where the go
// command would have to compile the dependencies first: for another operating system, or other versions.
//
// [New] returns a [Checker] of the packages below a folder.
package typecheck

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"
)

// Checker type-checks packages. Runs share the files that they parse.
type Checker struct {
	// dir ends with a separator.
	dir   string
	fset  *token.FileSet
	files sync.Map
}

// New returns a checker for the packages in a folder and below. Of other packages it reads the declarations only.
func New(dir string) *Checker {
	return &Checker{dir: strings.TrimSuffix(dir, string(filepath.Separator)) + string(filepath.Separator), fset: token.NewFileSet()}
}

// Check returns the number of packages that match patterns, with their tests, and the mistakes in these and in the packages of
// the folder that they import. env are variables for the go command.
func (c *Checker) Check(env []string, patterns ...string) (int, error) {
	list, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps |
			packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedTypesSizes,
		Dir:       c.dir,
		Env:       append(os.Environ(), env...),
		Fset:      c.fset,
		Tests:     true,
		ParseFile: c.parse,
	}, patterns...)
	if err != nil {
		return 0, err
	}
	if len(list) == 0 {
		return 0, fmt.Errorf("no package matches %s", strings.Join(patterns, " "))
	}
	var errs []error
	packages.Visit(list, nil, func(p *packages.Package) {
		for _, e := range p.Errors {
			// Errors of the go command need not have a file.
			if e.Kind == packages.ListError || slices.ContainsFunc(p.GoFiles, c.isInside) {
				errs = append(errs, e)
			}
		}
	})
	return len(list), errors.Join(errs...)
}

func (c *Checker) isInside(name string) bool { return strings.HasPrefix(name, c.dir) }

// parse parses a file, without the function bodies of other packages.
func (c *Checker) parse(fset *token.FileSet, name string, content []byte) (*ast.File, error) {
	if file, ok := c.files.Load(name); ok {
		return file.(*ast.File), nil
	}
	file, err := parser.ParseFile(fset, name, content, parser.SkipObjectResolution)
	if err != nil {
		return file, err
	}
	if !c.isInside(name) {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				f.Body = nil
			}
		}
	}
	c.files.Store(name, file)
	return file, nil
}
