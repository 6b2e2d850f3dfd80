package inspect_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kindsmith/kindsmith/internal/objects/manifest"
	"github.com/kindsmith/kindsmith/internal/testing/exampletest"
	"github.com/kindsmith/kindsmith/internal/tool/dev/inspect"
	"github.com/kindsmith/kindsmith/internal/tool/dev/requests"
)

// api is the API of an example.
func api(t *testing.T) *inspect.API {
	t.Helper()
	programs := exampletest.Load(t, "database")
	definition := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{
		"group": "db.example.com", "scope": "Namespaced", "names": map[string]any{"kind": "Database", "plural": "databases"},
		"versions": []any{map[string]any{"name": "v1", "served": true, "storage": true}, map[string]any{"name": "v1beta1", "served": true}},
	}}}
	a, err := inspect.New(programs.Model, programs, []*unstructured.Unstructured{definition})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

const valid = exampletest.Database

// TestJudge checks the places of problems in the manifest and in the source.
func TestJudge(t *testing.T) {
	a := api(t)
	for name, test := range map[string]struct {
		text string
		// want are lines and columns, with the path, and the beginning of the rule.
		want []string
	}{
		"valid":              {valid, nil},
		"a rule":             {valid + "  replicas: 99 # ü\n", []string{"12:13 spec.replicas +"}},
		"an unknown field":   {valid + "  replica: 9\n", []string{"12:3 spec.replica "}},
		"after a wide rune":  {valid + "  \"𝔲\": 9\n", []string{"12:3 spec.𝔲 "}},
		"a duplicate key":    {valid + "  engine: Postgres\n", []string{"12:3 spec.engine "}},
		"a missing field":    {strings.Replace(valid, "      size: 1Gi\n", "      {}\n", 1), []string{"10:5 spec.storage.persistentVolume.size +"}},
		"an unknown version": {strings.Replace(valid, "/v1", "/v2", 1), []string{"1:13 apiVersion "}},
		"no YAML":            {"a: [", []string{"1:1  "}},
		"no kind":            {"a: b", []string{"1:1  "}},
		"not ours":           {"apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, p := range a.Judge(test.text, nil).Problems {
				rule := ""
				if p.Rule != "" {
					rule = p.Rule[:1]
					if p.Declared == nil || !strings.Contains(strings.Join(p.Declared.Lines, "\n"), p.Rule) || !strings.HasSuffix(p.Declared.File, ".go") {
						t.Errorf("%s is not at %+v", p.Rule, p.Declared)
					}
				}
				got = append(got, fmt.Sprintf("%d:%d %s %s", p.Range.Line, p.Range.Column, p.Path, rule))
			}
			if strings.Join(got, "\n") != strings.Join(test.want, "\n") {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

// sent is a request with an answer.
func sent(method, contentType, body string, code int, answer any) requests.Request {
	text, _ := json.Marshal(answer)
	verb := map[string]string{"POST": "create", "PUT": "update", "PATCH": "patch"}[method]
	return requests.Request{
		ID: 1, Method: method, Verb: verb, Path: "/apis/db.example.com/v1/namespaces/shop/databases", Group: "db.example.com", Version: "v1",
		Resource: "databases", Namespace: "shop", Name: "a", Code: code, Done: true,
		Sent: requests.Body{Type: contentType, Content: []byte(body)}, Answer: requests.Body{Type: "application/json", Content: text},
	}
}

func object(t *testing.T, yaml string) map[string]any {
	t.Helper()
	u, err := inspect.Read(yaml)
	if err != nil {
		t.Fatal(err)
	}
	return u.Object
}

func jsonOf(t *testing.T, yaml string) string {
	t.Helper()
	text, err := json.Marshal(object(t, yaml))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func status(path, message string) map[string]any {
	return map[string]any{"kind": "Status", "apiVersion": "v1", "code": 422, "message": "Database \"a\" is invalid", "details": map[string]any{
		"causes": []any{map[string]any{"field": path, "message": message, "reason": "FieldValueInvalid"}},
	}}
}

// TestRefused checks that an error of the API server and that of a rule are one.
func TestRefused(t *testing.T) {
	a := api(t)
	bad := valid + "  replicas: 99\n"
	annotated, err := inspect.Annotated(&unstructured.Unstructured{Object: object(t, bad)})
	if err != nil {
		t.Fatal(err)
	}
	var patch map[string]any
	if err := json.Unmarshal(annotated, &patch); err != nil {
		t.Fatal(err)
	}
	patch = map[string]any{"metadata": map[string]any{"annotations": patch["metadata"].(map[string]any)["annotations"]}, "spec": map[string]any{"replicas": 99}}
	applied, _ := json.Marshal(patch)
	answer := status("spec.replicas", "Invalid value: 99: spec.replicas in body should be less than or equal to 7")
	live := func(*manifest.Object) map[string]any { return object(t, valid) }
	for name, test := range map[string]struct {
		r    requests.Request
		form string
		line int
	}{
		"create":            {sent("POST", "application/json", jsonOf(t, bad), 422, answer), inspect.Object, 0},
		"server-side apply": {sent("PATCH", "application/apply-patch+yaml", bad, 422, answer), inspect.Object, 0},
		"apply, created":    {sent("POST", "application/json", string(annotated), 422, answer), inspect.Apply, 0},
		"apply, patched":    {sent("PATCH", "application/merge-patch+json", string(applied), 422, answer), inspect.Apply, 0},
		"patch":             {sent("PATCH", "application/merge-patch+json", `{"spec":{"replicas":99}}`, 422, answer), inspect.Patch, 2},
	} {
		t.Run(name, func(t *testing.T) {
			d := a.Request(test.r, live)
			if d.Form != test.form || len(d.Verdict.Problems) != 1 || len(d.Differences) > 0 {
				t.Fatalf("%s %+v %v", d.Form, d.Verdict.Problems, d.Differences)
			}
			p := d.Verdict.Problems[0]
			line := strings.Split(d.Manifest, "\n")[p.Range.Line-1]
			if !p.Server || !p.Rules || strings.TrimSpace(line) != "replicas: 99" || test.line > 0 && p.Range.Line != test.line {
				t.Errorf("line %q: %+v", line, p)
			}
			if p.Rule == "" || p.Declared == nil || strings.Contains(d.Manifest, "last-applied") {
				t.Errorf("%+v\n%s", p, d.Manifest)
			}
			if fixed := a.JudgeRequest(test.r, strings.Replace(d.Manifest, "99", "3", 1), live); len(fixed.Problems) > 0 {
				t.Errorf("fixed: %+v", fixed.Problems)
			}
			if worse := a.JudgeRequest(test.r, strings.Replace(d.Manifest, "99", "98", 1), live); len(worse.Problems) != 1 {
				t.Errorf("not fixed: %+v", worse.Problems)
			}
		})
	}
}

// TestDifferences checks what is said where the API server and the rules disagree, and where they do not.
func TestDifferences(t *testing.T) {
	a := api(t)
	with := func(yaml, field string, value any) map[string]any {
		o := a.Judge(yaml, nil).Steps
		u := object(t, o[len(o)-1].Text)
		if field != "" {
			u["spec"].(map[string]any)[field] = value
		}
		return u
	}
	for name, test := range map[string]struct {
		yaml   string
		code   int
		answer any
		want   string
	}{
		"the same object":              {valid, 201, with(valid, "", nil), ""},
		"status is not compared":       {valid, 201, func() any { o := with(valid, "", nil); o["status"] = map[string]any{"a": 1}; return o }(), ""},
		"another default":              {valid, 201, with(valid, "replicas", int64(5)), "spec.replicas is 5 at the API server, and"},
		"another field":                {valid, 201, with(valid, "more", "x"), "spec.more is x at the API server, and not set by the rules"},
		"accepted, and a broken rule":  {valid + "  replicas: 99\n", 201, with(valid, "", nil), "the API server accepts the object, and the rules refuse spec.replicas"},
		"refused, and no broken rule":  {valid, 422, status("spec.replicas", "Invalid value: 3: no"), "the API server refuses spec.replicas, and the rules accept it"},
		"a dropped field":              {valid + "  more: x\n", 201, with(valid, "", nil), ""},
		"metadata is for API servers":  {valid, 422, status("metadata.name", "Invalid value: no"), ""},
		"a conflict":                   {valid, 409, map[string]any{"kind": "Status", "code": 409}, ""},
		"a webhook without a field":    {valid, 422, status("", "denied"), ""},
		"a key of a map":               {valid + "  nodeSelector: {disk: -ssd}\n", 422, status("spec.nodeSelector.disk", "Invalid value: no"), ""},
		"the same field again":         {valid + "  replicas: 99\n", 422, status(".spec.replicas", "Invalid value: 99: too large"), ""},
		"both, the server at a parent": {valid + "  replicas: 99\n", 422, status("spec.replicas", "Invalid value: 99: too large"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			d := a.Request(sent("POST", "application/json", jsonOf(t, test.yaml), test.code, test.answer), nil)
			got := strings.Join(d.Differences, "\n")
			if test.want == "" && got != "" || !strings.HasPrefix(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestKubectl checks the commands that send requests again.
func TestKubectl(t *testing.T) {
	a := api(t)
	request := func(verb, path, subresource string, r requests.Request) requests.Request {
		r.Verb, r.Path, r.Subresource = verb, path, subresource
		return r
	}
	small := "apiVersion: db.example.com/v1\nkind: Database\nmetadata:\n  name: a\n"
	base := sent("GET", "", "", 200, nil)
	const at = "/apis/db.example.com/v1/namespaces/shop/databases"
	for want, r := range map[string]requests.Request{
		"kubectl create -f - -n shop <<'EOF'\n" + small + "EOF":                                                   sent("POST", "application/json", jsonOf(t, small), 201, nil),
		"kubectl replace -f - -n shop <<'EOF'\n" + small + "EOF":                                                  sent("PUT", "application/json", jsonOf(t, small), 200, nil),
		"kubectl apply --server-side -f - --field-manager=me --force-conflicts -n shop <<'EOF'\n" + small + "EOF": request("patch", at+"/a?fieldManager=me&force=true", "", sent("PATCH", "application/apply-patch+yaml", small, 200, nil)),
		`kubectl patch databases.v1.db.example.com a --type=merge -p '{"spec":{"a":"it'\''s"}}' -n shop`:          sent("PATCH", "application/merge-patch+json", `{"spec":{"a":"it's"}}`, 200, nil),
		`kubectl patch databases.v1.db.example.com a --type=json -p '[]' -n shop --subresource=status`:            request("patch", at, "status", sent("PATCH", "application/json-patch+json", `[]`, 200, nil)),
		"kubectl get databases.v1.db.example.com a -o yaml -n shop":                                               request("get", at+"/a", "", base),
		"kubectl get databases.v1.db.example.com -l 'a in (b)' -n shop":                                           request("list", at+"?labelSelector=a+in+%28b%29", "", base),
		"kubectl get databases.v1.db.example.com --watch -n shop":                                                 request("watch", at+"?watch=1", "", base),
		"kubectl delete databases.v1.db.example.com a -n shop":                                                    request("delete", at+"/a", "", base),
		"kubectl get --raw '/apis?timeout=3s'":                                                                    {Method: "GET", Verb: "get", Path: "/apis?timeout=3s"},
	} {
		if got := a.Request(r, nil).Kubectl; got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
