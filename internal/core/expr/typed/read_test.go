package typed

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/expr"
)

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"self.a.b", "!(!a) && -(-1) < -1 - -1", "a ? b : c ? d : e", "(a ? b : c) ? d : e", "has(x.y) && x.?y[?0].orValue('\\'')", "[?a, b]{", "{?'a': b, 1u: 2.0}",
		"a.all(i, i > 0) || b.exists_one(k, v, k == v)", "m.map(x, x > 0, x + 1).filter(y, y)", "o.optMap(x, x).optFlatMap(y, y)",
		"l.transformMap(i, v, i > 0, v)", "l.sortBy(e, -e)", "ip.isCanonical(a) && ip(a).family() == 4", "sets.contains([1], [2])", "a.b{c: 1, ?d: 2}",
		"m.__x__ == x.namespace", "'\\u00e9\\U0001F600é'", "b'\\xff'", "r'\\d'", "1 - (2 - 3)", "self.ips.all(ip, ip.isCanonical())", "!-x", "--1", "1e300 * -0.0",
		"a.existsOne(x, x)", "double('NaN')", "x in [1, 2] in y", "-9223372036854775808", ".self.a", "(-1).f()", "a && (b && c) && d",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		tree, problems := Parse(source)
		if len(problems) > 0 {
			return
		}
		printed := expr.CEL(tree)
		again, problems := Parse(printed)
		if len(problems) > 0 {
			t.Fatalf("%q is printed as %q: %v", source, printed, problems)
		}
		if !expr.Equal(again, tree) {
			t.Fatalf("%q is printed as %q, which reads as %q", source, printed, expr.CEL(again))
		}
		expr.Walk(tree, func(e expr.Expr) bool {
			if at := e.Pos(); at.Start < 0 || at.End > len(source) || at.Start > at.End {
				t.Fatalf("%q: a node is at %v", source, at)
			}
			return true
		})
		data, err := json.Marshal(tree)
		if err != nil {
			t.Fatal(err)
		}
		var back expr.Tree
		if err := json.Unmarshal(data, &back); err != nil || !expr.Equal(back.Expr, tree) {
			t.Fatalf("%q: JSON %s: %v", source, data, err)
		}
	})
}

// FuzzPrint reads what trees are printed as. The trees are put together from
// random numbers, so that they have what no author writes.
func FuzzPrint(f *testing.F) {
	for seed := range uint64(300) {
		f.Add(seed, "it's \\ \n\u2028\x00")
	}
	f.Fuzz(func(t *testing.T, seed uint64, s string) {
		if !json.Valid([]byte(`"`+strings.ToValidUTF8(s, "")+`"`)) && s != strings.ToValidUTF8(s, "") {
			return // CEL has no such strings
		}
		g := &generator{Rand: rand.New(rand.NewPCG(seed, 1)), text: s}
		tree := g.expr(4)
		printed := expr.CEL(tree)
		got, problems := Parse(printed)
		if len(problems) > 0 {
			t.Fatalf("%s: %v", printed, problems)
		}
		if !expr.Equal(got, tree) {
			t.Fatalf("%s\nreads as\n%s", printed, expr.CEL(got))
		}
	})
}

type generator struct {
	*rand.Rand
	text string
}

func (g *generator) name() string { return []string{"a", "b", "self", "oldSelf"}[g.IntN(4)] }

func (g *generator) expr(depth int) expr.Expr {
	if depth == 0 {
		return g.leaf()
	}
	x := func() expr.Expr { return g.expr(depth - 1) }
	binary := []func(a, b expr.Expr) expr.Expr{
		expr.Eq, expr.Ne, expr.Lt, expr.Le, expr.Gt, expr.Ge, expr.In, expr.Add, expr.Sub, expr.Mul, expr.Div, expr.Mod, expr.At, expr.OptAt, expr.Implies,
	}
	each := func(expr.Expr) expr.Expr { return x() }
	switch g.IntN(16) {
	case 0:
		return expr.And(x(), x(), x())
	case 1:
		return expr.Or(x(), x())
	case 2:
		return expr.Not(x())
	case 3:
		return expr.Neg(x())
	case 4:
		return expr.If(x(), x(), x())
	case 5:
		return expr.Get(x(), []string{"f", "a-b", "namespace", "x__y", "k8s.io/z"}[g.IntN(5)])
	case 6:
		return expr.Has(x(), "in")
	case 7:
		return expr.OptGet(x(), "f")
	case 8:
		return expr.ListOf(x(), x())
	case 9:
		return expr.MapOf(expr.Entry{Key: x(), Value: x(), Optional: g.IntN(2) == 0})
	case 10:
		return []func(expr.Expr, func(expr.Expr) expr.Expr) expr.Expr{expr.All, expr.Exists, expr.ExistsOne, expr.Filter, expr.MapEach, expr.OptMap}[g.IntN(6)](x(), each)
	case 11:
		return expr.AllEntries(x(), func(k, v expr.Expr) expr.Expr { return expr.Eq(k, expr.Add(v, x())) })
	case 12:
		return expr.Method(x(), "startsWith", x())
	case 13:
		return expr.IsFormat(x(), "uuid")
	}
	return binary[g.IntN(len(binary))](x(), x())
}

func (g *generator) leaf() expr.Expr {
	switch g.IntN(8) {
	case 0:
		return expr.Str(g.text)
	case 1:
		return expr.Int(int64(g.Uint64()))
	case 2:
		return expr.Uint(g.Uint64())
	case 3:
		f := math.Float64frombits(g.Uint64())
		if math.IsNaN(f) || math.IsInf(f, 0) {
			f = -1
		}
		return expr.Double(f)
	case 4:
		return expr.Bytes([]byte(g.text))
	case 5:
		return expr.Null()
	}
	return &expr.Var{Name: g.name()}
}

func TestPositions(t *testing.T) {
	source := "self.é == 'ü' &&\n self.spec.name.startsWith('x')"
	if _, problems := Parse(source); len(problems) == 0 {
		t.Error("é is a name")
	}
	source = "'é' == self.name ||\n self.spec.count > 3"
	tree, problems := Parse(source)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	var got []string
	expr.Walk(tree, func(e expr.Expr) bool {
		got = append(got, source[e.Pos().Start:e.Pos().End])
		return true
	})
	want := "'é' == self.name ||\n self.spec.count > 3|'é' == self.name|'é'|self.name|self|self.spec.count > 3|self.spec.count|self.spec|self|3"
	if strings.Join(got, "|") != want {
		t.Errorf("got %q", got)
	}
}

func TestProblems(t *testing.T) {
	objects := expr.Types{"T": {"n": {Kind: expr.IntKind}}}
	env, err := NewEnv(objects, &expr.Type{Kind: expr.ObjectKind, Name: "T"}, false)
	if err != nil {
		t.Fatal(err)
	}
	for source, want := range map[string]string{
		"'é' == '' && self.m":  "m|undefined field 'm'",
		"self.name == 'a'":     "name|undefined field 'name'",
		"self.N == 1":          "N|undefined field 'N'; did you mean n?",
		"self.n ==":            "|the expression ends where a value is expected",
		"":                     "|the expression is empty",
		"(self.n == 1":         "|the expression ends without a closing )",
		"self.n == '":          "'|the string is not closed; add '",
		"self.n = 1":           "=|use == to compare",
		"self.n = 1 = 2":       "=|use == to compare",
		"self.n === 1":         "===|use == to compare",
		"self.n == 1 | true":   "||use || for or",
		"self.n == 1 & true":   "&|use && for and",
		"self.n == 1 or true":  "or|use || for or",
		"self.n == 1 and true": "and|use && for and",
		"not self.n == 1":      "self|self is not expected here",
		"self.n 1":             "1|1 is not expected here",
		"self.n == 1 @ 2":      "@|CEL has no @",
		"self.n == 'a'":        "==|== does not take (int, string)",
		"!self.n":              "!|! does not take (int)",
		"self.n.nosuch() == 1": "nosuch|undeclared reference to 'nosuch'",
		"'a'.startWith('a')":   "startWith|undeclared reference to 'startWith'; did you mean startsWith?",
		"'a'.startsWith(1)":    "startsWith|startsWith does not take string.(int)",
		"n == 1":               "n|undeclared reference to 'n'; did you mean self.n?",
		"slef.n == 1":          "slef|undeclared reference to 'slef'; did you mean self?",
		"oldself.n == self.n":  "oldself|undeclared reference to 'oldself'; did you mean oldSelf?",
	} {
		_, problems := env.Read(source)
		if len(problems) == 0 {
			t.Errorf("%s is accepted", source)
			continue
		}
		p := problems[0]
		if got := source[p.Span.Start:p.Span.End] + "|" + p.Message; len(problems) != 1 || got != want {
			t.Errorf("%s: got %d problems, %s", source, len(problems), got)
		}
	}
}
