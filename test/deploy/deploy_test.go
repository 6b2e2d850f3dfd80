// Package deploy tests that the chart, the kustomizations and the component for OLM of examples/operator describe the
// same objects, with the code of Helm and kustomize.
package deploy

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

const (
	example   = "../../examples/operator"
	namespace = "site-system"
	keep      = "helm.sh/resource-policy"
)

type object = map[string]any

// objects are API objects by kind and name.
type objects map[string]object

func parse(t *testing.T, text string) objects {
	t.Helper()
	all := objects{}
	for doc := range strings.SplitSeq("\n"+text, "\n---") {
		var o object
		if err := yaml.Unmarshal([]byte(doc), &o); err != nil {
			t.Fatalf("%v in:\n%s", err, doc)
		}
		if len(o) == 0 {
			continue
		}
		id := fmt.Sprint(o["kind"], " ", at(o, "metadata", "name"))
		if all[id] != nil {
			t.Errorf("%s is there twice", id)
		}
		all[id], _ = normal("", o).(object)
	}
	return all
}

func at(value any, path ...string) any {
	for _, name := range path {
		o, _ := value.(object)
		value = o[name]
	}
	return value
}

// keys are the lists whose order has no meaning, with what identifies an item.
var keys = map[string]string{"env": "name", "ports": "name", "volumes": "name", "volumeMounts": "mountPath", "webhooks": "name"}

// normal returns a value without empty values, and with lists in order.
func normal(name string, value any) any {
	switch v := value.(type) {
	case object:
		out := object{}
		for key, field := range v {
			if field = normal(key, field); field != nil && !isEmpty(field) {
				out[key] = field
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = normal("", v[i])
		}
		if key := keys[name]; key != "" {
			slices.SortFunc(out, func(a, b any) int { return cmp.Compare(fmt.Sprint(at(a, key)), fmt.Sprint(at(b, key))) })
		}
		return out
	}
	return value
}

func isEmpty(value any) bool {
	v := reflect.ValueOf(value)
	return (v.Kind() == reflect.Map || v.Kind() == reflect.Slice) && v.Len() == 0
}

// kustomized returns the objects of the default kustomization with a component for certificates.
func kustomized(t *testing.T, source string) objects {
	t.Helper()
	return build(t, func(k object) { k["components"] = []string{"../webhook/" + source} })
}

// build builds the default kustomization of a copy of the example after a change.
func build(t *testing.T, change func(kustomization object)) objects {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(example, "config"))); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "default", "kustomization.yaml")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var k object
	if err := yaml.Unmarshal(text, &k); err != nil {
		t.Fatal(err)
	}
	change(k)
	if text, err = yaml.Marshal(k); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, text, 0o644); err != nil {
		t.Fatal(err)
	}
	made, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), filepath.Dir(name))
	if err != nil {
		t.Fatal(err)
	}
	out, err := made.AsYaml()
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, string(out))
}

// rendered returns the objects of the chart, as helm template prints them.
func rendered(t *testing.T, namespace string, values object) objects {
	t.Helper()
	return renderedAs(t, "site", namespace, values)
}

// renderedAs is rendered for a name of the release.
func renderedAs(t *testing.T, release, namespace string, values object) objects {
	t.Helper()
	chart, err := loader.Load(filepath.Join(example, "charts/site"))
	if err != nil {
		t.Fatal(err)
	}
	if err := chart.Validate(); err != nil {
		t.Error(err)
	}
	if n := len(chart.CRDObjects()); n > 0 {
		t.Errorf("%d definitions are not templates, so that Helm would not upgrade them", n)
	}
	capabilities := *chartutil.DefaultCapabilities
	for _, kind := range []string{"MutatingAdmissionPolicy", "ValidatingAdmissionPolicy"} {
		capabilities.APIVersions = append(slices.Clone(capabilities.APIVersions), "admissionregistration.k8s.io/v1/"+kind)
	}
	all, err := chartutil.ToRenderValues(chart, values, chartutil.ReleaseOptions{Name: release, Namespace: namespace, IsInstall: true}, &capabilities)
	if err != nil {
		t.Fatal(err)
	}
	files, err := engine.Engine{Strict: true}.Render(chart, all)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(files)) {
		text.WriteString("\n---\n" + files[name])
	}
	if strings.Contains(text.String(), "helm.sh/hook") {
		t.Error("the chart has hooks")
	}
	if strings.Contains(text.String(), "kindsmith-") || strings.Contains(text.String(), "<no value>") {
		t.Error("a template was not rendered")
	}
	return parse(t, text.String())
}

// helms are the annotation and the labels that only objects of a chart have.
var helms = []string{keep, "helm.sh/chart", "app.kubernetes.io/instance", "app.kubernetes.io/managed-by"}

// withoutHelm returns objects of a chart without what only these have: in their metadata, in selectors and in pods.
func withoutHelm(value any) any {
	switch v := value.(type) {
	case object:
		out := object{}
		for name, field := range v {
			if field = withoutHelm(field); !slices.Contains(helms, name) && field != nil && !isEmpty(field) {
				out[name] = field
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = withoutHelm(v[i])
		}
		return out
	}
	return value
}

func certificates(source string) object { return object{"certificates": object{"source": source}} }

var sources = []string{"cert-manager", "self-managed"}

// TestSame compares the chart with the kustomizations.
func TestSame(t *testing.T) {
	for _, source := range sources {
		t.Run(source, func(t *testing.T) {
			want := kustomized(t, source)
			delete(want, "Namespace "+namespace) // helm install --create-namespace
			got := objects{}
			for id, o := range rendered(t, namespace, certificates(source)) {
				for _, label := range helms[1:] {
					if at(o, "metadata", "labels", label) == nil && !strings.HasPrefix(id, "CustomResourceDefinition ") && !strings.Contains(id, "AdmissionPolicy") {
						t.Errorf("%s has no label %s", id, label)
					}
				}
				got[id] = withoutHelm(o).(object)
			}
			if diff := gocmp.Diff(want, got); diff != "" {
				t.Errorf("(-kustomize +helm):\n%s", diff)
			}
			if len(got) < 15 {
				t.Errorf("there are only %d objects", len(got))
			}
		})
	}
}

// TestDefinitions checks that helm uninstall keeps definitions, and that values change this.
func TestDefinitions(t *testing.T) {
	definitions := func(values object) (all, kept int) {
		for id, o := range rendered(t, namespace, values) {
			if strings.HasPrefix(id, "CustomResourceDefinition ") {
				all++
				if at(o, "metadata", "annotations", keep) == "keep" {
					kept++
				}
			} else if at(o, "metadata", "annotations", keep) != nil {
				t.Errorf("Helm would keep %s", id)
			}
		}
		return all, kept
	}
	for _, test := range []struct {
		crds      object
		all, kept int
	}{{object{}, 2, 2}, {object{"keep": false}, 2, 0}, {object{"enable": false}, 0, 0}} {
		if all, kept := definitions(object{"crds": test.crds}); all != test.all || kept != test.kept {
			t.Errorf("crds %v: %d definitions, %d of them kept; want %d and %d", test.crds, all, kept, test.all, test.kept)
		}
	}
}

// TestReleaseNamespace checks that everything is in the namespace of the release.
func TestReleaseNamespace(t *testing.T) {
	for _, source := range sources {
		for _, release := range []string{"elsewhere", "123"} {
			for id, o := range rendered(t, release, certificates(source)) {
				text, err := yaml.Marshal(o)
				if err != nil {
					t.Fatal(err)
				}
				if strings.Contains(string(text), namespace) {
					t.Errorf("%s refers to %s:\n%s", id, namespace, text)
				}
				if ns := at(o, "metadata", "namespace"); ns != nil && ns != release {
					t.Errorf("%s is in %v", id, ns)
				}
			}
		}
	}
}

// TestValues changes the values that users change.
func TestValues(t *testing.T) {
	values := object{
		"image": "example.com/x@sha256:1", "replicas": 3, "nodeSelector": object{"disk": "ssd"},
		"tolerations": []any{object{"key": "a", "operator": "Exists"}}, "resources": object{"limits": object{"memory": "1Gi"}, "requests": object{"cpu": "1", "memory": "1Gi"}},
	}
	deployment := rendered(t, namespace, values)["Deployment site"]
	pod := at(deployment, "spec", "template", "spec").(object)
	container := pod["containers"].([]any)[0].(object)
	got := object{
		"image": container["image"], "replicas": at(deployment, "spec", "replicas"), "nodeSelector": pod["nodeSelector"], "tolerations": pod["tolerations"], "resources": container["resources"],
	}
	values["replicas"] = 3.0
	if diff := gocmp.Diff(values, got); diff != "" {
		t.Errorf("(-values +Deployment):\n%s", diff)
	}
}

// TestDisruptions checks what keeps the webhooks running during restarts and maintenance.
func TestDisruptions(t *testing.T) {
	for _, source := range sources {
		all := kustomized(t, source)
		deployment := all["Deployment site"]
		for _, want := range []struct {
			got, want any
		}{
			{at(deployment, "spec", "replicas"), 2.0},
			{at(deployment, "spec", "strategy", "rollingUpdate", "maxUnavailable"), 0.0},
			{at(deployment, "spec", "template", "spec", "terminationGracePeriodSeconds"), 60.0},
			{at(all["PodDisruptionBudget site-webhooks"], "spec", "minAvailable"), 1.0},
			{at(all["PodDisruptionBudget site-webhooks"], "spec", "selector"), at(deployment, "spec", "selector")},
			{at(all["Service site-webhooks"], "spec", "selector"), at(deployment, "spec", "selector", "matchLabels")},
		} {
			if fmt.Sprint(want.got) != fmt.Sprint(want.want) {
				t.Errorf("%s: %v, want %v", source, want.got, want.want)
			}
		}
		if at(deployment, "spec", "template", "spec", "affinity", "podAntiAffinity") == nil {
			t.Errorf("%s: both replicas may be on one node", source)
		}
	}
}

// TestOLM compares the ClusterServiceVersion with the kustomization for cert-manager.
func TestOLM(t *testing.T) {
	want := kustomized(t, "cert-manager")
	dir := t.TempDir()
	csv := filepath.Join(dir, "config", "bundle")
	if err := os.CopyFS(filepath.Join(dir, "config", "olm"), os.DirFS(filepath.Join(example, "config/olm"))); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(csv, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"kustomization.yaml": "resources: [csv.yaml]\ncomponents: [../olm]\n",
		"csv.yaml":           "apiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\nmetadata: {name: site.v0.1.0}\nspec: {displayName: Site, installModes: [{type: OwnNamespace, supported: true}]}\n",
	} {
		if err := os.WriteFile(filepath.Join(csv, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	made, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), csv)
	if err != nil {
		t.Fatal(err)
	}
	text, err := made.AsYaml()
	if err != nil {
		t.Fatal(err)
	}
	version := parse(t, string(text))["ClusterServiceVersion site.v0.1.0"]
	spec, _ := version["spec"].(object)
	if spec["displayName"] != "Site" {
		t.Fatalf("the patch has replaced what people wrote:\n%s", text)
	}
	compare := func(what string, want, got any) {
		t.Helper()
		if diff := gocmp.Diff(normal("", want), normal("", got)); diff != "" {
			t.Errorf("%s (-kustomize +olm):\n%s", what, diff)
		}
	}

	// OLM mounts the certificate itself.
	deployment := want["Deployment site"]["spec"].(object)
	pod := at(deployment, "template", "spec").(object)
	delete(pod, "volumes")
	delete(pod["containers"].([]any)[0].(object), "volumeMounts")
	deployments := at(spec, "install", "spec", "deployments").([]any)
	compare("the Deployment", []any{object{"name": "site", "spec": deployment}}, deployments)

	var rules []any
	for _, role := range []string{"ClusterRole site", "ClusterRole site-webhooks-reader"} {
		rules = append(rules, want[role]["rules"].([]any)...)
	}
	compare("cluster permissions", []any{object{"serviceAccountName": "site", "rules": rules}}, at(spec, "install", "spec", "clusterPermissions"))
	compare("permissions", []any{object{"serviceAccountName": "site", "rules": want["Role site-leader"]["rules"]}}, at(spec, "install", "spec", "permissions"))

	var owned []string
	for _, o := range at(spec, "customresourcedefinitions", "owned").([]any) {
		owned = append(owned, fmt.Sprint(at(o, "name"), "/", at(o, "version")))
	}
	compare("definitions", []string{"pages.site.example.com/v1", "pages.site.example.com/v1beta1", "sites.site.example.com/v1", "sites.site.example.com/v1beta1"}, slices.Sorted(slices.Values(owned)))

	got := map[string]object{}
	for _, hook := range spec["webhookdefinitions"].([]any) {
		h := hook.(object)
		if h["deploymentName"] != "site" || h["containerPort"] != 443.0 || h["targetPort"] != 9443.0 {
			t.Errorf("a webhook of another Deployment or port: %v", h)
		}
		got[fmt.Sprint(h["webhookPath"])] = h
	}
	count := 0
	for id, kind := range map[string]string{"MutatingWebhookConfiguration site-webhooks": "MutatingAdmissionWebhook", "ValidatingWebhookConfiguration site-webhooks": "ValidatingAdmissionWebhook"} {
		for _, hook := range want[id]["webhooks"].([]any) {
			h := hook.(object)
			count++
			o := got[fmt.Sprint(at(h, "clientConfig", "service", "path"))]
			for _, key := range []string{"rules", "failurePolicy", "sideEffects", "admissionReviewVersions", "reinvocationPolicy", "timeoutSeconds"} {
				compare(id+" "+key, h[key], o[key])
			}
			compare(id, kind, o["type"])
		}
	}
	compare("kinds that are converted", []any{"pages.site.example.com", "sites.site.example.com"}, got["/convert"]["conversionCRDs"])
	if count+1 != len(got) {
		t.Errorf("%d webhooks, and OLM has %d", count+1, len(got))
	}
	modes := map[string]any{}
	for _, m := range spec["installModes"].([]any) {
		modes[fmt.Sprint(at(m, "type"))] = at(m, "supported")
	}
	compare("install modes", map[string]any{"OwnNamespace": false, "SingleNamespace": false, "MultiNamespace": false, "AllNamespaces": true}, modes)
}
