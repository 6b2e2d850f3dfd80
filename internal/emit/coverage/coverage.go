// Package coverage emits zz_generated.coverage_test.go, which makes a package's tests fail unless
// they break every rule on its kinds. It runs on request, and for packages that already have the
// file.
//
// [Emitter] is called for each package. Mistakes of users are diagnostics.
package coverage

import (
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/gofile"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/rule/enforced"
	"github.com/kindsmith/kindsmith/internal/rules/rule/order"
)

// FileName is the name of the file in each package.
const FileName = "zz_generated.coverage_test.go"

const (
	fieldPkg = "k8s.io/apimachinery/pkg/util/validation/field"

	// variable is the variable that tests validate through; run is the call in a TestMain.
	variable = "ValidationCoverage"
	run      = variable + ".Run("
)

// Diagnostic codes.
var (
	codes = diag.Firm(diag.Coverage)

	codeTooMany = codes.New("coverage/too-many-paths", "The test file lists the rules at each path at which a type is used. The number of paths doubles with each level of types with two fields of the next type. Use such types in fewer fields, or skip the file with `--skip coverage`.")
	codeNotRun  = codes.New("coverage/not-run", "The package's tests have a TestMain, so kindsmith cannot generate one that checks the rule coverage. Add the check to it: `func TestMain(m *testing.M) { os.Exit(ValidationCoverage.Run(m)) }`.")
)

// Emitter returns the emitter.
func Emitter() *emit.Emitter {
	return &emit.Emitter{
		Name:     "coverage",
		Part:     diag.Coverage,
		Summary:  "zz_generated.coverage_test.go, which checks that tests break every rule (with --coverage, or if the file exists)",
		Files:    []string{FileName},
		Optional: true,
		Codes:    codes.All(),
		Emit:     write,
	}
}

// maxPaths is the number of paths to types at which rules are listed. No test covers so many.
const maxPaths = 10_000

// kindRules are the rules of one kind.
type kindRules struct {
	kind  string
	rules []broken
}

// write writes the file of one package. For a generated older version, the file has only the rules
// that newer versions lack; tests of newer versions break the others.
func write(c *emit.Context) ([]emit.File, error) {
	kinds := collect(c)
	if len(kinds) == 0 {
		return nil, nil
	}
	main := c.TestMain()
	if main != nil && !strings.Contains(main.Decl.Text(), run) {
		c.Diags.Errorf(main.Name, codeNotRun,
			"this TestMain does not check the rule coverage; end it with os.Exit(%sm))", run)
		return nil, nil
	}
	f := c.NewFile()
	f.Reserve("m")
	f.P("// ", variable, " has the rules on the kinds of this package. Tests validate")
	f.P("// through it, and the rules that no test breaks are reported at the end.")
	f.P("var ", variable, " = ", f.Ident(gofile.RuntimeCoverage, "New"), "(map[string][]", f.Ident(gofile.RuntimeCoverage, "Rule"), "{")
	for _, k := range kinds {
		f.P(quote(k.kind), ": {")
		for _, r := range k.rules {
			origin := ""
			if r.origin != "" {
				origin = ", Origin: " + quote(r.origin)
			}
			f.P("{Path: ", quote(r.path), ", Type: ", errorType(f, r.typ), origin, "},")
		}
		f.P("},")
	}
	f.P("})")
	if main == nil {
		f.P()
		f.P("func TestMain(m *", f.Ident("testing", "M"), ") { ", f.Ident("os", "Exit"), "(", run, "m)) }")
	}
	content, err := f.Bytes()
	if err != nil {
		return nil, err
	}
	return []emit.File{{Name: FileName, Content: content}}, nil
}

// broken is a rule, identified by its error.
type broken struct {
	path, typ, origin string
}

// collect returns the rules of the package's kinds, in order of declaration.
func collect(c *emit.Context) []kindRules {
	controls := emit.ReadControls(c.Model, c.Package)
	ordered := order.New(enforced.Programs(c.Rules, nil), c.Scope())
	var kinds []kindRules
	for _, t := range controls.Roots {
		if t.Kind == nil || t.Kind.List {
			continue
		}
		k, listed := kindRules{kind: t.Name}, map[broken]bool{}
		stopped := ordered.Reported(t, maxPaths, func([]rule.KeyValue) string { return "[*]" }, func(r order.Reported) {
			if c.Package.Generated && r.Until != c.Package.Version {
				return
			}
			for _, e := range r.Errors {
				path := r.Path + e.At
				if e.At != "" && e.At[0] != '[' {
					path = order.Join(r.Path, e.At)
				}
				if b := (broken{path, e.Type, e.Origin}); !listed[b] {
					listed[b] = true
					k.rules = append(k.rules, b)
				}
			}
		})
		if stopped != "" {
			c.Diags.Errorf(t.Span, codeTooMany, "the types in %s are at more than %d paths, such as %s, and a test has to break the rules at each; use them in fewer fields, or skip the list with --skip coverage", t.Name, maxPaths, stopped)
			continue
		}
		if len(k.rules) > 0 {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

func quote(s string) string { return strconv.Quote(s) }

// errorType returns the type of an error in Go. The oldest apimachinery that the runtime
// supports has no constants for two types.
func errorType(f *gofile.File, name string) string {
	if name == "TooFew" || name == "TooShort" {
		return quote("FieldValue" + name)
	}
	return f.Ident(fieldPkg, "ErrorType"+name)
}
