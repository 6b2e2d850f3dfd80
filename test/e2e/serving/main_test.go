package serving

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"k8s.io/client-go/rest"

	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
	"github.com/kindsmith/kindsmith/test/oracle/launch"
	"github.com/kindsmith/kindsmith/webhook/server"
)

var soak = flag.Bool("soak", false, "run the tests of load too")

// replicaEnv has the settings of a replica. The test binary is a replica if it is set.
const replicaEnv = "KINDSMITH_TEST_REPLICA"

func TestMain(m *testing.M) {
	flag.Parse()
	if text := os.Getenv(replicaEnv); text != "" {
		if err := serve(text); err != nil {
			fmt.Fprintln(os.Stderr, "replica:", err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// settings are those of a replica.
type settings struct {
	Address, URL, Token string
	CA                  []byte
	Namespace           string
	// Life, Overlap and Keep are those of server.SelfManaged, Skew is how far the clock is wrong.
	Life, Overlap, Keep, Skew, Drain time.Duration
	// User is whose permissions the replica has.
	User string
}

func serve(text string) error {
	var s settings
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	fields := []jsonconvert.Field{
		{Older: jsonconvert.Key{Name: "x"}, Newer: jsonconvert.Key{Name: "y"}},
		{Older: jsonconvert.Key{Name: "z"}, Newer: jsonconvert.Key{Name: "z"}, Value: jsonconvert.Value{Call: &jsonconvert.Call{Up: "Panic"}}},
	}
	converter, err := jsonconvert.New(&jsonconvert.API{
		Group: group, Versions: []jsonconvert.Version{{Name: "v1beta1"}, {Name: "v1"}}, Kinds: []jsonconvert.Kind{{Name: "Shop"}},
		Steps: []jsonconvert.Step{{Older: "v1beta1", Newer: "v1", Types: map[string]*jsonconvert.Type{"Shop": {Fields: fields}}}},
		Funcs: map[string]jsonconvert.Func{"Panic": func(value []byte) ([]byte, error) { panic(string(value)) }},
	})
	if err != nil {
		return err
	}
	return server.Run(ctx, server.Options{
		Address: s.Address,
		Config: &rest.Config{
			Host: s.URL, BearerToken: s.Token, TLSClientConfig: rest.TLSClientConfig{CAData: s.CA}, Impersonate: rest.ImpersonationConfig{UserName: s.User},
		},
		Certificates: &server.SelfManaged{Namespace: s.Namespace, Secret: "ca", Hosts: []string{"127.0.0.1"}, Life: s.Life, Overlap: s.Overlap, Keep: s.Keep},
		Conversions:  []server.Conversion{{Group: group, Kinds: []string{"Shop"}, Converter: converter}},
		Interval:     200 * time.Millisecond, Drain: s.Drain, Now: func() time.Time { return time.Now().Add(s.Skew) },
	})
}

const group = "serving.example.com"

// world is an API server with the definition of a kind, and the replicas that convert it.
type world struct {
	*launch.Server
	t        *testing.T
	dir      string
	balancer *balancer
	client   *http.Client
	user     string
}

// newWorld starts an API server. The kind Shop has the field x in v1beta1, and y in v1, which is stored. The function that
// converts its field z panics.
func newWorld(t *testing.T, versions ...string) *world {
	t.Helper()
	w := &world{t: t, dir: t.TempDir(), balancer: newBalancer(t), user: "system:serviceaccount:shop:webhooks"}
	t.Cleanup(func() { w.Stop() }) //nolint:errcheck // the test is over
	w.boot()
	w.install(versions...)
	return w
}

// boot starts the API server.
func (w *world) boot() {
	w.t.Helper()
	server, err := launch.StartIn(w.dir)
	if err != nil {
		w.t.Fatal(err)
	}
	w.Server, w.client = server, server.Client()
}

// restart starts the API server again, with the same objects. Replicas that run do not know its new address.
func (w *world) restart() {
	w.t.Helper()
	w.client.CloseIdleConnections()
	if err := w.Stop(); err != nil {
		w.t.Fatal(err)
	}
	w.boot()
}

func (w *world) install(more ...string) {
	w.t.Helper()
	var versions []any
	for _, v := range append([]string{"v1beta1", "v1"}, more...) {
		name := map[bool]string{true: "x", false: "y"}[v == "v1beta1"]
		versions = append(versions, map[string]any{"name": v, "served": true, "storage": v == "v1", "schema": map[string]any{"openAPIV3Schema": map[string]any{
			"type": "object", "properties": map[string]any{name: map[string]any{"type": "string"}, "z": map[string]any{"type": "string"}},
		}}})
	}
	w.must(http.MethodPost, "/api/v1/namespaces", map[string]any{"metadata": map[string]any{"name": "shop"}})
	w.must(http.MethodPost, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": map[string]any{"name": "shops." + group},
		"spec": map[string]any{
			"group": group, "scope": "Namespaced", "names": map[string]any{"kind": "Shop", "plural": "shops"}, "versions": versions,
			"conversion": map[string]any{"strategy": "Webhook", "webhook": map[string]any{
				"conversionReviewVersions": []string{"v1"}, "clientConfig": map[string]any{"url": "https://" + w.balancer.addr() + "/convert"},
			}},
		},
	})
	// What docs/guides/run-it.md grants.
	w.must(http.MethodPost, "/apis/rbac.authorization.k8s.io/v1/namespaces/shop/roles", map[string]any{"metadata": map[string]any{"name": "webhooks"}, "rules": []any{
		map[string]any{"apiGroups": []string{""}, "resources": []string{"secrets"}, "resourceNames": []string{"ca"}, "verbs": []string{"get", "patch"}},
		map[string]any{"apiGroups": []string{""}, "resources": []string{"secrets"}, "verbs": []string{"create"}},
	}})
	w.must(http.MethodPost, "/apis/rbac.authorization.k8s.io/v1/clusterroles", map[string]any{"metadata": map[string]any{"name": "webhooks"}, "rules": []any{
		map[string]any{"apiGroups": []string{"apiextensions.k8s.io"}, "resources": []string{"customresourcedefinitions"}, "resourceNames": []string{"shops." + group}, "verbs": []string{"get", "patch"}},
	}})
	for path, kind := range map[string]string{"/apis/rbac.authorization.k8s.io/v1/namespaces/shop/rolebindings": "Role", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings": "ClusterRole"} {
		w.must(http.MethodPost, path, map[string]any{
			"metadata": map[string]any{"name": "webhooks"}, "roleRef": map[string]any{"apiGroup": "rbac.authorization.k8s.io", "kind": kind, "name": "webhooks"},
			"subjects": []any{map[string]any{"kind": "User", "name": w.user, "apiGroup": "rbac.authorization.k8s.io"}},
		})
	}
	// A user has permission for discovery if it is authenticated, which impersonation does not say.
	w.must(http.MethodPost, "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", map[string]any{
		"metadata": map[string]any{"name": "webhooks-discovery"}, "roleRef": map[string]any{"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "system:discovery"},
		"subjects": []any{map[string]any{"kind": "User", "name": w.user, "apiGroup": "rbac.authorization.k8s.io"}},
	})
}

// request sends a request.
func (w *world) request(method, path string, body any, header ...string) (status int, answer map[string]any, err error) {
	var text []byte
	if body != nil {
		if text, err = json.Marshal(body); err != nil {
			return 0, nil, err
		}
	}
	r, err := http.NewRequest(method, w.URL+path, bytes.NewReader(text))
	if err != nil {
		return 0, nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	if method == http.MethodPatch {
		r.Header.Set("Content-Type", "application/merge-patch+json")
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	response, err := w.client.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	err = json.NewDecoder(response.Body).Decode(&answer)
	return response.StatusCode, answer, err
}

// must sends a request that succeeds, also if it has to wait for the server.
func (w *world) must(method, path string, body any, header ...string) map[string]any {
	w.t.Helper()
	var last string
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		status, answer, err := w.request(method, path, body, header...)
		if err == nil && status < 300 {
			return answer
		}
		if last = fmt.Sprint(status, " ", answer["message"], " ", err); status == http.StatusConflict {
			break
		}
	}
	w.t.Fatalf("%s %s: %s", method, path, last)
	return nil
}

func shops(version string) string { return "/apis/" + group + "/" + version + "/namespaces/shop/shops" }

func shop(name, x string) map[string]any {
	return map[string]any{"apiVersion": group + "/v1beta1", "kind": "Shop", "metadata": map[string]any{"name": name}, "x": x}
}

// converts fails the test unless an object is converted in 30 s. It returns how long it took.
func (w *world) converts(name string) time.Duration {
	w.t.Helper()
	begin := time.Now()
	w.must(http.MethodPost, shops("v1beta1"), shop(name, "text"))
	if got := w.must(http.MethodGet, shops("v1")+"/"+name, nil)["y"]; got != "text" {
		w.t.Errorf("%s is %v in v1", name, got)
	}
	return time.Since(begin)
}

// bundle returns the number of authorities and the version of the definition.
func (w *world) bundle() (authorities int, version string) {
	w.t.Helper()
	pem, version := w.authorities()
	return strings.Count(string(pem), "BEGIN"), version
}

// authorities returns the certificates that the API server trusts, and the version of the definition that has them.
func (w *world) authorities() (pem []byte, version string) {
	w.t.Helper()
	d := w.must(http.MethodGet, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/shops."+group, nil)
	config := d["spec"].(map[string]any)["conversion"].(map[string]any)["webhook"].(map[string]any)["clientConfig"].(map[string]any)
	text, _ := config["caBundle"].(string)
	_ = json.Unmarshal([]byte(`"`+text+`"`), &pem)
	return pem, d["metadata"].(map[string]any)["resourceVersion"].(string)
}

func (w *world) eventually(what string, is func() bool) {
	w.t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !is(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			w.t.Fatalf("%s: not within 30 s", what)
		}
	}
}

// replica is a process.
type replica struct {
	*exec.Cmd
	world *world
	addr  string
	log   *bytes.Buffer
	ended chan error
}

// start starts a replica behind the balancer.
func (w *world) start(env []string, change ...func(*settings)) *replica {
	w.t.Helper()
	addr := launch.FreeAddress(w.t)
	s := settings{Address: addr, URL: w.URL, Token: w.Token, CA: w.CA, Namespace: "shop", Overlap: 2 * time.Second, Keep: 2 * time.Second, Drain: 2 * time.Second, User: w.user}
	for _, f := range change {
		f(&s)
	}
	text, err := json.Marshal(s)
	if err != nil {
		w.t.Fatal(err)
	}
	command := exec.Command(os.Args[0])
	command.Env = append(append(os.Environ(), replicaEnv+"="+string(text)), env...)
	return w.run(command, addr)
}

// run runs a command that serves at an address as a replica.
func (w *world) run(command *exec.Cmd, addr string) *replica {
	w.t.Helper()
	r := &replica{Cmd: command, world: w, addr: addr, log: &bytes.Buffer{}, ended: make(chan error, 1)}
	r.Stderr = r.log
	if err := r.Start(); err != nil {
		w.t.Fatal(err)
	}
	go func() { r.ended <- r.Wait() }()
	w.t.Cleanup(func() {
		_ = r.Process.Kill()
		err := <-r.ended
		r.ended <- err
		if w.t.Failed() {
			w.t.Logf("the replica %s: %v\n%s", r.addr, err, r.log)
		}
	})
	w.balancer.add(addr)
	return r
}

// ready waits until the balancer sends connections to a replica.
func (r *replica) ready() *replica {
	r.world.t.Helper()
	r.world.eventually("the replica is ready", func() bool { return r.world.balancer.ready(r.addr) })
	return r
}

// terminate stops a replica like a kubelet.
func (r *replica) terminate() {
	r.world.t.Helper()
	if err := r.Process.Signal(syscall.SIGTERM); err != nil {
		r.world.t.Error(err)
	}
	err := <-r.ended
	if r.ended <- err; err != nil {
		r.world.t.Errorf("a replica that was stopped: %v", err)
	}
}

func (r *replica) kill() {
	_ = r.Process.Kill()
	r.ended <- <-r.ended
}

// get returns what a path of the replica says.
func (r *replica) get(path string) (int, string) {
	answer, err := r.world.balancer.client.Get("https://" + r.addr + path)
	if err != nil {
		return 0, err.Error()
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	return answer.StatusCode, string(text)
}
