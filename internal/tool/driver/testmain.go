package driver

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"

	"github.com/kindsmith/kindsmith/internal/core/provenance"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/emit"
)

// testMain returns the hand-written TestMain of a folder, nil if there is none. The go command
// reports files that do not parse.
func (cfg *Config) testMain(dir string) *emit.TestMain {
	names, _ := cfg.Files.List(source.TestFiles, dir)
	for _, name := range names {
		name = filepath.Join(dir, name)
		content, err := cfg.Files.ReadFile(name)
		if err != nil || provenance.Of(name, content).Ours {
			continue
		}
		fset := token.NewFileSet()
		syntax, _ := parser.ParseFile(fset, name, content, parser.SkipObjectResolution)
		if syntax == nil {
			continue
		}
		for _, decl := range syntax.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || fn.Recv != nil || fn.Name.Name != "TestMain" {
				continue
			}
			src, offset := source.NewFile(cfg.name(name), content), fset.File(fn.Pos()).Offset
			return &emit.TestMain{
				Name: src.Span(offset(fn.Name.Pos()), offset(fn.Name.End())),
				Decl: src.Span(offset(fn.Pos()), offset(fn.End())),
			}
		}
	}
	return nil
}
