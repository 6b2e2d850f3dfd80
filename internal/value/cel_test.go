package value_test

import (
	"testing"
	"unicode/utf8"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"

	"github.com/kindsmith/kindsmith/internal/value"
)

func TestCEL(t *testing.T) {
	m, fields := shapesOf(t)
	for _, c := range []struct{ field, json, want string }{
		{"string", `"it's\n\\ \u0001 é"`, `'it\'s\n\\ \u0001 é'`}, {"bool", `true`, `true`}, {"int8", `-3`, `-3`}, {"level", `3`, `3`},
		{"float64", `1`, `1.0`}, {"float64", `1e400`, ``}, {"float32", `-2.5e-3`, `-0.0025`}, {"float64", `1e30`, `1e+30`},
		{"uint64", `18446744073709551615`, ``}, {"pointer", `null`, `null`}, {"pointer", `1`, `1`}, {"mode", `"Fast"`, `'Fast'`},
		{"bytes", `"aCc="`, `b'\x68\x27'`}, {"list", `["a","b"]`, `['a', 'b']`}, {"list", `[]`, `[]`}, {"map", `{"a'":"b"}`, `{'a\'': 'b'}`},
		{"struct", `{"name":"a","nested":{"count":1}}`, `{'name': 'a', 'nested': {'count': 1}}`}, {"box", `{"value":1}`, `{'value': 1}`},
		{"quantity", `"1Gi"`, `'1Gi'`}, {"duration", `"1h"`, `'1h'`}, {"intOrString", `80`, `80`}, {"time", `"2024-01-01T00:00:00Z"`, `timestamp('2024-01-01T00:00:00Z')`},
		{"json", `{"a":[1,2.5,null,"x"]}`, `{'a': [1, 2.5, null, 'x']}`},
	} {
		got, ok := value.CEL(m, fields[c.field].Type, parse(t, c.json))
		if ok != (c.want != "") || ok && got != c.want {
			t.Errorf("%s %s: got %s, %v, want %s", c.field, c.json, got, ok, c.want)
		}
		if ok {
			evaluate(t, got)
		}
	}
}

// FuzzCELString holds quoted strings to what CEL reads.
func FuzzCELString(f *testing.F) {
	f.Add(`'"\ ${x} \n`)
	f.Add("\x00\x7f\r\n\t\u2028é")
	f.Fuzz(func(t *testing.T, s string) {
		if utf8.ValidString(s) && evaluate(t, value.CELString(s)) != s {
			t.Errorf("%q is quoted as %s", s, value.CELString(s))
		}
	})
}

func evaluate(t *testing.T, expr string) any {
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
	result, _, err := program.Eval(map[string]any{})
	if err != nil {
		t.Fatalf("%s: %v", expr, err)
	}
	return result.Value()
}
