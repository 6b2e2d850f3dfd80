package evolve

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/gofile"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/provenance"
	"github.com/kindsmith/kindsmith/internal/core/source"
)

// byHand has the hand-written declarations in the folder of an older version.
type byHand struct {
	// files are the names of the files, tests excepted.
	files []string
	// methods are by receiver type, then name.
	methods map[string]map[string]*model.Method
}

// readByHand reads the hand-written Go files of a folder, which may not exist. The loader reports
// files that do not parse.
func readByHand(files *source.FS, dir string) byHand {
	found := byHand{methods: map[string]map[string]*model.Method{}}
	names, err := files.List(source.GoFiles, dir)
	if err != nil {
		return found
	}
	for _, name := range names {
		content, err := files.ReadFile(filepath.Join(dir, name))
		by := provenance.Of(name, content)
		if err != nil || by.Ours {
			continue
		}
		found.files = append(found.files, name)
		if by.Generator != "" && strings.HasPrefix(name, provenance.Prefix) {
			continue // methods of other generators' files are generated again
		}
		syntax, _ := parser.ParseFile(token.NewFileSet(), name, content, parser.SkipObjectResolution)
		if syntax != nil {
			found.addMethods(syntax)
		}
	}
	return found
}

func (b byHand) addMethods(file *ast.File) {
	for _, decl := range file.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		name, pointer := gofile.Receiver(fn)
		if name == "" {
			continue
		}
		if b.methods[name] == nil {
			b.methods[name] = map[string]*model.Method{}
		}
		b.methods[name][fn.Name.Name] = &model.Method{Pointer: pointer, Result: gofile.Result(fn.Type), Param: gofile.Param(fn.Type)}
	}
}
