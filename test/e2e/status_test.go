package e2e

import (
	"encoding/pem"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	pipelines "github.com/kindsmith/kindsmith/examples/pipeline/api"
	civ1alpha1 "github.com/kindsmith/kindsmith/examples/pipeline/api/v1alpha1"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert/webhook"
)

// runners are the runners of the pipeline example, a kind with a status subresource, which keeps tracked values in its status.
type runners struct {
	t           *testing.T
	definitions string
	conversion  *apiextensionsv1.CustomResourceConversion
}

// TestStatus writes an object and its status in all versions, while the storage version is the newest, the oldest and one
// between. Older versions lack parts of the spec and of the status; none of them is lost, though writes of the spec cannot change the
// status, where the server keeps them.
func TestStatus(t *testing.T) {
	converter, err := jsonconvert.New(civ1alpha1.JSONConversion())
	if err != nil {
		t.Fatal(err)
	}
	conversions := httptest.NewTLSServer(webhook.Handler(converter))
	t.Cleanup(conversions.Close)
	r := &runners{
		t: t, definitions: shared.URL + "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
		conversion: &apiextensionsv1.CustomResourceConversion{Strategy: apiextensionsv1.WebhookConverter, Webhook: &apiextensionsv1.WebhookConversion{
			ConversionReviewVersions: []string{"v1"},
			ClientConfig: &apiextensionsv1.WebhookClientConfig{
				URL: &conversions.URL, CABundle: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: conversions.Certificate().Raw}),
			},
		}},
	}
	r.define(http.MethodPost, pipelines.RunnerVersionV2)
	t.Cleanup(func() { r.do(http.MethodDelete, r.definitions+"/runners.ci.example.com", nil) })
	for i, stored := range []pipelines.RunnerVersion{pipelines.RunnerVersionV2, pipelines.RunnerVersionV1alpha2, pipelines.RunnerVersionV1beta1} {
		if i > 0 {
			r.define(http.MethodPut, stored)
		}
		for _, v := range pipelines.RunnerVersions() {
			if v != pipelines.RunnerVersionV2 {
				t.Run(fmt.Sprintf("%s stored, %s writes", stored, v), func(t *testing.T) {
					(&runners{t, r.definitions, r.conversion}).writes(v, fmt.Sprintf("runner-%s-%s", stored, v))
				})
			}
		}
	}
	// What was written while another version was stored.
	for _, stored := range []pipelines.RunnerVersion{pipelines.RunnerVersionV2, pipelines.RunnerVersionV1alpha2} {
		for _, v := range pipelines.RunnerVersions() {
			if v != pipelines.RunnerVersionV2 {
				r.expect(fmt.Sprintf("runner-%s-%s", stored, v), finalSpec, finalStatus)
			}
		}
	}
}

const (
	firstSpec   = `{"pool":"large","slots":3,"taints":[{"key":"gpu","effect":"NoRun","reason":"for training"},{"key":"old","effect":"Evict"}]}`
	firstStatus = `{"tasks":["a","b"],"lastSeen":"2026-11-23T10:00:00Z"}`
	finalSpec   = `{"pool":"small","slots":3,"taints":[{"key":"gpu","effect":"NoRun","reason":"for training"},{"key":"old","effect":"Evict"}],"drain":true}`
	finalStatus = `{"tasks":["c"],"lastSeen":"2026-11-23T10:00:00Z"}`
)

// writes writes an object and its status in a version, in all ways.
func (r *runners) writes(version pipelines.RunnerVersion, name string) {
	runner := flow(r.t, `{"apiVersion":"ci.example.com/v2","kind":"Runner","metadata":{"name":"`+name+`"},"spec":`+firstSpec+`}`)
	r.do(http.MethodPost, r.url(pipelines.RunnerVersionV2, ""), runner)
	runner = r.do(http.MethodGet, r.url(pipelines.RunnerVersionV2, name), nil)
	runner["status"] = flow(r.t, firstStatus)
	r.do(http.MethodPut, r.url(pipelines.RunnerVersionV2, name)+"/status", runner)
	r.expect(name, firstSpec, firstStatus)

	// The names that the version has.
	pool, tasks := "pool", "tasks"
	switch version {
	case pipelines.RunnerVersionV1alpha2:
		pool, tasks = "group", "running"
	case pipelines.RunnerVersionV1beta1:
		pool = "group"
	}

	// A client that replaces the object, without the status.
	older := r.do(http.MethodGet, r.url(version, name), nil)
	spec := maps.Clone(older["spec"].(map[string]any))
	spec["drain"] = true
	replaced := maps.Clone(older)
	replaced["spec"] = spec
	delete(replaced, "status")
	older = r.do(http.MethodPut, r.url(version, name), replaced)
	drained := firstSpec[:len(firstSpec)-1] + `,"drain":true}`
	r.expect(name, drained, firstStatus)

	// A controller that updates the status that it has read.
	status := maps.Clone(older["status"].(map[string]any))
	status[tasks] = []string{"b"}
	older["status"] = status
	r.do(http.MethodPut, r.url(version, name)+"/status", older)
	r.expect(name, drained, `{"tasks":["b"],"lastSeen":"2026-11-23T10:00:00Z"}`)

	// Patches of both, and an apply.
	r.patch(version, name+"/status", "application/merge-patch+json", map[string]any{"status": map[string]any{tasks: []string{"c"}}})
	r.patch(version, name, "application/merge-patch+json", map[string]any{"spec": map[string]any{pool: "medium"}})
	r.patch(version, name+"?fieldManager=team&force=true", "application/apply-patch+yaml", map[string]any{
		"apiVersion": version.APIVersion(), "kind": "Runner", "metadata": map[string]any{"name": name}, "spec": map[string]any{pool: "small"},
	})
	r.expect(name, finalSpec, finalStatus)
}

// expect compares an object in the newest version.
func (r *runners) expect(name, spec, status string) {
	r.t.Helper()
	got := r.do(http.MethodGet, r.url(pipelines.RunnerVersionV2, name), nil)
	for key, want := range map[string]string{"spec": spec, "status": status} {
		if diff := cmp.Diff(flow(r.t, want), got[key]); diff != "" {
			r.t.Fatalf("%s of %s (-want +got):\n%s", key, name, diff)
		}
	}
}

func (r *runners) url(v pipelines.RunnerVersion, name string) string {
	url := shared.URL + "/apis/" + v.APIVersion() + "/runners"
	if name != "" {
		url += "/" + name
	}
	return url
}

func (r *runners) do(method, url string, object any) map[string]any {
	r.t.Helper()
	status, answer, err := shared.do(method, url, object)
	if err != nil || status >= 300 {
		r.t.Fatalf("%s %s: %d %v %v", method, url, status, answer["message"], err)
	}
	return answer
}

func (r *runners) patch(v pipelines.RunnerVersion, name, contentType string, object any) {
	r.t.Helper()
	status, answer, err := shared.exchange(http.MethodPatch, r.url(v, name), contentType, object)
	if err != nil || status >= 300 {
		r.t.Fatalf("PATCH %s: %d %v %v", name, status, answer["message"], err)
	}
}

// define creates or replaces the definition, with a storage version, and waits until the server uses it.
func (r *runners) define(method string, stored pipelines.RunnerVersion) {
	r.t.Helper()
	crd, err := pipelines.RunnerCRD(stored)
	if err != nil {
		r.t.Fatal(err)
	}
	crd.Spec.Conversion = r.conversion
	url, before := r.definitions, r.storage()
	if method == http.MethodPut {
		url += "/" + crd.Name
		current := r.do(http.MethodGet, url, nil)
		crd.ResourceVersion = current["metadata"].(map[string]any)["resourceVersion"].(string)
	}
	r.do(method, url, crd)
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		if now := r.storage(); now != "" && now != before {
			return
		}
		if time.Now().After(deadline) {
			r.t.Fatalf("runners are not stored as %s a minute after the definition says so", stored)
		}
	}
}

// storage returns what the server's discovery says of the storage version, a hash; "" before runners are served.
func (r *runners) storage() string {
	_, answer, err := shared.do(http.MethodGet, shared.URL+"/apis/"+pipelines.RunnerVersionV2.APIVersion(), nil)
	if err != nil {
		return ""
	}
	resources, _ := answer["resources"].([]any)
	for _, resource := range resources {
		if resource := resource.(map[string]any); resource["name"] == "runners" {
			hash, _ := resource["storageVersionHash"].(string)
			return hash
		}
	}
	return ""
}
