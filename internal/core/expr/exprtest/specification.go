package exprtest

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	pb "cel.dev/expr"
	_ "cel.dev/expr/conformance/proto2" // messages in the tests
	_ "cel.dev/expr/conformance/proto3"
	"cel.dev/expr/conformance/test"
	"google.golang.org/protobuf/encoding/prototext"

	"github.com/kindsmith/kindsmith/internal/core/expr"
)

// Specification returns the conformance tests of the CEL specification that rules can express, a case for each section:
// Valid has the rules that an expression has its value, Errors those that fail to evaluate. Each test is a rule twice, with
// its literals and with fields of the object instead. It also returns the number of other tests, by reason.
func Specification(t testing.TB, parse func(source string) (expr.Expr, bool)) (cases []Case, others map[string]int) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(ModuleDir(t, "cel.dev/expr"), "tests/simple/testdata/*.textproto"))
	if err != nil || len(files) == 0 {
		t.Fatal("the tests of the specification are gone: ", err)
	}
	others = map[string]int{}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var file test.SimpleTestFile
		if err := prototext.Unmarshal(text, &file); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		for _, section := range file.GetSection() {
			o := &object{properties: map[string]any{}, values: map[string]any{}}
			c := Case{Name: file.GetName() + "/" + section.GetName()}
			for _, s := range section.GetTest() {
				if reason := o.add(&c, s, parse); reason != "" {
					others[reason]++
				}
			}
			if len(c.Valid)+len(c.Errors) == 0 {
				continue
			}
			if c.Schema, err = json.Marshal(map[string]any{"type": "object", "properties": o.properties}); err != nil {
				t.Fatal(err)
			}
			values, err := json.Marshal(o.values)
			if err != nil {
				t.Fatal(err)
			}
			decoder := json.NewDecoder(bytes.NewReader(values))
			decoder.UseNumber()
			if err := decoder.Decode(&c.Obj); err != nil {
				t.Fatal(err)
			}
			cases = append(cases, c)
		}
	}
	return cases, others
}

// object is the object of a case.
type object struct{ properties, values map[string]any }

// field adds a field with a value, and selects it; not ok for values that JSON does not have.
func (o *object) field(v any) (expr.Expr, bool) {
	schema, ok := schemaOf(v)
	if !ok {
		return nil, false
	}
	name := "f" + strconv.Itoa(len(o.values))
	o.properties[name], o.values[name] = schema, v
	return expr.Get(expr.Self(), name), true
}

func schemaOf(v any) (schema map[string]any, ok bool) {
	switch v := v.(type) {
	case bool:
		return map[string]any{"type": "boolean"}, true
	case int64:
		return map[string]any{"type": "integer", "format": "int64"}, true
	case float64:
		return map[string]any{"type": "number"}, !math.IsNaN(v) && !math.IsInf(v, 0) && !(v == 0 && math.Signbit(v))
	case string:
		return map[string]any{"type": "string"}, true
	case []any:
		if len(v) == 0 {
			return nil, false
		}
		items, ok := schemaOf(v[0])
		return map[string]any{"type": "array", "items": items}, ok
	case map[string]any:
		for _, value := range v {
			values, ok := schemaOf(value)
			return map[string]any{"type": "object", "additionalProperties": values}, ok
		}
	}
	return nil, false
}

// add adds the rules of a test, or returns the reason why it has none.
func (o *object) add(c *Case, s *test.SimpleTest, parse func(string) (expr.Expr, bool)) (reason string) {
	switch {
	case s.GetContainer() != "":
		return "names in a container"
	case s.GetDisableCheck() || s.GetDisableMacros():
		return "without types or macros"
	case s.GetCheckOnly():
		return "only a type"
	case s.GetUnknown() != nil || s.GetAnyUnknowns() != nil:
		return "unknown values"
	}
	tree, ok := parse(s.GetExpr())
	if !ok {
		return "not read"
	}
	messages := false
	expr.Walk(tree, func(e expr.Expr) bool {
		_, is := e.(*expr.Message)
		messages = messages || is
		return !messages
	})
	if messages {
		return "protocol buffers"
	}
	variables := map[string]expr.Expr{}
	for name, binding := range s.GetBindings() {
		v, ok := valueOf(binding.GetValue())
		field, isField := expr.Expr(nil), false
		if ok {
			field, isField = o.field(v)
		}
		if !isField {
			return "variables of other types"
		}
		variables[name] = field
	}
	for _, d := range s.GetTypeEnv() {
		if variables[d.GetName()] == nil {
			return "variables without a value"
		}
	}
	tree = expr.Rewrite(tree, func(e expr.Expr) expr.Expr {
		if v, ok := e.(*expr.Var); ok && variables[v.Name] != nil {
			return variables[v.Name]
		}
		return e
	})
	fields := expr.Rewrite(tree, func(e expr.Expr) expr.Expr {
		if l, ok := e.(*expr.Literal); ok && l.Value != nil {
			if field, ok := o.field(l.Value); ok {
				return field
			}
		}
		return e
	})
	if s.GetEvalError() != nil || s.GetAnyEvalErrors() != nil {
		for _, e := range []expr.Expr{tree, fields} {
			c.Errors = append(c.Errors, expr.CEL(expr.Eq(e, e)))
		}
		return ""
	}
	value := s.GetValue()
	if typed := s.GetTypedResult(); typed != nil {
		value = typed.GetResult()
	}
	want, ok := expr.Bool(true), true
	if value != nil {
		want, ok = literal(value)
	}
	if !ok {
		return "results of other types"
	}
	for _, e := range []expr.Expr{tree, fields} {
		c.Valid = append(c.Valid, expr.CEL(expr.Eq(e, want)))
	}
	return ""
}

// valueOf returns a value as JSON has it.
func valueOf(v *pb.Value) (value any, ok bool) {
	switch v := v.GetKind().(type) {
	case *pb.Value_BoolValue:
		return v.BoolValue, true
	case *pb.Value_Int64Value:
		return v.Int64Value, true
	case *pb.Value_DoubleValue:
		return v.DoubleValue, true
	case *pb.Value_StringValue:
		return v.StringValue, true
	case *pb.Value_ListValue:
		list := []any{}
		for _, item := range v.ListValue.GetValues() {
			value, ok := valueOf(item)
			if !ok {
				return nil, false
			}
			list = append(list, value)
		}
		return list, true
	case *pb.Value_MapValue:
		object := map[string]any{}
		for _, e := range v.MapValue.GetEntries() {
			value, ok := valueOf(e.GetValue())
			key, isString := e.GetKey().GetKind().(*pb.Value_StringValue)
			if !ok || !isString {
				return nil, false
			}
			object[key.StringValue] = value
		}
		return object, true
	}
	return nil, false
}

// literal returns an expression for a value.
func literal(v *pb.Value) (e expr.Expr, ok bool) {
	switch v := v.GetKind().(type) {
	case *pb.Value_NullValue:
		return expr.Null(), true
	case *pb.Value_BoolValue:
		return expr.Bool(v.BoolValue), true
	case *pb.Value_Int64Value:
		return expr.Int(v.Int64Value), true
	case *pb.Value_Uint64Value:
		return expr.Uint(v.Uint64Value), true
	case *pb.Value_DoubleValue:
		switch {
		case math.IsNaN(v.DoubleValue):
			return nil, false
		case math.IsInf(v.DoubleValue, 0):
			return expr.Function("double", expr.Str(strings.TrimPrefix(strconv.FormatFloat(v.DoubleValue, 'g', -1, 64), "+"))), true
		}
		return expr.Double(v.DoubleValue), true
	case *pb.Value_StringValue:
		return expr.Str(v.StringValue), true
	case *pb.Value_BytesValue:
		return expr.Bytes(v.BytesValue), true
	case *pb.Value_TypeValue:
		return &expr.Var{Name: v.TypeValue}, !strings.Contains(v.TypeValue, ".")
	case *pb.Value_ListValue:
		var items []expr.Expr
		for _, item := range v.ListValue.GetValues() {
			e, ok := literal(item)
			if !ok {
				return nil, false
			}
			items = append(items, e)
		}
		return expr.ListOf(items...), true
	case *pb.Value_MapValue:
		var entries []expr.Entry
		for _, entry := range v.MapValue.GetEntries() {
			key, ok := literal(entry.GetKey())
			value, ok2 := literal(entry.GetValue())
			if !ok || !ok2 {
				return nil, false
			}
			entries = append(entries, expr.Entry{Key: key, Value: value})
		}
		return expr.MapOf(entries...), true
	}
	return nil, false
}
