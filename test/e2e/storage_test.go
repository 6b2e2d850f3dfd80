package e2e

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	clientv3 "go.etcd.io/etcd/client/v3"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/kindsmith/kindsmith/internal/testing/workspacetest"
	"github.com/kindsmith/kindsmith/storage"
)

// The definition whose objects move: that of docs/guides/upgrade.md.
const (
	orderGroup = "shop.example.com"
	orders     = "orders." + orderGroup
)

// orderStore are the objects in a namespace of a server, as etcd has them.
type orderStore struct {
	*cluster
	t      *testing.T
	space  string
	etcd   *clientv3.Client
	binary string
	// webhook converts the objects.
	webhook *httptest.Server
}

// kindsmith builds the command, beside the state of the server.
var kindsmith = sync.OnceValues(func() (string, error) {
	binary := filepath.Join(filepath.Dir(shared.Kubeconfig), "kindsmith")
	return binary, workspacetest.Kindsmith(binary)
})

func newOrders(t *testing.T, on *cluster, space string) *orderStore {
	t.Helper()
	binary, err := kindsmith()
	if err != nil {
		t.Fatal(err)
	}
	etcd, err := clientv3.New(clientv3.Config{Endpoints: []string{"unix:" + filepath.Join(filepath.Dir(on.Kubeconfig), "state", "etcd.sock")}, DialTimeout: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { etcd.Close() })
	webhook := httptest.NewTLSServer(http.HandlerFunc(renameVersions))
	t.Cleanup(webhook.Close)
	version := func(name string, stored bool) map[string]any {
		schema := flow(t, `{"type":"object","properties":{"spec":{"type":"object","properties":{"size":{"type":"integer"}}}}}`)
		return map[string]any{"name": name, "served": true, "storage": stored, "schema": map[string]any{"openAPIV3Schema": schema}}
	}
	crd := map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": map[string]any{"name": orders},
		"spec": map[string]any{
			"group": orderGroup, "scope": "Namespaced", "names": map[string]any{"plural": "orders", "singular": "order", "kind": "Order", "listKind": "OrderList"},
			"versions": []any{version("v2", false), version("v1", true)},
			"conversion": map[string]any{"strategy": "Webhook", "webhook": map[string]any{
				"conversionReviewVersions": []string{"v1"},
				"clientConfig": map[string]any{
					"url": webhook.URL, "caBundle": pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: webhook.Certificate().Raw}),
				},
			}},
		},
	}
	if status, answer, err := on.do(http.MethodPost, on.URL+"/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crd); err != nil || status != http.StatusCreated {
		t.Fatal(status, answer, err)
	}
	t.Cleanup(func() {
		if _, err := on.kubectl("delete", "crd", orders, "--timeout=60s"); err != nil {
			t.Error(err)
		}
	})
	if _, err := on.kubectl("create", "namespace", space); err != nil {
		t.Fatal(err)
	}
	// kubectl wait fails until the definition has its first condition.
	eventually(t, func() (bool, string) {
		out, err := on.kubectl("wait", "--for=condition=Established", "crd", orders)
		return err == nil, out
	})
	return &orderStore{cluster: on, t: t, space: space, etcd: etcd, binary: binary, webhook: webhook}
}

func (s *orderStore) keys() string { return "/registry/" + orderGroup + "/orders/" + s.space + "/" }

// renameVersions is a conversion webhook for versions that differ in nothing.
func renameVersions(w http.ResponseWriter, r *http.Request) {
	var review map[string]any
	if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	request := review["request"].(map[string]any)
	objects := request["objects"].([]any)
	for _, object := range objects {
		object.(map[string]any)["apiVersion"] = request["desiredAPIVersion"]
	}
	_ = json.NewEncoder(w).Encode(map[string]any{
		"apiVersion": review["apiVersion"], "kind": review["kind"],
		"response": map[string]any{"uid": request["uid"], "result": map[string]any{"status": "Success"}, "convertedObjects": objects},
	})
}

// create makes the first object, in v1.
func (s *orderStore) create() {
	s.t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		status, answer := s.send(http.MethodPost, "v1", "", `{"apiVersion":"shop.example.com/v1","kind":"Order","metadata":{"name":"order-0000"},"spec":{"size":1}}`)
		if status == http.StatusCreated {
			return
		}
		if time.Now().After(deadline) {
			s.t.Fatal(status, answer)
		}
	}
}

// copy stores copies of the first object in etcd, until there are n objects. They are in v1, whatever the storage version.
func (s *orderStore) copy(n int) {
	s.t.Helper()
	first := s.stored()["order-0000"]
	for i := 1; i < n; i++ {
		name := fmt.Sprintf("order-%04d", i)
		meta := first["metadata"].(map[string]any)
		meta["name"], meta["uid"] = name, uuid.NewString()
		s.put(name, first)
	}
}

func (s *orderStore) put(name string, object map[string]any) {
	s.t.Helper()
	text, err := json.Marshal(object)
	if err != nil {
		s.t.Fatal(err)
	}
	if _, err := s.etcd.Put(s.t.Context(), s.keys()+name, string(text)); err != nil {
		s.t.Fatal(err)
	}
}

// stored returns the values in etcd by their names.
func (s *orderStore) stored() map[string]map[string]any {
	s.t.Helper()
	answer, err := s.etcd.Get(s.t.Context(), s.keys(), clientv3.WithPrefix())
	if err != nil {
		s.t.Fatal(err)
	}
	all := map[string]map[string]any{}
	for _, kv := range answer.Kvs {
		all[strings.TrimPrefix(string(kv.Key), s.keys())] = flow(s.t, string(kv.Value))
	}
	return all
}

// in counts the values in etcd by their apiVersion.
func (s *orderStore) in() map[string]int {
	n := map[string]int{}
	for _, object := range s.stored() {
		n[strings.TrimPrefix(object["apiVersion"].(string), orderGroup+"/")]++
	}
	return n
}

func (s *orderStore) send(method, version, name, body string) (int, map[string]any) {
	s.t.Helper()
	content := "application/json"
	if method == http.MethodPatch {
		content = "application/merge-patch+json"
	}
	var object any
	if body != "" {
		object = flow(s.t, body)
	}
	status, answer, err := s.exchange(method, s.URL+"/apis/"+orderGroup+"/"+version+"/namespaces/"+s.space+"/orders/"+name, content, object)
	if err != nil {
		s.t.Fatal(err)
	}
	return status, answer
}

// must sends a request that succeeds.
func (s *orderStore) must(method, version, name, body string) {
	s.t.Helper()
	if status, answer := s.send(method, version, name, body); status >= 300 {
		s.t.Fatal(method, name, status, answer["message"])
	}
}

// definition returns the definition, at a path of keys.
func (s *orderStore) definition() map[string]any {
	s.t.Helper()
	_, answer, err := s.do(http.MethodGet, s.URL+"/apis/apiextensions.k8s.io/v1/customresourcedefinitions/"+orders, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer
}

func (s *orderStore) storedVersions() string {
	return fmt.Sprint(s.definition()["status"].(map[string]any)["storedVersions"])
}

func (s *orderStore) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, s.binary, append([]string{"storage"}, args...)...)
	cmd.Env = append(os.Environ(), s.Env()...)
	return cmd
}

// run runs `kindsmith storage` and compares the exit code; it returns the output.
func (s *orderStore) run(code int, args ...string) string {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), 2*time.Minute)
	defer cancel()
	out, err := s.command(ctx, args...).CombinedOutput()
	got := 0
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else if err != nil {
		s.t.Fatal(err)
	}
	if got != code {
		s.t.Fatalf("storage %s: exit code %d, want %d\n%s", strings.Join(args, " "), got, code, out)
	}
	return string(out)
}

func wants(t *testing.T, out string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(out, text) {
			t.Errorf("the output lacks %q:\n%s", text, out)
		}
	}
}

// storeV2 makes v2 the storage version.
func (s *orderStore) storeV2() {
	s.t.Helper()
	if _, err := s.kubectl("patch", "crd", orders, "--type=json", "-p",
		`[{"op":"replace","path":"/spec/versions/1/storage","value":false},{"op":"replace","path":"/spec/versions/0/storage","value":true}]`); err != nil {
		s.t.Fatal(err)
	}
}

// TestStorage kills a migration at 40 %, edits, deletes, replaces and adds objects, makes one invalid, and goes on.
func TestStorage(t *testing.T) {
	const objects = 1250 // a page has 500
	s := newOrders(t, shared, "storage")
	s.create()
	s.storeV2() // first: a run waits until all API servers know it
	s.copy(objects)
	const invalid = "order-0900"
	broken := s.stored()[invalid]
	broken["metadata"].(map[string]any)["labels"] = map[string]any{"team": "not a label!"}
	s.put(invalid, broken)
	wants(t, s.run(0, "plan", orders), "1250 objects, storage version v2", "objects may be stored in it: run kindsmith storage run "+orders)

	killed := s.command(t.Context(), "run", orders, "--rate", "300")
	if err := killed.Start(); err != nil {
		t.Fatal(err)
	}
	var progress string
	for deadline := time.Now().Add(time.Minute); progress == ""; time.Sleep(20 * time.Millisecond) {
		notes, _ := s.definition()["metadata"].(map[string]any)["annotations"].(map[string]any)
		progress, _ = notes["kindsmith.dev/storage-progress"].(string)
		if time.Now().After(deadline) {
			t.Fatal("no progress in a minute")
		}
	}
	if err := killed.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = killed.Wait()
	wants(t, progress, `"done":500`)
	if n := s.in(); n["v1"] < objects/4 || n["v2"] < 500 {
		t.Fatalf("the run was killed too late or too early: %v", n)
	}

	generations := map[string]any{}
	for name, object := range s.stored() {
		generations[name] = object["metadata"].(map[string]any)["generation"]
	}
	for _, i := range []int{10, 700} {
		name := fmt.Sprintf("order-%04d", i)
		s.must(http.MethodPatch, "v1", name, `{"spec":{"size":5}}`)
		generations[name] = 2.0
	}
	for _, i := range []int{11, 701, 702} {
		s.must(http.MethodDelete, "v1", fmt.Sprintf("order-%04d", i), "")
		delete(generations, fmt.Sprintf("order-%04d", i))
	}
	for _, name := range []string{"order-0702", "order-9999"} {
		s.must(http.MethodPost, "v1", "", fmt.Sprintf(`{"apiVersion":"shop.example.com/v1","kind":"Order","metadata":{"name":%q},"spec":{"size":7}}`, name))
		generations[name] = 1.0
	}
	out := s.run(1, "run", orders, "--rate", "2000")
	wants(t, out, orders+" "+s.space+"/"+invalid+": error: ", "metadata.labels", "500 of them in an earlier run", "storedVersions is still v1, v2")
	if n := s.in(); n["v1"] != 1 || s.storedVersions() != "[v1 v2]" {
		t.Fatalf("%v, storedVersions %s: only the invalid object is in v1, and blocks", n, s.storedVersions())
	}
	delete(broken["metadata"].(map[string]any), "labels")
	s.put(invalid, broken)
	wants(t, s.run(0, "run", orders), "storedVersions is v2")

	if n := s.in(); !maps.Equal(n, map[string]int{"v2": objects - 1}) || s.storedVersions() != "[v2]" {
		t.Fatalf("%v, storedVersions %s", n, s.storedVersions())
	}
	for name, object := range s.stored() {
		meta := object["metadata"].(map[string]any)
		if meta["generation"] != generations[name] {
			t.Errorf("%s: generation %v, want %v", name, meta["generation"], generations[name])
		}
		if text := fmt.Sprint(meta["managedFields"]); strings.Contains(text, "kindsmith") {
			t.Errorf("%s: %s", name, text)
		}
	}
	if notes := s.definition()["metadata"].(map[string]any)["annotations"]; notes != nil {
		t.Errorf("annotations are left: %v", notes)
	}
	wants(t, s.run(0, "run", orders), "all objects are stored in v2")
}

var guideBlock = regexp.MustCompile("(?ms)^```console\n(.*?)^```$")

// TestUpgradeGuide runs the commands of docs/guides/upgrade.md, and compares what they print.
func TestUpgradeGuide(t *testing.T) {
	s := newOrders(t, shared, "guide")
	for i := range 3 {
		s.apply(fmt.Sprintf(`{"apiVersion":"shop.example.com/v1","kind":"Order","metadata":{"name":"order-%d","namespace":%q},"spec":{"size":1}}`, i, s.space))
	}
	s.storeV2()
	page, err := os.ReadFile("../../docs/guides/upgrade.md")
	if err != nil {
		t.Fatal(err)
	}
	commands := 0
	for _, block := range guideBlock.FindAllStringSubmatch(string(page), -1) {
		for _, step := range strings.Split("\n"+block[1], "\n$ ")[1:] {
			line, want, _ := strings.Cut(step, "\n")
			words := strings.Fields(line)
			if words[0] != "kindsmith" || words[1] != "storage" {
				t.Fatalf("the test cannot run %s", line)
			}
			commands++
			if diff := cmp.Diff(strings.TrimSpace(want), strings.TrimSpace(s.run(0, words[2:]...))); diff != "" {
				t.Errorf("$ %s\nprints something else (-page +now):\n%s", line, diff)
			}
		}
	}
	if commands < 3 {
		t.Errorf("the page has %d commands; are they still there?", commands)
	}
	spec := s.definition()["spec"].(map[string]any)
	versions := spec["versions"].([]any)
	if got := fmt.Sprint(spec["conversion"], versions[0].(map[string]any)["served"], versions[1].(map[string]any)["served"]); got != "map[strategy:None] true false" {
		t.Errorf("the detached definition has the conversion and served versions %s", got)
	}
	// Without the webhook, objects can be read, written and deleted.
	s.webhook.Close()
	s.must(http.MethodPatch, "v2", "order-1", `{"spec":{"size":2}}`)
	s.must(http.MethodDelete, "v2", "order-2", "")
}

// TestRemoveVersion follows the steps of removing a version: objects can be applied afterwards, and their fields have the same
// managers.
func TestRemoveVersion(t *testing.T) {
	s := newOrders(t, shared, "removed")
	s.create()
	s.copy(3)
	s.storeV2()
	if _, err := s.kubectl("patch", "crd", orders, "--type=json", "-p", `[{"op":"replace","path":"/spec/versions/1/served","value":false}]`); err != nil {
		t.Fatal(err)
	}
	wants(t, s.run(0, "plan", orders), "no: it is in the managedFields of 3 of 3 objects")
	wants(t, s.run(0, "run", orders), "wrote 3 objects in v2, and moved the managedFields of 3 objects to a served version; storedVersions is v2")
	wants(t, s.run(0, "plan", orders), "  v1        no       no       0         yes")
	if _, err := s.kubectl("patch", "crd", orders, "--type=json", "-p", `[{"op":"remove","path":"/spec/versions/1"}]`); err != nil {
		t.Fatal(err)
	}
	for name, object := range s.stored() {
		meta := object["metadata"].(map[string]any)
		entries := meta["managedFields"].([]any)
		if text := fmt.Sprint(entries); len(entries) != 1 || !strings.Contains(text, "f:size") || !strings.Contains(text, "apiVersion:shop.example.com/v2") || meta["generation"] != 1.0 {
			t.Errorf("%s: %v", name, meta)
		}
		applied := flow(t, fmt.Sprintf(`{"apiVersion":"shop.example.com/v2","kind":"Order","metadata":{"name":%q},"spec":{"size":9}}`, name))
		url := s.URL + "/apis/shop.example.com/v2/namespaces/" + s.space + "/orders/" + name + "?fieldManager=another"
		// Another manager owns the field.
		if status, answer, err := s.exchange(http.MethodPatch, url, "application/apply-patch+yaml", applied); err != nil || status != http.StatusConflict {
			t.Error(status, answer["message"], err)
		}
		if status, answer, err := s.exchange(http.MethodPatch, url+"&force=true", "application/apply-patch+yaml", applied); err != nil || status != http.StatusOK {
			t.Error(status, answer["message"], err)
		}
	}
}

// TestStorageReconciler runs the reconciler in a manager.
func TestStorageReconciler(t *testing.T) {
	s := newOrders(t, shared, "reconciled")
	s.create()
	s.copy(20)
	config := &rest.Config{Host: s.URL, BearerToken: s.Token, TLSClientConfig: rest.TLSClientConfig{CAData: s.CA}}
	ctrl.SetLogger(logr.Discard())
	mgr, err := ctrl.NewManager(config, ctrl.Options{Scheme: s.scheme, Metrics: metricsserver.Options{BindAddress: "0"}})
	if err != nil {
		t.Fatal(err)
	}
	err = mgr.Add(&storage.Reconciler{Config: mgr.GetConfig(), Definitions: []string{orders}, Interval: 100 * time.Millisecond, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- mgr.Start(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	s.storeV2()
	for deadline := time.Now().Add(time.Minute); s.storedVersions() != "[v2]"; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("storedVersions %s a minute after the storage version changed", s.storedVersions())
		}
	}
	if n := s.in(); !maps.Equal(n, map[string]int{"v2": 20}) {
		t.Error(n)
	}
}

// apply is kubectl apply, until the definition is served.
func (s *orderStore) apply(object string) {
	s.t.Helper()
	name := filepath.Join(s.t.TempDir(), "object.json")
	if err := os.WriteFile(name, []byte(object), 0o644); err != nil {
		s.t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		_, err := s.kubectl("apply", "-f", name)
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			s.t.Fatal(err)
		}
	}
}
