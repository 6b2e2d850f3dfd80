package entail_test

import (
	"math/rand/v2"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/core/expr/entail"
	"github.com/kindsmith/kindsmith/internal/core/expr/exprtest"
	"github.com/kindsmith/kindsmith/internal/core/expr/typed"
)

func parse(t testing.TB, rule string) expr.Expr {
	t.Helper()
	tree, problems := typed.Parse(rule)
	if len(problems) > 0 {
		t.Fatalf("%s: %v", rule, problems)
	}
	return tree
}

func TestFollows(t *testing.T) {
	for _, c := range []struct {
		rule string
		from []string
		want bool
	}{
		{"self.a == 1", []string{"self.a==1"}, true},
		{"self.a == 1", nil, false},
		{"true", nil, true},
		{"self.a == 1", []string{"false"}, true},
		{"1 == self.a", []string{"self.a == 1"}, true},
		{"self.a == self.b", []string{"self.b == self.a"}, false}, // the list on the left decides how lists compare
		{`self.s == "x"`, []string{`self.s == 'x'`}, true},
		{"size(self.l) <= 5", []string{"self.l.size() <= 5"}, true},

		{"self.a == 1 && self.b == 2", []string{"self.b == 2 && self.a == 1"}, true},
		{"self.a == 1", []string{"self.a == 1 && self.b == 2"}, true},
		{"self.a == 1 && self.b == 2", []string{"self.a == 1"}, false},
		{"self.a == 1 && self.b == 2", []string{"self.a == 1", "self.b == 2"}, true},
		{"self.a == 1 || self.b == 2", []string{"self.a == 1"}, true},
		{"self.a == 1", []string{"self.a == 1 || self.b == 2"}, false},
		{"self.x || self.y || self.z", []string{"self.z || self.x"}, true},
		{"(self.x && self.y) || self.z", []string{"(self.x || self.z) && (self.y || self.z)"}, false}, // true, and more than it knows
		{"(self.x || self.z) && (self.y || self.z)", []string{"(self.x && self.y) || self.z"}, true},

		{"!(self.x && self.y)", []string{"!self.x || !self.y"}, true},
		{"!(self.a == 1)", []string{"self.a != 1"}, true},
		{"!(self.l.size() > 5)", []string{"self.l.size() <= 5"}, true},
		{"!(self.a / self.b > 5.0)", []string{"self.a / self.b <= 5.0"}, false}, // no number
		{"!self.l.exists(i, i == 1)", []string{"self.l.all(x, x != 1)"}, true},
		{"!self.l.exists_one(i, i == 1)", []string{"self.l.all(x, x != 1)"}, false},
		{"!(self.s in ['a', 'b'])", []string{"self.s != 'b'", "self.s != 'a'"}, true},

		{"self.a <= 5", []string{"self.a <= 3"}, true},
		{"self.a <= 3", []string{"self.a <= 5"}, false},
		{"self.a <= 5", []string{"self.a < 5"}, true},
		{"self.a < 5", []string{"self.a <= 5"}, false},
		{"self.a >= 3", []string{"5 < self.a"}, true},
		{"self.a >= 3", []string{"self.a <= 5"}, false},
		{"self.a <= 5", []string{"self.b <= 3"}, false},
		{"self.a <= 5.0", []string{"self.a <= 3"}, false}, // numbers of different types
		{"self.a != 5", []string{"self.a < 5"}, false},    // true, and more than it knows
		{"self.a < 5", []string{"self.a == 3 || self.a == 4"}, true},
		{"self.a < 5", []string{"self.a in [3, 5]"}, false},
		{"self.s != ''", []string{"self.s in ['a', 'b']"}, true},
		{"self.s in ['a', 'b', 'c']", []string{"self.s == 'b' || 'a' == self.s"}, true},
		{"self.s in ['a']", []string{"self.s in ['a', 'b']"}, false},
		{"self.s == 'a'", []string{"self.s in ['a']"}, true},

		{"self.l.all(x, x <= 5)", []string{"self.l.all(item, item <= 3 && item > 0)"}, true},
		{"self.l.all(x, x <= 5)", []string{"self.m.all(x, x <= 3)"}, false},
		{"self.l.exists(x, x <= 5)", []string{"self.l.exists(x, x <= 3)"}, true},
		{"self.l.all(x, x <= 5)", []string{"self.l.exists(x, x <= 3)"}, false},
		{"self.l.all(a, self.m.all(b, a == b))", []string{"self.l.all(b, self.m.all(a, b == a))"}, true},
		{"self.l.all(a, self.m.all(b, a == b))", []string{"self.l.all(b, self.m.all(a, a == b))"}, false},
		{"self.l.all(i, v, i < 3 || v == 1)", []string{"self.l.all(v, i, v < 3)"}, true},
		{"self.l.all(i, v, i < 3)", []string{"self.l.all(v, i, i < 3)"}, false},
		{"self == oldSelf", []string{"self == oldSelf"}, true},
	} {
		var from []expr.Expr
		for _, text := range c.from {
			from = append(from, parse(t, text))
		}
		if got := entail.Follows(parse(t, c.rule), from); got != c.want {
			t.Errorf("%s follows from %q: %t", c.rule, c.from, got)
		}
	}
}

// TestUpstream combines the rules of API servers' own tests at random. The normal form of a combination has the same result, and
// what follows from a rule that is true is true.
func TestUpstream(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	count, followed := 0, 0
	for _, c := range exprtest.Cases(t, exprtest.Expressions) {
		objects := expr.Types{}
		env, err := typed.NewEnv(objects, exprtest.TypeOf(exprtest.Structural(t, c.Schema), c.IsRoot, "object", objects), false)
		if err != nil {
			t.Fatal(err)
		}
		obj, old := exprtest.Numbers(c.Obj), exprtest.Numbers(c.OldObj)
		verdict := func(e expr.Expr) string {
			checked, problems := env.Check(e)
			if len(problems) > 0 {
				return "refused"
			}
			program, err := checked.Program()
			if err != nil {
				return "refused" // a constant pattern with a mistake
			}
			switch ok, err := program.Bool(obj, old); {
			case err != nil:
				return "error"
			case ok:
				return "true"
			}
			return "false"
		}
		var rules []expr.Expr
		for _, text := range append(c.Valid, c.Errors...) {
			if rule, problems := typed.Parse(text); len(problems) == 0 && verdict(rule) != "refused" {
				rules = append(rules, rule)
			}
		}
		if len(rules) == 0 {
			continue
		}
		type judged struct {
			rule    expr.Expr
			verdict string
		}
		var all []judged
		for _, rule := range rules {
			all = append(all, judged{rule, verdict(rule)})
		}
		for range 10 {
			rule := combination(random, rules, 3)
			all = append(all, judged{rule, verdict(rule)})
		}
		for _, j := range all {
			count++
			if got := verdict(entail.Normal(j.rule)); got != j.verdict {
				t.Errorf("%s: %s is %s; its normal form\n%s\nis %s", c.Name, expr.CEL(j.rule), j.verdict, expr.CEL(entail.Normal(j.rule)), got)
			}
		}
		for range 10 * len(all) {
			of, is := all[random.IntN(len(all))], all[random.IntN(len(all))]
			if of.verdict == "true" && is.verdict != "true" && entail.Follows(is.rule, []expr.Expr{of.rule}) {
				t.Errorf("%s: %s\nis true, and\n%s\nfollows, which is %s", c.Name, expr.CEL(of.rule), expr.CEL(is.rule), is.verdict)
			}
			if of.rule != is.rule && entail.Follows(is.rule, []expr.Expr{of.rule}) {
				followed++
			}
		}
	}
	if count < 1000 || followed < 100 {
		t.Errorf("%d rules, of which %d followed from another", count, followed)
	}
}

// combination returns a condition of rules.
func combination(random *rand.Rand, rules []expr.Expr, depth int) expr.Expr {
	part := func() expr.Expr { return combination(random, rules, depth-1) }
	if depth == 0 {
		return rules[random.IntN(len(rules))]
	}
	switch random.IntN(4) {
	case 0:
		return &expr.Call{Func: expr.OpAnd, Args: []expr.Expr{part(), part()}}
	case 1:
		return &expr.Call{Func: expr.OpOr, Args: []expr.Expr{part(), part()}}
	case 2:
		return &expr.Call{Func: expr.OpNot, Args: []expr.Expr{part()}}
	}
	return rules[random.IntN(len(rules))]
}
