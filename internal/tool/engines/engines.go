// Package engines makes engines of what declares the rules: files and Go packages.
//
// [Definitions] returns the engine of files, and [Programs] the rules of Go packages.
//
// To add an engine, implement verdict.Engine, and construct it here. runtime/ruletest adds the engine of
// generated Go.
package engines

import (
	"fmt"
	"io"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/objects/crd"
	"github.com/kindsmith/kindsmith/internal/objects/validate"
	"github.com/kindsmith/kindsmith/internal/objects/verdict"
	"github.com/kindsmith/kindsmith/internal/rules/eval"
	"github.com/kindsmith/kindsmith/internal/rules/kubebuilder"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
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
	set := eval.New(cfg.Programs(m))
	leaveMarkers(set, m)
	return set, nil
}

// leaveMarkers records for each kind which of controller-gen's markers Go types do not enforce.
func leaveMarkers(set *eval.Set, m *model.Model) {
	left, kinds := unenforced(m)
	for _, kind := range kinds {
		below := m.Parts(func(_ *model.Package, t *model.Type) bool { return t == kind })
		var first model.Marker
		n := 0
		for _, of := range left {
			if below[of.owner] {
				if n == 0 {
					first = of.markers[0]
				}
				n += len(of.markers)
			}
		}
		if n == 0 {
			continue
		}
		others := ""
		if n > 1 {
			others = " and " + diag.Count(n-1, "other marker", "other markers") + " of " + kind.Name
		}
		set.Elsewhere(kind.ID(), eval.NotRun{
			Name: "+" + foreign.WithoutComment(first.Text), Declared: first.Span,
			Reason: "Go types do not enforce this marker" + others + "; with --crd, CustomResourceDefinitions do",
		})
	}
}

// typeMarkers are markers of a type and its fields that Go does not enforce.
type typeMarkers struct {
	owner   model.Name
	markers []model.Marker
}

// unenforced returns the markers that Go does not enforce, and the kinds.
func unenforced(m *model.Model) (left []typeMarkers, kinds []*model.Type) {
	tags := driver.Tags()
	for _, p := range m.Packages {
		for _, t := range p.Types {
			if t.Kind != nil && !t.Kind.List {
				kinds = append(kinds, t)
			}
			if !p.Named() {
				continue
			}
			found := kubebuilder.Unenforced(tags, tag.TypeNode(m, tags, t), t.Markers)
			for _, f := range t.Fields {
				if !f.Skipped {
					found = append(found, kubebuilder.Unenforced(tags, tag.FieldNode(m, tags, t, f), f.Markers)...)
				}
			}
			if len(found) > 0 {
				left = append(left, typeMarkers{t.ID(), found})
			}
		}
	}
	return left, kinds
}
