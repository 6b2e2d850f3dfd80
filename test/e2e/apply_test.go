package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	dbv1alpha1 "github.com/kindsmith/kindsmith/examples/database/api/v1alpha1"
	"github.com/kindsmith/kindsmith/runtime/apply"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
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
		s := &thing{url: url, name: fmt.Sprintf("thing-%d", things), kind: kind, applier: applier, gvk: config.Kind}
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

// TestApplyOfServers applies objects of built-in kinds, by the documents that the server publishes. Only
// owners are compared: these kinds have defaults that no document has.
func TestApplyOfServers(t *testing.T) {
	const meta = "{metadata: {labels: {a: x}, finalizers: [example.com/a], ownerReferences: [{apiVersion: v1, kind: Pod, name: p, uid: u}]}, "
	for _, c := range []struct {
		group, version, kind, plural string
		requests                     []string
		statuses                     []int
	}{
		{"", "v1", "ConfigMap", "configmaps", []string{
			`team APPLY ` + meta + `data: {a: x, b: x}}`, `ctrl APPLY {data: {b: x, c: x}}`, `team APPLY {data: {a: v}}`, `ctrl APPLY {data: {a: x}}`, `ctrl FORCE {data: {a: x}}`, `team APPLY {}`,
		}, []int{201, 200, 200, 409, 200, 200}},
		{"", "v1", "Service", "services", []string{
			`team APPLY {spec: {selector: {a: x}, ports: [{name: x1, port: 80}, {name: x2, port: 81, protocol: UDP}]}}`,
			`ctrl APPLY {spec: {ports: [{name: x1, port: 80, protocol: TCP, targetPort: http}, {name: x3, port: 82}]}}`,
			`team APPLY {spec: {selector: {a: x}, ports: [{name: x1, port: 80, protocol: TCP}]}}`,
			`ctrl APPLY {spec: {ports: [{name: x4, port: 80}]}}`,
			`ctrl APPLY {spec: {ports: [{port: 80}, {port: 80, protocol: TCP}]}}`,
			`team APPLY {spec: {selector: {b: x}, ports: [{name: x1, port: 80, protocol: ""}]}}`,
		}, []int{201, 200, 200, 409, 500, 422}},
		{"apps", "v1", "Deployment", "deployments", []string{
			`team APPLY ` + meta + `spec: {selector: {matchLabels: {a: x}}, template: {metadata: {labels: {a: x}}, spec: {containers: [{name: c1, image: i, ports: [{containerPort: 80}], resources: {limits: {cpu: "1"}}, env: [{name: E, value: v}]}]}}}}`,
			`ctrl APPLY {spec: {replicas: 2, selector: {matchLabels: {a: x}}, template: {spec: {containers: [{name: c1, ports: [{containerPort: 80, protocol: TCP}, {containerPort: 81}], env: [{name: F, value: v}]}, {name: c2, image: j}]}}}}`,
			`team APPLY {spec: {selector: {matchLabels: {a: x}}, template: {metadata: {labels: {a: x}}, spec: {containers: [{name: c1, image: k, resources: {limits: {cpu: 1000m}}}], volumes: [{name: e, emptyDir: {}}]}}}}`,
			`ctrl APPLY {spec: {strategy: {type: Recreate}, template: {spec: {containers: [{name: c1, image: l}], tolerations: [{key: a}]}}}}`,
			`ctrl FORCE {spec: {strategy: {type: Recreate}, template: {spec: {containers: [{name: c1, image: l}], tolerations: [{key: a}]}}}}`,
			`ctrl APPLY {spec: {unknown: 1}}`,
		}, []int{201, 200, 200, 409, 422, 500}},
	} {
		t.Run(c.kind, func(t *testing.T) {
			kind := schema.GroupVersionKind{Group: c.group, Version: c.version, Kind: c.kind}
			api := "/api/v1"
			if c.group != "" {
				api = "/apis/" + kind.GroupVersion().String()
			}
			res, err := shared.Client().Get(shared.URL + "/openapi/v3" + api)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			document, err := io.ReadAll(res.Body)
			if err != nil {
				t.Fatal(err)
			}
			config, err := apply.FromOpenAPI(document, kind)
			if err != nil {
				t.Fatal(err)
			}
			applier, err := apply.New(config)
			if err != nil {
				t.Fatal(err)
			}
			s := &thing{url: shared.URL + api + "/namespaces/default/" + c.plural, name: "thing", applier: applier, gvk: kind}
			var got []int
			for _, r := range c.requests {
				got = append(got, s.send(t, r))
			}
			if diff := cmp.Diff(c.statuses, got); diff != "" {
				t.Errorf("statuses (-want +got):\n%s", diff)
			}
		})
	}
}

// TestApplyVersions applies the databases of the samples in all versions: the library converts as the
// server's webhook does.
func TestApplyVersions(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(example, "config/crd/bases", group+"_databases.yaml"))
	if err == nil {
		text, err = yaml.YAMLToJSON(text)
	}
	if err != nil {
		t.Fatal(err)
	}
	converter, err := jsonconvert.New(dbv1alpha1.JSONConversion())
	if err != nil {
		t.Fatal(err)
	}
	versions := map[string]*apply.Applier{}
	for _, version := range converter.Versions() {
		config, err := apply.FromCRD(text, version)
		if err != nil {
			t.Fatal(err)
		}
		config.Convert = func(object *unstructured.Unstructured, to schema.GroupVersion) (*unstructured.Unstructured, error) {
			text, err := json.Marshal(object.Object)
			if err != nil {
				return nil, err
			}
			if text, err = converter.Convert(nil, text, to.Version); err != nil {
				return nil, err
			}
			out := &unstructured.Unstructured{}
			return out, utiljson.Unmarshal(text, &out.Object)
		}
		if versions[version], err = apply.New(config); err != nil {
			t.Fatal(err)
		}
	}
	replicas, counts := map[string]string{"v1alpha1": "instances", "v1beta1": "replicas", "v1": "replicas"}, map[int]int{}
	for _, name := range valid(t) {
		sample := read(t, name)
		if sample.GetKind() != "Database" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			s := &thing{name: "apply-" + sample.GetName(), kind: "all"}
			use := func(version string) {
				s.gvk = schema.GroupVersionKind{Group: group, Version: version, Kind: "Database"}
				s.applier, s.url = versions[version], shared.URL+"/apis/"+group+"/"+version+"/namespaces/"+namespaceOf(sample)+"/databases"
				if s.live != nil {
					_, answer, err := shared.do(http.MethodGet, s.url+"/"+s.name, nil)
					if err != nil {
						t.Fatal(err)
					}
					s.live = decoded(t, answer)
				}
			}
			part := func() *unstructured.Unstructured {
				return decoded(t, map[string]any{"spec": s.live.Object["spec"]})
			}
			send := func(manager, verb string, object *unstructured.Unstructured) {
				counts[s.compare(t, manager, verb, object)]++
			}
			own := sample.GroupVersionKind().Version
			use(own)
			send("team", "APPLY", decoded(t, sample.Object))
			for _, version := range converter.Versions() {
				use(version)
				send("ctrl-"+version, "APPLY", part())
				changed := part()
				changed.SetLabels(map[string]string{"by": version})
				if err := unstructured.SetNestedField(changed.Object, int64(2), "spec", replicas[version]); err != nil {
					t.Fatal(err)
				}
				send("other", "APPLY", changed)
				send("other", "FORCE", changed)
				send("editor", "PUT", changed)
				use(own)
				send("team", "FORCE", decoded(t, sample.Object))
			}
		})
	}
	if counts[http.StatusOK] < 75 || counts[http.StatusConflict] < 5 {
		t.Errorf("statuses: %v", counts)
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

// thing is an object on the server. Requests for a custom resource have the field of a kind below spec,
// others the object.
type thing struct {
	url, name, kind string
	gvk             schema.GroupVersionKind
	applier         *apply.Applier
	live            *unstructured.Unstructured
}

// send sends a request to the server and to the library, and compares the results. It returns the
// server's status.
func (s *thing) send(t *testing.T, request string) (status int) {
	t.Helper()
	words := strings.SplitN(strings.TrimSpace(request), " ", 3)
	manager, verb := words[0], words[1]
	content := map[string]any{}
	if err := yaml.Unmarshal([]byte(words[2]), &content); err != nil {
		t.Fatal(err)
	}
	if s.kind != "" {
		content = map[string]any{"spec": map[string]any{s.kind: content}}
	}
	return s.compare(t, manager, verb, decoded(t, content))
}

// compare sends an object to the server and to the library, and compares the results.
func (s *thing) compare(t *testing.T, manager, verb string, object *unstructured.Unstructured) (status int) {
	t.Helper()
	object.SetGroupVersionKind(s.gvk)
	object.SetName(s.name)
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
	message, _ := answer["message"].(string)
	switch {
	case status == http.StatusUnprocessableEntity: // values that the schema does not allow: runtime/apply leaves them to the host
	case strings.Contains(message, "invalid metadata of type <nil>"): // servers refuse what they have sent to a conversion webhook
	case accepted != (err == nil):
		t.Errorf("%s %s %v on %v: the server answers %d %v, the library %v", manager, verb, object, s.live, status, message, err)
	case !accepted:
		if status == http.StatusConflict && message != err.Error() {
			t.Errorf("%s %s %v: the server answers %s, the library %v", manager, verb, object, message, err)
		}
	default:
		if diff := cmp.Diff(s.compared(decoded(t, answer)), s.compared(result.Object)); diff != "" {
			t.Errorf("%s %s %v on %v (-server +library):\n%s", manager, verb, object, s.live, diff)
		}
	}
	if accepted {
		s.live = decoded(t, answer)
	}
	return status
}

// compared returns an object without what only a server sets.
func (s *thing) compared(object *unstructured.Unstructured) map[string]any {
	object = object.DeepCopy()
	fields := map[string]string{}
	for _, e := range object.GetManagedFields() {
		fields[fmt.Sprint(e.Manager, e.Operation, e.APIVersion)] = string(e.FieldsV1.Raw)
	}
	if s.kind == "" {
		return map[string]any{"managed": fields}
	}
	return map[string]any{"spec": object.Object["spec"], "managed": fields}
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
