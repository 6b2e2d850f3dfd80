package dev

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/kindsmith/kindsmith/test/oracle/launch"
)

const definition = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/orders.shop.example.com"

// conversion returns the bytes of a definition's conversion, and its annotations, as the API server sends them.
func conversion(t *testing.T, s *launch.Server) (string, map[string]string) {
	t.Helper()
	client := s.Client()
	defer client.CloseIdleConnections()
	answer, err := client.Get(s.URL + definition)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatal(answer.Status, err)
	}
	var crd struct {
		Metadata struct{ Annotations map[string]string }
		Spec     struct{ Conversion json.RawMessage }
	}
	if err := json.Unmarshal(text, &crd); err != nil {
		t.Fatal(err)
	}
	return string(crd.Spec.Conversion), crd.Metadata.Annotations
}

// TestContext serves a project on a cluster that has its definition already, with a webhook that does not exist. Ctrl-C, and
// --restore after a kill, put the webhook back as it was.
func TestContext(t *testing.T) {
	t.Parallel()
	server := launch.Start(t)
	p := newProject(t)
	p.write("kindsmith.yaml", "conversionWebhook: shop-system/webhooks\ngenerate:\n  webhookDir: config/webhook\n")
	generate := p.command("generate", "./api/...")
	if out, err := generate.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	install := func() {
		t.Helper()
		text, err := os.ReadFile(p.dir + "/config/crd/bases/shop.example.com_orders.yaml")
		if err != nil {
			t.Fatal(err)
		}
		var crd map[string]any
		if err := yaml.Unmarshal(text, &crd); err != nil {
			t.Fatal(err)
		}
		hook := crd["spec"].(map[string]any)["conversion"].(map[string]any)["webhook"].(map[string]any)
		hook["conversionReviewVersions"] = []string{"v1", "v1beta1"}
		meta := crd["metadata"].(map[string]any)
		meta["annotations"] = map[string]any{"cert-manager.io/inject-ca-from": "shop-system/serving-cert", "example.com/kept": "yes"}
		manifest, err := json.Marshal(crd)
		if err != nil {
			t.Fatal(err)
		}
		if out, err := p.tryOn(server.Kubeconfig, string(manifest), "apply", "-f", "-"); err != nil {
			t.Fatal(out)
		}
	}
	install()
	before, annotations := conversion(t, server)
	restored := func(how string) {
		t.Helper()
		after, now := conversion(t, server)
		if after != before {
			t.Errorf("%s: the conversion is\n%s\nand was\n%s", how, after, before)
		}
		for _, name := range []string{"cert-manager.io/inject-ca-from", "example.com/kept"} {
			if now[name] != annotations[name] {
				t.Errorf("%s: the annotation %s is %q", how, name, now[name])
			}
		}
		if out, err := p.tryOn(server.Kubeconfig, "", "get", "validatingwebhookconfigurations", "-o", "name"); err != nil || out != "" {
			t.Errorf("%s: the webhooks of dev stay: %v\n%s", how, err, out)
		}
		for name := range now {
			if strings.HasPrefix(name, "kindsmith.dev/") {
				t.Errorf("%s: the annotation %s stays", how, name)
			}
		}
	}
	name := "kindsmith"
	args := []string{"./api/...", "--kubeconfig", server.Kubeconfig, "--context", name}
	refused := p.start(args...)
	if err := <-refused.done; err == nil {
		t.Error("any cluster is used")
	}
	refused.done <- nil
	refused.prints(`add --yes-this-cluster`)
	args = append(args, "--yes-this-cluster")

	s := p.dev(args...)
	if now, annotations := conversion(t, server); !strings.Contains(now, `"url":"https://127.0.0.1:`) || annotations["kindsmith.dev/replaced"] == "" || annotations["cert-manager.io/inject-ca-from"] != "" {
		t.Errorf("while dev runs, the conversion is %s, and the annotations are %v", now, annotations)
	}
	if state, _ := s.workbench().gets("state", func(shown) bool { return true }); state.Reports {
		t.Error("a cluster reports the steps of admission")
	}
	for _, input := range [][]string{{order("v1beta1", "first", 3), "create", "-f", "-"}} {
		if out, err := p.tryOn(server.Kubeconfig, input[0], input[1:]...); err != nil {
			t.Fatal(out)
		}
	}
	if out, err := p.tryOn(server.Kubeconfig, "", "get", "orders.v1.shop.example.com", "first", "-o", "jsonpath={.spec.size}"); err != nil || out != "3" {
		t.Errorf("v1 has the size %s: %v", out, err)
	}
	if out, err := p.tryOn(server.Kubeconfig, "", "get", "validatingwebhookconfigurations", "-o", "jsonpath={.items[*].webhooks[*].clientConfig.url}"); err != nil || !strings.Contains(out, "https://127.0.0.1:") {
		t.Errorf("while dev runs, the webhooks are at %s: %v", out, err)
	}
	s.interrupt()
	restored("after Ctrl-C")

	p.dev(args...).kill()
	if now, _ := conversion(t, server); now == before {
		t.Error("kill -9 restores")
	}
	killed := p.dev(args...) // what the first has replaced is not what the second replaces
	killed.kill()
	restore := p.start(append(args, "--restore")...)
	if err := <-restore.done; err != nil {
		t.Errorf("--restore: %v\n%s", err, restore.output())
	}
	restore.done <- nil
	restore.prints(`restored the webhooks of customresourcedefinition orders.shop.example.com, validatingwebhookconfiguration validating-webhook-configuration`)
	restored("after --restore")
	if out, err := p.command("dev", append(args[1:], "--restore")...).CombinedOutput(); err != nil || !strings.Contains(string(out), "there is nothing to restore") {
		t.Errorf("--restore again: %v\n%s", err, out)
	}
	none(t, filepath.Dir(p.dir))
}
