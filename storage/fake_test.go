package storage

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
)

const orders = "orders.shop.example.com"

// fake is an API server with one definition. It has what a migration depends on: versions of stored objects, snapshots of lists
// that expire, conflicts, and a version for each write.
type fake struct {
	t   *testing.T
	url string

	mu         sync.Mutex
	version    int // of the newest write
	definition map[string]any
	objects    map[string]*stored // by namespace/name
	snapshots  map[string][]stored
	writes     int                       // of objects
	reads      int                       // of the whole definition
	migrations map[string]map[string]any // nil: the resource does not exist
	migration  string                    // the version of migrations

	// before runs before each request, without the lock. It answers the request if it returns true.
	before func(w http.ResponseWriter, r *http.Request) bool
	// refuse returns why an object cannot be written.
	refuse func(name string) *metav1.Status
	// migrate is what the controller does with a migration at each look at it.
	migrate func(m map[string]any)
}

type stored struct {
	namespace, name, uid string
	version              int    // of the object
	in                   string // the version that it is stored in
	managed              []metav1.ManagedFieldsEntry
}

func newFake(t *testing.T, versions ...string) *fake {
	f := &fake{t: t, version: 1, migration: "v1", objects: map[string]*stored{}, snapshots: map[string][]stored{}}
	var list []any
	for i, v := range versions {
		list = append(list, map[string]any{"name": v, "served": true, "storage": i == 0, "schema": map[string]any{}})
	}
	f.definition = map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": map[string]any{"name": orders, "uid": "crd", "resourceVersion": "1", "generation": int64(1), "creationTimestamp": "2026-01-01T00:00:00Z"},
		"spec": map[string]any{
			"group": "shop.example.com", "names": map[string]any{"plural": "orders", "kind": "Order"}, "versions": list,
			"conversion": map[string]any{"strategy": "Webhook", "webhook": map[string]any{"conversionReviewVersions": []any{"v1"}}},
		},
		"status": map[string]any{"storedVersions": toAny(versions)},
	}
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	f.url = server.URL
	return f
}

// settle waits for the requests of a run that was stopped: the server answers those that it has received.
func (f *fake) settle() {
	for before := -1; ; time.Sleep(50 * time.Millisecond) {
		f.mu.Lock()
		now := f.writes
		f.mu.Unlock()
		if now == before {
			return
		}
		before = now
	}
}

func toAny(list []string) (out []any) {
	for i := range slices.Backward(list) { // the oldest first, as API servers add them
		out = append(out, list[i])
	}
	return out
}

func (f *fake) cluster() *Cluster {
	c, err := New(&rest.Config{Host: f.url})
	if err != nil {
		f.t.Fatal(err)
	}
	c.settle, c.page, c.poll, c.patience, c.cleanup = 0, 10, time.Millisecond, 50*time.Millisecond, 50*time.Millisecond
	return c
}

// add stores objects in a version.
func (f *fake) add(n int, in string) {
	for range n {
		f.version++
		name := fmt.Sprintf("order-%04d", len(f.objects))
		f.objects["shop/"+name] = &stored{namespace: "shop", name: name, uid: "uid-" + name, version: f.version, in: in}
	}
}

// edit changes an object, as another client does it.
func (f *fake) edit(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.version++
	o := f.objects["shop/"+name]
	o.version, o.in = f.version, f.storage()
}

func (f *fake) storage() string {
	for _, v := range f.spec()["versions"].([]any) {
		if v := v.(map[string]any); v["storage"] == true {
			return v["name"].(string)
		}
	}
	panic("no storage version")
}

func (f *fake) meta() map[string]any   { return f.definition["metadata"].(map[string]any) }
func (f *fake) spec() map[string]any   { return f.definition["spec"].(map[string]any) }
func (f *fake) status() map[string]any { return f.definition["status"].(map[string]any) }

// in counts the objects by the version that they are stored in.
func (f *fake) in() map[string]int {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := map[string]int{}
	for _, o := range f.objects {
		n[o.in]++
	}
	return n
}

func (f *fake) storedVersions() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return fmt.Sprint(f.status()["storedVersions"])
}

// store makes a version the storage version.
func (f *fake) store(version string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, v := range f.spec()["versions"].([]any) {
		v := v.(map[string]any)
		v["storage"] = v["name"] == version
	}
	if list := f.status()["storedVersions"].([]any); !slices.Contains(list, any(version)) {
		f.status()["storedVersions"] = append(list, version)
	}
	f.written(true)
}

// written counts a write of the definition.
func (f *fake) written(spec bool) {
	f.version++
	f.meta()["resourceVersion"] = strconv.Itoa(f.version)
	if spec {
		f.meta()["generation"] = f.meta()["generation"].(int64) + 1
	}
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if f.before != nil && f.before(w, r) {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	path := strings.Split(strings.TrimPrefix(r.URL.Path, "/apis/"), "/")
	switch group := path[0]; {
	case group == "apiextensions.k8s.io" && len(path) == 3:
		answer(w, http.StatusOK, map[string]any{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinitionList", "metadata": map[string]any{}, "items": []any{f.definition}})
	case group == "apiextensions.k8s.io" && path[3] != orders:
		failed(w, http.StatusNotFound, metav1.StatusReasonNotFound, "not found")
	case group == "apiextensions.k8s.io" && r.Method == http.MethodPatch:
		f.patchDefinition(w, r, len(path) == 5)
	case group == "apiextensions.k8s.io" && strings.Contains(r.Header.Get("Accept"), "PartialObjectMetadata"):
		answer(w, http.StatusOK, map[string]any{"apiVersion": "meta.k8s.io/v1", "kind": "PartialObjectMetadata", "metadata": f.meta()})
	case group == "apiextensions.k8s.io":
		f.reads++
		answer(w, http.StatusOK, f.definition)
	case group == "storagemigration.k8s.io" && f.migrations != nil && path[1] == f.migration:
		f.serveMigrations(w, r, path[3:])
	case group == "shop.example.com" && path[2] == "orders":
		f.list(w, r)
	case group == "shop.example.com" && path[2] == "namespaces":
		f.object(w, r, path[3]+"/"+path[5])
	default:
		failed(w, http.StatusNotFound, metav1.StatusReasonNotFound, "not found")
	}
}

// patchJSON has the operations of Detach.
func (f *fake) patchJSON(w http.ResponseWriter, r *http.Request) {
	var patch []struct {
		Op, Path string
		Value    any
	}
	if err := json.NewDecoder(r.Body).Decode(&patch); err != nil {
		f.t.Error(err)
	}
	for _, o := range patch {
		keys := strings.Split(o.Path[1:], "/")
		parent := any(f.definition)
		for _, key := range keys[:len(keys)-1] {
			if list, ok := parent.([]any); ok {
				i, _ := strconv.Atoi(key)
				parent = list[i]
			} else {
				parent = parent.(map[string]any)[key]
			}
		}
		fields, last := parent.(map[string]any), keys[len(keys)-1]
		switch {
		case o.Op == "replace":
			fields[last] = o.Value
		case fields[last] != o.Value:
			failed(w, http.StatusUnprocessableEntity, metav1.StatusReasonInvalid, "testing path "+o.Path+" value failed")
			return
		}
	}
	f.written(true)
	answer(w, http.StatusOK, f.definition)
}

func (f *fake) patchDefinition(w http.ResponseWriter, r *http.Request, status bool) {
	if r.Header.Get("Content-Type") == "application/json-patch+json" {
		f.patchJSON(w, r)
		return
	}
	var patch map[string]any
	if err := json.NewDecoder(r.Body).Decode(&patch); err != nil {
		f.t.Error(err)
	}
	meta, _ := patch["metadata"].(map[string]any)
	if v := meta["resourceVersion"]; v != nil && v != f.meta()["resourceVersion"] || meta["uid"] != f.meta()["uid"] {
		failed(w, http.StatusConflict, metav1.StatusReasonConflict, "the object has been modified")
		return
	}
	if status {
		f.status()["storedVersions"] = patch["status"].(map[string]any)["storedVersions"]
	} else if patch["status"] != nil {
		f.t.Error("the status is a subresource")
	}
	if notes, _ := meta["annotations"].(map[string]any); notes != nil {
		all := map[string]any{}
		for k, v := range notes {
			if v != nil {
				all[k] = v
			}
		}
		f.meta()["annotations"] = all
	}
	f.written(false)
	answer(w, http.StatusOK, f.definition)
}

// list answers from the snapshot of the first page, like an API server. Its token is <snapshot>/<key>.
func (f *fake) list(w http.ResponseWriter, r *http.Request) {
	limit, _ := strconv.Atoi(r.URL.Query().Get("limit"))
	snapshot, after, _ := strings.Cut(r.URL.Query().Get("continue"), "/")
	now := func() string {
		var all []stored
		for _, o := range f.objects {
			all = append(all, *o)
		}
		slices.SortFunc(all, func(a, b stored) int { return strings.Compare(a.name, b.name) })
		f.version++
		f.snapshots[strconv.Itoa(f.version)] = all
		return strconv.Itoa(f.version)
	}
	if snapshot == "" {
		snapshot = now()
	}
	all, ok := f.snapshots[snapshot]
	if !ok {
		s := status(http.StatusGone, metav1.StatusReasonExpired, "the provided continue parameter is too old")
		s.Continue = now() + "/" + after
		answer(w, http.StatusGone, s)
		return
	}
	all = slices.Clone(all)
	all = slices.DeleteFunc(all, func(o stored) bool { return o.name <= after })
	list := &metav1.PartialObjectMetadataList{TypeMeta: metav1.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: "PartialObjectMetadataList"}}
	if len(all) > limit {
		left := int64(len(all) - limit)
		list.RemainingItemCount, list.Continue = &left, snapshot+"/"+all[limit-1].name
		all = all[:limit]
	}
	for i := range all {
		list.Items = append(list.Items, *all[i].metadata())
	}
	answer(w, http.StatusOK, list)
}

func (o *stored) metadata() *metav1.PartialObjectMetadata {
	p := &metav1.PartialObjectMetadata{TypeMeta: metav1.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: "PartialObjectMetadata"}}
	p.Namespace, p.Name, p.UID, p.ResourceVersion = o.namespace, o.name, types.UID(o.uid), strconv.Itoa(o.version)
	p.ManagedFields = slices.Clone(o.managed)
	return p
}

// object answers requests for one object.
func (f *fake) object(w http.ResponseWriter, r *http.Request, key string) {
	o := f.objects[key]
	if r.Method == http.MethodGet {
		if o == nil {
			failed(w, http.StatusNotFound, metav1.StatusReasonNotFound, key)
		} else {
			answer(w, http.StatusOK, o.metadata())
		}
		return
	}
	if r.Header.Get("Content-Type") == "application/json-patch+json" {
		f.patchFields(w, r, o)
		return
	}
	var body struct {
		APIVersion, Kind string
		Metadata         metav1.ObjectMeta
		Spec, Status     any
	}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil || r.Header.Get("Content-Type") != "application/apply-patch+yaml" || body.Spec != nil || body.Status != nil {
		f.t.Errorf("not an empty apply: %v %v", err, body)
	}
	f.writes++
	_, name, _ := strings.Cut(key, "/")
	switch {
	case o == nil, o.uid != string(body.Metadata.UID), strconv.Itoa(o.version) != body.Metadata.ResourceVersion:
		failed(w, http.StatusConflict, metav1.StatusReasonConflict, "the object has been modified")
		return
	case f.refuse != nil:
		if s := f.refuse(name); s != nil {
			answer(w, int(s.Code), s)
			return
		}
	}
	if in := f.storage(); o.in != in { // otherwise nothing is written
		f.version++
		o.in, o.version = in, f.version
	}
	answer(w, http.StatusOK, o.metadata())
}

// patchFields replaces the managedFields of an object.
func (f *fake) patchFields(w http.ResponseWriter, r *http.Request, o *stored) {
	var patch []struct {
		Op, Path string
		Value    json.RawMessage
	}
	if err := json.NewDecoder(r.Body).Decode(&patch); err != nil || len(patch) != 2 || patch[0].Path != "/metadata/resourceVersion" || patch[1].Path != "/metadata/managedFields" {
		f.t.Errorf("%v %v", patch, err)
		return
	}
	f.writes++
	switch {
	case o == nil:
		failed(w, http.StatusNotFound, metav1.StatusReasonNotFound, "not found")
		return
	case string(patch[0].Value) != strconv.Quote(strconv.Itoa(o.version)):
		failed(w, http.StatusConflict, metav1.StatusReasonConflict, "the object has been modified")
		return
	}
	o.managed = nil
	if err := json.Unmarshal(patch[1].Value, &o.managed); err != nil {
		f.t.Error(err)
	}
	f.version++
	o.in, o.version = f.storage(), f.version
	answer(w, http.StatusOK, o.metadata())
}

func (f *fake) serveMigrations(w http.ResponseWriter, r *http.Request, path []string) {
	switch {
	case r.Method == http.MethodPost:
		var m map[string]any
		if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
			f.t.Error(err)
		}
		meta := m["metadata"].(map[string]any)
		name := meta["generateName"].(string) + strconv.Itoa(len(f.migrations))
		meta["name"], meta["creationTimestamp"] = name, time.Now().UTC().Format(time.RFC3339)
		f.migrations[name] = m
		answer(w, http.StatusCreated, m)
	case len(path) == 0:
		items := []any{}
		for _, m := range f.migrations {
			items = append(items, m)
		}
		answer(w, http.StatusOK, map[string]any{"apiVersion": "storagemigration.k8s.io/" + f.migration, "kind": "StorageVersionMigrationList", "metadata": map[string]any{}, "items": items})
	case f.migrations[path[0]] == nil:
		failed(w, http.StatusNotFound, metav1.StatusReasonNotFound, path[0])
	case r.Method == http.MethodDelete:
		delete(f.migrations, path[0])
		answer(w, http.StatusOK, status(http.StatusOK, "", ""))
	default:
		if f.migrate != nil {
			f.migrate(f.migrations[path[0]])
		}
		answer(w, http.StatusOK, f.migrations[path[0]])
	}
}

func status(code int32, reason metav1.StatusReason, message string) *metav1.Status {
	return &metav1.Status{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Status: metav1.StatusFailure, Code: code, Reason: reason, Message: message,
	}
}

func failed(w http.ResponseWriter, code int, reason metav1.StatusReason, message string) {
	answer(w, code, status(int32(code), reason, message))
}

func answer(w http.ResponseWriter, code int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(body)
}
