package typed

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

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

	"github.com/kindsmith/kindsmith/internal/expr"
	"github.com/kindsmith/kindsmith/internal/expr/exprtest"
)

// verdict is what became of a rule.
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

// TestUpstreamRules holds all rules of the API server's own test table against
// its validator.
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

// TestUpstreamLevels does so for the rules that are in the schemas of its tables,
// each on the values at its place.
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

// TestUpstreamFunctions holds the functions of this package against those of an
// API server: declarations, and the expressions of the tests of its libraries.
func TestUpstreamFunctions(t *testing.T) {
	server := environment.MustBaseEnvSet(version.MajorMinor(1, 37)).StoredExpressionsEnv()
	ours := baseEnv()
	for name, f := range server.Functions() {
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

	dir := exprtest.ModuleDir(t, "k8s.io/apiserver") + "/pkg/cel/library/"
	count := 0
	for _, file := range []string{"ip_test.go", "cidr_test.go", "quantity_test.go", "format_test.go"} {
		for _, source := range exprtest.Texts(exprtest.ParseFile(t, dir+file), "expr") {
			count++
			want := "refused"
			if a, issues := server.Compile(source); issues.Err() == nil {
				p, err := server.Program(a)
				if err != nil {
					t.Fatal(err)
				}
				v, _, err := p.Eval(map[string]any{})
				want = describe(v, err)
			}
			got := "refused"
			if a, issues := ours.Compile(source); issues.Err() == nil {
				p, err := ours.Program(a)
				if err != nil {
					t.Fatal(err)
				}
				v, _, err := p.Eval(map[string]any{})
				got = describe(v, err)
			}
			if got != want {
				t.Errorf("%s: %s: got %s, want %s", file, source, got, want)
			}
			// As it is printed, it means the same.
			if tree, problems := Parse(source); len(problems) == 0 {
				again, problems := Parse(expr.CEL(tree))
				if len(problems) > 0 || !expr.Equal(again, tree) {
					t.Errorf("%s is printed as %s", source, expr.CEL(tree))
				}
			}
		}
	}
	if count < 100 {
		t.Errorf("%d expressions", count)
	}
}

// describe prints a result; errors are all the same.
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
