package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kindsmith/kindsmith/internal/crd"
	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/driver"
	"github.com/kindsmith/kindsmith/internal/gotypes"
	"github.com/kindsmith/kindsmith/internal/validate"
	"github.com/kindsmith/kindsmith/internal/verdict"
)

// rulesFlags say what declares the rules that objects are validated by.
type rulesFlags struct {
	types driver.ModelConfig
	crds  []string
}

func (f *rulesFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.crds, "crd", nil, "validate by the CustomResourceDefinitions in this `file or folder`; repeat it for more")
	cmd.Flags().StringSliceVar(&f.types.BuildTags, "tags", nil, "build tags to load the packages with")
}

// crdEngine makes an engine of the definitions that --crd names.
func (f *rulesFlags) crdEngine(stdin io.Reader, bag *diag.Bag) (verdict.Engine, error) {
	in, err := validate.Read(f.crds, stdin, bag)
	if err != nil {
		return nil, err
	}
	e := crd.Load(in.Objects, bag)
	if len(e.Kinds()) == 0 && !bag.HasErrors() {
		return nil, fmt.Errorf("--crd %s has no CustomResourceDefinition that serves anything", strings.Join(f.crds, ", "))
	}
	return e, nil
}

// typesEngine makes an engine of the Go types that patterns name. Mistakes in these
// are reported, and then there is no engine; warnings are for `kindsmith lint`.
func (f *rulesFlags) typesEngine(bag *diag.Bag) (verdict.Engine, error) {
	found := &diag.Bag{}
	m, err := driver.Model(f.types, found)
	if err != nil {
		return nil, err
	}
	driver.Check(m, found)
	for _, d := range found.All() {
		if d.Severity == diag.Error {
			bag.Add(d)
		}
	}
	if found.HasErrors() {
		return nil, nil
	}
	e := gotypes.New(driver.Programs(m))
	if len(e.Kinds()) == 0 {
		return nil, fmt.Errorf("%s declares no kind; name other packages, or CustomResourceDefinitions with --crd", strings.Join(f.types.Patterns, ", "))
	}
	return e, nil
}
