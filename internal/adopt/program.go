package adopt

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/kindsmith/kindsmith/internal/signature"
	"github.com/kindsmith/kindsmith/internal/source"
)

// functions returns the package-level functions of a folder by name, with the number of their parameters. Files
// that kindsmith wrote do not count, those of other generators do.
func functions(dir string) map[string]int {
	files, found := source.NewFS(nil), map[string]int{}
	names, err := files.List(source.GoFiles, dir)
	if err != nil {
		return found
	}
	for _, name := range names {
		path := filepath.Join(dir, name)
		content, err := files.ReadFile(path)
		if err != nil || strings.HasSuffix(name, "_test.go") || signature.Of(path, content).Ours {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, content, parser.SkipObjectResolution)
		if err != nil {
			continue // the build reports it
		}
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil {
				found[fn.Name.Name] = fn.Type.Params.NumFields()
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

// BuildError is the output of the go command for a program that does not compile.
type BuildError struct{ Output string }

func (e *BuildError) Error() string { return e.Output }

// runner is a running program.
type runner struct {
	cmd    *exec.Cmd
	dir    string
	in     io.WriteCloser
	out    *bufio.Reader
	stderr bytes.Buffer
}

// start builds the program as a package below a folder, which is not changed, and runs it.
func (p *program) start(ctx context.Context, below string, tags []string) (*runner, error) {
	dir, err := os.MkdirTemp("", "kindsmith-adopt-")
	if err != nil {
		return nil, err
	}
	r := &runner{dir: dir}
	if err := r.build(ctx, p, below, tags); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	if err := r.run(ctx); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return r, nil
}

func (r *runner) build(ctx context.Context, p *program, below string, tags []string) error {
	const folder = "kindsmith-adopt"
	main, overlay := filepath.Join(r.dir, "main.go"), filepath.Join(r.dir, "overlay.json")
	text := fmt.Sprintf(mainText, strings.Join(p.imports, "\n\t"), strings.Join(p.ops, ",\n\t"))
	if err := source.WriteFile(main, []byte(text)); err != nil {
		return err
	}
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(below, folder, "main.go"): main}})
	if err != nil {
		return err
	}
	if err := source.WriteFile(overlay, replace); err != nil {
		return err
	}
	args := []string{"build", "-overlay", overlay, "-o", filepath.Join(r.dir, "program")}
	if len(tags) > 0 {
		args = append(args, "-tags", strings.Join(tags, ","))
	}
	cmd := exec.CommandContext(ctx, "go", append(args, "./"+folder)...)
	cmd.Dir = below
	if out, err := cmd.CombinedOutput(); err != nil {
		return &BuildError{Output: strings.TrimSpace(string(out))}
	}
	return nil
}

func (r *runner) run(ctx context.Context) error {
	r.cmd = exec.CommandContext(ctx, filepath.Join(r.dir, "program"))
	in, err := r.cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := r.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	r.in, r.out, r.cmd.Stderr = in, bufio.NewReader(out), &r.stderr
	return r.cmd.Start()
}

// answer is what an operation does with an object.
type answer struct {
	In, Out json.RawMessage
	Error   string
}

// do runs an operation.
func (r *runner) do(op int, object []byte) (answer, error) {
	var a answer
	line, err := json.Marshal(map[string]any{"Op": op, "Object": json.RawMessage(object)})
	if err != nil {
		return a, err
	}
	if _, err := r.in.Write(append(line, '\n')); err != nil {
		return a, r.failed(err)
	}
	text, err := r.out.ReadBytes('\n')
	if err != nil {
		return a, r.failed(err)
	}
	return a, json.Unmarshal(text, &a)
}

// failed says why the program does not answer.
func (r *runner) failed(err error) error {
	if text, _, _ := strings.Cut(strings.TrimSpace(r.stderr.String()), "\n"); text != "" {
		return fmt.Errorf("the conversion functions ended the program: %s", text)
	}
	return fmt.Errorf("the conversion functions ended the program: %w", err)
}

// stop ends the program.
func (r *runner) stop() error {
	closed := r.in.Close()
	_ = r.cmd.Wait() // it has answered
	return errors.Join(closed, os.RemoveAll(r.dir))
}
