package deploy

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"helm.sh/helm/v3/pkg/action"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/cli"

	"github.com/kindsmith/kindsmith/test/oracle/launch"
)

// helm is Helm for an API server.
type helm struct {
	*testing.T
	server *launch.Server
}

func (h *helm) configuration() *action.Configuration {
	h.Helper()
	settings := cli.New()
	settings.KubeConfig = h.server.Kubeconfig
	settings.SetNamespace(namespace)
	configuration := &action.Configuration{}
	if err := configuration.Init(settings.RESTClientGetter(), namespace, "secret", func(string, ...any) {}); err != nil {
		h.Fatal(err)
	}
	return configuration
}

// install installs a release of the chart, as helm install --create-namespace does.
func (h *helm) install(release string, values object) error {
	h.Helper()
	chart, err := loader.Load(example + "/charts/site")
	if err != nil {
		h.Fatal(err)
	}
	install := action.NewInstall(h.configuration())
	install.ReleaseName, install.Namespace, install.CreateNamespace = release, namespace, true
	_, err = install.Run(chart, values)
	return err
}

func (h *helm) upgrade(release string, values object) {
	h.Helper()
	chart, err := loader.Load(example + "/charts/site")
	if err != nil {
		h.Fatal(err)
	}
	upgrade := action.NewUpgrade(h.configuration())
	upgrade.Namespace, upgrade.ReuseValues = namespace, true
	if _, err := upgrade.Run(release, chart, values); err != nil {
		h.Fatal(err)
	}
}

// uninstall uninstalls a release. It returns what Helm says.
func (h *helm) uninstall(release string) string {
	h.Helper()
	answer, err := action.NewUninstall(h.configuration()).Run(release)
	if err != nil {
		h.Fatal(err)
	}
	return answer.Info
}

// request sends a request to the API server. It returns the answer, and whether the request succeeded.
func (h *helm) request(method, path, contentType string, body any) (answer object, ok bool) {
	h.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		h.Fatal(err)
	}
	r, err := http.NewRequest(method, h.server.URL+path, bytes.NewReader(text))
	if err != nil {
		h.Fatal(err)
	}
	r.Header.Set("Content-Type", contentType)
	client := h.server.Client()
	defer client.CloseIdleConnections()
	response, err := client.Do(r)
	if err != nil {
		h.Fatal(err)
	}
	defer response.Body.Close()
	if text, err = io.ReadAll(response.Body); err == nil {
		err = json.Unmarshal(text, &answer)
	}
	if err != nil {
		h.Fatal(err)
	}
	return answer, response.StatusCode < 300
}

func (h *helm) must(method, path, contentType string, body any) object {
	h.Helper()
	answer, ok := h.request(method, path, contentType, body)
	if !ok {
		h.Fatalf("%s %s: %v", method, path, answer["message"])
	}
	return answer
}

// Paths of objects of the chart.
const (
	siteDefinition = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/sites.site.example.com"
	authority      = "/api/v1/namespaces/" + namespace + "/secrets/site-webhooks-ca"
	siteDeployment = "/apis/apps/v1/namespaces/" + namespace + "/deployments/site"
	jsonPatch      = "application/json-patch+json"
	mergePatch     = "application/merge-patch+json"
)

// TestHelm installs, upgrades and uninstalls the chart on an API server with Helm's own code. An upgrade keeps what the manager has
// written: the authority and the caBundle. Uninstalling keeps the definitions, so the objects too, and installing again takes them
// over. Another release does not take them; it has objects of its own beside the first.
func TestHelm(t *testing.T) {
	h := &helm{t, launch.Start(t)}
	values := certificates("self-managed")
	if err := h.install("site", values); err != nil {
		t.Fatal(err)
	}
	bundle := base64.StdEncoding.EncodeToString(h.server.CA) // what a manager writes
	h.must(http.MethodPatch, siteDefinition, jsonPatch, []any{object{"op": "add", "path": "/spec/conversion/webhook/clientConfig/caBundle", "value": bundle}})
	h.must(http.MethodPatch, authority, mergePatch, object{"data": object{"state": bundle}})
	h.upgrade("site", object{"replicas": 3})
	if got := at(h.must(http.MethodGet, siteDeployment, "", nil), "spec", "replicas"); got != 3.0 {
		t.Errorf("the upgrade has left %v replicas", got)
	}
	if got := at(h.must(http.MethodGet, siteDefinition, "", nil), "spec", "conversion", "webhook", "clientConfig", "caBundle"); got != bundle {
		t.Errorf("after an upgrade, the caBundle is %v", got)
	}
	if got := at(h.must(http.MethodGet, authority, "", nil), "data", "state"); got != bundle {
		t.Errorf("after an upgrade, the authority is %v", got)
	}

	if err := h.install("other", values); err == nil || !strings.Contains(err.Error(), "cannot be imported into the current release") {
		t.Errorf("another release takes the definitions: %v", err)
	}
	apart := object{"crds": object{"enable": false}, "policies": object{"enable": false}, "certificates": object{"source": "self-managed"}}
	if err := h.install("beside", apart); err != nil {
		t.Errorf("a second release in the namespace: %v", err)
	}
	h.uninstall("beside")
	h.must(http.MethodGet, siteDeployment, "", nil)

	page := object{"apiVersion": "site.example.com/v1", "kind": "Page", "metadata": object{"name": "tea"}, "spec": object{
		"site": "tea", "content": object{"type": "Inline", "inline": object{"text": "Sencha"}},
	}}
	const pages = "/apis/site.example.com/v1/namespaces/" + namespace + "/pages"
	if info := h.uninstall("site"); !strings.Contains(info, "pages.site.example.com") || !strings.Contains(info, "sites.site.example.com") {
		t.Errorf("Helm does not say that it keeps the definitions: %s", info)
	}
	left := h.left()
	if len(left) != 2 {
		t.Errorf("after helm uninstall, these are left: %v", left)
	}
	h.must(http.MethodPost, pages, "application/json", page) // no webhook is left that refuses it
	if err := h.install("site", values); err != nil {
		t.Fatalf("install again: %v", err)
	}
	h.must(http.MethodGet, pages+"/tea", "", nil)
	h.upgrade("site", object{"crds": object{"keep": false}})
	h.uninstall("site")
	if _, ok := h.request(http.MethodGet, siteDefinition, "", nil); ok {
		definition := h.must(http.MethodGet, siteDefinition, "", nil)
		if at(definition, "metadata", "deletionTimestamp") == nil {
			t.Error("with crds.keep=false, the definition stays")
		}
	}
}

// left returns the objects of the chart's kinds that exist and have a label or an annotation of Helm.
func (h *helm) left() (names []string) {
	h.Helper()
	for _, path := range []string{
		"/apis/apiextensions.k8s.io/v1/customresourcedefinitions", "/apis/apps/v1/deployments", "/apis/policy/v1/poddisruptionbudgets",
		"/apis/rbac.authorization.k8s.io/v1/clusterroles", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
		"/apis/rbac.authorization.k8s.io/v1/roles", "/apis/rbac.authorization.k8s.io/v1/rolebindings",
		"/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations", "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
		"/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies", "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings",
		"/api/v1/services", "/api/v1/serviceaccounts", "/api/v1/secrets",
	} {
		items, _ := h.must(http.MethodGet, path, "", nil)["items"].([]any)
		for _, item := range items {
			if at(item, "metadata", "annotations", "meta.helm.sh/release-name") != nil {
				names = append(names, path+"/"+at(item, "metadata", "name").(string))
			}
		}
	}
	return names
}
