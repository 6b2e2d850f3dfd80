package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	clientv3 "go.etcd.io/etcd/client/v3"
)

// The definition whose objects move.
const (
	gadgetGroup = "storage.example.com"
	gadgets     = "gadgets." + gadgetGroup
	gadgetKeys  = "/registry/" + gadgetGroup + "/gadgets/" + gadgetSpace + "/"
	gadgetSpace = "storage"
)

// gadgetStore are the stored objects, as etcd has them.
type gadgetStore struct {
	t      *testing.T
	etcd   *clientv3.Client
	binary string
}

func newGadgets(t *testing.T) *gadgetStore {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "kindsmith")
	build := exec.Command("go", "build", "-o", binary, "./cmd/kindsmith")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	etcd, err := clientv3.New(clientv3.Config{Endpoints: []string{"unix:" + filepath.Join(filepath.Dir(shared.Kubeconfig), "state", "etcd.sock")}, DialTimeout: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { etcd.Close() })
	version := func(name string, stored bool) map[string]any {
		schema := flow(t, `{"type":"object","properties":{"spec":{"type":"object","properties":{"size":{"type":"integer"}}}}}`)
		return map[string]any{"name": name, "served": true, "storage": stored, "schema": map[string]any{"openAPIV3Schema": schema}}
	}
	crd := map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": map[string]any{"name": gadgets},
		"spec": map[string]any{
			"group": gadgetGroup, "scope": "Namespaced", "names": map[string]any{"plural": "gadgets", "singular": "gadget", "kind": "Gadget", "listKind": "GadgetList"},
			"versions": []any{version("v1", true), version("v2", false)},
		},
	}
	if status, answer, err := shared.do(http.MethodPost, shared.URL+"/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crd); err != nil || status != http.StatusCreated {
		t.Fatal(status, answer, err)
	}
	t.Cleanup(func() {
		if _, err := shared.kubectl("delete", "crd", gadgets, "--timeout=60s"); err != nil {
			t.Error(err)
		}
	})
	for _, args := range [][]string{{"wait", "--for=condition=Established", "crd", gadgets}, {"create", "namespace", gadgetSpace}} {
		if _, err := shared.kubectl(args...); err != nil {
			t.Fatal(err)
		}
	}
	return &gadgetStore{t: t, etcd: etcd, binary: binary}
}

// fill makes objects: one by the API server, and the others as copies in etcd.
func (g *gadgetStore) fill(n int) {
	g.t.Helper()
	var first map[string]any
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		if status, answer := g.send(http.MethodPost, "v1", "", `{"apiVersion":"storage.example.com/v1","kind":"Gadget","metadata":{"name":"gadget-0000"},"spec":{"size":1}}`); status == http.StatusCreated {
			break
		} else if time.Now().After(deadline) {
			g.t.Fatal(status, answer)
		}
	}
	first = g.stored()["gadget-0000"]
	for i := 1; i < n; i++ {
		name := fmt.Sprintf("gadget-%04d", i)
		meta := first["metadata"].(map[string]any)
		meta["name"], meta["uid"] = name, uuid.NewString()
		g.put(name, first)
	}
}

func (g *gadgetStore) put(name string, object map[string]any) {
	g.t.Helper()
	text, err := json.Marshal(object)
	if err != nil {
		g.t.Fatal(err)
	}
	if _, err := g.etcd.Put(g.t.Context(), gadgetKeys+name, string(text)); err != nil {
		g.t.Fatal(err)
	}
}

// stored returns the values in etcd by their names.
func (g *gadgetStore) stored() map[string]map[string]any {
	g.t.Helper()
	answer, err := g.etcd.Get(g.t.Context(), gadgetKeys, clientv3.WithPrefix())
	if err != nil {
		g.t.Fatal(err)
	}
	all := map[string]map[string]any{}
	for _, kv := range answer.Kvs {
		all[strings.TrimPrefix(string(kv.Key), gadgetKeys)] = flow(g.t, string(kv.Value))
	}
	return all
}

// in counts the values in etcd by their apiVersion.
func (g *gadgetStore) in() map[string]int {
	n := map[string]int{}
	for _, object := range g.stored() {
		n[strings.TrimPrefix(object["apiVersion"].(string), gadgetGroup+"/")]++
	}
	return n
}

func (g *gadgetStore) send(method, version, name, body string) (int, map[string]any) {
	g.t.Helper()
	content := "application/json"
	if method == http.MethodPatch {
		content = "application/merge-patch+json"
	}
	var object any
	if body != "" {
		object = flow(g.t, body)
	}
	status, answer, err := shared.exchange(method, shared.URL+"/apis/"+gadgetGroup+"/"+version+"/namespaces/"+gadgetSpace+"/gadgets/"+name, content, object)
	if err != nil {
		g.t.Fatal(err)
	}
	return status, answer
}

// must sends a request that succeeds.
func (g *gadgetStore) must(method, version, name, body string) {
	g.t.Helper()
	if status, answer := g.send(method, version, name, body); status >= 300 {
		g.t.Fatal(method, name, status, answer["message"])
	}
}

// definition returns the definition, at a path of keys.
func (g *gadgetStore) definition() map[string]any {
	g.t.Helper()
	_, answer, err := shared.do(http.MethodGet, shared.URL+"/apis/apiextensions.k8s.io/v1/customresourcedefinitions/"+gadgets, nil)
	if err != nil {
		g.t.Fatal(err)
	}
	return answer
}

func (g *gadgetStore) storedVersions() string {
	return fmt.Sprint(g.definition()["status"].(map[string]any)["storedVersions"])
}

func (g *gadgetStore) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, g.binary, append([]string{"storage"}, args...)...)
	cmd.Env = append(os.Environ(), shared.Env()...)
	return cmd
}

// run runs `kindsmith storage` and compares the exit code; it returns the output.
func (g *gadgetStore) run(code int, args ...string) string {
	g.t.Helper()
	ctx, cancel := context.WithTimeout(g.t.Context(), 2*time.Minute)
	defer cancel()
	out, err := g.command(ctx, args...).CombinedOutput()
	got := 0
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else if err != nil {
		g.t.Fatal(err)
	}
	if got != code {
		g.t.Fatalf("storage %s: exit code %d, want %d\n%s", strings.Join(args, " "), got, code, out)
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

// TestStorage kills a migration at 40 %, edits, deletes, replaces and adds objects, makes one invalid, and goes on.
func TestStorage(t *testing.T) {
	const objects = 1250 // a page has 500
	g := newGadgets(t)
	g.fill(objects)
	const invalid = "gadget-0900"
	broken := g.stored()[invalid]
	broken["metadata"].(map[string]any)["labels"] = map[string]any{"team": "not a label!"}
	g.put(invalid, broken)
	if _, err := shared.kubectl("patch", "crd", gadgets, "--type=json", "-p",
		`[{"op":"replace","path":"/spec/versions/0/storage","value":false},{"op":"replace","path":"/spec/versions/1/storage","value":true}]`); err != nil {
		t.Fatal(err)
	}
	wants(t, g.run(0, "plan", gadgets), "1250 objects, storage version v2", "objects may be stored in it: run kindsmith storage run "+gadgets)

	killed := g.command(t.Context(), "run", gadgets, "--rate", "300")
	if err := killed.Start(); err != nil {
		t.Fatal(err)
	}
	var progress string
	for deadline := time.Now().Add(time.Minute); progress == ""; time.Sleep(20 * time.Millisecond) {
		notes, _ := g.definition()["metadata"].(map[string]any)["annotations"].(map[string]any)
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
	if n := g.in(); n["v1"] < objects/4 || n["v2"] < 500 {
		t.Fatalf("the run was killed too late or too early: %v", n)
	}

	generations := map[string]any{}
	for name, object := range g.stored() {
		generations[name] = object["metadata"].(map[string]any)["generation"]
	}
	for _, i := range []int{10, 700} {
		name := fmt.Sprintf("gadget-%04d", i)
		g.must(http.MethodPatch, "v1", name, `{"spec":{"size":5}}`)
		generations[name] = 2.0
	}
	for _, i := range []int{11, 701, 702} {
		g.must(http.MethodDelete, "v1", fmt.Sprintf("gadget-%04d", i), "")
		delete(generations, fmt.Sprintf("gadget-%04d", i))
	}
	for _, name := range []string{"gadget-0702", "gadget-9999"} {
		g.must(http.MethodPost, "v1", "", fmt.Sprintf(`{"apiVersion":"storage.example.com/v1","kind":"Gadget","metadata":{"name":%q},"spec":{"size":7}}`, name))
		generations[name] = 1.0
	}
	out := g.run(1, "run", gadgets, "--rate", "2000")
	wants(t, out, gadgets+" "+gadgetSpace+"/"+invalid+": error: ", "metadata.labels", "500 of them in an earlier run", "storedVersions is still v1, v2")
	if n := g.in(); n["v1"] != 1 || g.storedVersions() != "[v1 v2]" {
		t.Fatalf("%v, storedVersions %s: only the invalid object is in v1, and blocks", n, g.storedVersions())
	}
	delete(broken["metadata"].(map[string]any), "labels")
	g.put(invalid, broken)
	wants(t, g.run(0, "run", gadgets), "storedVersions is v2")

	if n := g.in(); !maps.Equal(n, map[string]int{"v2": objects - 1}) || g.storedVersions() != "[v2]" {
		t.Fatalf("%v, storedVersions %s", n, g.storedVersions())
	}
	for name, object := range g.stored() {
		meta := object["metadata"].(map[string]any)
		if meta["generation"] != generations[name] {
			t.Errorf("%s: generation %v, want %v", name, meta["generation"], generations[name])
		}
		if text := fmt.Sprint(meta["managedFields"]); strings.Contains(text, "kindsmith") {
			t.Errorf("%s: %s", name, text)
		}
	}
	if notes := g.definition()["metadata"].(map[string]any)["annotations"]; notes != nil {
		t.Errorf("annotations are left: %v", notes)
	}
	wants(t, g.run(0, "run", gadgets), "all objects are stored in v2")
}
