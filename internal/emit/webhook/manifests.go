package webhook

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/kindsmith/kindsmith/internal/emit"
)

// manifests are the configurations of a project: nil for those without webhooks.
type manifests struct {
	mutating   *admissionv1.MutatingWebhookConfiguration
	validating *admissionv1.ValidatingWebhookConfiguration
	// others are further configurations of hand-written markers.
	others []any
}

// typed returns the configurations of hand-written markers.
func typed(c *emit.Context) (*manifests, error) {
	m := &manifests{}
	if c.Options.TypedWebhooks == nil {
		return m, nil
	}
	text, err := c.Options.TypedWebhooks()
	if err != nil {
		return nil, err
	}
	for doc := range strings.SplitSeq("\n"+string(text), "\n---\n") {
		var meta metav1.TypeMeta
		if err := yaml.Unmarshal([]byte(doc), &meta); err != nil {
			return nil, fmt.Errorf("read the webhooks of markers: %w", err)
		}
		switch {
		case meta.Kind == "MutatingWebhookConfiguration" && m.mutating == nil:
			m.mutating = &admissionv1.MutatingWebhookConfiguration{}
			err = yaml.Unmarshal([]byte(doc), m.mutating)
		case meta.Kind == "ValidatingWebhookConfiguration" && m.validating == nil:
			m.validating = &admissionv1.ValidatingWebhookConfiguration{}
			err = yaml.Unmarshal([]byte(doc), m.validating)
		case meta.Kind != "":
			var other map[string]any
			err = yaml.Unmarshal([]byte(doc), &other)
			m.others = append(m.others, other)
		}
		if err != nil {
			return nil, fmt.Errorf("read the webhooks of markers: %w", err)
		}
	}
	return m, nil
}

// mutate adds a webhook, unless a marker describes one at its path.
func (m *manifests) mutate(w admissionv1.MutatingWebhook) {
	if m.mutating == nil {
		m.mutating = &admissionv1.MutatingWebhookConfiguration{
			TypeMeta:   metav1.TypeMeta{APIVersion: admissionv1.SchemeGroupVersion.String(), Kind: "MutatingWebhookConfiguration"},
			ObjectMeta: metav1.ObjectMeta{Name: "mutating-webhook-configuration"},
		}
	}
	list := m.mutating.Webhooks
	if slices.ContainsFunc(list, func(o admissionv1.MutatingWebhook) bool { return path(o.ClientConfig) == path(w.ClientConfig) }) {
		return
	}
	w.Name = unique(w.Name, func(name string) bool {
		return slices.ContainsFunc(list, func(o admissionv1.MutatingWebhook) bool { return o.Name == name })
	})
	m.mutating.Webhooks = append(m.mutating.Webhooks, w)
}

// validate adds a webhook, unless a marker describes one at its path.
func (m *manifests) validate(w admissionv1.ValidatingWebhook) {
	if m.validating == nil {
		m.validating = &admissionv1.ValidatingWebhookConfiguration{
			TypeMeta:   metav1.TypeMeta{APIVersion: admissionv1.SchemeGroupVersion.String(), Kind: "ValidatingWebhookConfiguration"},
			ObjectMeta: metav1.ObjectMeta{Name: "validating-webhook-configuration"},
		}
	}
	list := m.validating.Webhooks
	if slices.ContainsFunc(list, func(o admissionv1.ValidatingWebhook) bool { return path(o.ClientConfig) == path(w.ClientConfig) }) {
		return
	}
	w.Name = unique(w.Name, func(name string) bool {
		return slices.ContainsFunc(list, func(o admissionv1.ValidatingWebhook) bool { return o.Name == name })
	})
	m.validating.Webhooks = append(m.validating.Webhooks, w)
}

// path returns the path of a webhook.
func path(c admissionv1.WebhookClientConfig) string {
	switch {
	case c.Service != nil && c.Service.Path != nil:
		return *c.Service.Path
	case c.URL != nil:
		if u, err := url.Parse(*c.URL); err == nil {
			return u.Path
		}
	}
	return ""
}

// unique returns a name that a configuration does not have.
func unique(name string, taken func(string) bool) string {
	for taken(name) {
		name = "kind-" + name
	}
	return name
}

// inject makes cert-manager set the authority of the webhooks.
func (m *manifests) inject(certificate string) {
	for _, meta := range []*metav1.ObjectMeta{metaOf(m.mutating), metaOf(m.validating)} {
		if meta != nil && meta.Annotations[emit.InjectCA] == "" {
			metav1.SetMetaDataAnnotation(meta, emit.InjectCA, certificate)
		}
	}
}

// metaOf returns the metadata of a configuration, nil for none.
func metaOf(config metav1.ObjectMetaAccessor) *metav1.ObjectMeta {
	if reflect.ValueOf(config).IsNil() {
		return nil
	}
	meta, _ := config.GetObjectMeta().(*metav1.ObjectMeta)
	return meta
}

// bytes returns the configurations as YAML documents, like controller-gen's.
func (m *manifests) bytes() ([]byte, error) {
	var out bytes.Buffer
	for _, object := range append([]any{m.mutating, m.validating}, m.others...) {
		if v := reflect.ValueOf(object); v.Kind() == reflect.Pointer && v.IsNil() {
			continue
		}
		text, err := json.Marshal(object)
		if err == nil {
			text, err = yaml.JSONToYAML(text)
		}
		if err != nil {
			return nil, fmt.Errorf("write the configurations of webhooks: %w", err)
		}
		out.WriteString("---\n")
		out.Write(text)
	}
	return out.Bytes(), nil
}
