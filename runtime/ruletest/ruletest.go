// Package ruletest runs tests of validation rules, which are files, in go test.
//
// [Run] runs the files. An [Option] adds engines and requirements: [CRDs], [Normalize], [AllRules], [Coverage].
//
//	func TestRules(t *testing.T) {
//		ruletest.Run(t, "../../rules", v1.AddToScheme,
//			ruletest.Normalize(v1.NormalizeUnions_Database),
//			ruletest.CRDs("../../config/crd/bases"))
//	}
//
// The files are those of `kindsmith test`; docs/guides/test-rules.md describes them. Each
// case runs through generated Go, through the tags of the Go types without compiling
// them, and through the schemas and CEL rules of CustomResourceDefinitions in the API
// server's own code.
package ruletest

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/objects/gotypes"
	"github.com/kindsmith/kindsmith/internal/objects/ruletest"
	"github.com/kindsmith/kindsmith/internal/objects/verdict"
	"github.com/kindsmith/kindsmith/internal/rules/eval"
	"github.com/kindsmith/kindsmith/internal/tool/engines"
	"github.com/kindsmith/kindsmith/internal/tool/project"
	"github.com/kindsmith/kindsmith/runtime/coverage"
	"github.com/kindsmith/kindsmith/runtime/union"
)

// config is what options set.
type config struct {
	generated generated
	crds      []string
	allRules  bool
}

// Option is an option of Run.
type Option func(*config)

// CRDs also runs the cases through the CustomResourceDefinitions in files and folders.
func CRDs(paths ...string) Option {
	return func(c *config) { c.crds = append(c.crds, paths...) }
}

// Normalize calls a generated function NormalizeUnions_… on objects of type T, after defaults are
// applied and before validation.
func Normalize[T runtime.Object](normalize func(r union.Request, obj, old T) []union.Cleared) Option {
	return func(c *config) {
		c.generated.normalize = append(c.generated.normalize, func(obj, old runtime.Object) {
			if obj, ok := obj.(T); ok {
				old, _ := old.(T) // nil on a create
				normalize(union.Request{}, obj, old)
			}
		})
	}
}

// Coverage records the errors that generated Go reports for objects of a version, so
// that rules that cases break count as broken in the version's package.
func Coverage(version schema.GroupVersion, c *coverage.Coverage) Option {
	return func(config *config) {
		config.generated.observe = append(config.generated.observe, func(kind schema.GroupVersionKind, errs field.ErrorList) {
			if kind.GroupVersion() == version {
				c.Observe(kind.Kind, errs)
			}
		})
	}
}

// AllRules fails the test for each rule that no case breaks. Without it, Run logs these
// rules.
func AllRules() Option {
	return func(c *config) { c.allRules = true }
}

// Run runs each case in a file, or in the *_test.yaml files of a folder, as a subtest. The
// paths of files are relative to the folder of the test's package.
//
// addToScheme adds the kinds, and what is generated for them, to a scheme. To test kinds
// of several packages, combine their functions with [runtime.NewSchemeBuilder].
func Run(t *testing.T, files string, addToScheme func(*runtime.Scheme) error, options ...Option) {
	t.Helper()
	c := &config{generated: generated{scheme: runtime.NewScheme()}}
	for _, o := range options {
		o(c)
	}
	if err := addToScheme(c.generated.scheme); err != nil {
		t.Fatal(err)
	}
	bag := &diag.Bag{}
	cases, err := ruletest.Read([]string{files}, bag)
	if err != nil {
		t.Fatal(err)
	}
	if len(cases) == 0 && !bag.HasErrors() {
		t.Fatalf("%s has no cases", files)
	}
	list := c.engines(t, ruletest.Kinds(cases), bag)
	runner := ruletest.NewRunner(cases, list, bag)
	report(t, bag)
	for _, inFile := range byFile(cases) {
		t.Run(nameOf(files, inFile[0].File()), func(t *testing.T) {
			t.Helper()
			for _, c := range inFile {
				t.Run(c.Name, func(t *testing.T) {
					t.Helper()
					bag := &diag.Bag{}
					runner.Run(t.Context(), c, bag)
					report(t, bag)
				})
			}
		})
	}
	summary := runner.Summary()
	if len(summary.Outcomes) < len(cases) || len(summary.Unbroken) == 0 {
		return // -run selects cases
	}
	if c.allRules {
		unbroken := &diag.Bag{}
		summary.Report(diag.Error, unbroken)
		report(t, unbroken)
		return
	}
	var text strings.Builder
	for _, u := range summary.Unbroken {
		text.WriteString("\n  " + u.Rule.Span.String() + ": " + u.String())
	}
	t.Log("No case breaks these rules:" + text.String())
}

// engines makes all engines. The evaluator loads the packages of the scheme's types.
func (c *config) engines(t *testing.T, kinds []schema.GroupVersionKind, bag *diag.Bag) []verdict.Engine {
	t.Helper()
	var list []verdict.Engine
	if len(c.crds) > 0 {
		e, err := engines.Definitions(c.crds, strings.NewReader(""), bag)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, e)
	}
	var packages []string
	for _, kind := range kinds {
		if typ, ok := c.generated.scheme.AllKnownTypes()[kind]; ok && !slices.Contains(packages, typ.PkgPath()) {
			packages = append(packages, typ.PkgPath())
		}
	}
	if len(packages) > 0 {
		found := &diag.Bag{}
		programs, err := programs(packages, found)
		if err != nil {
			t.Fatal(err)
		}
		if programs == nil {
			report(t, found)
			t.FailNow()
		}
		list = append(list, gotypes.New(programs, source.NewFS(nil)))
	}
	return append(list, &c.generated)
}

// programs returns the rules of packages under the settings of the project, which also the generated
// validators follow.
func programs(packages []string, bag *diag.Bag) (*eval.Set, error) {
	files := source.NewFS(nil)
	settings := project.Default()
	if err := settings.Read(files, "", func(*project.Option) bool { return false }, bag); err != nil || bag.HasErrors() {
		return nil, err
	}
	settings.Packages = packages
	return engines.Programs(settings.Model(files), bag)
}

// report fails the test with the errors in a bag, and logs the rest. The texts are those of
// the command.
func report(t *testing.T, bag *diag.Bag) {
	t.Helper()
	for _, d := range bag.All() {
		var b strings.Builder
		if err := diag.Render(&b, diag.Text, []*diag.Diagnostic{d}, diag.Options{}); err != nil {
			t.Fatal(err)
		}
		if d.Severity == diag.Error {
			t.Error("\n" + b.String())
		} else {
			t.Log("\n" + b.String())
		}
	}
}

// byFile groups cases, which are in the order of their files.
func byFile(cases []*ruletest.Case) [][]*ruletest.Case {
	var groups [][]*ruletest.Case
	for _, c := range cases {
		if n := len(groups); n > 0 && groups[n-1][0].File() == c.File() {
			groups[n-1] = append(groups[n-1], c)
		} else {
			groups = append(groups, []*ruletest.Case{c})
		}
	}
	return groups
}

// nameOf returns the path of a file in a folder, or the name of the file.
func nameOf(folder, file string) string {
	if path, err := filepath.Rel(folder, file); err == nil && path != "." {
		return filepath.ToSlash(path)
	}
	return filepath.Base(file)
}
