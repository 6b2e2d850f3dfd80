package explain_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/defaulting"
	"github.com/kindsmith/kindsmith/internal/driver"
	"github.com/kindsmith/kindsmith/internal/explain"
	"github.com/kindsmith/kindsmith/internal/tag"
)

var codeForm = regexp.MustCompile(`^[a-z0-9]+/[a-z0-9]+(-[a-z0-9]+)*$`)

// madeUp are the codes that are put together when a diagnostic is made, by the
// expression that does it. A new one belongs into this table.
var madeUp = map[string]func() []string{
	// check/grammar.go: a tag on a type that it is not for.
	`def.Folder() + "/wrong-type"`: func() []string {
		var codes []string
		for _, d := range driver.Tags().All() {
			if d.Shapes != tag.AnyShape && d.Shapes != 0 {
				codes = append(codes, d.Folder()+"/wrong-type")
			}
		}
		return codes
	},
	// tags/default/check.go: what package defaulting finds in a value.
	`"default/" + p.What`: func() []string {
		var codes []string
		for _, what := range []string{
			defaulting.WrongType, defaulting.OutOfRange, defaulting.UnknownField, defaulting.DuplicateKey, defaulting.BadValue, defaulting.NoLiteral,
		} {
			codes = append(codes, "default/"+what)
		}
		return codes
	},
}

// TestEveryCodeHasAPage finds the codes in the source of all packages: string
// literals of a code's form, and what is made of a tag's folder.
func TestEveryCodeHasAPage(t *testing.T) {
	codes := codesInSource(t)
	if len(codes) < 100 {
		t.Fatalf("only %d codes found: the scan does not work", len(codes))
	}
	index := explain.New()
	for _, code := range slices.Sorted(maps.Keys(codes)) {
		if !slices.Contains(index.Codes(), code) {
			t.Errorf("%s: code %s has no page: add it to the Errors of its tag, convention or emitter, or to the Codes of its stage", codes[code], code)
		}
	}
	for _, code := range index.Codes() {
		if _, ok := codes[code]; !ok {
			t.Errorf("code %s has a page, and nothing reports it", code)
		}
	}
}

func codesInSource(t *testing.T) map[string]token.Position {
	t.Helper()
	s := &codeScan{t: t, fset: token.NewFileSet(), codes: map[string]token.Position{}, tails: map[string][]string{}, calls: map[string][]string{}}
	var files []*ast.File
	for _, dir := range sourceDirs(t) {
		names, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(s.fset, name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
	}
	for _, f := range files {
		s.helpers(f)
	}
	for _, f := range files {
		s.file(f)
	}
	return s.codes
}

// sourceDirs are the folders whose packages can report something: all but this
// one, which holds the pages, and those for tests.
func sourceDirs(t *testing.T) []string {
	t.Helper()
	var dirs []string
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || !d.IsDir():
			return err
		case d.Name() == "testdata", d.Name() == "explain", d.Name() == "lists", strings.HasSuffix(d.Name(), "test"):
			return filepath.SkipDir
		}
		dirs = append(dirs, path)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return dirs
}

type codeScan struct {
	t     *testing.T
	fset  *token.FileSet
	codes map[string]token.Position
	// tails are, by the name of a helper of package tag, the second halves of
	// the codes that it reports for the folder that it is given.
	tails map[string][]string
	// calls are the functions that a helper calls.
	calls map[string][]string
}

// helpers finds the functions that take a folder.
func (s *codeScan) helpers(f *ast.File) {
	if f.Name.Name != "tag" {
		return
	}
	for _, decl := range f.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok || !hasFolder(fn) {
			continue
		}
		ast.Inspect(fn, func(n ast.Node) bool {
			if tail, ok := literal(n); ok && strings.HasPrefix(tail, "/") {
				s.tails[fn.Name.Name] = append(s.tails[fn.Name.Name], tail)
			}
			if call, ok := n.(*ast.CallExpr); ok {
				if callee, ok := call.Fun.(*ast.Ident); ok {
					s.calls[fn.Name.Name] = append(s.calls[fn.Name.Name], callee.Name)
				}
			}
			return true
		})
	}
}

// hasFolder reports whether a function is given a tag's folder, or makes one of
// the tag's name.
func hasFolder(fn *ast.FuncDecl) bool {
	found := false
	for _, param := range fn.Type.Params.List {
		for _, name := range param.Names {
			found = found || name.Name == "folder"
		}
	}
	ast.Inspect(fn, func(n ast.Node) bool {
		if assign, ok := n.(*ast.AssignStmt); ok && assign.Tok == token.DEFINE {
			for _, lhs := range assign.Lhs {
				if ident, ok := lhs.(*ast.Ident); ok && ident.Name == "folder" {
					found = true
				}
			}
		}
		return true
	})
	return found
}

// tailsOf are the second halves that a helper reports, itself and through the
// helpers that it calls.
func (s *codeScan) tailsOf(name string, seen map[string]bool) []string {
	if seen[name] {
		return nil
	}
	seen[name] = true
	tails := slices.Clone(s.tails[name])
	for _, callee := range s.calls[name] {
		tails = append(tails, s.tailsOf(callee, seen)...)
	}
	return tails
}

func (s *codeScan) file(f *ast.File) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.CompositeLit:
			if isPageTable(n) {
				return false
			}
		case *ast.CallExpr:
			s.call(f, n)
		case *ast.BasicLit:
			if text, ok := literal(n); ok && codeForm.MatchString(text) && s.isFolder(text) {
				s.add(text, n.Pos())
			}
		}
		return true
	})
}

// call looks at a call that may be given a code, or half of one.
func (s *codeScan) call(f *ast.File, call *ast.CallExpr) {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || len(call.Args) == 0 {
		return
	}
	if folder, ok := literal(call.Args[0]); ok {
		_, short, named := strings.Cut(folder, ":")
		if named {
			folder = strings.ToLower(short)
		}
		for _, tail := range s.tailsOf(sel.Sel.Name, map[string]bool{}) {
			s.add(folder+tail, call.Pos())
		}
	}
	if name := strings.ToLower(sel.Sel.Name); name != "errorf" && name != "warnf" {
		return
	}
	for _, arg := range call.Args[:min(2, len(call.Args))] {
		e, ok := arg.(*ast.BinaryExpr)
		if !ok {
			continue
		}
		text := types.ExprString(e)
		if !strings.Contains(text, `"/`) && !strings.Contains(text, `/"`) || f.Name.Name == "tag" && strings.HasPrefix(text, "folder + ") {
			continue // an offset, or a helper whose callers are looked at
		}
		codes, ok := madeUp[text]
		if !ok {
			s.t.Errorf("%s: which codes can %s be? List it in madeUp", s.fset.Position(e.Pos()), text)
			continue
		}
		for _, code := range codes() {
			s.add(code, e.Pos())
		}
	}
}

func (s *codeScan) add(code string, pos token.Pos) {
	if _, ok := s.codes[code]; !ok {
		s.codes[code] = s.fset.Position(pos)
	}
}

// isFolder reports whether the first half of a code is one that is in use, so
// that "application/json" is not taken for a code.
func (s *codeScan) isFolder(code string) bool {
	folder, _, _ := strings.Cut(code, "/")
	matches, _ := filepath.Glob("../*/" + folder)
	own, _ := filepath.Glob("../" + folder)
	return len(matches)+len(own) > 0 || folder == "versions" || folder == "crd"
}

// isPageTable reports whether a literal is a table of pages: codes with prose.
func isPageTable(lit *ast.CompositeLit) bool {
	if _, ok := lit.Type.(*ast.MapType); !ok || len(lit.Elts) == 0 {
		return false
	}
	first, ok := lit.Elts[0].(*ast.KeyValueExpr)
	if !ok {
		return false
	}
	code, isText := literal(first.Key)
	text, hasText := literal(first.Value)
	return isText && hasText && codeForm.MatchString(code) && strings.Contains(text, " ")
}

func literal(n ast.Node) (string, bool) {
	lit, ok := n.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(lit.Value)
	return text, err == nil
}
