package server_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	jsonpatch "github.com/evanphx/json-patch/v5"
	"k8s.io/client-go/rest"
)

// api is an API server with optimistic concurrency, as far as webhook servers use it.
type api struct {
	*httptest.Server
	mu      sync.Mutex
	version int
	objects map[string]map[string]any // by path
	writes  map[string]int            // by path
	// served are the versions of the kind A.
	served []string
	// before is called before each request, without the lock.
	before func(r *http.Request)
	// status is what all requests get; 0 answers them.
	status int
}

const (
	definitionPath    = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/as.a.example.com"
	configurationPath = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/hooks"
	secretPath        = "/api/v1/namespaces/shop/secrets/ca"
)

// newAPI returns a server with a definition and a webhook configuration.
func newAPI(t *testing.T) *api {
	a := &api{objects: map[string]map[string]any{}, writes: map[string]int{}, served: []string{"v1beta1", "v1"}}
	service := func() map[string]any {
		return map[string]any{"service": map[string]any{"namespace": "shop", "name": "webhooks"}}
	}
	a.put(definitionPath, map[string]any{"kind": "CustomResourceDefinition", "metadata": map[string]any{"name": "as.a.example.com"}, "spec": map[string]any{
		"conversion": map[string]any{"strategy": "Webhook", "webhook": map[string]any{"clientConfig": service()}},
	}})
	a.put(configurationPath, map[string]any{"kind": "MutatingWebhookConfiguration", "metadata": map[string]any{"name": "hooks"}, "webhooks": []any{
		map[string]any{"name": "a", "clientConfig": service()}, map[string]any{"name": "b", "clientConfig": service()},
	}})
	a.Server = httptest.NewServer(a)
	t.Cleanup(a.Close)
	return a
}

func (a *api) config() *rest.Config { return &rest.Config{Host: a.URL, QPS: -1} }

// put stores an object with the next version.
func (a *api) put(path string, object map[string]any) {
	a.version++
	if object["apiVersion"] == nil {
		object["apiVersion"] = "v1"
	}
	object["metadata"].(map[string]any)["resourceVersion"] = strconv.Itoa(a.version)
	a.objects[path] = object
}

func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if a.before != nil {
		a.before(r)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	status, object := a.answer(r)
	if status >= 400 {
		reason := map[int]string{404: "NotFound", 409: "Conflict", 403: "Forbidden"}[status]
		if r.Method == http.MethodPost && status == http.StatusConflict {
			reason = "AlreadyExists"
		}
		object = map[string]any{"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": reason, "code": status, "message": reason}
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(object)
}

func (a *api) answer(r *http.Request) (int, any) {
	if a.status != 0 {
		return a.status, nil
	}
	path := strings.TrimSuffix(r.URL.Path, "/")
	var versions, resources []any
	for _, v := range a.served {
		versions = append(versions, map[string]any{"groupVersion": "a.example.com/" + v, "version": v})
		resources = []any{map[string]any{"name": "as", "kind": "A"}, map[string]any{"name": "as/status", "kind": "A"}}
	}
	version, isVersion := strings.CutPrefix(path, "/apis/a.example.com/")
	switch {
	case path == "/apis/a.example.com" && len(versions) > 0:
		return 200, map[string]any{"kind": "APIGroup", "apiVersion": "v1", "name": "a.example.com", "versions": versions}
	case isVersion:
		return 200, map[string]any{"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": "a.example.com/" + version, "resources": resources}
	case r.Method == http.MethodPost:
		return a.create(r, path)
	case a.objects[path] == nil:
		return 404, nil
	case r.Method == http.MethodPatch:
		return a.patch(r, path)
	}
	return 200, a.objects[path]
}

func (a *api) create(r *http.Request, path string) (int, any) {
	var object map[string]any
	if json.NewDecoder(r.Body).Decode(&object) != nil {
		return 400, nil
	}
	path += "/" + object["metadata"].(map[string]any)["name"].(string)
	if a.objects[path] != nil {
		return 409, nil
	}
	a.writes[path]++
	a.put(path, object)
	return 201, object
}

func (a *api) patch(r *http.Request, path string) (int, any) {
	var patch json.RawMessage
	before, _ := json.Marshal(a.objects[path])
	if json.NewDecoder(r.Body).Decode(&patch) != nil {
		return 400, nil
	}
	var after []byte
	var err error
	if r.Header.Get("Content-Type") == "application/json-patch+json" {
		var operations jsonpatch.Patch
		if operations, err = jsonpatch.DecodePatch(patch); err == nil {
			after, err = operations.Apply(before)
		}
	} else {
		after, err = jsonpatch.MergePatch(before, patch)
	}
	var object map[string]any
	if err != nil || json.Unmarshal(after, &object) != nil {
		return 422, nil
	}
	if object["metadata"].(map[string]any)["resourceVersion"] != a.objects[path]["metadata"].(map[string]any)["resourceVersion"] {
		return 409, nil
	}
	a.writes[path]++
	a.put(path, object)
	return 200, object
}

// change changes an object.
func (a *api) change(path string, change func(object map[string]any)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	object := a.objects[path]
	change(object)
	a.put(path, object)
}

func (a *api) delete(path string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.objects, path)
}

// written returns how often an object was written, and forgets it.
func (a *api) written(path string) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	n := a.writes[path]
	delete(a.writes, path)
	return n
}

// bundle returns the caBundle of the definition.
func (a *api) bundle() []byte {
	a.mu.Lock()
	defer a.mu.Unlock()
	config := a.objects[definitionPath]["spec"].(map[string]any)["conversion"].(map[string]any)["webhook"].(map[string]any)["clientConfig"].(map[string]any)
	text, _ := config["caBundle"].(string)
	bundle, _ := base64.StdEncoding.DecodeString(text)
	return bundle
}
