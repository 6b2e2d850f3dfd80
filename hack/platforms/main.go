// Platforms type-checks packages for operating systems, and vets those of their packages with files for some systems only:
//
//	platforms windows,darwin ./cmd/... ./runtime/...
//
// It checks the packages of the folder that it runs in, and below.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/testing/typecheck"
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
	here, err := list(nil, args[1:])
	if err != nil {
		return err
	}
	var errs []error
	c := typecheck.New(dir)
	for system := range strings.SplitSeq(args[0], ",") {
		env := []string{"GOOS=" + system, "CGO_ENABLED=0"}
		n, err := c.Check(env, args[1:]...)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", system, err))
			continue
		}
		there, err := list(env, args[1:])
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", system, err))
			continue
		}
		own := slices.DeleteFunc(there, func(p string) bool { return slices.Contains(here, p) })
		if err := vet(env, own); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", system, err))
			continue
		}
		fmt.Printf("%s: %d packages, %d with files of their own\n", system, n, len(own))
	}
	return errors.Join(errs...)
}

// list returns a line for each package of the main modules that packages need: the path and the files.
func list(env, patterns []string) ([]string, error) {
	const line = "{{with .Module}}{{if .Main}}{{$.ImportPath}} {{$.GoFiles}} {{$.TestGoFiles}} {{$.XTestGoFiles}}{{end}}{{end}}"
	out, err := command(env, append([]string{"list", "-deps", "-f", line}, patterns...)).Output()
	if err != nil {
		return nil, err
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n"), nil
}

// vet runs go vet on packages. It compiles what they import, which the others need not.
func vet(env, lines []string) error {
	if len(lines) == 0 {
		return nil
	}
	args := []string{"vet"}
	for _, line := range lines {
		path, _, _ := strings.Cut(line, " ")
		args = append(args, path)
	}
	cmd := command(env, args)
	cmd.Stdout = os.Stderr
	return cmd.Run()
}

func command(env, args []string) *exec.Cmd {
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stderr = os.Stderr
	return cmd
}
