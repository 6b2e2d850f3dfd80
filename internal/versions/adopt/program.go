package adopt

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/goprogram"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/provenance"
	"github.com/kindsmith/kindsmith/internal/core/source"
)

// function is a function or a method.
type function struct {
	decl *ast.FuncDecl
	// byHand is set if a person wrote the file.
	byHand bool
	file   *source.File
	fset   *token.FileSet
}

// span returns the position of a node of the function.
func (f *function) span(n ast.Node) source.Span {
	return f.file.Span(f.fset.Position(n.Pos()).Offset, f.fset.Position(n.End()).Offset)
}

// functions returns the functions of a package by name, methods as Type.name. Files that kindsmith wrote do not count,
// those of other generators do.
func functions(p *model.Package) map[string]*function {
	found := map[string]*function{}
	for _, path := range goFiles(p.Dir) {
		content, err := source.NewFS(nil).ReadFile(path)
		by := provenance.Of(path, content)
		if err != nil || by.Ours {
			continue
		}
		fset := token.NewFileSet()
		syntax, err := parser.ParseFile(fset, path, content, parser.SkipObjectResolution)
		if err != nil {
			continue // the build reports it
		}
		file := source.NewFile(nameIn(p, path), content)
		for _, d := range syntax.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				name := fn.Name.Name
				if fn.Recv != nil {
					name = receiver(fn) + "." + name
				}
				found[name] = &function{decl: fn, byHand: by.ByHand(), file: file, fset: fset}
			}
		}
	}
	return found
}

// program is a Go program that is built with the packages of an API, outside of their folders, and that
// converts objects with their functions.
type program struct {
	imports []string
	names   map[string]string
	ops     []string
}

// pkg returns the name of a package in the program.
func (p *program) pkg(path string) string {
	if p.names[path] == "" {
		if p.names == nil {
			p.names = map[string]string{}
		}
		p.names[path] = fmt.Sprintf("p%d", len(p.names))
		p.imports = append(p.imports, p.names[path]+" "+fmt.Sprintf("%q", path))
	}
	return p.names[path]
}

// op adds an operation: an expression of the type func([]byte) (in, out []byte, err error). It returns its
// number.
func (p *program) op(format string, args ...any) int {
	p.ops = append(p.ops, fmt.Sprintf(format, args...))
	return len(p.ops) - 1
}

// mainText is the program. It answers each line of the input with one line.
const mainText = `package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	%s
)

type request struct {
	Op     int
	Object json.RawMessage
}

type answer struct {
	In, Out json.RawMessage ` + "`json:\",omitempty\"`" + `
	Error   string ` + "`json:\",omitempty\"`" + `
}

var ops = []func([]byte) ([]byte, []byte, error){
	%s,
}

// again reads an object, and writes it.
func again[T any](text []byte) (in, out []byte, err error) {
	var object T
	if err := json.Unmarshal(text, &object); err != nil {
		return nil, nil, err
	}
	in, err = json.Marshal(&object)
	return in, in, err
}

func convert[A, B any](f func(*A, *B) error) func([]byte) ([]byte, []byte, error) {
	return func(text []byte) (in, out []byte, err error) {
		var from A
		var to B
		if err := json.Unmarshal(text, &from); err != nil {
			return nil, nil, err
		}
		if in, err = json.Marshal(&from); err != nil {
			return nil, nil, err
		}
		if err := f(&from, &to); err != nil {
			return in, nil, err
		}
		out, err = json.Marshal(&to)
		return in, out, err
	}
}

func run(r request) (a answer) {
	defer func() {
		if p := recover(); p != nil {
			a.Out, a.Error = nil, fmt.Sprint("panic: ", p)
		}
	}()
	var err error
	if a.In, a.Out, err = ops[r.Op](r.Object); err != nil {
		a.Out, a.Error = nil, err.Error()
	}
	return a
}

func main() {
	in, out := json.NewDecoder(bufio.NewReader(os.Stdin)), bufio.NewWriter(os.Stdout)
	os.Stdout = os.Stderr // for what functions print
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for {
		var r request
		if in.Decode(&r) != nil {
			return
		}
		if encoder.Encode(run(r)) != nil || out.Flush() != nil {
			return
		}
	}
}
`

// start builds the program as a package below a folder, which is not changed, and runs it.
func (p *program) start(ctx context.Context, below string, tags []string) (*runner, error) {
	r := &runner{}
	main := fmt.Sprintf(mainText, strings.Join(p.imports, "\n\t"), strings.Join(p.ops, ",\n\t"))
	of := goprogram.Source{Dir: below, Main: []byte(main), Tags: tags, Stderr: &r.stderr}
	var err error
	r.Program, err = of.Start(ctx)
	return r, err
}

// runner is a running program.
type runner struct {
	*goprogram.Program
	stderr bytes.Buffer
}

// answer is what an operation does with an object.
type answer struct {
	In, Out json.RawMessage
	Error   string
}

// do runs an operation.
func (r *runner) do(op int, object []byte) (a answer, err error) {
	err = r.Call(map[string]any{"Op": op, "Object": json.RawMessage(object)}, &a)
	if ended := (*goprogram.EndError)(nil); errors.As(err, &ended) {
		if text, _, _ := strings.Cut(strings.TrimSpace(r.stderr.String()), "\n"); text != "" {
			return a, fmt.Errorf("the conversion functions %w: %s", ended, text)
		}
		return a, fmt.Errorf("the conversion functions %w", ended)
	}
	return a, err
}
