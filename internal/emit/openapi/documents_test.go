package openapi_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/kube-openapi/pkg/builder"
	"k8s.io/kube-openapi/pkg/builder3"
	"k8s.io/kube-openapi/pkg/common"
	"k8s.io/kube-openapi/pkg/openapiconv"
	"k8s.io/kube-openapi/pkg/spec3"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/emit/openapi/testdata/shop"
	"github.com/kindsmith/kindsmith/internal/rules/rule/unions"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
	"github.com/kindsmith/kindsmith/internal/testing/emittest"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
	"github.com/kindsmith/kindsmith/runtime/union"
	"github.com/kindsmith/kindsmith/runtime/union/published"
)

// TestDocuments builds both documents of a server from generated definitions. Defaults, unions
// and CEL rules are in both, and survive the conversion of each to the other version.
func TestDocuments(t *testing.T) {
	name := shop.Store{}.OpenAPIModelName()
	info := &spec.Info{InfoProps: spec.InfoProps{Title: "shop", Version: "v1"}}
	v2, err := builder.BuildOpenAPIDefinitionsForResources(&common.Config{Info: info, GetDefinitions: shop.GetOpenAPIDefinitions}, name)
	if err != nil {
		t.Fatal(err)
	}
	v3, err := builder3.BuildOpenAPIDefinitionsForResources(&common.OpenAPIV3Config{Info: info, GetDefinitions: shop.GetOpenAPIDefinitions}, name)
	if err != nil {
		t.Fatal(err)
	}
	want := facts(t, v2.Definitions)
	for path, value := range map[string]string{
		"StoreSpec/open default":                 `false`,
		"StoreSpec/floor default":                `0`,
		"StoreSpec/address default":              `{}`,
		"StoreSpec/hours default":                `{"days":["Mon"],"limit":1.5}`,
		"StoreSpec/tags items default":           `"EUR"`,
		"StoreSpec/method x-kubernetes-unions":   `{"fieldMembers":{"Card":{"name":"card","optional":false},"Cash":null,"Invoice":{"name":"invoice","optional":true}}}`,
		"Delivery/by x-kubernetes-unions":        `{"fieldMembers":{"":null,"Bike":{"name":"bike","optional":false},"Van":{"name":"van","optional":false}}}`,
		"Delivery/to x-kubernetes-unions":        `{"fieldMembers":{"":null,"House":{"name":"house","optional":false},"Shelf":{"name":"shelf","optional":false}}}`,
		"Opening/until x-kubernetes-unions":      `{"fieldMembers":{"":null,"Clock":{"name":"clock","optional":false,"zero":"value"},"Days":{"name":"days","optional":false},"Hours":{"name":"hours","optional":false,"zero":"value"},"Length":{"name":"length","optional":false,"zero":"duration"},"Visits":{"name":"visits","optional":false,"zero":"quantity"}}}`,
		"Bonus x-kubernetes-unions":              `[{"fields-to-discriminateBy":{"gift":"Gift","percent":"Percent"},"zeros":{"percent":"value"}}]`,
		"Delivery x-kubernetes-validations":      `[{"fieldPath":".start","message":"a van starts somewhere","reason":"FieldValueRequired","rule":"!has(self.van) || has(self.start)"}]`,
		"Refund x-kubernetes-unions":             `[{"fields-to-discriminateBy":{"cash":"Cash","voucher":"Voucher"}}]`,
		"StoreStatus x-kubernetes-unions":        `[{"discriminator":"state","fields-to-discriminateBy":{"broken":"Broken","ready":"Ready"}}]`,
		"StoreSpec/labels values values default": `"EUR"`,
		"StoreSpec/currency default":             `"CHF"`,
	} {
		if want[path] != value {
			t.Errorf("v2 has %s = %s, want %s", path, want[path], value)
		}
	}
	for version, got := range map[string]any{
		"v3":            v3,
		"v2 read as v3": openapiconv.ConvertV2ToV3(v2).Components.Schemas,
		"v3 read as v2": back(t, v3),
	} {
		if diff := cmp.Diff(want, facts(t, got)); diff != "" {
			t.Errorf("%s differs from v2:\n%s", version, diff)
		}
	}
}

// TestShapes reads the unions of both documents: they are those by which generated Go normalises.
func TestShapes(t *testing.T) {
	m, _ := emittest.Model(t, "./testdata/shop")
	i := slices.IndexFunc(m.Packages, func(p *model.Package) bool { return p.Root })
	var want []string
	list(unions.NewPlans(tag.Programs(m, driver.Tags()), unions.All).Shape(m.Packages[i].Type("Store")), "", &want)
	name := shop.Store{}.OpenAPIModelName()
	v2, err := builder.BuildOpenAPIDefinitionsForResources(&common.Config{Info: &spec.Info{}, GetDefinitions: shop.GetOpenAPIDefinitions}, name)
	if err != nil {
		t.Fatal(err)
	}
	v3, err := builder3.BuildOpenAPIDefinitionsForResources(&common.OpenAPIV3Config{Info: &spec.Info{}, GetDefinitions: shop.GetOpenAPIDefinitions}, name)
	if err != nil {
		t.Fatal(err)
	}
	for version, document := range map[string]any{"v2": v2.Definitions, "v3": v3} {
		definitions := map[string]any{}
		decode(t, encode(t, document), &definitions)
		shape, err := published.Shape(map[string]any{"$ref": "#/" + name}, definitions)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		if list(shape, "", &got); len(got) < 5 {
			t.Errorf("%s has only the unions %v", version, got)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-generated +published):\n%s", version, diff)
		}
	}
}

// list adds the unions of a shape, with their paths.
func list(s *union.Shape, path string, out *[]string) {
	if s == nil {
		return
	}
	for _, u := range s.Unions {
		members := map[string]string{}
		for _, m := range u.Members {
			members[m.Name] = fmt.Sprint(m.Value, m.Optional, m.Zero)
		}
		*out = append(*out, fmt.Sprint(path, ": ", u.Algorithm, " ", u.Discriminator, " ", members))
	}
	for _, also := range slices.Concat(s.Also, s.Inlined) {
		list(also, path, out)
	}
	for _, f := range s.Fields {
		list(f.Shape, path+"."+f.Name, out)
	}
	list(s.Elem, fmt.Sprint(path, "[]", s.Keys), out)
	slices.Sort(*out)
}

// TestServersDocuments checks on the documents of a real server, which kube-openapi's tests have in both
// versions, that reading one version as the other keeps defaults and extensions.
func TestServersDocuments(t *testing.T) {
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", "k8s.io/kube-openapi/pkg/openapiconv").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, group := range []string{"api.v1", "apiextensions.k8s.io.v1", "batch.v1"} {
		var v2 spec.Swagger
		var v3 spec3.OpenAPI
		for name, into := range map[string]any{"v2_" + group: &v2, "v3_" + group: &v3} {
			text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "testdata_generated_from_k8s", name+".json"))
			if err != nil {
				t.Fatal(err)
			}
			decode(t, string(text), into)
		}
		want := facts(t, v2.Definitions)
		if len(want) == 0 {
			t.Errorf("%s has no defaults", group)
		}
		if diff := cmp.Diff(want, facts(t, back(t, v3.Components.Schemas))); diff != "" {
			t.Errorf("%s: v3 read as v2:\n%s", group, diff)
		}
		if diff := cmp.Diff(want, facts(t, openapiconv.ConvertV2ToV3(&v2).Components.Schemas)); diff != "" {
			t.Errorf("%s: v2 read as v3:\n%s", group, diff)
		}
	}
}

// back returns the definitions in OpenAPI v2 that schemas in v3 are: only references differ.
func back(t *testing.T, v3 map[string]*spec.Schema) spec.Definitions {
	t.Helper()
	var v2 spec.Definitions
	decode(t, strings.ReplaceAll(encode(t, v3), "#/components/schemas/", "#/definitions/"), &v2)
	return v2
}

// facts returns the defaults, unions and CEL rules in definitions by their paths.
func facts(t *testing.T, definitions any) map[string]string {
	t.Helper()
	found := map[string]string{}
	var visit func(path string, s map[string]any)
	visit = func(path string, s map[string]any) {
		for _, k := range []string{"default", "x-kubernetes-unions", "x-kubernetes-validations"} {
			if v, ok := s[k]; ok {
				found[path+" "+k] = encode(t, v)
			}
		}
		properties, _ := s["properties"].(map[string]any)
		for name, p := range properties {
			visit(path+"/"+name, p.(map[string]any))
		}
		for key, word := range map[string]string{"items": " items", "additionalProperties": " values"} {
			if below, ok := s[key].(map[string]any); ok {
				visit(path+word, below)
			}
		}
	}
	var all map[string]map[string]any
	decode(t, encode(t, definitions), &all)
	for name, s := range all {
		visit(name[strings.LastIndex(name, ".")+1:], s)
	}
	return found
}

func encode(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func decode(t *testing.T, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatal(err)
	}
}
