package exprtest

import (
	"encoding/json"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/kindsmith/kindsmith/internal/core/expr"
)

// Structural returns the schema of an entry of upstream's table.
func Structural(t testing.TB, raw json.RawMessage) *schema.Structural {
	t.Helper()
	var props apiextensionsv1.JSONSchemaProps
	if err := json.Unmarshal(raw, &props); err != nil {
		t.Fatal(err)
	}
	var in apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&props, &in, nil); err != nil {
		t.Fatal(err)
	}
	s, err := schema.NewStructural(&in)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TypeOf is the type that an API server sees in a schema.
func TypeOf(s *schema.Structural, root bool, name string, objects expr.Types) *expr.Type {
	if s == nil {
		return nil
	}
	t := &expr.Type{Nullable: s.Nullable}
	switch {
	case s.XIntOrString:
		t.Kind = expr.IntOrStringKind
		return t
	case root || s.XEmbeddedResource:
		s = model.WithTypeAndObjectMeta(s)
	}
	switch s.Type {
	case "object":
		if s.AdditionalProperties != nil && s.AdditionalProperties.Structural != nil {
			t.Kind, t.Key, t.Elem = expr.MapKind, expr.StringType(), TypeOf(s.AdditionalProperties.Structural, false, name+".@elem", objects)
			return t
		}
		t.Kind, t.Name = expr.ObjectKind, name
		fields := map[string]*expr.Type{}
		objects[name] = fields
		for prop := range s.Properties {
			p := s.Properties[prop]
			fields[prop] = TypeOf(&p, false, name+"."+prop, objects)
		}
	case "array":
		t.Kind, t.Elem = expr.ListKind, TypeOf(s.Items, false, name+".@idx", objects)
		if s.XListType != nil {
			t.ListType, t.ListKeys = *s.XListType, s.XListMapKeys
		}
	case "string":
		t.Kind = expr.StringKind
		if s.ValueValidation != nil {
			formats := map[string]expr.Kind{"byte": expr.BytesKind, "duration": expr.DurationKind, "date": expr.TimestampKind, "date-time": expr.TimestampKind}
			if kind, ok := formats[s.ValueValidation.Format]; ok {
				t.Kind = kind
			}
			if s.ValueValidation.Format == "date" {
				t.Format = expr.DateFormat
			}
		}
	case "number":
		t.Kind = expr.DoubleKind
	case "integer":
		t.Kind = expr.IntKind
	case "boolean":
		t.Kind = expr.BoolKind
	default:
		t.Kind = expr.UnknownKind
	}
	return t
}

// Numbers replaces json.Number as API servers decode numbers, in place.
func Numbers(v any) any {
	_ = utiljson.ConvertInterfaceNumbers(&v, 0) // numbers that are out of range stay
	return v
}
