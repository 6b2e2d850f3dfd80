package defaults_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/internal/core/expr/exprtest"
	"github.com/kindsmith/kindsmith/runtime/structural"
)

// tables are the server's own tests of what package structural does.
var tables = []struct {
	file, test, members string
	atLeast             int
}{
	{"defaulting/algorithm_test.go", "TestDefault", `"Object": tt.json`, 13},
	{"defaulting/prunenulls_test.go", "TestPruneNonNullableNullsWithoutDefaults", `"Object": tt.json`, 4},
	{"pruning/algorithm_test.go", "TestPrune", `"Object": tt.json`, 11},
	{"objectmeta/algorithm_test.go", "TestCoerce", `"Object": tt.json`, 8},
	{"listtype/validation_test.go", "TestValidateListSetsAndMaps", `"Value": tt.obj`, 15},
}

// entry is a schema and an object of a table.
type entry struct {
	Name   string
	Schema json.RawMessage
	// Object is JSON text, Value the object itself.
	Object string
	Value  json.RawMessage
}

func (e entry) object(t *testing.T) any {
	t.Helper()
	text := []byte(e.Object)
	if e.Object == "" {
		text = e.Value
	}
	var v any
	if err := utiljson.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// engines are the server's implementation and ours of one step, on the same schema. A step changes
// the value and returns what it reports.
type engine struct {
	name string
	server,
	ours func(value any, s *schema.Structural, ours *structural.Schema) any
}

var steps = append(metadataSteps(), []engine{
	{
		"nulls",
		func(v any, s *schema.Structural, _ *structural.Schema) any {
			defaulting.PruneNonNullableNullsWithoutDefaults(v, s)
			return nil
		},
		func(v any, _ *schema.Structural, s *structural.Schema) any { s.DropNulls(v); return nil },
	},
	{
		"defaults",
		func(v any, s *schema.Structural, _ *structural.Schema) any { defaulting.Default(v, s); return nil },
		func(v any, _ *schema.Structural, s *structural.Schema) any { s.SetDefaults(v); return nil },
	},
	{
		"nulls and defaults",
		func(v any, s *schema.Structural, _ *structural.Schema) any {
			defaulting.PruneNonNullableNullsWithoutDefaults(v, s)
			defaulting.Default(v, s)
			return nil
		},
		func(v any, _ *schema.Structural, s *structural.Schema) any { s.Default(v); return nil },
	},
	{
		"pruning",
		func(v any, s *schema.Structural, _ *structural.Schema) any {
			return pruning.PruneWithOptions(v, s, false, schema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
		},
		func(v any, _ *schema.Structural, s *structural.Schema) any { return s.Prune(v) },
	},
	{
		"pruning of resources",
		func(v any, s *schema.Structural, _ *structural.Schema) any {
			return pruning.PruneWithOptions(v, s, true, schema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
		},
		func(v any, _ *schema.Structural, s *structural.Schema) any { return s.PruneResource(v) },
	},
	{
		"lists",
		func(v any, s *schema.Structural, _ *structural.Schema) any {
			object, _ := v.(map[string]any)
			return reported(listtype.ValidateListSetsAndMaps(nil, s, object))
		},
		func(v any, _ *schema.Structural, s *structural.Schema) any {
			object, _ := v.(map[string]any)
			return reported(s.CheckLists(nil, object))
		},
	},
}...)

func metadataSteps() (steps []engine) {
	for _, resource := range []bool{false, true} {
		for _, drop := range []bool{false, true} {
			steps = append(steps, engine{
				fmt.Sprintf("metadata, resource %v, drop %v", resource, drop),
				func(v any, s *schema.Structural, _ *structural.Schema) any {
					return failed(objectmeta.Coerce(nil, v, s, resource, drop), v)
				},
				func(v any, _ *schema.Structural, s *structural.Schema) any {
					return failed(s.CoerceMetadata(nil, v, resource, drop), v)
				},
			})
		}
	}
	return steps
}

// failed reports an error. The value is then undefined.
func failed(err *field.Error, v any) bool {
	switch v := v.(type) {
	case map[string]any:
		if err != nil {
			clear(v)
		}
	case []any:
		if err != nil {
			clear(v)
		}
	}
	return err != nil
}

func reported(errs field.ErrorList) []string {
	var out []string
	for _, e := range errs {
		out = append(out, e.Error())
	}
	slices.Sort(out)
	return out
}

// TestServersTables compares package structural with the server's code on the schemas and objects
// of the server's tests, and on random objects made from them.
func TestServersTables(t *testing.T) {
	for _, table := range tables {
		t.Run(table.test, func(t *testing.T) {
			count := 0
			dec := exprtest.Table(t, table.file, table.test, `"Name": tt.name, "Schema": tt.schema.ToKubeOpenAPI(), `+table.members)
			for ; dec.More(); count++ {
				var e entry
				if err := dec.Decode(&e); err != nil {
					t.Fatal(err)
				}
				compare(t, e)
			}
			if count < table.atLeast {
				t.Errorf("the table has only %d entries", count)
			}
		})
	}
}

func compare(t *testing.T, e entry) {
	t.Helper()
	ours, err := structural.Parse(e.Schema)
	if err != nil {
		t.Fatal(err)
	}
	var theirs *schema.Structural
	if string(e.Schema) != "null" {
		theirs = exprtest.Structural(t, e.Schema)
	}
	r := rand.New(rand.NewPCG(uint64(len(e.Name)), uint64(len(e.Schema))))
	object := e.object(t)
	for i := range 40 {
		in := object
		if i > 0 {
			in = mutated(r, object)
		}
		for _, step := range steps {
			compareStep(t, e.Name, step, in, theirs, ours)
		}
	}
}

func compareStep(t *testing.T, name string, step engine, in any, theirs *schema.Structural, ours *structural.Schema) {
	t.Helper()
	want, got := runtime.DeepCopyJSONValue(in), runtime.DeepCopyJSONValue(in)
	wantReport, gotReport := step.server(want, theirs, ours), step.ours(got, theirs, ours)
	if !reflect.DeepEqual(want, got) || !reflect.DeepEqual(wantReport, gotReport) {
		t.Errorf("%s, %s: %s\nserver %s %v\n  ours %s %v", name, step.name, text(t, in), text(t, want), wantReport, text(t, got), gotReport)
	}
}

// mutated returns a copy with some values replaced by null, {}, others of the value, or nothing.
func mutated(r *rand.Rand, in any) any {
	var all []any
	var collect func(any)
	collect = func(v any) {
		all = append(all, v)
		switch v := v.(type) {
		case map[string]any:
			for _, key := range sorted(v) {
				collect(v[key])
			}
		case []any:
			for _, item := range v {
				collect(item)
			}
		}
	}
	collect(in)
	all = append(all, nil, nil, map[string]any{}, []any{nil}, "", int64(0))
	var change func(any) any
	change = func(v any) any {
		if r.IntN(8) == 0 {
			return runtime.DeepCopyJSONValue(all[r.IntN(len(all))])
		}
		switch v := v.(type) {
		case map[string]any:
			out := map[string]any{}
			for _, key := range sorted(v) {
				if r.IntN(8) > 0 {
					out[key] = change(v[key])
				}
			}
			return out
		case []any:
			out := make([]any, 0, len(v))
			for _, item := range v {
				out = append(out, change(item))
				if r.IntN(8) == 0 {
					out = append(out, runtime.DeepCopyJSONValue(item))
				}
			}
			return out
		}
		return v
	}
	return change(in)
}
