// Package wiring adds webhooks to the Go source of a manager: the server, the scheme, and a call for each kind.
//
// [Add] returns the changed source, [SetsUp] says what the source has already.
//
// It changes a file only where it knows what the lines mean. Elsewhere it says what to write, and where.
package wiring

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
)

// The packages that managers import.
const (
	controllerRuntime = "sigs.k8s.io/controller-runtime"
	managerPackage    = controllerRuntime + "/pkg/manager"
	webhookPackage    = controllerRuntime + "/pkg/webhook"
	serverPackage     = Module + "/server"
	convertPackage    = "github.com/kindsmith/kindsmith/runtime/jsonconvert"
	schemePackage     = "k8s.io/apimachinery/pkg/util/runtime"
)

// Module is the module of the server.
const Module = "github.com/kindsmith/kindsmith/webhook"

// An API is a group whose kinds a manager serves.
type API struct {
	// Group is the API group.
	Group string
	// Package is the import path of the newest version, and Older are those of the older versions.
	Package string
	Older   []string
	// Converts is the import path of the older version whose table converts all versions; "" for none.
	Converts string
	// Kinds are the names of the kinds in Package.
	Kinds []string
}

// alias returns the name under which a manager imports a version of the API, such as shopv1.
func (a *API) alias(importPath string) string {
	group, _, _ := strings.Cut(a.Group, ".")
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(group+path.Base(importPath)))
}

// IsManager reports whether a Go file creates a manager.
func IsManager(content []byte) bool {
	if !bytes.Contains(content, []byte("NewManager(")) && !bytes.Contains(content, []byte("manager.New(")) {
		return false
	}
	f, err := parse(content)
	return err == nil && f.newManager() != nil
}

// Options are facts about the project of a manager.
type Options struct {
	// Markers is set if permissions are markers in Go files.
	Markers bool
	// ByHand reports kinds whose webhooks hand-written code sets up.
	ByHand func(importPath, kind string) bool
}

// Add returns the source of a manager that serves the webhooks of APIs: the source as it is if nothing is missing. An error
// says what people have to do; the source then lacks only this.
func Add(content []byte, apis []API, o Options) ([]byte, error) {
	f, err := parse(content)
	if err != nil {
		return content, err
	}
	call := f.newManager()
	if call == nil {
		return content, errors.New("the file creates no manager")
	}
	f.options = o
	var problems []error
	for _, step := range []func(*created, []API) error{f.addServer, f.addSchemes, f.addKinds} {
		problems = append(problems, step(call, apis))
	}
	out, err := f.apply()
	if err != nil {
		return content, err
	}
	return out, errors.Join(problems...)
}

// file is a Go file with edits.
type file struct {
	content []byte
	fset    *token.FileSet
	syntax  *ast.File
	options Options
	edits   []edit
	// imports has the local names of imported packages, and added the ones to import.
	imports map[string]string
	added   []string
}

// edit replaces a part of the content.
type edit struct {
	start, end int
	text       string
}

func parse(content []byte) (*file, error) {
	f := &file{content: content, fset: token.NewFileSet(), imports: map[string]string{}}
	var err error
	if f.syntax, err = parser.ParseFile(f.fset, "", content, parser.ParseComments|parser.SkipObjectResolution); err != nil {
		return nil, err
	}
	for _, spec := range f.syntax.Imports {
		importPath, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		name := path.Base(importPath)
		if spec.Name != nil {
			name = spec.Name.Name
		} else if importPath == controllerRuntime {
			name = "controllerruntime"
		}
		if name != "_" && name != "." {
			f.imports[importPath] = name
		}
	}
	return f, nil
}

// use returns the local name of a package, and imports it.
func (f *file) use(importPath, alias string) string {
	if name := f.imports[importPath]; name != "" {
		return name
	}
	taken := func(name string) bool {
		for _, other := range f.imports {
			if other == name {
				return true
			}
		}
		return f.syntax.Scope != nil && f.syntax.Scope.Lookup(name) != nil
	}
	name := cmp.Or(alias, path.Base(importPath))
	for base, i := name, 2; taken(name); i++ {
		name = base + strconv.Itoa(i)
	}
	f.imports[importPath] = name
	f.added = append(f.added, importPath)
	return name
}

func (f *file) offset(pos token.Pos) int { return f.fset.Position(pos).Offset }

func (f *file) text(n ast.Node) string {
	return string(f.content[f.offset(n.Pos()):f.offset(n.End())])
}

func (f *file) replace(n ast.Node, text string) {
	f.edits = append(f.edits, edit{f.offset(n.Pos()), f.offset(n.End()), text})
}

func (f *file) insert(pos token.Pos, text string) {
	f.edits = append(f.edits, edit{f.offset(pos), f.offset(pos), text})
}

// isCall reports whether an expression is a call of a function of a package.
func (f *file) isCall(e ast.Expr, importPath, name string) (*ast.CallExpr, bool) {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return nil, false
	}
	fun := call.Fun
	if generic, ok := fun.(*ast.IndexExpr); ok {
		fun = generic.X
	}
	selector, ok := fun.(*ast.SelectorExpr)
	if !ok || selector.Sel.Name != name {
		return nil, false
	}
	x, ok := selector.X.(*ast.Ident)
	return call, ok && f.imports[importPath] != "" && x.Name == f.imports[importPath]
}

// created is where a file creates a manager.
type created struct {
	call *ast.CallExpr
	// fun is the function around it, list the statements of its block, and index that of the call.
	fun   *ast.FuncDecl
	list  []ast.Stmt
	index int
	// manager is the name of the manager's variable.
	manager string
	// handled is the statement that handles the error; nil for none.
	handled *ast.IfStmt
}

// newManager returns where the file creates a manager with a statement of its own; nil for nowhere.
func (f *file) newManager() (found *created) {
	for _, decl := range f.syntax.Decls {
		fun, ok := decl.(*ast.FuncDecl)
		if !ok || fun.Body == nil {
			continue
		}
		ast.Inspect(fun.Body, func(n ast.Node) bool {
			block, ok := n.(*ast.BlockStmt)
			if !ok || found != nil {
				return found == nil
			}
			for i, stmt := range block.List {
				assign, ok := stmt.(*ast.AssignStmt)
				if !ok || len(assign.Rhs) != 1 || len(assign.Lhs) != 2 {
					continue
				}
				call, ok := f.isCall(assign.Rhs[0], controllerRuntime, "NewManager")
				if !ok {
					call, ok = f.isCall(assign.Rhs[0], managerPackage, "New")
				}
				name, isIdent := assign.Lhs[0].(*ast.Ident)
				if !ok || !isIdent || len(call.Args) != 2 {
					continue
				}
				found = &created{call: call, fun: fun, list: block.List, index: i, manager: name.Name}
				if i+1 < len(block.List) {
					if handled, ok := block.List[i+1].(*ast.IfStmt); ok && handled.Init == nil {
						found.handled = handled
					}
				}
				break
			}
			return found == nil
		})
	}
	return found
}

// after is where the statements that follow the manager begin.
func (c *created) after() token.Pos {
	if c.handled != nil {
		return c.handled.End()
	}
	return c.list[c.index].End()
}

// fail returns the statements that handle an error of the function around the manager.
func (f *file) fail(c *created) string {
	results := c.fun.Type.Results
	switch {
	case results.NumFields() == 1 && f.text(results.List[0].Type) == "error":
		return "return err"
	case c.handled != nil && results.NumFields() == 0:
		var lines []string
		for _, stmt := range c.handled.Body.List {
			lines = append(lines, f.text(stmt))
		}
		if len(lines) > 0 {
			return quoted(strings.Join(lines, "\n"), "Failed to set up webhooks")
		}
	}
	return "panic(err)"
}

// quoted replaces the first text in double quotes.
func quoted(code, text string) string {
	before, rest, ok := strings.Cut(code, `"`)
	_, after, closed := strings.Cut(rest, `"`)
	if !ok || !closed {
		return code
	}
	return before + strconv.Quote(text) + after
}

// check returns a statement that handles the error of a call.
func (f *file) check(c *created, call string) string {
	return "\nif err := " + call + "; err != nil {\n" + f.fail(c) + "\n}"
}

// apply returns the content with all edits.
func (f *file) apply() ([]byte, error) {
	if len(f.edits) == 0 {
		return f.content, nil
	}
	f.addImports()
	slices.SortStableFunc(f.edits, func(a, b edit) int { return cmp.Compare(a.start, b.start) })
	var out bytes.Buffer
	at := 0
	for _, e := range f.edits {
		out.Write(f.content[at:e.start])
		out.WriteString(e.text)
		at = e.end
	}
	out.Write(f.content[at:])
	formatted, err := format.Source(out.Bytes())
	if err != nil {
		return nil, fmt.Errorf("the lines to add do not fit: %w", err)
	}
	return formatted, nil
}

// addImports adds imports to the last block of imports, or in a new one.
func (f *file) addImports() {
	if len(f.added) == 0 {
		return
	}
	var lines strings.Builder
	slices.Sort(f.added)
	for _, importPath := range f.added {
		name := ""
		if local := f.imports[importPath]; local != path.Base(importPath) {
			name = local + " "
		}
		lines.WriteString("\n" + name + strconv.Quote(importPath))
	}
	var block *ast.GenDecl
	for _, decl := range f.syntax.Decls {
		if d, ok := decl.(*ast.GenDecl); ok && d.Tok == token.IMPORT && d.Lparen.IsValid() && len(d.Specs) > 0 {
			block = d
		}
	}
	if block == nil {
		f.insert(f.syntax.Name.End(), "\n\nimport ("+lines.String()+"\n)")
		return
	}
	f.insert(block.Specs[len(block.Specs)-1].End(), lines.String())
}
