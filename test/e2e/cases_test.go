package e2e

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"

	"github.com/kindsmith/kindsmith/conformance/corpus"
	"github.com/kindsmith/kindsmith/internal/testing/workspacetest"
)

// casesModule is the path of a module with the cases that the server judges.
const casesModule = "cases.example.com"

// TestCases sends the objects of the cases that are not about one tag to the server: lists in each spelling, each form of
// presence, inlined and hidden fields, defaults, unions. The expected verdicts, and the listed differences, are those of
// package conformance.
func TestCases(t *testing.T) {
	cases, definitions := publishedCases(t)
	differences, err := corpus.LoadDifferences("../../conformance/expected_differences.yaml")
	if err != nil {
		t.Fatal(err)
	}
	judged := 0
	for _, c := range cases {
		t.Run(strings.TrimPrefix(c.Name, corpus.Semantics+"/"), func(t *testing.T) {
			for typ, crd := range definitions[c.Group(casesModule)] {
				k := &caseKind{Case: c, crd: crd, url: installBare(t, crd)}
				for _, o := range c.Objects {
					if o.Type == typ && o.Subresource == "" && len(o.Options) == 0 {
						k.objects = append(k.objects, o)
						judged++
					}
				}
				k.judge(t, differences)
			}
		})
	}
	if judged < 200 {
		t.Errorf("the server judged only %d objects", judged)
	}
	t.Logf("%d objects of %d cases", judged, len(cases))
}

// publishedCases returns the cases without errors, and their definitions by group and type.
func publishedCases(t *testing.T) (cases []*corpus.Case, definitions map[string]map[string]*apiextensionsv1.CustomResourceDefinition) {
	t.Helper()
	all, err := corpus.Load(workspacetest.Root())
	if err != nil {
		t.Fatal(err)
	}
	dir, program := t.TempDir(), filepath.Join(t.TempDir(), "kindsmith")
	if err := workspacetest.Kindsmith(program); err != nil {
		t.Fatal(err)
	}
	files := workspacetest.Files(casesModule)
	args := []string{"generate", "--only", "crd", "--crd-dir", "crd"}
	for _, c := range all {
		if c.Folder != corpus.Semantics || isRefused.Match(c.Section(corpus.Diagnostics)) || isRefused.Match(c.Section(corpus.SchemaDiagnostics)) {
			continue
		}
		types, err := c.Judged()
		if err != nil {
			t.Fatal(err)
		}
		for name, content := range c.Sources() {
			// Packages of a case import each other by the path of the module of package conformance.
			files[c.Name+"/"+name] = strings.ReplaceAll(string(content), "conformance.example.com/", casesModule+"/")
		}
		files[c.Name+"/kinds/v1/kinds.go"] = c.Kinds(casesModule, types)
		cases, args = append(cases, c), append(args, "./"+c.Name+"/kinds/v1")
	}
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := workspacetest.Use(dir, t.Setenv); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	paths, err := filepath.Glob(filepath.Join(dir, "crd", "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	definitions = map[string]map[string]*apiextensionsv1.CustomResourceDefinition{}
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		crd := &apiextensionsv1.CustomResourceDefinition{}
		if err := yaml.UnmarshalStrict(content, crd); err != nil {
			t.Fatal(err)
		}
		if definitions[crd.Spec.Group] == nil {
			definitions[crd.Spec.Group] = map[string]*apiextensionsv1.CustomResourceDefinition{}
		}
		definitions[crd.Spec.Group][strings.TrimPrefix(crd.Spec.Names.Kind, corpus.Judged)] = crd
	}
	return cases, definitions
}

// isRefused matches diagnostics that prevent a definition.
var isRefused = regexp.MustCompile(`(?m): error: `)

// installBare creates a definition that accepts all values of the right types: stored objects may be invalid, because they
// precede the rules.
func installBare(t *testing.T, crd *apiextensionsv1.CustomResourceDefinition) (url string) {
	t.Helper()
	bare := crd.DeepCopy()
	schema := bare.Spec.Versions[0].Schema
	schema.OpenAPIV3Schema = structureOf(schema.OpenAPIV3Schema)
	return install(t, bare)
}

// structureOf returns a schema without rules.
func structureOf(s *apiextensionsv1.JSONSchemaProps) *apiextensionsv1.JSONSchemaProps {
	if s == nil {
		return nil
	}
	out := &apiextensionsv1.JSONSchemaProps{
		Type: s.Type, Nullable: s.Nullable, XIntOrString: s.XIntOrString, XPreserveUnknownFields: s.XPreserveUnknownFields, XEmbeddedResource: s.XEmbeddedResource,
	}
	if s.Items != nil {
		out.Items = &apiextensionsv1.JSONSchemaPropsOrArray{Schema: structureOf(s.Items.Schema)}
	}
	if s.AdditionalProperties != nil {
		out.AdditionalProperties = &apiextensionsv1.JSONSchemaPropsOrBool{Allows: s.AdditionalProperties.Allows, Schema: structureOf(s.AdditionalProperties.Schema)}
	}
	for name, property := range s.Properties {
		if out.Properties == nil {
			out.Properties = map[string]apiextensionsv1.JSONSchemaProps{}
		}
		out.Properties[name] = *structureOf(&property)
	}
	return out
}

// caseKind is a kind of a case, whose spec is one of the case's types.
type caseKind struct {
	*corpus.Case
	crd     *apiextensionsv1.CustomResourceDefinition
	url     string
	objects []*corpus.Object
}

// object returns an object with a spec.
func (k *caseKind) object(name string, spec any) map[string]any {
	return map[string]any{
		"apiVersion": k.crd.Spec.Group + "/v1", "kind": k.crd.Spec.Names.Kind, "metadata": map[string]any{"name": name}, "spec": spec,
	}
}

// judge stores the old objects, lets the server enforce the rules, and compares its answers with the expected errors.
func (k *caseKind) judge(t *testing.T, differences *corpus.Differences) {
	t.Helper()
	stored, unstorable := map[*corpus.Object]any{}, map[*corpus.Object]bool{}
	for i, o := range k.objects {
		if !o.IsUpdate() {
			continue
		}
		status, answer, err := shared.do(http.MethodPost, k.url, k.object(fmt.Sprint("old-", i), o.Old))
		switch {
		case err == nil && status == http.StatusCreated:
			stored[o] = answer["metadata"]
		case err == nil && status == http.StatusUnprocessableEntity && strings.Contains(fmt.Sprint(answer["message"]), "must be of type"):
			unstorable[o] = true // no server has null items, or integers beyond int64
		default:
			t.Fatalf("%s: the old object is not stored: %d %v %v", o.Name, status, answer["message"], err)
		}
	}
	k.enforce(t)
	for _, o := range k.objects {
		if unstorable[o] {
			continue
		}
		method, url, object := http.MethodPost, k.url, k.object("new", o.Object)
		if metadata, ok := stored[o].(map[string]any); ok {
			object["metadata"] = metadata
			method, url = http.MethodPut, k.url+"/"+fmt.Sprint(metadata["name"])
		}
		status, answer, err := shared.do(method, url+"?dryRun=All", object)
		if err != nil || status/100 != 2 && status != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d %v %v", o.Name, status, answer["message"], err)
			continue
		}
		if found := differences.Compare(k.Case, o, causes(answer)); found != "" {
			t.Errorf("%s: %s", o.Name, found)
		}
	}
}

// enforce replaces the definition, and waits until the server refuses a name that only the complete definition does not allow.
func (k *caseKind) enforce(t *testing.T) {
	t.Helper()
	complete := k.crd.DeepCopy()
	root := complete.Spec.Versions[0].Schema.OpenAPIV3Schema
	root.XValidations = append(root.XValidations, apiextensionsv1.ValidationRule{Rule: "self.metadata.name != 'probe'"})
	url := shared.URL + "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + complete.Name
	status, answer, err := shared.exchange(http.MethodPatch, url, "application/json-patch+json", []any{map[string]any{"op": "replace", "path": "/spec", "value": complete.Spec}})
	if err != nil || status != http.StatusOK {
		t.Fatal(status, answer["message"], err)
	}
	eventually(t, func() (bool, string) {
		status, _, err := shared.do(http.MethodPost, k.url+"?dryRun=All", k.object("probe", map[string]any{}))
		return status == http.StatusUnprocessableEntity, fmt.Sprint("an invalid object has status ", status, err)
	})
}

// causes returns the errors of a server's answer.
func causes(answer map[string]any) field.ErrorList {
	details, _ := answer["details"].(map[string]any)
	list, _ := details["causes"].([]any)
	errs := make(field.ErrorList, 0, len(list))
	for _, c := range list {
		cause, _ := c.(map[string]any)
		text := func(name string) string { s, _ := cause[name].(string); return s }
		errs = append(errs, &field.Error{Type: field.ErrorType(text("reason")), Field: text("field"), Detail: text("message"), BadValue: field.OmitValueType{}})
	}
	return slices.Clip(errs)
}
