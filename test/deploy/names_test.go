package deploy

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// TestNames builds the kustomization with a prefix and another namespace: all references still name objects that exist.
func TestNames(t *testing.T) {
	for _, source := range sources {
		for _, test := range []struct{ prefix, namespace string }{{"", ""}, {"dev-", ""}, {"", "elsewhere"}, {"dev-", "elsewhere"}} {
			t.Run(source+" "+test.prefix+test.namespace, func(t *testing.T) {
				all := build(t, func(k object) {
					k["components"] = []string{"../webhook/" + source}
					k["namePrefix"], k["namespace"] = test.prefix, test.namespace
					if source == "cert-manager" {
						k["replacements"] = replacements(t)
					}
				})
				if all["Service "+test.prefix+"site-webhooks"] == nil {
					t.Fatal("the prefix is not in the names")
				}
				references(t, all, cmp.Or(test.namespace, namespace))
			})
		}
	}
}

// replacements returns what the guide adds to a kustomization.
func replacements(t *testing.T) any {
	t.Helper()
	page, err := os.ReadFile("../../docs/guides/run-it.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, found := strings.Cut(string(page), "```yaml\nreplacements:")
	text, _, _ = strings.Cut(text, "```")
	var k object
	if err := yaml.Unmarshal([]byte("replacements:"+text), &k); err != nil || !found {
		t.Fatalf("the guide has no replacements: %v", err)
	}
	return k["replacements"]
}

// TestReleases renders the chart for releases of any name and namespace: all references name objects that exist, and two releases
// have no object in common but definitions and policies, which values leave out.
func TestReleases(t *testing.T) {
	long := strings.Repeat("long-", 10) + "one" // Helm allows 53 characters
	apart := object{"crds": object{"enable": false}, "policies": object{"enable": false}}
	for _, source := range sources {
		seen := map[string]string{}
		for _, test := range []struct {
			release, namespace string
			values             object
			full               string
		}{
			{"site", "first", object{}, "site"},
			{"blue", "first", apart, "blue-site"},
			{"my-site", "first", apart, "my-site"},
			{"123", "first", apart, "123-site"},
			{"named", "first", object{"nameOverride": "pages"}, "named-pages"},
			{"full", "first", object{"fullnameOverride": "42"}, "42"},
			{long, "first", apart, long[:51]},
			{"site", "second", object{}, "site"},
		} {
			values := maps.Clone(test.values)
			values["certificates"] = object{"source": source}
			all := renderedAs(t, test.release, test.namespace, values)
			references(t, all, test.namespace)
			for _, id := range []string{"Deployment " + test.full, "Service " + test.full + "-webhooks"} {
				if all[id] == nil {
					t.Errorf("release %s: there is no %s", test.release, id)
				}
			}
			for id, o := range all {
				_, name, _ := strings.Cut(id, " ")
				if kind := fmt.Sprint(o["kind"]); (kind == "Service" || kind == "Certificate") && len(name) > 63 {
					t.Errorf("the name of %s is too long", id)
				}
				if seen[id] != "" && at(test.values, "crds") != nil {
					t.Errorf("the releases %s and %s have the same %s", seen[id], test.release, id)
				}
				if test.namespace == "first" {
					seen[id] = test.release
				}
			}
			selects(t, all, test.release)
		}
	}
}

// selects checks that the selectors of a release find its pods, and not those of other releases.
func selects(t *testing.T, all objects, release string) {
	t.Helper()
	const instance = "app.kubernetes.io/instance"
	n := 0
	for id, o := range all {
		for _, path := range [][]string{{"spec", "selector"}, {"spec", "selector", "matchLabels"}, {"spec", "template", "metadata", "labels"}} {
			labels, _ := at(o, path...).(object)
			if labels["app.kubernetes.io/name"] == nil {
				continue
			}
			if n++; labels[instance] != release {
				t.Errorf("%s: %s of the release %s: %v", id, strings.Join(path, "."), release, labels)
			}
		}
	}
	if n != 4 { // the Service, the budget, and twice the Deployment
		t.Errorf("only %d selectors were checked", n)
	}
}

// plurals are the resources in permissions with names.
var plurals = map[string]string{
	"customresourcedefinitions": "CustomResourceDefinition", "secrets": "Secret",
	"mutatingwebhookconfigurations": "MutatingWebhookConfiguration", "validatingwebhookconfigurations": "ValidatingWebhookConfiguration",
}

// flags are the arguments of the manager that name objects.
var flags = map[string]string{
	"--webhook-ca-secret": "Secret", "--webhook-service": "Service",
	"--mutating-webhook-configuration": "MutatingWebhookConfiguration", "--validating-webhook-configuration": "ValidatingWebhookConfiguration",
}

// references checks that what objects refer to exists.
func references(t *testing.T, all objects, namespace string) {
	t.Helper()
	n := map[string]int{}
	exists := func(from, kind string, name any) {
		t.Helper()
		n[kind]++
		if all[fmt.Sprint(kind, " ", name)] == nil {
			t.Errorf("%s refers to %s %v, which does not exist", from, kind, name)
		}
	}
	service := func(from string, of any) {
		t.Helper()
		exists(from, "Service", at(of, "name"))
		if at(of, "namespace") != namespace {
			t.Errorf("%s refers to the namespace %v", from, at(of, "namespace"))
		}
	}
	definitions := 0 // values may leave them out
	for id := range all {
		if strings.HasPrefix(id, "CustomResourceDefinition ") {
			definitions++
		}
	}
	for id, o := range all {
		kind, _, _ := strings.Cut(id, " ")
		switch kind {
		case "CustomResourceDefinition":
			service(id, at(o, "spec", "conversion", "webhook", "clientConfig", "service"))
		case "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration":
			for _, hook := range o["webhooks"].([]any) {
				service(id, at(hook, "clientConfig", "service"))
			}
		case "RoleBinding", "ClusterRoleBinding":
			exists(id, fmt.Sprint(at(o, "roleRef", "kind")), at(o, "roleRef", "name"))
			for _, s := range o["subjects"].([]any) {
				exists(id, "ServiceAccount", at(s, "name"))
				if at(s, "namespace") != namespace {
					t.Errorf("%s has a subject in %v", id, at(s, "namespace"))
				}
			}
		case "Role", "ClusterRole":
			for _, rule := range o["rules"].([]any) {
				names, _ := at(rule, "resourceNames").([]any)
				for _, name := range names {
					if kind := plurals[fmt.Sprint(at(rule, "resources").([]any)[0])]; kind != "CustomResourceDefinition" || definitions > 0 {
						exists(id, kind, name)
					}
				}
			}
		case "ValidatingAdmissionPolicyBinding", "MutatingAdmissionPolicyBinding":
			exists(id, strings.TrimSuffix(kind, "Binding"), at(o, "spec", "policyName"))
		case "Certificate":
			exists(id, "Issuer", at(o, "spec", "issuerRef", "name"))
			for _, name := range list(at(o, "spec", "dnsNames")) {
				host := strings.Split(fmt.Sprint(name), ".")
				service(id, object{"name": host[0], "namespace": host[1]})
			}
		case "Deployment":
			arguments(t, id, o, exists)
		}
		if of, ok := at(o, "metadata", "annotations", "cert-manager.io/inject-ca-from").(string); ok {
			in, name, _ := strings.Cut(of, "/")
			if exists(id, "Certificate", name); in != namespace {
				t.Errorf("%s refers to a Certificate in %s", id, in)
			}
		}
	}
	if n["Service"]-definitions < 2 || n["ServiceAccount"] < 4 {
		t.Errorf("only %v references were checked", n)
	}
}

func list(value any) []any {
	items, _ := value.([]any)
	return items
}

// arguments checks the arguments and volumes of the manager.
func arguments(t *testing.T, id string, deployment object, exists func(from, kind string, name any)) {
	t.Helper()
	pod := at(deployment, "spec", "template", "spec")
	exists(id, "ServiceAccount", at(pod, "serviceAccountName"))
	container := list(at(pod, "containers"))[0]
	args := list(at(container, "args"))
	for i, arg := range args {
		name, value, joined := strings.Cut(fmt.Sprint(arg), "=")
		if flags[name] == "" {
			continue
		}
		if !joined {
			value = fmt.Sprint(args[i+1])
		}
		exists(id, flags[name], value)
	}
	if !slices.ContainsFunc(args, func(arg any) bool { return strings.HasPrefix(fmt.Sprint(arg), "--webhook-") }) {
		t.Errorf("%s has the arguments %v", id, args)
	}
}
