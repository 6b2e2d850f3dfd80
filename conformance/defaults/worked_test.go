package defaults_test

import (
	"encoding/json"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/kindsmith/kindsmith/conformance/defaults/worked"
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/emit/defaults"
	"github.com/kindsmith/kindsmith/internal/emit/definitions"
	"github.com/kindsmith/kindsmith/internal/rules/eval"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
	"github.com/kindsmith/kindsmith/internal/testing/emittest"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
	"github.com/kindsmith/kindsmith/runtime/structural"
)

// row is an example of worked/rows.yaml, which documents the fields.
type row struct {
	Row, Type, Invalid, Why string
	Schema, In              json.RawMessage
	Both, Go, CRD           json.RawMessage
}

func rows(t *testing.T) []row {
	t.Helper()
	content, err := os.ReadFile("worked/rows.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var all []row
	if err := yaml.UnmarshalStrict(content, &all); err != nil {
		t.Fatal(err)
	}
	for i := range all {
		r := &all[i]
		if r.Both != nil {
			r.Go, r.CRD = r.Both, r.Both
		}
		if same := r.Go == nil || r.CRD != nil && decoded(t, r.Go) == decoded(t, r.CRD); same != (r.Why == "") {
			t.Errorf("row %s has a reason exactly if the results differ", r.Row)
		}
	}
	return all
}

// decoded returns JSON with sorted keys.
func decoded(t *testing.T, text json.RawMessage) string {
	t.Helper()
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// root runs the generated defaulter of a type. A nil defaulter only decodes and encodes.
type root func(text []byte, set bool) (string, error)

func of[T any](set func(*T)) root {
	return func(text []byte, run bool) (string, error) {
		var obj T
		if err := json.Unmarshal(text, &obj); err != nil {
			return "", err
		}
		if run {
			set(&obj)
			once, err := json.Marshal(obj)
			if err != nil {
				return "", err
			}
			if set(&obj); err == nil {
				if again, _ := json.Marshal(obj); string(again) != string(once) {
					return "defaulting again: " + string(again), nil
				}
			}
		}
		out, err := json.Marshal(obj)
		return string(out), err
	}
}

var roots = map[string]root{
	"StructRoot": of(worked.SetObjectDefaults_StructRoot), "PointerRoot": of(worked.SetObjectDefaults_PointerRoot),
	"BareRoot": of(worked.SetObjectDefaults_BareRoot), "AbsentRoot": of(worked.SetObjectDefaults_AbsentRoot),
	"ScalarRoot": of(worked.SetObjectDefaults_ScalarRoot), "ListRoot": of(worked.SetObjectDefaults_ListRoot),
	"WordsRoot": of(func(*worked.WordsRoot) {}), // has no defaults, so it has no function
	"MapRoot":   of(worked.SetObjectDefaults_MapRoot), "TypeRoot": of(worked.SetObjectDefaults_TypeRoot),
	"MapOfStructRoot": of(worked.SetObjectDefaults_MapOfStructRoot), "ListOfListRoot": of(worked.SetObjectDefaults_ListOfListRoot),
	"CompositeRoot": of(worked.SetObjectDefaults_CompositeRoot), "BoolRoot": of(worked.SetObjectDefaults_BoolRoot),
}

var workedModel = sync.OnceValues(func() (*model.Model, error) {
	return driver.Model(driver.ModelConfig{Patterns: []string{"./worked/..."}}, &diag.Bag{})
})

// TestWorkedExamples runs each example on generated Go, on the evaluator, on the API server's code,
// and on package structural.
func TestWorkedExamples(t *testing.T) {
	m, err := workedModel()
	if err != nil {
		t.Fatal(err)
	}
	set := eval.New(tag.Programs(m, driver.Tags()))
	published := schemasOf(t, m)
	for _, r := range rows(t) {
		t.Run(r.Row, func(t *testing.T) {
			if r.Go != nil {
				t.Run("go", func(t *testing.T) { r.runGo(t, set) })
			}
			t.Run("crd", func(t *testing.T) {
				s := r.Schema
				if s == nil {
					s = published[strings.ToLower(r.Type[:1])+r.Type[1:]]
				}
				r.runSchema(t, s)
			})
		})
	}
}

func (r row) runGo(t *testing.T, set *eval.Set) {
	run := roots[r.Type]
	got, err := run(r.In, true)
	if err != nil || decoded(t, []byte(got)) != decoded(t, r.Go) {
		t.Errorf("Go makes %s (%v), want %s", got, err, r.Go)
	}
	object := map[string]any{} // what Go decodes null as
	if string(r.In) != "null" {
		if object, err = eval.Decode(r.In); err != nil {
			t.Fatal(err)
		}
	}
	before := text(t, object)
	out, notRun, err := set.Default(eval.TypeName{Package: "github.com/kindsmith/kindsmith/conformance/defaults/worked", Name: r.Type}, object)
	if err != nil || len(notRun) > 0 {
		t.Fatal(err, notRun)
	}
	if after := text(t, object); after != before {
		t.Errorf("the evaluator changes the object itself: %s became %s", before, after)
	}
	if evaluated, err := run([]byte(text(t, out)), false); err != nil || evaluated != got {
		t.Errorf("the evaluator makes %s (%v), and Go %s", evaluated, err, got)
	}
}

// runSchema does what a server does with a schema.
func (r row) runSchema(t *testing.T, text json.RawMessage) {
	var v1 apiextensionsv1.JSONSchemaProps
	var props apiextensions.JSONSchemaProps
	if err := json.Unmarshal(text, &v1); err != nil {
		t.Fatal(err)
	}
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&v1, &props, nil); err != nil {
		t.Fatal(err)
	}
	server, err := structuralschema.NewStructural(&props)
	if err != nil {
		t.Fatal(err)
	}
	validator, _, err := validation.NewSchemaValidator(&props)
	if err != nil {
		t.Fatal(err)
	}
	ours, err := structural.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	var got, same, want any
	for _, v := range []*any{&got, &same} {
		if err := utiljson.Unmarshal(r.In, v); err != nil {
			t.Fatal(err)
		}
	}
	defaulting.PruneNonNullableNullsWithoutDefaults(got, server)
	defaulting.Default(got, server)
	ours.Default(same)
	if diff := cmp.Diff(got, same); diff != "" {
		t.Errorf("package structural differs from the server:\n%s", diff)
	}
	if r.CRD != nil {
		if err := utiljson.Unmarshal(r.CRD, &want); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	errs := validation.ValidateCustomResource(nil, got, validator)
	switch {
	case r.Invalid == "" && len(errs) > 0:
		t.Error(errs)
	case r.Invalid != "" && (len(errs) == 0 || !strings.Contains(errs[0].Error(), r.Invalid)):
		t.Errorf("the errors are %v, want %s", errs, r.Invalid)
	}
}

// schemasOf returns the published schema of each property of the kind in package worked.
func schemasOf(t *testing.T, m *model.Model) map[string]json.RawMessage {
	t.Helper()
	bag := &diag.Bag{}
	var definition apiextensionsv1.CustomResourceDefinition
	err := definitions.Emitter().Run(emit.Context{Model: m, Tags: driver.Tags(), Rules: tag.Programs(m, driver.Tags()), Diags: bag}, nil,
		func(_ *emit.Context, f emit.File) {
			if err := yaml.UnmarshalStrict(f.Content, &definition); err != nil {
				t.Fatal(err)
			}
		})
	if err != nil || bag.HasErrors() {
		t.Fatal(err, bag.All())
	}
	all := map[string]json.RawMessage{}
	for name, s := range definition.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties {
		all[name] = json.RawMessage(text(t, s))
	}
	return all
}

// TestGenerated compares the generated file of package worked with the emitter's output.
func TestGenerated(t *testing.T) { emittest.Golden(t, defaults.Emitter(), "./worked") }

// TestRefusedExamples tests the examples that no generator may accept.
func TestRefusedExamples(t *testing.T) {
	bag := &diag.Bag{}
	generated, err := driver.Generate(driver.Config{ModelConfig: driver.ModelConfig{Dir: "testdata/refused", Patterns: []string{"."}}}, bag)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(generated.Files); n > 0 {
		t.Errorf("%d files are generated", n)
	}
	found := map[string]string{}
	for _, d := range bag.All() {
		if d.Severity == diag.Error {
			found[d.Code.String()] = d.Span.Text()
		}
	}
	want := map[string]string{"default/needs-omitempty": `"default-name"`, "default/struct": `{"name":"entry","number":12}`} // rows 20 and 21
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("errors (-want +got):\n%s", diff)
	}
}
