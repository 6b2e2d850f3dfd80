// Package program builds cmd/kindsmith-wasm with the go command of the machine. No WebAssembly is in the repository.
//
// [Build] returns the [Program], [Compress] makes it small. An error is one of the go command.
package program

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/kindsmith/kindsmith/internal/core/source"
)

const (
	modulePath = "github.com/kindsmith/kindsmith"
	pkg        = "./cmd/kindsmith-wasm"
)

// Program is what a page needs to run the program.
type Program struct {
	// WASM is the program, compressed with gzip.
	WASM []byte
	// Exec is the script of the Go distribution that runs programs of the same version.
	Exec []byte
}

// Build builds the program of a version of kindsmith; "" is that of the clone which this program was built from. With cel, the program
// runs rules in CEL, and is twice as large. Notice is called before it takes long.
func Build(ctx context.Context, version string, cel bool, notice func(string)) (*Program, error) {
	root, err := command(ctx, "", nil, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	out := &Program{}
	files := source.NewFS(nil)
	if out.Exec, err = files.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js")); err != nil {
		return nil, fmt.Errorf("the Go distribution has no script for WebAssembly: %w", err)
	}
	kept, err := cached(ctx, version, cel)
	if err != nil {
		return nil, err
	}
	if kept != "" {
		if out.WASM, err = files.ReadFile(kept); err == nil {
			return out, nil
		}
	}
	if notice != nil {
		notice("building the evaluator for browsers; the first time this takes a minute")
	}
	if out.WASM, err = build(ctx, version, cel); err != nil {
		return nil, err
	}
	if kept != "" {
		return out, source.WriteFile(kept, out.WASM)
	}
	return out, nil
}

// cached returns where the program of a version and of the machine's Go is kept; "" for a clone, which changes.
func cached(ctx context.Context, version string, cel bool) (string, error) {
	if version == "" {
		return "", nil
	}
	compiler, err := command(ctx, "", nil, "env", "GOVERSION")
	if err != nil {
		return "", err
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", nil // without a cache folder, it is built each time
	}
	return filepath.Join(dir, "kindsmith", strings.Join([]string{"wasm" + tag(cel), version, strings.TrimSpace(string(compiler))}, "-")+".gz"), nil
}

// tag is the build tag of a program.
func tag(cel bool) string {
	if cel {
		return "cel"
	}
	return ""
}

func build(ctx context.Context, version string, cel bool) ([]byte, error) {
	dir, env := clone(), []string{}
	if version != "" {
		text, err := command(ctx, "", []string{"GOWORK=off", "GOFLAGS="}, "mod", "download", "-json", modulePath+"@"+version)
		if err != nil {
			return nil, err
		}
		var module struct{ Dir string }
		if err := json.Unmarshal(text, &module); err != nil {
			return nil, err
		}
		dir, env = module.Dir, []string{"GOWORK=off"}
	} else if dir != "" {
		env = []string{"GOWORK=" + filepath.Join(dir, "go.work")}
	}
	if dir == "" {
		return nil, fmt.Errorf("this kindsmith was built without a version, so it does not know its source; run go install %s/cmd/kindsmith@latest", modulePath)
	}
	temp, err := os.MkdirTemp("", "kindsmith-wasm-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(temp) }()
	path := filepath.Join(temp, "kindsmith.wasm")
	env = append(env, "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0", "GOFLAGS=")
	if _, err := command(ctx, dir, env, "build", "-tags="+tag(cel), "-trimpath", "-buildvcs=false", "-gcflags=all=-l", "-ldflags=-s -w", "-o", path, pkg); err != nil {
		return nil, err
	}
	content, err := source.NewFS(nil).ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Compress(content)
}

// Compress compresses with gzip, which browsers decompress.
func Compress(content []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(content); err != nil {
		return nil, err
	}
	err = w.Close()
	return b.Bytes(), err
}

// command runs the go command in a folder.
func command(ctx context.Context, dir string, env []string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, strings.TrimSpace(stderr.String()))
	}
	return out, nil
}

// clone returns the folder of the clone that this program was built from; "" if there is none.
func clone() string {
	_, file, _, ok := runtime.Caller(0)
	if !ok || !filepath.IsAbs(file) {
		return ""
	}
	dir := filepath.Join(filepath.Dir(file), "..", "..", "..", "..")
	if _, err := source.NewFS(nil).ReadFile(filepath.Join(dir, "go.work")); err != nil {
		return ""
	}
	return dir
}
