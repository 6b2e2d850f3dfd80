package typed

import (
	"context"
	"fmt"
	"maps"
	"math"
	"strings"
	"testing"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	schemacel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"

	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/core/expr/exprtest"
)

// verdict is the result of a rule.
type verdict string

const (
	holds   verdict = "true"
	fails   verdict = "false"
	errs    verdict = "error"
	refused verdict = "refused"
)

// serverVerdict asks the API server's own validator.
func serverVerdict(s *schema.Structural, root bool, rule apiextensionsv1.ValidationRule, obj, old any) (verdict, string) {
	with := stripped(s)
	with.XValidations = apiextensionsv1.ValidationRules{rule}
	v := schemacel.NewValidator(with, root, math.MaxInt64)
	list, _ := v.Validate(context.Background(), field.NewPath("root"), with, obj, old, math.MaxInt64)
	text := list.ToAggregate()
	switch {
	case len(list) == 0:
		return holds, ""
	case strings.Contains(text.Error(), "compile error"):
		return refused, text.Error()
	case strings.Contains(text.Error(), "evaluating rule:"), strings.Contains(text.Error(), "call arguments did not match"):
		return errs, text.Error()
	}
	return fails, text.Error()
}

// stripped returns a schema without rules.
func stripped(s *schema.Structural) *schema.Structural {
	out := s.DeepCopy()
	v := schema.Visitor{Structural: func(s *schema.Structural) bool {
		s.XValidations = nil
		return true
	}}
	v.Visit(out)
	return out
}

// ourVerdict reads the rule, prints it, reads it again, and evaluates that.
func ourVerdict(t testing.TB, env *Env, rule string, obj, old any) (verdict, string) {
	t.Helper()
	checked, problems := env.Read(rule)
	if len(problems) > 0 {
		return refused, fmt.Sprint(problems)
	}
	if checked.TypeOf(checked.Tree).Kind != expr.BoolKind {
		return refused, "not a bool"
	}
	again, problems := env.Check(checked.Tree)
	if len(problems) > 0 {
		t.Fatalf("%s\nis printed as\n%s\n%v", rule, expr.CEL(checked.Tree), problems)
	}
	if !expr.Equal(again.Tree, checked.Tree) {
		t.Errorf("%s\nis printed as\n%s\nwhich reads as\n%s", rule, expr.CEL(checked.Tree), expr.CEL(again.Tree))
	}
	p, err := again.Program()
	if err != nil {
		return refused, err.Error()
	}
	switch {
	case old == nil && env.optionalOld:
		old = Missing
	case old == nil && p.UsesOldSelf():
		return holds, "" // a transition rule
	}
	ok, err := p.Bool(obj, old)
	switch {
	case err != nil:
		return errs, err.Error()
	case ok:
		return holds, ""
	}
	return fails, ""
}

// TestUpstreamRules compares the verdicts on all rules of an API server's own test table with those of its validator.
func TestUpstreamRules(t *testing.T) {
	cases := exprtest.Cases(t, exprtest.Expressions)
	count := 0
	for _, c := range cases {
		s := exprtest.Structural(t, c.Schema)
		objects := expr.Types{}
		env, err := NewEnv(objects, exprtest.TypeOf(s, c.IsRoot, "object", objects), false)
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
			continue
		}
		obj, old := exprtest.Numbers(c.Obj), exprtest.Numbers(c.OldObj)
		for _, rule := range append(append([]string{}, c.Valid...), c.Errors...) {
			count++
			want, why := serverVerdict(s, c.IsRoot, apiextensionsv1.ValidationRule{Rule: rule}, obj, old)
			got, what := ourVerdict(t, env, rule, obj, old)
			if got != want {
				t.Errorf("%s: %s\nthe server says %s %s\nwe say %s %s", c.Name, rule, want, why, got, what)
			}
		}
	}
	if count < 700 {
		t.Errorf("the table has %d rules", count)
	}
}

// unlike are the numbers of rules of the specification's tests that API servers evaluate differently: their version of
// cel-go's strings library is older than the tests, maps may repeat a key, and selecting a field of an empty optional is no
// error.
var unlike = map[string]int{
	"string_ext/format": 33, "string_ext/value_errors": 4, "fields/qualified_identifier_resolution": 2, "optionals/optionals": 4,
}

// TestSpecification compares the specification's results with those of an API server and of this package.
func TestSpecification(t *testing.T) {
	cases, others := exprtest.Specification(t, func(source string) (expr.Expr, bool) {
		tree, problems := Parse(source)
		return tree, len(problems) == 0
	})
	counts, different := map[verdict]int{}, map[string]int{}
	for _, c := range cases {
		s := exprtest.Structural(t, c.Schema)
		objects := expr.Types{}
		env, err := NewEnv(objects, exprtest.TypeOf(s, false, "object", objects), false)
		if err != nil {
			t.Fatal(err)
		}
		obj := exprtest.Numbers(c.Obj)
		for want, rules := range map[verdict][]string{holds: c.Valid, errs: c.Errors} {
			for _, rule := range rules {
				server, why := serverVerdict(s, false, apiextensionsv1.ValidationRule{Rule: rule}, obj, nil)
				got, what := ourVerdict(t, env, rule, obj, nil)
				counts[server]++
				if server != want && server != refused {
					different[c.Name]++
				}
				if got != server || server != want && server != refused && unlike[c.Name] == 0 {
					t.Errorf("%s: %s\nthe specification says %s, the server %s %s, we say %s %s", c.Name, rule, want, server, why, got, what)
				}
			}
		}
	}
	if !maps.Equal(different, unlike) {
		t.Errorf("the numbers of different results are %v", different)
	}
	t.Logf("%v; not applicable: %v", counts, others)
	if counts[holds] < 1000 || counts[errs] < 100 {
		t.Error("these are too few")
	}
}

// TestUpstreamLevels does so for the rules in the schemas of the server's tables, each on the values at its place.
func TestUpstreamLevels(t *testing.T) {
	count := 0
	for _, table := range []string{exprtest.Levels, exprtest.OptionalOldSelf} {
		for _, c := range exprtest.Cases(t, table) {
			var walk func(s *schema.Structural, obj, old any)
			walk = func(s *schema.Structural, obj, old any) {
				for _, rule := range s.XValidations {
					optional := table == exprtest.OptionalOldSelf
					rule.OptionalOldSelf = &optional
					objects := expr.Types{}
					env, err := NewEnv(objects, exprtest.TypeOf(stripped(s), false, "object", objects), optional)
					if err != nil {
						t.Errorf("%s: %v", c.Name, err)
						continue
					}
					count++
					want, why := serverVerdict(s, false, rule, obj, old)
					if got, what := ourVerdict(t, env, rule.Rule, obj, old); got != want && obj != nil {
						t.Errorf("%s: %s\nthe server says %s %s\nwe say %s %s", c.Name, rule.Rule, want, why, got, what)
					}
				}
				oldMap, _ := old.(map[string]any)
				switch obj := obj.(type) {
				case map[string]any:
					for k, v := range obj {
						if p, ok := s.Properties[k]; ok {
							walk(&p, v, oldMap[k])
						} else if s.AdditionalProperties != nil && s.AdditionalProperties.Structural != nil {
							walk(s.AdditionalProperties.Structural, v, oldMap[k])
						}
					}
				case []any:
					for _, v := range obj {
						if s.Items != nil {
							walk(s.Items, v, nil)
						}
					}
				}
			}
			walk(exprtest.Structural(t, c.Schema), exprtest.Numbers(c.Obj), exprtest.Numbers(c.OldObj))
		}
	}
	if count < 30 {
		t.Errorf("%d rules", count)
	}
}

// serverEnv is the environment of rules in API servers.
func serverEnv() *cel.Env {
	return environment.MustBaseEnvSet(version.MajorMinor(1, 37)).StoredExpressionsEnv()
}

// TestUpstreamFunctions compares the declarations of functions with those of API servers.
func TestUpstreamFunctions(t *testing.T) {
	ours := baseEnv()
	for name, f := range serverEnv().Functions() {
		if strings.Contains(fmt.Sprint(f.OverloadDecls()), "authorization") {
			continue // rules of schemas have no authorizer
		}
		mine := ours.Functions()[name]
		for _, o := range f.OverloadDecls() {
			args := fmt.Sprint(o.ArgTypes())
			if strings.Contains(args, "kubernetes.authorization") {
				continue
			}
			found := false
			if mine != nil {
				for _, m := range mine.OverloadDecls() {
					found = found || m.ID() == o.ID() && fmt.Sprint(m.ArgTypes()) == args && m.IsMemberFunction() == o.IsMemberFunction() && fmt.Sprint(m.ResultType()) == fmt.Sprint(o.ResultType())
				}
			}
			if !found {
				t.Errorf("%s: %s %v -> %v is missing", name, o.ID(), o.ArgTypes(), o.ResultType())
			}
		}
	}
}

// evaluated describes the value of an expression without variables.
func evaluated(t *testing.T, env *cel.Env, source string) string {
	t.Helper()
	a, issues := env.Compile(source)
	if issues.Err() != nil {
		return string(refused)
	}
	p, err := env.Program(a)
	if err != nil {
		return describe(nil, err) // API servers evaluate constants early
	}
	v, _, err := p.Eval(map[string]any{})
	return describe(v, err)
}

// describe formats a result; all errors are equal.
func describe(v ref.Val, err error) string {
	if err != nil {
		return "error"
	}
	switch v := v.(type) {
	case *types.Optional:
		if !v.HasValue() {
			return "none"
		}
		return "optional " + describe(v.GetValue(), nil)
	case traits.Lister:
		list, _ := items(v)
		out := ""
		for _, x := range list {
			out += describe(x, nil) + " "
		}
		return "[" + out + "]"
	}
	switch x := v.Value().(type) {
	case resource.Quantity:
		return v.Type().TypeName() + " " + x.String()
	case fmt.Stringer:
		return v.Type().TypeName() + " " + x.String()
	case bool, int64, uint64, float64, string:
		return fmt.Sprintf("%s %v", v.Type().TypeName(), x)
	}
	return v.Type().TypeName()
}
