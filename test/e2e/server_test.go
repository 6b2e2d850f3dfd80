package e2e

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"

	dbv1 "github.com/kindsmith/kindsmith/examples/database/api/v1"
	dbv1alpha1 "github.com/kindsmith/kindsmith/examples/database/api/v1alpha1"
	dbv1beta1 "github.com/kindsmith/kindsmith/examples/database/api/v1beta1"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert/webhook"
	"github.com/kindsmith/kindsmith/test/oracle/launch"
)

const (
	group   = "db.example.com"
	example = "../../examples/database"
)

// cluster is the API server that all tests of the package share.
type cluster struct {
	*launch.Server
	kubectlPath string
	scheme      *runtime.Scheme
	// applied is kubectl's output when applying the CRDs.
	applied string
}

var shared *cluster

func TestMain(m *testing.M) {
	flag.Parse()
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (int, error) {
	dir, err := os.MkdirTemp("", "kindsmith-e2e-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	kubectl, err := launch.BuildKubectl()
	if err != nil {
		return 0, err
	}
	server, err := launch.StartIn(dir)
	if err != nil {
		return 0, err
	}
	defer server.Stop() //nolint:errcheck // the tests are over
	shared = &cluster{Server: server, kubectlPath: kubectl, scheme: newScheme()}
	converter, err := jsonconvert.New(dbv1alpha1.JSONConversion())
	if err != nil {
		return 0, err
	}
	conversions := httptest.NewTLSServer(webhook.Handler(converter))
	defer conversions.Close()
	if err := shared.install(conversions); err != nil {
		return 0, fmt.Errorf("%w\n%s", err, tail(server.Logs()))
	}
	return m.Run(), nil
}

func newScheme() *runtime.Scheme {
	s := runtime.NewScheme()
	utilruntime.Must(dbv1.AddToScheme(s))
	utilruntime.Must(dbv1beta1.AddToScheme(s))
	utilruntime.Must(dbv1alpha1.AddToScheme(s))
	return s
}

// install applies the generated CRDs, with the webhook of the test in place of a service, and
// waits until the server serves them.
func (c *cluster) install(conversions *httptest.Server) error {
	names, err := filepath.Glob(filepath.Join(example, "config/crd/bases", "*.yaml"))
	if err != nil || len(names) == 0 {
		return fmt.Errorf("no CRDs in %s: generate the example first (make generate)", example)
	}
	ca := base64.StdEncoding.EncodeToString(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: conversions.Certificate().Raw}))
	patch := fmt.Sprintf(`{"spec":{"conversion":{"strategy":"Webhook","webhook":{"conversionReviewVersions":["v1"],"clientConfig":{"service":null,"url":%q,"caBundle":%q}}}}}`, conversions.URL, ca)
	for _, name := range names {
		out, err := c.kubectl("apply", "-f", name)
		c.applied += out
		if err != nil {
			return err
		}
		crd := strings.TrimSuffix(filepath.Base(name), ".yaml")
		groupName, plural, _ := strings.Cut(crd, "_")
		if _, err := c.kubectl("patch", "crd", plural+"."+groupName, "--type=merge", "-p", patch); err != nil {
			return err
		}
	}
	// Like users' objects, samples have their own namespace.
	if _, err := c.kubectl("create", "namespace", "shop"); err != nil {
		return err
	}
	return c.waitServed()
}

// waitServed waits until every version of every kind can be listed: discovery follows
// a CRD with a short delay.
func (c *cluster) waitServed() error {
	deadline := time.Now().Add(time.Minute)
	for {
		var missing string
		for _, version := range []string{"v1alpha1", "v1beta1", "v1"} {
			for _, plural := range []string{"databases", "databaseclasses"} {
				if status, _, err := c.request(http.MethodGet, version, "", plural, "", nil); err != nil || status != http.StatusOK {
					missing = version + "/" + plural
				}
			}
		}
		if missing == "" {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%s is not served a minute after its CRD was applied", missing)
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// kubectl runs kubectl and returns its output, from both streams.
func (c *cluster) kubectl(args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.kubectlPath, args...)
	cmd.Env = append(os.Environ(), c.Env()...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return string(out), fmt.Errorf("kubectl %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return string(out), nil
}

// request sends an object to the server and returns the status code and the body of the
// response. The namespace is empty for cluster-scoped kinds.
func (c *cluster) request(method, version, namespace, plural, name string, obj any) (int, map[string]any, error) {
	url := c.URL + "/apis/" + group + "/" + version
	if namespace != "" {
		url += "/namespaces/" + namespace
	}
	url += "/" + plural
	if name != "" {
		url += "/" + name
	}
	return c.do(method, url, obj)
}

// do is like request, with a URL.
func (c *cluster) do(method, url string, obj any) (int, map[string]any, error) {
	return c.exchange(method, url, "application/json", obj)
}

// exchange is like do, with the type of the body.
func (c *cluster) exchange(method, url, contentType string, obj any) (int, map[string]any, error) {
	var body io.Reader
	if obj != nil {
		raw, err := json.Marshal(obj)
		if err != nil {
			return 0, nil, err
		}
		body = bytes.NewReader(raw)
	}
	req, err := http.NewRequest(method, url, body)
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("Content-Type", contentType)
	res, err := c.Client().Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer res.Body.Close()
	answer := map[string]any{}
	if err := json.NewDecoder(res.Body).Decode(&answer); err != nil {
		return res.StatusCode, nil, err
	}
	return res.StatusCode, answer, nil
}

// plurals are the resources of the example's kinds, and whether they are namespaced.
var plurals = map[string]struct {
	name       string
	namespaced bool
}{
	"Database":      {"databases", true},
	"DatabaseClass": {"databaseclasses", false},
}

// send sends an object to the resource of its kind and version.
func (c *cluster) send(t *testing.T, method string, obj *unstructured.Unstructured, name string) (int, map[string]any) {
	t.Helper()
	gvk := obj.GroupVersionKind()
	resource, ok := plurals[gvk.Kind]
	if !ok {
		t.Fatalf("the example has no kind %s", gvk.Kind)
	}
	namespace := ""
	if resource.namespaced {
		namespace = namespaceOf(obj)
	}
	var body any
	if method != http.MethodGet && method != http.MethodDelete {
		body = obj.Object
	}
	status, answer, err := c.request(method, gvk.Version, namespace, resource.name, name, body)
	if err != nil {
		t.Fatalf("%s %s: %v", method, gvk, err)
	}
	return status, answer
}

func tail(log string) string {
	lines := strings.Split(strings.TrimRight(log, "\n"), "\n")
	return strings.Join(lines[max(0, len(lines)-40):], "\n")
}
