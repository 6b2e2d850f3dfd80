// Platforms type-checks packages for operating systems:
//
//	platforms windows,darwin ./cmd/... ./runtime/...
//
// It reads the sources of all dependencies, and compiles nothing. Function bodies are checked in the folder that it runs in
// and below.
package main

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

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) < 2 {
		return errors.New("usage: platforms <os>,… <packages>")
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	s := sources{dir: dir + string(filepath.Separator), fset: token.NewFileSet()}
	var errs []error
	for system := range strings.SplitSeq(args[0], ",") {
		errs = append(errs, s.check(system, args[1:]))
	}
	return errors.Join(errs...)
}

// sources are parsed files, which most systems share.
type sources struct {
	// dir is the folder whose function bodies are checked.
	dir   string
	fset  *token.FileSet
	files sync.Map
}

// check returns the mistakes of the packages, and of those in the folder that they import.
func (s *sources) check(system string, patterns []string) error {
	list, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps |
			packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedTypesSizes,
		Env:       append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0"),
		Fset:      s.fset,
		Tests:     true,
		ParseFile: s.parse,
	}, patterns...)
	if err != nil {
		return fmt.Errorf("%s: %w", system, err)
	}
	if len(list) == 0 {
		return fmt.Errorf("%s: no packages", system)
	}
	var errs []error
	packages.Visit(list, nil, func(p *packages.Package) {
		for _, e := range p.Errors {
			// Errors of the go command have no position, or one in another file.
			if e.Kind == packages.ListError || slices.ContainsFunc(p.GoFiles, func(name string) bool { return strings.HasPrefix(name, s.dir) }) {
				errs = append(errs, fmt.Errorf("%s: %w", system, e))
			}
		}
	})
	if len(errs) == 0 {
		fmt.Printf("%s: %d packages\n", system, len(list))
	}
	return errors.Join(errs...)
}

// parse parses a file without the function bodies of dependencies, whose declarations are enough.
func (s *sources) parse(fset *token.FileSet, name string, content []byte) (*ast.File, error) {
	if file, ok := s.files.Load(name); ok {
		return file.(*ast.File), nil
	}
	file, err := parser.ParseFile(fset, name, content, parser.SkipObjectResolution)
	if err != nil {
		return file, err
	}
	if !strings.HasPrefix(name, s.dir) {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				f.Body = nil
			}
		}
	}
	s.files.Store(name, file)
	return file, nil
}
