package cluster

import (
	"encoding/json"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

func object(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	if text == "" {
		return nil
	}
	content, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	o := &unstructured.Unstructured{}
	if err := o.UnmarshalJSON(content); err != nil {
		t.Fatal(err)
	}
	return o
}

func definition(conversion, metadata string) string {
	return "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: orders.shop.example.com" + metadata + "}\nspec: {group: shop.example.com, conversion: " + conversion + "}\n"
}

func service(namespace, name string) string {
	return "{strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {service: {namespace: " + namespace + ", name: " + name + ", path: /convert}}}}"
}

const (
	none = "{strategy: None}"
	ours = `{strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {url: "https://127.0.0.1:9/convert", caBundle: Y2E=}}}`
	old  = `{strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {url: "https://127.0.0.1:1/convert", caBundle: Y2E=}}}`
)

// TestNext checks what is written in the place of a live object, and what is kept of it.
func TestNext(t *testing.T) {
	kept := func(conversion, url string) string {
		value, err := yaml.YAMLToJSON([]byte(conversion))
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(replaced{Value: value, URL: url})
		if err != nil {
			t.Fatal(err)
		}
		return ", annotations: {kindsmith.dev/replaced: '" + string(text) + "'}"
	}
	const here, there = "https://127.0.0.1:9", "https://127.0.0.1:1"
	for name, tc := range map[string]struct{ object, live, want, kept string }{
		"new":                       {object: definition(service("shop", "hooks"), ""), want: definition(ours, ""), kept: kept(service("shop", "hooks"), here)},
		"new without a service":     {object: definition(service("kindsmith-dev", "no-service"), ""), want: definition(ours, ""), kept: kept(none, here)},
		"no webhook":                {object: definition(none, ""), live: definition(none, ", labels: {a: b}"), want: definition(none, ", labels: {a: b}"), kept: ", labels: {a: b}"},
		"a service":                 {object: definition(service("shop", "hooks"), ""), live: definition(service("shop", "other"), ""), want: definition(ours, ""), kept: kept(service("shop", "other"), here)},
		"none before":               {object: definition(service("shop", "hooks"), ""), live: definition(none, ""), want: definition(ours, ""), kept: kept(none, here)},
		"an earlier run was killed": {object: definition(service("shop", "hooks"), ""), live: definition(old, kept(none, there)), want: definition(ours, kept(none, there)), kept: kept(none, here)},
		"another client wrote":      {object: definition(service("shop", "hooks"), ""), live: definition(service("shop", "other"), kept(none, there)), want: definition(ours, kept(none, there)), kept: kept(service("shop", "other"), here)},
	} {
		t.Run(name, func(t *testing.T) {
			for _, keep := range []bool{false, true} {
				c := &Cluster{Webhook: Webhook{URL: here, Bundle: []byte("ca")}, Keep: keep}
				next, err := c.next(object(t, tc.object), object(t, tc.live))
				if err != nil {
					t.Fatal(err)
				}
				want := object(t, tc.want)
				if keep {
					want = object(t, definition(strings.TrimSuffix(strings.SplitN(tc.want, "conversion: ", 2)[1], "}\n"), tc.kept))
				}
				if got, expected := text(t, next), text(t, want); got != expected {
					t.Errorf("keep %v:\n%s\nwant\n%s", keep, got, expected)
				}
			}
		})
	}
}

func text(t *testing.T, o *unstructured.Unstructured) string {
	t.Helper()
	out, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestConfiguration checks webhooks of admission.
func TestConfiguration(t *testing.T) {
	const configuration = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: webhooks}
webhooks: [{name: a, clientConfig: {service: {namespace: shop, name: hooks, path: /validate-a}}}]
`
	c := &Cluster{Webhook: Webhook{URL: "https://127.0.0.1:9", Bundle: []byte("ca")}, Keep: true}
	next, err := c.next(object(t, configuration), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.NewReplacer("{name: webhooks}", `{name: webhooks, annotations: {kindsmith.dev/replaced: '{"url":"https://127.0.0.1:9"}'}}`,
		"{service: {namespace: shop, name: hooks, path: /validate-a}}", `{url: "https://127.0.0.1:9/validate-a", caBundle: Y2E=}`).Replace(configuration)
	if got, expected := text(t, next), text(t, object(t, want)); got != expected {
		t.Errorf("%s\nwant\n%s", got, expected)
	}
}
