// Package goprogram builds Go programs that call the code of a project, and runs them. Nothing is written into the
// folders of the project.
//
// A [Source] becomes a [Program]. [*BuildError] has the author's mistakes that the go command found, and [*EndError] what
// the program did instead of an answer.
//
// The program runs with an overlay of the go command and exchanges JSON with the caller. [Packages] names the packages that a program
// can import for their kinds.
package goprogram

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/source"
)

// Source is a program. It answers each JSON value on its standard input with one on its standard output.
type Source struct {
	// Dir is the folder below which the package of the program is for the go command, so that it can import what
	// packages there can.
	Dir string
	// Main is the only file of the package.
	Main []byte
	// Files are contents of files of the project, by absolute path, in the place of those on the disk; nil removes
	// a file.
	Files map[string][]byte
	// Tags are build tags.
	Tags []string
	// Stderr gets what the program prints to its standard error; nil discards it.
	Stderr io.Writer
}

// Folder is the folder of the program's package below Dir. It exists in overlays only.
const Folder = "zz_generated_program"

// Program is a running program. It is not safe for concurrent use.
type Program struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *json.Decoder
	// temp is the folder of the executable.
	temp string
	// ended is the error of a program that has ended.
	ended error
}

// Start builds the program and starts it. If it does not build, the error is a *BuildError.
func (s *Source) Start(ctx context.Context) (p *Program, err error) {
	temp, err := os.MkdirTemp("", "kindsmith-program-")
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(temp))
		}
	}()
	executable := filepath.Join(temp, "program.exe")
	if err := s.build(ctx, temp, executable, nil); err != nil {
		return nil, err
	}
	p = &Program{cmd: exec.CommandContext(ctx, executable), temp: temp}
	p.cmd.Stderr = s.Stderr
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = json.NewDecoder(bufio.NewReader(out))
	return p, p.cmd.Start()
}

// WebAssembly builds the program for browsers. If it does not build, the error is a *BuildError.
func (s *Source) WebAssembly(ctx context.Context) (program []byte, err error) {
	temp, err := os.MkdirTemp("", "kindsmith-program-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	path := filepath.Join(temp, "program.wasm")
	if err := s.build(ctx, temp, path, []string{"GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0"}, "-trimpath", "-gcflags=all=-l"); err != nil {
		return nil, err
	}
	return source.NewFS(nil).ReadFile(path)
}

// build builds the program to a path, in an environment with more variables. It writes its files into a temporary folder.
func (s *Source) build(ctx context.Context, temp, path string, env []string, flags ...string) error {
	files := maps.Clone(s.Files)
	if files == nil {
		files = map[string][]byte{}
	}
	files[filepath.Join(s.Dir, Folder, "main.go")] = s.Main
	overlay, err := writeOverlay(temp, files)
	if err != nil {
		return err
	}
	args := slices.Concat([]string{"build", "-overlay", overlay, "-tags", strings.Join(s.Tags, ","), "-ldflags", "-s -w"}, flags, []string{"-o", path, "./" + Folder})
	build := exec.CommandContext(ctx, "go", args...)
	build.Dir, build.Env = s.Dir, append(os.Environ(), env...)
	if output, err := build.CombinedOutput(); err != nil {
		return &BuildError{Output: strings.TrimSpace(string(output)), Dir: s.Dir, Err: err}
	}
	return nil
}

// writeOverlay writes files for the go command's option -overlay.
func writeOverlay(dir string, files map[string][]byte) (path string, err error) {
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	for i, name := range slices.Sorted(maps.Keys(files)) {
		if files[name] == nil {
			overlay.Replace[name] = ""
			continue
		}
		overlay.Replace[name] = filepath.Join(dir, strconv.Itoa(i)+".go")
		if err := source.WriteFile(overlay.Replace[name], files[name]); err != nil {
			return "", err
		}
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		return "", err
	}
	path = filepath.Join(dir, "overlay.json")
	return path, source.WriteFile(path, text)
}

// Call sends a request to the program and reads its answer. If the program ends, this and all later calls return an
// *EndError.
func (p *Program) Call(request, answer any) error {
	if p.ended != nil {
		return p.ended
	}
	err := json.NewEncoder(p.in).Encode(request)
	if err == nil {
		err = p.out.Decode(answer)
	}
	if err == nil {
		return nil
	}
	_ = p.in.Close() // a program that goes on ends with its input
	if err = p.cmd.Wait(); err == nil {
		err = errors.New("exit status 0")
	}
	p.ended = &EndError{Err: err}
	return p.ended
}

// Close ends the program and removes what Start has written.
func (p *Program) Close() error {
	if p.ended == nil {
		p.ended = &EndError{Err: os.ErrClosed}
		_ = p.in.Close()
		_ = p.cmd.Wait() // it ends with its input
	}
	return os.RemoveAll(p.temp)
}

// EndError says why a program has ended.
type EndError struct{ Err error }

func (e *EndError) Error() string { return "ended the program: " + e.Err.Error() }
func (e *EndError) Unwrap() error { return e.Err }

// BuildError says why a program does not build.
type BuildError struct {
	// Output is that of the go command in Dir, and Err its failure.
	Output, Dir string
	Err         error
}

func (e *BuildError) Error() string {
	return fmt.Sprintf("building a program in %s: %v\n%s", e.Dir, e.Err, e.Output)
}
func (e *BuildError) Unwrap() error { return e.Err }

// Mistake is what the go command reports about a file of the project.
type Mistake struct {
	At      source.Span
	Message string
}

// located is a line of the go command's output about a file.
var located = regexp.MustCompile(`^(\S.*\.go):(\d+)(?::(\d+))?: (.*)$`)

// Mistakes returns what the output says about files of the project, with paths relative to the working directory.
// There are none if the go command fails for another reason.
func (e *BuildError) Mistakes() []Mistake {
	wd, err := os.Getwd()
	if err != nil {
		wd = ""
	}
	var list []Mistake
	for line := range strings.Lines(e.Output) {
		m := located.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if m == nil || strings.Contains(m[1], Folder) && !strings.Contains(m[4], "provides package") {
			continue
		}
		path := m[1]
		if !filepath.IsAbs(path) {
			path = filepath.Join(e.Dir, path)
		}
		if rel, err := filepath.Rel(wd, path); err == nil && wd != "" {
			path = rel
		}
		var at source.Position
		at.Line, _ = strconv.Atoi(m[2]) // digits
		if at.Column, _ = strconv.Atoi(m[3]); at.Column == 0 {
			at.Column = 1
		}
		list = append(list, Mistake{source.Place(filepath.ToSlash(path), at), m[4]})
	}
	return list
}
