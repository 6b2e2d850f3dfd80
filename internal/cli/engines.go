package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kindsmith/kindsmith/internal/crd"
	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/driver"
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

// errNoTypes is returned until rules of Go types can be evaluated.
var errNoTypes = errors.New("validating by Go types is not available; name CustomResourceDefinitions with --crd")

// typesEngine makes an engine of the Go types that patterns name.
func (f *rulesFlags) typesEngine(_ *diag.Bag) (verdict.Engine, error) {
	return nil, errNoTypes
}
