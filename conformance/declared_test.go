package conformance_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/conformance/corpus"
	"github.com/kindsmith/kindsmith/internal/emit/coverage"
	validatecoverage "github.com/kindsmith/kindsmith/runtime/coverage"
)

// undeclared are the cases with errors that are of no declared rule, and why.
var undeclared = map[string]string{
	"customvalidation":    "what a hand-written function reports is nobody's to declare",
	"semantics/recursion": "the rules of a recursive type are declared where it is entered, not further down",
}

// TestDeclared holds the rules that the coverage emitter declares for a type to
// what its validators report: every error is of one of them.
func TestDeclared(t *testing.T) {
	declared := map[string]map[string][]validatecoverage.Rule{}
	each(t, func(t *testing.T, c *loadedCase, o *corpus.Object, j *judgement) {
		if undeclared[c.Folder] != "" || undeclared[c.Name] != "" {
			return
		}
		if declared[c.Name] == nil {
			declared[c.Name] = declaredRules(t, c)
		}
		rules := declared[c.Name]["Judged"+o.Type]
		for _, e := range j.now.Errors {
			if e.Type == "InternalError" {
				continue // an option that nobody has defined
			}
			path := strings.TrimPrefix(e.Field, ".")
			if path != "" && !strings.HasPrefix(path, "[") {
				path = "." + path
			}
			rule := validatecoverage.RuleOf(&field.Error{Field: "spec" + path, Type: field.ErrorType(e.Type), Origin: e.Origin})
			if !slices.Contains(rules, rule) {
				t.Errorf("no rule is declared for %s; there are: %v", rule, rules)
			}
		}
	})
}

var (
	declaredKind = regexp.MustCompile(`^\t"(\w+)": \{$`)
	declaredRule = regexp.MustCompile(`^\t\t\{Path: "([^"]*)", Type: field\.ErrorType(\w+)(?:, Origin: "([^"]*)")?\},$`)
)

// declaredRules reads the rules off the file that the emitter writes for the
// kinds around a case's types.
func declaredRules(t *testing.T, c *loadedCase) map[string][]validatecoverage.Rule {
	t.Helper()
	w := load(t)
	files, err := w.emit(coverage.Emitter(), w.model.Package(modulePath+"/"+c.Name+"/kinds/v1"))
	if err != nil {
		t.Fatal(err)
	}
	rules := map[string][]validatecoverage.Rule{"": nil}
	for _, f := range files {
		kind := ""
		for line := range strings.Lines(string(f.Content)) {
			line = strings.TrimSuffix(line, "\n")
			if m := declaredKind.FindStringSubmatch(line); m != nil {
				kind = m[1]
			} else if m := declaredRule.FindStringSubmatch(line); m != nil {
				rules[kind] = append(rules[kind], validatecoverage.Rule{Path: m[1], Type: field.ErrorType(m[2]), Origin: m[3]})
			}
		}
	}
	return rules
}
