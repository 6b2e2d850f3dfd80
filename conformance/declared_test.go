package conformance_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/conformance/corpus"
	"github.com/kindsmith/kindsmith/conformance/runner"
	"github.com/kindsmith/kindsmith/internal/emit/coverage"
	validatecoverage "github.com/kindsmith/kindsmith/runtime/coverage"
)

// undeclared lists the cases with errors of rules that are not declared, with reasons.
var undeclared = map[string]string{
	"customvalidation":    "the errors of a hand-written function are unknown",
	"semantics/recursion": "the rules of a recursive type are declared only at the first level",
}

// TestDeclared checks that each error of a type's validator belongs to a rule that the
// coverage emitter declares.
func TestDeclared(t *testing.T) {
	declared := map[string]map[string][]validatecoverage.Rule{}
	each(t, func(t *testing.T, c *loadedCase, o *corpus.Object, j *judgement) {
		if undeclared[c.Folder] != "" || undeclared[c.Name] != "" {
			return
		}
		if declared[c.Name] == nil {
			declared[c.Name] = declaredRules(t, c)
		}
		rules := declared[c.Name][corpus.Judged+o.Type]
		for _, e := range j.now.Errors {
			if e.Type == "InternalError" {
				continue // an undefined option
			}
			if e.Origin == "union" && slices.ContainsFunc(j.old.Errors, func(old runner.Error) bool { return old.Field == e.Field }) {
				continue // a discriminator that was wrong before; tests of its own rules suffice
			}
			path := strings.TrimPrefix(e.Field, ".")
			if path != "" && !strings.HasPrefix(path, "[") {
				path = "." + path
			}
			rule := validatecoverage.RuleOf(&field.Error{Field: "spec" + path, Type: field.ErrorType(e.Type), Origin: e.Origin})
			if !slices.Contains(rules, rule) {
				t.Errorf("no rule is declared for %s; the declared rules are: %v", rule, rules)
			}
		}
	})
}

var (
	declaredKind = regexp.MustCompile(`^\t"(\w+)": \{$`)
	declaredRule = regexp.MustCompile(`^\t\t\{Path: "([^"]*)", Type: (?:field\.ErrorType|"FieldValue)(\w+)"?(?:, Origin: "([^"]*)")?\},$`)
)

// declaredRules reads the rules from the emitter's file for the kinds that use a case's
// types.
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
