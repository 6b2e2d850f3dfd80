package operator

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/kindsmith/kindsmith/test/oracle/launch"
	"github.com/kindsmith/kindsmith/webhook/server"
)

// wants checks that a text has others.
func wants(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in:\n%s", part, text)
		}
	}
}

func TestOperator(t *testing.T) {
	c := newCluster(t)
	c.install()
	c.start()
	for _, step := range []struct {
		name string
		run  func(*testing.T)
	}{
		{"samples", c.samples}, {"rules", c.rules}, {"unions", c.unions}, {"deprecated", c.deprecated}, {"upgrade", c.upgrade}, {"rotate", c.rotate},
		{"uninstall", c.uninstall}, {"wrong order", c.wrongOrder},
	} {
		if !t.Run(step.name, func(t *testing.T) {
			c.t = t
			step.run(t)
		}) {
			break // the next begins where this one ends
		}
	}
	c.t = t
}

// samples applies the samples: they are reconciled, and readable in all versions.
func (c *cluster) samples(t *testing.T) {
	out := c.must("apply", "-f", "config/samples")
	wants(t, out, "Warning: site.example.com/v1beta1 Site is deprecated; use site.example.com/v1", "site.site.example.com/tea created", "page.site.example.com/tea-index created")
	c.eventually("the site has its pages", func() bool {
		return at(c.get("site", "tea"), "status", "pages") == 2.0
	})
	pages := at(c.get("configmap", "tea-pages"), "data", "index.html")
	wants(t, fmt.Sprint(pages), `<html lang="en">`, "<title>Tea</title>", "Green, black &amp; white.")
	if old := c.get("sites.v1beta1.site.example.com", "tea"); at(old, "spec", "domain") != "tea.example.com" || at(old, "spec", "host") != nil {
		t.Errorf("tea in v1beta1: %v", old["spec"])
	}
	if current := c.get("site", "coffee"); at(current, "spec", "host") != "coffee.example.com" {
		t.Errorf("coffee in v1: %v", current["spec"])
	}
	// A client of the older version does not lose what it does not know.
	c.eventually("the schema of the older version is known", func() bool {
		_, err := c.try("", "patch", "pages.v1beta1.site.example.com", "tea-index", "--type=merge", "-p", `{"spec":{"path":"/tea"}}`)
		return err == nil
	})
	if page := c.get("page", "tea-index"); at(page, "spec", "title") != "Tea" || at(page, "spec", "path") != "/tea" {
		t.Errorf("the page after a patch in v1beta1: %v", page["spec"])
	}
	c.eventually("the page has another path", func() bool {
		return at(c.get("configmap", "tea-pages"), "data", "tea.html") != nil
	})
}

// rules applies objects that break rules.
func (c *cluster) rules(t *testing.T) {
	out, err := c.try(`{"apiVersion":"site.example.com/v1","kind":"Site","metadata":{"name":"bad"},"spec":{"host":"Not A Host"}}`, "apply", "-f", "-")
	if err == nil {
		t.Error("a site with a wrong host was created")
	}
	wants(t, out, "spec.host")
	out, err = c.try("", "patch", "page", "tea-index", "--type=merge", "-p", `{"spec":{"site":"coffee"}}`)
	if err == nil {
		t.Error("the site of a page was changed")
	}
	wants(t, out, "spec.site", "immutable")
	for _, path := range []string{"tea", "/tea/", "/tea//green", "/tea.html", "/a b", "/é"} {
		out, err := c.try("", "patch", "page", "tea-index", "--type=merge", "--dry-run=server", "-p", `{"spec":{"path":"`+path+`"}}`)
		if err == nil {
			t.Errorf("a page has the path %s", path)
		}
		wants(t, out, "spec.path")
	}
}

// unions switches a union: the other member is removed, with a warning.
func (c *cluster) unions(t *testing.T) {
	c.must("create", "configmap", "text", "--from-literal=index.html=Oolong")
	out := c.must("patch", "page", "tea-index", "--type=merge", "-p", `{"spec":{"content":{"type":"ConfigMap","configMap":{"name":"text"}}}}`)
	page := c.get("page", "tea-index")
	if content := at(page, "spec", "content"); fmt.Sprint(content) != "map[configMap:map[key:index.html name:text] type:ConfigMap]" {
		t.Errorf("the content is %v; kubectl says %s", content, out)
	}
	c.eventually("the other text", func() bool {
		return strings.Contains(fmt.Sprint(at(c.get("configmap", "tea-pages"), "data", "tea.html")), "Oolong")
	})
}

// deprecated sets a deprecated field: only who sets or changes it gets the warning.
func (c *cluster) deprecated(t *testing.T) {
	const warning = "Warning: Validation failed for ValidatingAdmissionPolicy 'sites-deprecated.site.example.com' with binding 'sites-deprecated.site.example.com': " +
		"spec.theme is deprecated: use the annotation site.example.com/theme"
	patch := func(text string) string {
		return c.must("patch", "site", "tea", "--type=merge", "-p", text)
	}
	c.eventually("the policy is in force", func() bool {
		out, err := c.try("", "patch", "site", "tea", "--type=merge", "--dry-run=server", "-p", `{"spec":{"theme":"dark"}}`)
		return err == nil && strings.Contains(out, warning)
	})
	for _, step := range []struct {
		patch string
		warns bool
	}{
		{`{"spec":{"language":"de"}}`, false},
		{`{"spec":{"theme":"dark"}}`, true},
		{`{"spec":{"theme":"dark","language":"fr"}}`, false},
		{`{"spec":{"theme":"light"}}`, true},
		{`{"spec":{"theme":null}}`, false},
	} {
		if out := patch(step.patch); strings.Contains(out, warning) != step.warns {
			t.Errorf("%s: the warning is expected: %v; kubectl says %s", step.patch, step.warns, out)
		}
	}
	out, err := c.try(`{"apiVersion":"site.example.com/v1","kind":"Site","metadata":{"name":"new"},"spec":{"host":"new.example.com","theme":"dark"}}`, "create", "--dry-run=server", "-f", "-")
	if err != nil || !strings.Contains(out, warning) {
		t.Errorf("a new site with a theme: %v %s", err, out)
	}
	// The field is not deprecated in the older version.
	out = c.must("patch", "sites.v1beta1.site.example.com", "tea", "--type=merge", "--dry-run=server", "-p", `{"spec":{"theme":"dark"}}`)
	if strings.Contains(out, "Validation failed") {
		t.Errorf("kubectl says %s", out)
	}
}

// safe is a buffer that one goroutine writes and another reads.
type safe struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (s *safe) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.Write(text)
}

func (s *safe) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.String()
}

// upgrade serves a version that the manager does not know, which is the wrong order. As the guide says, a new replica is not
// ready and says why, and the one that was ready converts the other versions.
func (c *cluster) upgrade(t *testing.T) {
	page, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "## Upgrade\n")
	text := regexp.MustCompile("(?s)```\n(customresourcedefinition .*?)\n```").FindStringSubmatch(section)
	if text == nil {
		t.Fatal("the section Upgrade has no message")
	}
	message := strings.Replace(text[1], "orders.shop.example.com", "sites.site.example.com", 1)

	const add = `[{"op":"copy","from":"/spec/versions/0","path":"/spec/versions/-"},{"op":"replace","path":"/spec/versions/2/name","value":"v2"},{"op":"replace","path":"/spec/versions/2/storage","value":false}]`
	c.must("patch", "crd", "sites.site.example.com", "--type=json", "-p", add)
	probes := launch.FreeAddress(t)
	replica, log := c.command(launch.FreeAddress(t), probes), &safe{}
	replica.Stderr = log
	if err := replica.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = replica.Process.Kill()
		_ = replica.Wait()
	}()
	ready := func() (int, string) {
		answer, err := http.Get("http://" + probes + "/readyz?verbose")
		if err != nil {
			return 0, err.Error()
		}
		defer answer.Body.Close()
		body, _ := io.ReadAll(answer.Body)
		return answer.StatusCode, string(body)
	}
	c.eventually("the new replica is not ready", func() bool {
		status, _ := ready()
		return status == http.StatusInternalServerError
	})
	if status, body := ready(); status == http.StatusOK {
		t.Errorf("a replica that does not know v2 is ready: %s", body)
	}
	c.eventually("the new replica says why", func() bool { return strings.Contains(log.String(), message) })
	if site := c.get("sites.v1beta1.site.example.com", "tea"); at(site, "spec", "domain") != "tea.example.com" {
		t.Errorf("the replica of before converts tea to %v", site["spec"])
	}
	c.must("patch", "crd", "sites.site.example.com", "--type=json", "-p", `[{"op":"remove","path":"/spec/versions/2"}]`)
	c.eventually("the new replica is ready", func() bool {
		status, _ := ready()
		return status == http.StatusOK
	})
}

// rotate begins a rotation of the authority.
func (c *cluster) rotate(t *testing.T) {
	before := at(c.get("secret", "site-webhooks-ca", "-n", namespace), "data")
	for _, command := range commands(t, "Rotate the authority") {
		c.must(command...)
	}
	c.eventually("there is a next authority", func() bool {
		secret := c.get("secret", "site-webhooks-ca", "-n", namespace)
		return !reflect.DeepEqual(before, at(secret, "data")) && at(secret, "metadata", "annotations", server.RotateAnnotation) == nil
	})
	c.must("get", "sites.v1beta1.site.example.com", "tea")
}

// ours returns the objects of the operator, by kind and name.
func (c *cluster) ours() []string {
	c.t.Helper()
	var found []string
	for _, resource := range []string{
		"customresourcedefinitions", "mutatingwebhookconfigurations", "validatingwebhookconfigurations", "validatingadmissionpolicies", "validatingadmissionpolicybindings",
		"mutatingadmissionpolicies", "mutatingadmissionpolicybindings", "clusterroles", "clusterrolebindings",
		"deployments", "services", "poddisruptionbudgets", "serviceaccounts", "roles", "rolebindings", "secrets", "configmaps",
	} {
		for _, name := range strings.Fields(c.must("get", resource, "-A", "-o", "name")) {
			_, short, _ := strings.Cut(name, "/")
			if strings.Contains(short, "site") || strings.Contains(short, "tea") {
				found = append(found, name)
			}
		}
	}
	return found
}

// finalize ends the deletion of the namespace, as the controller of namespaces does.
func (c *cluster) finalize() {
	c.t.Helper()
	out, err := c.try(`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"`+namespace+`"},"spec":{"finalizers":[]}}`,
		"replace", "--raw", "/api/v1/namespaces/"+namespace+"/finalize", "-f", "-")
	if err != nil {
		c.t.Fatal(out)
	}
}

// uninstall follows the guide: nothing is left. What the controllers of a cluster delete, which does not run here, is deleted
// by the test: the objects that others own, and what is in a deleted namespace.
func (c *cluster) uninstall(t *testing.T) {
	if n := len(c.ours()); n < 15 {
		t.Fatalf("there are only %d objects: %v", n, c.ours())
	}
	for _, command := range commands(t, "Uninstall") {
		if slices.Contains(command, "config/default") {
			c.stop() // its Deployment is deleted
			command = append(command, "--wait=false")
		}
		c.must(command...)
	}
	c.finalize()
	c.must("delete", "configmap", "tea-pages", "coffee-pages", "--ignore-not-found")
	if left := c.ours(); len(left) > 0 {
		t.Errorf("these are left: %v", left)
	}
}

// wrongOrder deletes the manager before the definitions: these are not deleted, and nothing can be written. The repairs of the
// guide end both.
func (c *cluster) wrongOrder(t *testing.T) {
	const definition = "sites.site.example.com"
	c.install()
	c.start()
	c.storeIn(definition, "v1beta1")
	c.must("apply", "-f", "config/samples/site.yaml") // stays in v1beta1
	c.storeIn(definition, "v1")
	c.stop()
	c.must("delete", "deployment", "site", "-n", namespace)

	out, err := c.try("", "apply", "-f", "config/samples/page.yaml")
	if err == nil {
		t.Fatal("an object was written without webhooks")
	}
	wants(t, out, "failed calling webhook")
	c.must("delete", "crd", definition, "--wait=false")
	terminating := func() bool { // the API server has tried, and failed
		return strings.Contains(fmt.Sprint(at(c.get("crd", definition), "status", "conditions")), "InstanceDeletionFailed")
	}
	c.eventually("the deletion fails", terminating)

	for _, heading := range []string{"A definition is not deleted", "Objects cannot be written"} {
		for _, command := range commands(t, heading) {
			c.must(command...)
		}
	}
	c.eventually("the definition is deleted", func() bool {
		_, err := c.try("", "get", "crd", definition)
		return err != nil
	})
	c.must("apply", "-f", "config/samples/page.yaml")
}

// storeIn changes the version in which objects of a kind are stored, and waits until the API server stores a site in it: the server
// follows definitions with a delay, which its answers do not show.
func (c *cluster) storeIn(definition, version string) {
	c.t.Helper()
	c.eventually("the definition stores "+version, func() bool {
		crd := c.get("crd", definition)
		for _, v := range at(crd, "spec", "versions").([]any) {
			v.(map[string]any)["storage"] = at(v, "name") == version
		}
		text, err := json.Marshal(crd)
		if err != nil {
			c.t.Fatal(err)
		}
		out, err := c.try(string(text), "replace", "-f", "-")
		if err != nil && !strings.Contains(out, "Conflict") { // the manager writes its authority
			c.t.Fatal(out)
		}
		return err == nil
	})
	etcd, err := clientv3.New(clientv3.Config{Endpoints: []string{"unix:" + filepath.Join(filepath.Dir(c.Kubeconfig), "state", "etcd.sock")}, DialTimeout: 10 * time.Second})
	if err != nil {
		c.t.Fatal(err)
	}
	defer etcd.Close()
	const probe = `{"apiVersion":"site.example.com/v1","kind":"Site","metadata":{"name":"probe","namespace":"default"},"spec":{"host":"probe.example.com"}}`
	c.eventually("the API server stores sites in "+version, func() bool {
		if out, err := c.try(probe, "create", "-f", "-"); err != nil {
			c.t.Log(out)
			return false
		}
		answer, err := etcd.Get(c.t.Context(), "/registry/site.example.com/sites/default/probe")
		if err != nil || len(answer.Kvs) != 1 {
			c.t.Fatal(err, answer)
		}
		c.must("delete", "site", "probe", "-n", "default")
		return strings.HasPrefix(string(answer.Kvs[0].Value), `{"apiVersion":"site.example.com/`+version+`"`)
	})
}
