package value_test

import (
	"testing"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"

	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/core/value"
)

func TestExpr(t *testing.T) {
	m, fields := shapesOf(t)
	for _, c := range []struct{ field, json, want string }{
		{"string", `"it's\n\\ \u0001 é"`, `'it\'s\n\\ \u0001 é'`}, {"bool", `true`, `true`}, {"int8", `-3`, `-3`}, {"level", `3`, `3`},
		{"float64", `1`, `1.0`}, {"float64", `1e400`, ``}, {"float32", `-2.5e-3`, `-0.0025`}, {"float64", `1e30`, `1e+30`},
		{"uint64", `18446744073709551615`, ``}, {"pointer", `null`, `null`}, {"pointer", `1`, `1`}, {"mode", `"Fast"`, `'Fast'`},
		{"bytes", `"aCc="`, `b'h\''`}, {"list", `["a","b"]`, `['a', 'b']`}, {"list", `[]`, `[]`}, {"map", `{"a'":"b"}`, `{'a\'': 'b'}`},
		{"struct", `{"name":"a","nested":{"count":1}}`, `{'name': 'a', 'nested': {'count': 1}}`}, {"box", `{"value":1}`, `{'value': 1}`},
		{"quantity", `"1Gi"`, `'1Gi'`}, {"duration", `"1h"`, `'1h'`}, {"intOrString", `80`, `80`}, {"time", `"2024-01-01T00:00:00Z"`, `timestamp('2024-01-01T00:00:00Z')`},
		{"json", `{"a":[1,2.5,null,"x"]}`, `{'a': [1, 2.5, null, 'x']}`},
	} {
		e, ok := value.Expr(m, fields[c.field].Type, parse(t, c.json))
		got := expr.CEL(e)
		if ok != (c.want != "") || ok && got != c.want {
			t.Errorf("%s %s: got %s, %v, want %s", c.field, c.json, got, ok, c.want)
		}
		if ok {
			evaluate(t, got)
		}
	}
}

// evaluate fails the test unless an expression can be evaluated.
func evaluate(t *testing.T, expr string) {
	t.Helper()
	env, err := cel.NewEnv(cel.CustomTypeAdapter(types.DefaultTypeAdapter))
	if err != nil {
		t.Fatal(err)
	}
	ast, issues := env.Compile(expr)
	if issues.Err() != nil {
		t.Fatalf("%s: %v", expr, issues.Err())
	}
	program, err := env.Program(ast)
	if err != nil {
		t.Fatalf("%s: %v", expr, err)
	}
	if _, _, err := program.Eval(map[string]any{}); err != nil {
		t.Fatalf("%s: %v", expr, err)
	}
}
