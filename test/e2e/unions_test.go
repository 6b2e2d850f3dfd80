package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/kindsmith/kindsmith/conformance/unions"
)

// TestUnionsWithPolicy runs the rows of unions with the generated policy.
func TestUnionsWithPolicy(t *testing.T) {
	testUnions(t, "unions-policy", true, func(t *testing.T, dir string) {
		for _, name := range []string{"rows", "shapes"} {
			create(t, documents(t, filepath.Join(dir, "policy", "unions.example.com_"+name+"_unions.yaml"))...)
		}
	})
}

// onServer has the rows whose outcome on an API server differs from the table's, with the reason.
var onServer = map[string]struct{ outcome, why string }{
	"apply/103":     {"500", undeclared},
	"apply/104":     {"500", undeclared},
	"apply/106":     {`{"b":2,"d":"B"} of ctrl: c; team: b d`, owners},
	"apply/109-opt": {`{"d":"B"} of ctrl: a; team: d`, owners},
	"apply/113":     {"{} of ctrl: c; team: d", owners},
}

const (
	undeclared = "API servers refuse to apply fields that the schema does not have, with this status"
	owners     = "API servers compute the owners of fields before admission: who owned a cleared field owns it until the next write"
)

// testUnions runs the rows of unions in a new namespace, on a server that normalises them by what
// normalise creates. The folder has the generated definitions and policies of conformance/unions/v1,
// in crd and policy. The definitions have the rules of unions if rules is set.
func testUnions(t *testing.T, namespace string, rules bool, normalise func(t *testing.T, dir string)) {
	t.Helper()
	if _, err := shared.kubectl("create", "namespace", namespace); err != nil {
		t.Fatal(err)
	}
	in := func(crd *apiextensionsv1.CustomResourceDefinition) (url string) {
		return strings.Replace(install(t, crd), "/namespaces/default/", "/namespaces/"+namespace+"/", 1)
	}
	dir := generateUnions(t)
	crd, shapes := definition(t, dir, "rows"), definition(t, dir, "shapes")
	// Stored objects may be invalid: they precede the rules.
	complete := crd.DeepCopy()
	withoutRules(crd.Spec.Versions[0].Schema.OpenAPIV3Schema)
	s := &unionServer{url: in(crd)}
	rows := s.rows(t)
	for i := range rows {
		s.store(t, &rows[i])
	}
	if rules {
		s.enforce(t, complete)
	}
	urlOfShapes := in(shapes)
	normalise(t, dir)
	create(t, mutator()...)
	s.await(t)
	used := map[string]bool{}
	for _, r := range rows {
		t.Run(r.test, func(t *testing.T) {
			want := outcomeOf(t, r.want, r.owners)
			if differs, ok := onServer[r.test]; ok {
				want, used[r.test] = differs.outcome, true
			}
			got, message := s.send(t, &r)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s to %v (-want +got):\n%s%s", r.request, r.live, diff, message)
			}
		})
	}
	for name := range onServer {
		if !used[name] {
			t.Errorf("there is no row %s", name)
		}
	}
	t.Run("shapes", func(t *testing.T) { testShapes(t, urlOfShapes) })
}

// testShapes updates unions wherever one can be.
func testShapes(t *testing.T, url string) {
	t.Helper()
	content, err := os.ReadFile("../../conformance/unions/shapes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var objects struct{ Live, Sent, Want map[string]any }
	if err := yaml.UnmarshalStrict(content, &objects); err != nil {
		t.Fatal(err)
	}
	object := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "unions.example.com/v1", "kind": "Shape", "metadata": map[string]any{"name": "shape"}, "spec": objects.Live["spec"],
	}}
	method, at := http.MethodPost, url
	for _, step := range []struct {
		part     string
		as, want map[string]any
	}{{"spec", objects.Live, objects.Live}, {"status", objects.Live, objects.Live}, {"spec", objects.Sent, objects.Want}, {"status", objects.Sent, objects.Want}} {
		var answer map[string]any
		object.Object[step.part] = step.as[step.part]
		eventually(t, func() (bool, string) {
			status, got, err := shared.do(method, at, object.Object)
			answer = got
			return err == nil && status != http.StatusServiceUnavailable, fmt.Sprint(answer["message"], err)
		})
		if diff := cmp.Diff(step.want[step.part], answer[step.part]); diff != "" {
			t.Fatalf("%s %s (-want +got):\n%s%v", method, at, diff, answer["message"])
		}
		object.Object = answer
		method, at = http.MethodPut, url+"/shape"
		if step.part == "spec" {
			at += "/status"
		}
	}
}

// definition reads a generated definition.
func definition(t *testing.T, dir, plural string) *apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(dir, "crd", "unions.example.com_"+plural+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := yaml.UnmarshalStrict(content, crd); err != nil {
		t.Fatal(err)
	}
	return crd
}

// unionRow is a row on an object.
type unionRow struct {
	test string
	// property is that of the row's type.
	property string
	// live are the requests that make the stored object, request is the one under test: manager, verb
	// and object.
	live    []string
	request string
	// added is what another admission plugin adds to the object.
	added string
	// want is the expected outcome; owners are the owners of fields, "" if they are not compared.
	want, owners string
	object       *unstructured.Unstructured
}

type unionServer struct{ url string }

// matrix matches the rows of the skew matrix.
var matrix = regexp.MustCompile(`^1[0-9][0-9]\b`)

// rows returns the rows of all tables, twice if they depend on +k8s:unionStrict.
func (s *unionServer) rows(t *testing.T) []unionRow {
	t.Helper()
	var rows []unionRow
	add := func(table, name, typ string, r unionRow) {
		r.test, r.property = table+"/"+strings.ReplaceAll(name, " ", "-"), strings.ToLower(typ[:1])+typ[1:]
		rows = append(rows, r)
	}
	for _, table := range []struct {
		name string
		read func() ([]unions.Row, error)
	}{{"conformance", unions.Conformance}, {"skew", unions.Skew}, {"server", unions.Server}} {
		list, err := table.read()
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range list {
			row := unionRow{request: "client " + r.Verb + " " + r.Sent, added: r.Added, want: r.Outcome}
			if r.Live != "-" {
				row.live = []string{"client POST " + r.Live}
			}
			add(table.name, r.Name, r.Type, row)
			if r.Strict != r.Outcome {
				row.want = r.Strict
				add(table.name, r.Name+"Strict", r.Type+"Strict", row)
			}
		}
	}
	for _, r := range tableRows(t, "rows.txt") {
		if matrix.MatchString(r[0]) { // the others are not rows of the matrix
			want, _, _ := strings.Cut(r[4], " warning")
			add("apply", r[0], r[1], unionRow{live: strings.Split(r[2], "; "), request: r[3], want: want, owners: r[5]})
		}
	}
	return rows
}

// outcomeOf returns an outcome of a table: an object as JSON, rules, or a status.
func outcomeOf(t *testing.T, text, owners string) string {
	t.Helper()
	if !strings.HasPrefix(text, "{") {
		if status, _, _ := strings.Cut(text, " "); status[0] == '4' {
			return status
		}
		return rulesOf(strings.Fields(text))
	}
	return described(t, value(t, text), owners)
}

// described returns a stored object and the owners of its fields, if these are given.
func described(t *testing.T, object any, owners string) string {
	t.Helper()
	text, err := json.Marshal(withoutUnset(object))
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(string(text)+" of "+owners, " of ")
}

// withoutUnset returns a value without what is unset, and without the unrelated field x.
func withoutUnset(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, x := range v {
			if x = withoutUnset(x); x != nil && x != "" && k != "x" {
				out[k] = x
			}
		}
		return out
	case []any:
		var out []any
		for _, x := range v {
			out = append(out, withoutUnset(x))
		}
		if out == nil {
			return nil
		}
		return out
	}
	return v
}

func value(t *testing.T, text string) map[string]any {
	t.Helper()
	out := map[string]any{}
	if err := yaml.Unmarshal([]byte(text), &out); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return out
}

// rulesOf sorts rules. A definition has one CEL rule a member, which is about both V2 and V3, one about
// the discriminator, and one about the number of members.
func rulesOf(list []string) string {
	for i, r := range list {
		switch r {
		case "V2", "V3":
			list[i] = "V2|V3"
		case "V4", "V5":
			list[i] = "V4|V5"
		case "L-multi", "L-none":
			list[i] = "L"
		}
	}
	slices.Sort(list)
	return strings.Join(slices.Compact(list), " ")
}

// object returns an object of a row with the row's property.
func (r *unionRow) with(property any) *unstructured.Unstructured {
	name := strings.ToLower(strings.ReplaceAll(r.test, "/", "-"))
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "unions.example.com/v1", "kind": "Row", "metadata": map[string]any{"name": name}, r.property: property,
	}}
}

// store makes the row's stored object.
func (s *unionServer) store(t *testing.T, r *unionRow) {
	t.Helper()
	r.object = r.with(nil)
	for _, live := range r.live {
		status, answer := s.do(t, r, live)
		if status != http.StatusCreated && status != http.StatusOK {
			t.Fatalf("%s: %s is not stored: %d %v", r.test, live, status, answer["message"])
		}
		r.object = &unstructured.Unstructured{Object: answer}
	}
}

// do sends a request of a row to the server.
func (s *unionServer) do(t *testing.T, r *unionRow, text string) (status int, answer map[string]any) {
	t.Helper()
	manager, verb, sent := split(t, text)
	whole := r.with(sent)
	whole.SetResourceVersion(r.object.GetResourceVersion())
	part := map[string]any{r.property: sent}
	method, url, typ, body := http.MethodPatch, s.url+"/"+r.object.GetName(), "application/json", any(whole.Object)
	query := "?fieldManager=" + manager
	switch verb {
	case "POST", "STORED":
		method, url = http.MethodPost, s.url
		if verb == "STORED" {
			query = "?fieldManager=before-first-apply"
		}
	case "PUT", "STRICT":
		if method = http.MethodPut; r.object.GetResourceVersion() == "" {
			method, url = http.MethodPost, s.url
		}
		if verb == "STRICT" {
			query += "&fieldValidation=Strict"
		}
	case "MUTATED":
		added, err := json.Marshal(value(t, r.added))
		if err != nil {
			t.Fatal(err)
		}
		whole.SetAnnotations(map[string]string{"add": string(added)})
		method = http.MethodPut
	case "MP":
		typ, body = "application/merge-patch+json", part
	case "SMP":
		typ, body = "application/strategic-merge-patch+json", part
	case "JSONPATCH":
		var operations []any
		for _, name := range slices.Sorted(maps.Keys(sent)) {
			operations = append(operations, map[string]any{"op": "add", "path": "/" + r.property + "/" + name, "value": sent[name]})
		}
		typ, body = "application/json-patch+json", operations
	case "APPLY", "FORCE":
		typ, body = "application/apply-patch+yaml", r.with(sent).Object
		query += "&force=" + fmt.Sprint(verb == "FORCE")
	case "READ":
		method, body = http.MethodGet, nil
	default:
		t.Fatalf("unknown verb %s", verb)
	}
	status, answer, err := shared.exchange(method, url+query, typ, body)
	if err != nil {
		t.Fatal(err)
	}
	return status, answer
}

// split returns the parts of a request.
func split(t *testing.T, text string) (manager, verb string, sent map[string]any) {
	t.Helper()
	parts := strings.SplitN(strings.TrimSpace(text), " ", 3)
	return parts[0], parts[1], value(t, parts[2])
}

// send sends the row's request, and returns its outcome and the server's message.
func (s *unionServer) send(t *testing.T, r *unionRow) (outcome, message string) {
	t.Helper()
	status, answer := s.do(t, r, r.request)
	switch {
	case status/100 == 2:
		owners := ""
		if r.owners != "" {
			owners = ownersOf(t, r, answer)
		}
		return described(t, answer[r.property], owners), ""
	case status != http.StatusUnprocessableEntity:
		return fmt.Sprint(status), fmt.Sprint(answer["message"])
	}
	return rulesOf(brokenRules(t, answer)), fmt.Sprint(answer["message"])
}

// brokenRules returns the rules of unions that an answer of the server is about.
func brokenRules(t *testing.T, answer map[string]any) []string {
	t.Helper()
	causes, _, err := unstructured.NestedSlice(answer, "details", "causes")
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, c := range causes {
		cause := c.(map[string]any)
		reason, path, message := fmt.Sprint(cause["reason"]), fmt.Sprint(cause["field"]), fmt.Sprint(cause["message"])
		switch {
		case path == "<nil>": // rules that were skipped
		case strings.HasSuffix(path, ".d") && (reason == "FieldValueRequired" || reason == "FieldValueNotSupported" || strings.Contains(message, "supported values")):
			list = append(list, "V4")
		case strings.Contains(message, "must be changed when changing members"), strings.Contains(message, "may be set"):
			list = append(list, "V1")
		case strings.Contains(message, "must be specified when"), strings.Contains(message, "may only be specified when"):
			list = append(list, "V2")
		case strings.Contains(message, "must specify at most one of"), strings.Contains(message, "must specify exactly one of"), strings.Contains(message, "must specify one of"):
			list = append(list, "L-multi")
		default:
			list = append(list, "422")
		}
	}
	return list
}

// ownersOf returns the fields of the property that each manager owns.
func ownersOf(t *testing.T, r *unionRow, object map[string]any) string {
	t.Helper()
	var list []string
	for _, m := range (&unstructured.Unstructured{Object: object}).GetManagedFields() {
		var fields map[string]map[string]any
		if err := json.Unmarshal(m.FieldsV1.Raw, &fields); err != nil {
			t.Fatal(err)
		}
		var owned []string
		for name := range fields["f:"+r.property] {
			if name, is := strings.CutPrefix(name, "f:"); is {
				owned = append(owned, name)
			}
		}
		if len(owned) > 0 {
			slices.Sort(owned)
			list = append(list, m.Manager+": "+strings.Join(owned, " "))
		}
	}
	slices.Sort(list)
	return strings.Join(list, "; ")
}

// generateUnions generates the definitions and policies of the rows' types.
func generateUnions(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	cmd := exec.Command("go", "run", "./cmd/kindsmith", "generate", "--only", "crd,policy", "--crd-dir", dir+"/crd", "--policy-dir", dir+"/policy", "./conformance/unions/v1")
	cmd.Dir = "../.."
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return dir
}

// withoutRules removes the rules of a schema that older servers did not have.
func withoutRules(s *apiextensionsv1.JSONSchemaProps) {
	s.XValidations, s.Enum, s.Required = nil, nil, nil
	if s.Items != nil {
		withoutRules(s.Items.Schema)
	}
	if s.AdditionalProperties != nil {
		withoutRules(s.AdditionalProperties.Schema)
	}
	for name, p := range s.Properties {
		withoutRules(&p)
		s.Properties[name] = p
	}
}

// enforce replaces the definition, and waits until the server enforces its rules.
func (s *unionServer) enforce(t *testing.T, crd *apiextensionsv1.CustomResourceDefinition) {
	t.Helper()
	url := shared.URL + "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + crd.Name
	status, answer, err := shared.exchange(http.MethodPatch, url, "application/merge-patch+json", map[string]any{"spec": crd.Spec})
	if err != nil || status != http.StatusOK {
		t.Fatal(status, answer["message"], err)
	}
	probe := (&unionRow{test: "probe", property: "requiredUnion"}).with(map[string]any{})
	eventually(t, func() (bool, string) {
		status, _, err := shared.do(http.MethodPost, s.url+"?dryRun=All", probe.Object)
		return status == http.StatusUnprocessableEntity, fmt.Sprint("an invalid object has status ", status, err)
	})
}

// await waits until updates are normalised and mutated. For seconds after a definition is created, the
// server answers 503 to requests with policies.
func (s *unionServer) await(t *testing.T) {
	t.Helper()
	r := &unionRow{test: "await", property: "requiredUnion", live: []string{"client POST {d: A, a: 1}"}, request: "client MUTATED {d: A, a: 1}", added: "{d: B, b: 2}"}
	s.store(t, r)
	eventually(t, func() (bool, string) {
		_, r.object.Object = s.do(t, r, "client READ {}")
		got, message := s.send(t, r)
		return got == `{"b":2,"d":"B"}`, "an update results in " + got + message
	})
}

// eventually waits until a condition is true; the text says why it is not.
func eventually(t *testing.T, condition func() (bool, string)) {
	t.Helper()
	deadline := time.Now().Add(time.Minute)
	for {
		ok, why := condition()
		switch {
		case ok:
			return
		case time.Now().After(deadline):
			t.Fatalf("after a minute, %s", why)
		}
		time.Sleep(200 * time.Millisecond)
	}
}

// mutator is an admission plugin that changes objects as their annotation says. It runs after other
// policies, by its name.
func mutator() []*unstructured.Unstructured {
	return []*unstructured.Unstructured{{Object: map[string]any{
		"apiVersion": "admissionregistration.k8s.io/v1", "kind": "MutatingAdmissionPolicy", "metadata": map[string]any{"name": "zz-mutator"},
		"spec": map[string]any{
			"reinvocationPolicy": "Never",
			"matchConstraints": map[string]any{"resourceRules": []any{map[string]any{
				"apiGroups": []any{"unions.example.com"}, "apiVersions": []any{"v1"}, "resources": []any{"rows"}, "operations": []any{"UPDATE"},
			}}},
			"matchConditions": []any{map[string]any{"name": "annotated", "expression": "object.metadata.?annotations.?add.hasValue()"}},
			"mutations": []any{map[string]any{"patchType": "JSONPatch", "jsonPatch": map[string]any{
				"expression": `(object.metadata.annotations.add.contains('"d"') ? [JSONPatch{op: 'add', path: '/requiredUnion/d', value: 'B'}] : []) + [JSONPatch{op: 'add', path: '/requiredUnion/b', value: 2}]`,
			}}},
		},
	}}, {Object: map[string]any{
		"apiVersion": "admissionregistration.k8s.io/v1", "kind": "MutatingAdmissionPolicyBinding", "metadata": map[string]any{"name": "zz-mutator"},
		"spec": map[string]any{"policyName": "zz-mutator"},
	}}}
}

// documents returns the objects of a file.
func documents(t *testing.T, file string) []*unstructured.Unstructured {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var list []*unstructured.Unstructured
	for text := range strings.SplitSeq(string(content), "---\n") {
		if strings.TrimSpace(text) != "" {
			list = append(list, &unstructured.Unstructured{Object: value(t, text)})
		}
	}
	return list
}

// create creates policies and bindings; the test's cleanup deletes them.
func create(t *testing.T, objects ...*unstructured.Unstructured) {
	t.Helper()
	for _, o := range objects {
		o = &unstructured.Unstructured{Object: runtime.DeepCopyJSON(o.Object)}
		url := shared.URL + "/apis/" + o.GetAPIVersion() + "/mutatingadmissionpolicies"
		if o.GetKind() == "MutatingAdmissionPolicyBinding" {
			url = shared.URL + "/apis/" + o.GetAPIVersion() + "/mutatingadmissionpolicybindings"
		}
		if status, answer, err := shared.do(http.MethodPost, url, o.Object); err != nil || status != http.StatusCreated {
			t.Fatal(status, answer["message"], err)
		}
		t.Cleanup(func() {
			if status, answer, err := shared.do(http.MethodDelete, url+"/"+o.GetName(), nil); err != nil || status != http.StatusOK {
				t.Error(status, answer, err)
			}
		})
	}
}
