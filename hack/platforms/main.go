// Platforms type-checks packages for operating systems:
//
//	platforms windows,darwin ./cmd/... ./runtime/...
//
// It checks the packages of the folder that it runs in, and below.
package main

import (
	"errors"
	"fmt"
	"os"
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
	var errs []error
	c := typecheck.New(dir)
	for system := range strings.SplitSeq(args[0], ",") {
		n, err := c.Check([]string{"GOOS=" + system, "CGO_ENABLED=0"}, args[1:]...)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", system, err))
			continue
		}
		fmt.Printf("%s: %d packages\n", system, n)
	}
	return errors.Join(errs...)
}
