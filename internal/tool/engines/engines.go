// Package engines makes engines of what declares the rules: files and Go packages.
//
// To add an engine, implement verdict.Engine, and construct it here. runtime/ruletest adds the engine of
// generated Go.
package engines

import (
	"fmt"
	"io"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/objects/crd"
	"github.com/kindsmith/kindsmith/internal/objects/validate"
	"github.com/kindsmith/kindsmith/internal/objects/verdict"
	"github.com/kindsmith/kindsmith/internal/rules/eval"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

// Definitions makes an engine of the CustomResourceDefinitions in files and folders.
// The name - is stdin. Mistakes in the definitions are reported.
func Definitions(names []string, stdin io.Reader, bag *diag.Bag) (verdict.Engine, error) {
	in, err := validate.Read(names, stdin, bag)
	if err != nil {
		return nil, err
	}
	e := crd.Load(in.Objects, bag)
	if len(e.Kinds()) == 0 && !bag.HasErrors() {
		return nil, fmt.Errorf("%s has no CustomResourceDefinition with a served version", strings.Join(names, ", "))
	}
	return e, nil
}

// Programs returns the rules of Go packages. It reports what kindsmith finds in the
// packages; there are no programs if these are errors.
func Programs(cfg driver.ModelConfig, bag *diag.Bag) (*eval.Set, error) {
	m, err := driver.Model(cfg, bag)
	if err != nil {
		return nil, err
	}
	driver.Check(m, bag)
	if bag.HasErrors() {
		return nil, nil
	}
	return eval.New(cfg.Programs(m)), nil
}
