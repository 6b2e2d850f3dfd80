package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"
)

const worked = "../../conformance/defaults/worked"

// TestWorkedExamples runs the worked examples of defaults, which worked/rows.yaml documents.
func TestWorkedExamples(t *testing.T) {
	content, err := os.ReadFile(worked + "/rows.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var rows []struct {
		Row, Type, Invalid, Why   string
		Schema, In, Both, Go, CRD json.RawMessage
	}
	if err := yaml.UnmarshalStrict(content, &rows); err != nil {
		t.Fatal(err)
	}
	crd := workedCRD(t)
	properties := crd.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties
	property := make([]string, len(rows))
	for i, r := range rows {
		if r.Schema == nil {
			property[i] = strings.ToLower(r.Type[:1]) + r.Type[1:]
			continue
		}
		var s apiextensionsv1.JSONSchemaProps
		if err := json.Unmarshal(r.Schema, &s); err != nil {
			t.Fatal(err)
		}
		property[i] = "row" + r.Row
		properties[property[i]] = s
	}
	url := install(t, crd)
	for i, r := range rows {
		t.Run(r.Row, func(t *testing.T) {
			object := map[string]any{
				"apiVersion": crd.Spec.Group + "/v1", "kind": crd.Spec.Names.Kind, "metadata": map[string]any{"name": fmt.Sprintf("row-%d", i)},
				property[i]: r.In,
			}
			var body any = object
			isNull := string(r.In) == "null"
			if isNull {
				body = r.In // the object itself
			}
			status, answer, err := shared.do(http.MethodPost, url, body)
			if err != nil {
				t.Fatal(err)
			}
			if r.Invalid != "" {
				message, _ := answer["message"].(string)
				if status == http.StatusCreated || !isNull && !strings.Contains(message, r.Invalid) {
					t.Errorf("status %d, %s; want %s", status, message, r.Invalid)
				}
				return
			}
			if r.Both != nil {
				r.CRD = r.Both
			}
			var want any
			if err := json.Unmarshal(r.CRD, &want); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, answer[property[i]]); status != http.StatusCreated || diff != "" {
				t.Errorf("status %d, %v (-want +got):\n%s", status, answer["message"], diff)
			}
		})
	}
}

// workedCRD generates the definition of the kind with all types of the examples.
func workedCRD(t *testing.T) *apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.Command("go", "run", "./cmd/kindsmith", "generate", "--only", "crd", "--crd-dir", dir, "./conformance/defaults/worked/v1")
	cmd.Dir = "../.."
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	names, err := filepath.Glob(dir + "/*.yaml")
	if err != nil || len(names) != 1 {
		t.Fatalf("generated %v (%v)", names, err)
	}
	text, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := yaml.UnmarshalStrict(text, crd); err != nil {
		t.Fatal(err)
	}
	return crd
}

// install creates a definition and returns the URL of its objects. The test's cleanup deletes the
// definition.
func install(t *testing.T, crd *apiextensionsv1.CustomResourceDefinition) (url string) {
	t.Helper()
	crds := shared.URL + "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
	if status, answer, err := shared.do(http.MethodPost, crds, crd); err != nil || status != http.StatusCreated {
		t.Fatal(status, answer, err)
	}
	t.Cleanup(func() {
		if status, answer, err := shared.do(http.MethodDelete, crds+"/"+crd.Name, nil); err != nil || status != http.StatusOK {
			t.Error(status, answer, err)
		}
	})
	url = shared.URL + "/apis/" + crd.Spec.Group + "/v1/namespaces/default/" + crd.Spec.Names.Plural
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		status, _, err := shared.do(http.MethodGet, url, nil)
		if err == nil && status == http.StatusOK {
			return url
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s is not served: status %d, %v", crd.Name, status, err)
		}
	}
}
