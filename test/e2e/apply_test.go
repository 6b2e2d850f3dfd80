package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/kindsmith/kindsmith/runtime/apply"
)

const applyTables = "../../runtime/apply/testdata/"

// nulls are parts of configurations with other results: a server owns nulls that are no values, and takes
// them for keys. runtime/apply drops them.
var nulls = []string{"{d: A, a: null, x: 2}", "{d: null, a: 1}", "{port: 80, protocol: null}"}

// TestApply sends the requests of runtime/apply's tables to a server and to the library, in the order of
// the tables and in random order. Without unions, which the server does not know, results and owners
// are the same.
func TestApply(t *testing.T) {
	crd := thingCRD(t)
	url := install(t, crd)
	text, err := json.Marshal(crd)
	if err != nil {
		t.Fatal(err)
	}
	config, err := apply.FromCRD(text, "v1")
	if err != nil {
		t.Fatal(err)
	}
	applier, err := apply.New(config)
	if err != nil {
		t.Fatal(err)
	}
	things, counts := 0, map[int]int{}
	run := func(t *testing.T, kind string, requests []string) {
		things++
		s := &thing{url: url, name: fmt.Sprintf("thing-%d", things), kind: kind, applier: applier}
		for _, r := range requests {
			counts[s.send(t, r)]++
		}
	}
	pools := map[string][]string{}
	for _, table := range []string{"plain.txt", "keys.txt", "rows.txt"} {
		for _, row := range tableRows(t, table) {
			requests := slices.DeleteFunc(strings.Split(row[2]+";"+row[3], ";"), func(r string) bool {
				return strings.TrimSpace(r) == "" || strings.Contains(r, "READ") || strings.Contains(r, "STORED") ||
					slices.ContainsFunc(nulls, func(part string) bool { return strings.Contains(r, part) })
			})
			pools[row[1]] = append(pools[row[1]], requests...)
			t.Run(table+"/"+row[0], func(t *testing.T) { run(t, row[1], requests) })
		}
	}
	for _, kind := range []string{"Plain", "Ports", "Places", "OptionalUnion"} {
		t.Run(kind, func(t *testing.T) {
			r, pool := rand.New(rand.NewPCG(1, 2)), pools[kind]
			for range 12 {
				var requests []string
				for range 6 {
					requests = append(requests, pool[r.IntN(len(pool))])
				}
				run(t, kind, requests)
			}
		})
	}
	if counts[http.StatusOK] < 100 || counts[http.StatusCreated] < 50 || counts[http.StatusConflict] < 15 {
		t.Errorf("too few answers with a status: %v", counts)
	}
}

// thingCRD returns a definition whose spec has a field of each type.
func thingCRD(t *testing.T) *apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	text, err := os.ReadFile(applyTables + "types.yaml")
	if err != nil {
		t.Fatal(err)
	}
	spec := apiextensionsv1.JSONSchemaProps{Type: "object"}
	if err := yaml.Unmarshal(text, &spec.Properties); err != nil {
		t.Fatal(err)
	}
	crd := &apiextensionsv1.CustomResourceDefinition{}
	crd.Name = "things.apply.example.com"
	crd.APIVersion, crd.Kind = "apiextensions.k8s.io/v1", "CustomResourceDefinition"
	crd.Spec = apiextensionsv1.CustomResourceDefinitionSpec{
		Group: "apply.example.com", Scope: apiextensionsv1.NamespaceScoped,
		Names: apiextensionsv1.CustomResourceDefinitionNames{Plural: "things", Singular: "thing", Kind: "Thing", ListKind: "ThingList"},
		Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{
			Name: "v1", Served: true, Storage: true,
			Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{
				Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"spec": spec},
			}},
		}},
	}
	return crd
}

func tableRows(t *testing.T, file string) (rows [][]string) {
	t.Helper()
	text, err := os.ReadFile(applyTables + file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" {
			continue
		}
		row := strings.Split(line, "|")
		for i := range row {
			row[i] = strings.TrimSpace(row[i])
		}
		rows = append(rows, row)
	}
	return rows
}

// thing is an object on the server.
type thing struct {
	url, name, kind string
	applier         *apply.Applier
	live            *unstructured.Unstructured
}

// send sends a request to the server and to the library, and compares the results. It returns the
// server's status.
func (s *thing) send(t *testing.T, request string) (status int) {
	t.Helper()
	words := strings.SplitN(strings.TrimSpace(request), " ", 3)
	manager, verb := words[0], words[1]
	var spec any
	if err := yaml.Unmarshal([]byte(words[2]), &spec); err != nil {
		t.Fatal(err)
	}
	object := decoded(t, map[string]any{
		"apiVersion": "apply.example.com/v1", "kind": "Thing", "metadata": map[string]any{"name": s.name}, "spec": map[string]any{s.kind: spec},
	})
	status, answer := s.ask(t, manager, verb, object)
	r := apply.Request{Manager: manager, Force: verb == "FORCE"}
	var result *apply.Result
	var err error
	if verb == "APPLY" || verb == "FORCE" {
		result, err = s.applier.Apply(s.live, object, r)
	} else {
		if verb == "STRICT" {
			r.FieldValidation = "Strict"
		}
		if s.live != nil {
			object.SetResourceVersion(s.live.GetResourceVersion())
		}
		result, err = s.applier.Update(s.live, object, r)
	}
	accepted := status == http.StatusOK || status == http.StatusCreated
	switch {
	case status == http.StatusUnprocessableEntity: // values that the schema does not allow: runtime/apply leaves them to the host
	case accepted != (err == nil):
		t.Errorf("%s on %v: the server answers %d %v, the library %v", request, s.live, status, answer["message"], err)
	case !accepted:
		if message, _ := answer["message"].(string); status == http.StatusConflict && message != err.Error() {
			t.Errorf("%s: the server answers %s, the library %v", request, message, err)
		}
	default:
		if diff := cmp.Diff(compared(decoded(t, answer)), compared(result.Object)); diff != "" {
			t.Errorf("%s on %v (-server +library):\n%s", request, s.live, diff)
		}
	}
	if accepted {
		s.live = decoded(t, answer)
	}
	return status
}

// compared returns an object without what only a server sets.
func compared(object *unstructured.Unstructured) map[string]any {
	object = object.DeepCopy()
	managed := object.GetManagedFields()
	fields := map[string]string{}
	for _, e := range managed {
		fields[fmt.Sprint(e.Manager, e.Operation, e.APIVersion)] = string(e.FieldsV1.Raw)
	}
	return map[string]any{"spec": object.Object["spec"], "labels": object.GetLabels(), "managed": fields}
}

func decoded(t *testing.T, v any) *unstructured.Unstructured {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	out := &unstructured.Unstructured{}
	if err := utiljson.Unmarshal(text, &out.Object); err != nil {
		t.Fatal(err)
	}
	return out
}

// ask sends a request to the server.
func (s *thing) ask(t *testing.T, manager, verb string, object *unstructured.Unstructured) (status int, answer map[string]any) {
	t.Helper()
	method, url, content := http.MethodPatch, s.url+"/"+s.name+"?fieldManager="+manager, "application/apply-patch+yaml"
	switch verb {
	case "FORCE":
		url += "&force=true"
	case "PUT", "STRICT":
		content, method = "application/json", http.MethodPut
		object = object.DeepCopy()
		if s.live == nil {
			method, url = http.MethodPost, s.url+"?fieldManager="+manager
		} else {
			object.SetResourceVersion(s.live.GetResourceVersion())
		}
		if verb == "STRICT" {
			url += "&fieldValidation=Strict"
		}
	}
	body, err := json.Marshal(object.Object)
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), method, url, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", content)
	res, err := shared.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return res.StatusCode, answer
}
