package conformance_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/conformance/corpus"
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/rules/eval"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

// TestNothingIsLost follows each rule that refuses an object of a case into the outputs. A published schema, and a policy in
// place of its rules, refuses the object at the same path, or has a diagnostic at the tag. Each tag with an error has an object
// for this, or is listed.
func TestNothingIsLost(t *testing.T) {
	set := evaluator(t)
	differences, err := corpus.LoadDifferences(differencesFile)
	if err != nil {
		t.Fatal(err)
	}
	followed := map[string]bool{}
	for _, c := range load(t).cases {
		if !c.ok() {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			for _, o := range c.Objects {
				result, err := set.Validate(eval.Request{
					Type: eval.TypeName{Package: c.pkg(), Name: o.Type}, Object: decoded(t, o.Object), Old: decoded(t, o.Old), Options: o.Options, Subresource: o.Subresource,
				})
				if err != nil {
					t.Fatal(err)
				}
				if o.Subresource != "" {
					continue
				}
				schemas := schemaOf(t, c, enabled(o.Options))
				if len(schemas.refused) > 0 {
					continue // the server refuses the whole schema, with a diagnostic
				}
				got, complete, _ := corpus.PathsOf(schemas.crds[o.Type].Validate("v1", wrapped(t, o.Object), wrapped(t, o.Old)))
				for _, e := range result.Errors {
					name := tagOf(e.Rule)
					path := corpus.Paths([]string{pathOf(e)})[0]
					switch {
					case slices.ContainsFunc(got, func(p string) bool { return p == path || strings.HasPrefix(path, p+".") || p == "" }), !complete && len(got) > 0, isNamed(schemas.found, e.Declared), isNamed(c.found, e.Declared):
						followed[name] = true
					case e.Level() == rule.Alpha: // a server with generated Go only counts them
					case differences.Expected(c.Name, o.Name) != nil: // TestSchema has the reason
					default:
						t.Errorf("%s: %s at %q (%s) is lost: %v", o.Name, e.Rule, path, e.Declared, got)
					}
				}
			}
		})
	}
	for _, d := range driver.Tags().All() {
		if d.ErrorType != "" && !followed[d.Name] && inUnions[d.Name] == "" {
			t.Errorf("no object breaks a rule of +%s", d.Name)
		}
	}
}

// inUnions are tags whose rules the tables of another package have.
var inUnions = map[string]string{
	"union": "conformance/unions", "unionDeprecated": "conformance/unions",
}

// tagOf returns the name of the tag of a rule.
func tagOf(rule string) string {
	name := strings.TrimPrefix(rule, "+")
	if i := strings.IndexAny(name, "=("); i >= 0 {
		name = name[:i]
	}
	return name
}

// named reports whether a diagnostic is about a place in a comment.
func isNamed(found []*diag.Diagnostic, at source.Span) bool {
	return slices.ContainsFunc(found, func(d *diag.Diagnostic) bool {
		return d.Span.File != nil && d.Span.File == at.File && d.Span.Start <= at.End && at.Start <= d.Span.End
	})
}
