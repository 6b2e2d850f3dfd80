package convert

import (
	"bytes"
	_ "embed"
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
	"text/template"

	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/source"
	"github.com/kindsmith/kindsmith/runtime/wire"
)

// Build says how programs are built that call the functions of packages.
type Build struct {
	// Generated has the generated files as they would be written, by path; nil for those that would be
	// removed.
	Generated map[string][]byte
	// Tags are build tags.
	Tags []string
	// Stderr gets what functions print.
	Stderr io.Writer
}

// Start builds a program for each API group whose conversions need functions, and starts it: from now on,
// functions run. It reports what does not build. Close ends the programs.
func (c *Converter) Start(b Build, bag *diag.Bag) error {
	for _, f := range c.families {
		if len(f.calls) == 0 {
			continue
		}
		if err := f.start(&b, bag); err != nil {
			return err
		}
	}
	return nil
}

// Close ends the programs that Start has started.
func (c *Converter) Close() {
	for _, f := range c.families {
		if f.program != nil {
			f.program.close()
		}
	}
}

// program is a running program that calls functions.
type program struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *json.Decoder
	// ended is the error of a program that has ended.
	ended error
}

// programFolder is the folder of the program's package below that of the newest version. It exists in
// overlays only.
const programFolder = "zz_generated_functions"

//go:embed functions.go.tmpl
var programText string

var programTemplate = template.Must(template.New("").Parse(programText))

// start builds and starts the program of a group, in a temporary folder.
func (f *family) start(b *Build, bag *diag.Bag) (err error) {
	temp, err := os.MkdirTemp("", "kindsmith-functions-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	var main bytes.Buffer
	if err := programTemplate.Execute(&main, slices.Sorted(maps.Keys(f.calls))); err != nil {
		return err
	}
	files := maps.Clone(b.Generated)
	if files == nil {
		files = map[string][]byte{}
	}
	files[filepath.Join(f.dir, programFolder, "main.go")] = main.Bytes()
	overlay, err := writeOverlay(temp, files)
	if err != nil {
		return err
	}
	executable := filepath.Join(temp, "functions.exe")
	build := exec.Command("go", "build", "-overlay", overlay, "-tags", strings.Join(b.Tags, ","), "-o", executable, "./"+programFolder)
	build.Dir = f.dir
	if output, err := build.CombinedOutput(); err != nil {
		return f.reportBuild(string(output), err, bag)
	}
	p := &program{cmd: exec.Command(executable)}
	p.cmd.Stderr = b.Stderr
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	p.out = json.NewDecoder(out)
	if err := p.cmd.Start(); err != nil {
		return err
	}
	f.program = p
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

// buildMistake is a line of the go command's output.
var buildMistake = regexp.MustCompile(`^(\S.*\.go):(\d+)(?::(\d+))?: (.*)$`)

// reportBuild reports what the go command says about packages that do not build.
func (f *family) reportBuild(output string, failed error, bag *diag.Bag) error {
	wd, err := os.Getwd()
	if err != nil {
		return err
	}
	found := false
	for line := range strings.Lines(output) {
		m := buildMistake.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if m == nil || strings.Contains(m[1], programFolder) && !strings.Contains(m[4], "provides package") {
			continue
		}
		path := m[1]
		if !filepath.IsAbs(path) {
			path = filepath.Join(f.dir, path)
		}
		if rel, err := filepath.Rel(wd, path); err == nil {
			path = rel
		}
		var at source.Position
		at.Line, _ = strconv.Atoi(m[2]) // digits
		if at.Column, _ = strconv.Atoi(m[3]); at.Column == 0 {
			at.Column = 1
		}
		bag.Errorf(source.Place(filepath.ToSlash(path), at), codeBuild, "%s", m[4])
		found = true
	}
	if !found {
		return fmt.Errorf("building the functions of %s: %w\n%s", f.dir, failed, strings.TrimSpace(output))
	}
	return nil
}

// call calls a function of an older version's table.
func (p *program) call(older, name string, value []byte) ([]byte, error) {
	if p.ended != nil {
		return nil, p.ended
	}
	c := struct {
		Package, Func string
		Value         *string `json:",omitempty"`
	}{Package: older, Func: name}
	if value != nil {
		text := string(value)
		c.Value = &text
	}
	var r struct {
		Value, Error string
		Failed       bool
	}
	err := json.NewEncoder(p.in).Encode(c)
	if err == nil {
		err = p.out.Decode(&r)
	}
	switch {
	case err != nil:
		err := p.cmd.Wait()
		if err == nil {
			err = errors.New("exit status 0")
		}
		p.ended = &wire.Error{Reason: wire.Failed, Err: fmt.Errorf("the conversion function ended the program: %w", err)}
		return nil, p.ended
	case r.Error != "":
		e := &wire.Error{Err: errors.New(r.Error)}
		if r.Failed {
			e.Reason = wire.Failed
		}
		return nil, e
	}
	return []byte(r.Value), nil
}

// close ends the program.
func (p *program) close() {
	if p.ended == nil {
		p.ended = errors.New("the program has ended")
		_ = p.in.Close()
		_ = p.cmd.Wait() // it ends with its input
	}
}
