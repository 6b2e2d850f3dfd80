package expr

import (
	"encoding/json"
	"math"
	"testing"
)

func TestCEL(t *testing.T) {
	a, b, c := Expr(&Var{Name: "a"}), Expr(&Var{Name: "b"}), Expr(&Var{Name: "c"})
	spec := Get(Self(), "spec")
	for _, x := range []struct {
		e    Expr
		want string
	}{
		// Simplification.
		{And(), "true"},
		{Or(), "false"},
		{And(a), "a"},
		{And(Bool(true), a, And(b, c)), "a && b && c"},
		{And(a, Bool(false)), "false"},
		{Or(a, Bool(true)), "true"},
		{Or(Bool(false), Or(a, b)), "a || b"},
		{Not(Not(a)), "a"},
		{Not(Eq(a, b)), "a != b"},
		{Not(Ne(a, b)), "a == b"},
		{Not(Lt(a, b)), "!(a < b)"}, // not a >= b: NaN is neither
		{Not(And(a, b)), "!(a && b)"},
		{Implies(Has(Self(), "x"), a), "!has(self.x) || a"},
		{If(Bool(true), a, b), "a"},

		// Precedence.
		{And(a, Or(b, c)), "a && (b || c)"},
		{Or(And(a, b), c), "a && b || c"},
		{Eq(Eq(a, b), c), "a == b == c"},
		{Eq(a, Eq(b, c)), "a == (b == c)"},
		{Sub(a, Sub(b, c)), "a - (b - c)"},
		{Sub(Sub(a, b), c), "a - b - c"},
		{Mul(Add(a, b), c), "(a + b) * c"},
		{Add(a, Mul(b, c)), "a + b * c"},
		{If(If(a, b, c), b, If(a, b, c)), "(a ? b : c) ? b : a ? b : c"},
		{If(a, If(a, b, c), c), "a ? (a ? b : c) : c"},
		{If(Or(a, b), Or(a, b), c), "a || b ? a || b : c"},
		{And(If(a, b, c), a), "(a ? b : c) && a"},
		{op(OpNot, op(OpNot, a)), "!(!a)"}, // CEL drops both of !!a
		{Neg(Neg(a)), "-(-a)"},
		{Neg(Int(1)), "-(1)"},
		{Neg(Int(-1)), "-(-1)"},
		{Neg(Method(Int(1), "f")), "-(1.f())"},
		{Sub(a, Int(-1)), "a - -1"},
		{Method(Int(-1), "f"), "(-1).f()"},
		{Method(Add(a, b), "size"), "(a + b).size()"},
		{At(Add(a, b), Int(0)), "(a + b)[0]"},
		{OptAt(a, Str("k")), "a[?'k']"},
		{Not(Has(spec, "x")), "!has(self.spec.x)"},
		{Not(Size(a)), "!a.size()"},
		{Has(If(a, b, c), "x"), "has((a ? b : c).x)"},
		{In(a, ListOf(b, c)), "a in [b, c]"},
		{MapOf(Entry{Key: Str("a"), Value: If(a, b, c)}), "{'a': a ? b : c}"},
		{&Map{Entries: []Entry{{Key: Str("a"), Value: a, Optional: true}}}, "{?'a': a}"},
		{&List{Items: []Item{{Value: a, Optional: true}}}, "[?a]"},
		{&Message{Name: "a.B", Fields: []Field{{Name: "c", Value: Int(1)}}}, "a.B{c: 1}"},
		{Method(OptGet(spec, "x"), "orValue", Int(3)), "self.spec.?x.orValue(3)"},
		{IsFormat(a, "dns1123Label"), "!format.dns1123Label().validate(a).hasValue()"},

		// Names.
		{Get(Self(), "a-b.c/d__e", "namespace", "x_y", "var"), "self.a__dash__b__dot__c__slash__d__underscores__e.__namespace__.x_y.__var__"},
		{&Select{Operand: a, Field: "__x__", Verbatim: true}, "a.__x__"},
		{&Select{Operand: a, Field: "b-c", Verbatim: true}, "a.`b-c`"},

		// Literals.
		{Double(1), "1.0"},
		{Double(1e21), "1e+21"},
		{Double(math.Copysign(0, -1)), "-0.0"},
		{Double(math.Inf(-1)), "double('-Infinity')"},
		{Uint(7), "7u"},
		{Null(), "null"},
		{Int(math.MinInt64), "-9223372036854775808"},
		{Str("it's \\ \"q\"\n\r\t\x00\u2028é\U0001F600\U000E0001\xff"), `'it\'s \\ "q"\n\r\t\u0000\u2028é😀\U000e0001\ufffd'`},
		{Bytes([]byte("a'\xff\n")), `b'a\'\xff\x0a'`},
	} {
		if got := CEL(x.e); got != x.want {
			t.Errorf("got %s, want %s", got, x.want)
		}
		data, err := json.Marshal(x.e)
		if err != nil {
			t.Fatal(err)
		}
		var back Tree
		if err := json.Unmarshal(data, &back); err != nil {
			t.Errorf("%s: %v", data, err)
		} else if x.want[0] != '\'' && !Equal(back.Expr, x.e) {
			t.Errorf("JSON of %s gives %s", x.want, CEL(back.Expr))
		}
	}
}

func TestLoopVariables(t *testing.T) {
	list := Get(Self(), "list")
	i := Expr(&Var{Name: "i"})
	nested := All(list, func(x Expr) Expr {
		return Exists(Get(x, "ports"), func(y Expr) Expr {
			return And(Eq(x, y), All(Get(y, "z"), func(z Expr) Expr { return Ne(z, x) }))
		})
	})
	for _, x := range []struct {
		e    Expr
		want string
	}{
		{All(list, func(x Expr) Expr { return Gt(x, Int(0)) }), "self.list.all(i, i > 0)"},
		// A name that the body uses already is left alone.
		{All(list, func(x Expr) Expr { return Eq(x, i) }), "self.list.all(i2, i2 == i)"},
		{nested, "self.list.all(i, i.ports.exists(i2, i == i2 && i2.z.all(i3, i3 != i)))"},
		{AllEntries(list, Eq), "self.list.all(k, v, k == v)"},
		{AllIndexed(list, func(x, v Expr) Expr {
			return And(Eq(x, v), Eq(i, Str("")), AllIndexed(v, func(a, b Expr) Expr { return Eq(a, Add(b, x)) }))
		}),
			"self.list.all(i2, v, i2 == v && i == '' && v.all(i, v2, i == v2 + i2))"},
		{Keyed(All(list, func(k Expr) Expr { return Eq(k, &Var{Name: "k"}) })), "self.list.all(k2, k2 == k)"},
		// Substitution does not capture.
		{Subst(nested, SelfName, Get(i, "spec")), "i.spec.list.all(i2, i2.ports.exists(i3, i2 == i3 && i3.z.all(i4, i4 != i2)))"},
		{Subst(All(Self(), func(x Expr) Expr { return Eq(x, Self()) }), "i", Int(1)), "self.all(i, i == self)"},
		{Subst(Eq(Self(), OldSelf()), SelfName, OldSelf()), "oldSelf == oldSelf"},
		{Subst(Eq(Str("self"), Get(Self(), "self")), SelfName, i), "'self' == i.self"},
		// A variable of the same name hides the one that is replaced.
		{Subst(And(i, Exists(i, func(Expr) Expr { return Bool(true) }), &Comprehension{Macro: MapMacro, Range: i, Var: "i", Filter: i, Body: i}), "i", list),
			"self.list && self.list.exists(i, true) && self.list.map(i, i, i)"},
	} {
		if got := CEL(x.e); got != x.want {
			t.Errorf("got  %s\nwant %s", got, x.want)
		}
	}
	if Uses(nested, "i") || !Uses(nested, SelfName) || !Uses(Eq(i, Self()), "i") {
		t.Error("free variables")
	}
}

func TestEscapeName(t *testing.T) {
	for name, want := range map[string]string{
		"a": "a", "_": "_", "in": "__in__", "int": "int", "a__b": "a__underscores__b", "__in__": "__underscores__in__underscores__",
		"a.b-c/d": "a__dot__b__dash__c__slash__d", "___": "__underscores___", "-": "__dash__",
		"": "", "0a": "", "a b": "", "$ref": "", "é": "",
	} {
		got, ok := EscapeName(name)
		if got != want || ok != (want != "") {
			t.Errorf("%q: got %q, %v", name, got, ok)
		}
		if back, ok := UnescapeName(got); want != "" && (!ok || back != name) {
			t.Errorf("%q: comes back as %q", name, back)
		}
	}
	for _, word := range []string{"__x__", "a__in__", "__a", "__"} {
		if name, ok := UnescapeName(word); ok {
			t.Errorf("%q is the escaped form of %q", word, name)
		}
	}
}

func TestJSONMistakes(t *testing.T) {
	for _, data := range []string{
		`{"kind":"x"}`, `{"kind":"select"}`, `{"kind":"call","func":"=="}`, `{"kind":"int","value":"x"}`, `{"kind":"double"}`,
		`{"kind":"call","func":"f","args":[null]}`, `{"kind":"comprehension"}`, `[]`,
	} {
		var tree Tree
		if err := json.Unmarshal([]byte(data), &tree); err == nil {
			t.Errorf("%s is accepted", data)
		}
	}
}

func TestLines(t *testing.T) {
	a, b := Expr(&Var{Name: "a"}), Expr(&Var{Name: "b"})
	sum := Add(a, b)
	for _, x := range []struct {
		e    Expr
		want string
	}{
		{a, "a"},
		{sum, "a\n+ b"},
		{ListOf(sum), "[a + b]"},
		{MapEach(sum, func(i Expr) Expr { return Add(i, b) }), "(a + b).map(i, i + b)"},
		{If(Eq(sum, a), sum, b), "a + b == a\n? a + b\n: b"},
		{Add(Add(If(a, sum, b), sum), If(a, b, Mul(a, sum))), "(a\n? a + b\n: b)\n+ (a\n+ b)\n+ (a\n? b\n: a * (a + b))"},
	} {
		if got := Lines(x.e); got != x.want {
			t.Errorf("Lines(%s):\n%s\nwant\n%s", CEL(x.e), got, x.want)
		}
	}
}
