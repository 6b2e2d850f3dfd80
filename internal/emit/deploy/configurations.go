package deploy

import (
	"cmp"
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

// Configurations are the configurations of the admission webhooks of a project: nil for those without webhooks.
type Configurations struct {
	Mutating   *admissionv1.MutatingWebhookConfiguration
	Validating *admissionv1.ValidatingWebhookConfiguration
	// Others are further configurations of hand-written markers.
	Others []any
	// Sources are the import paths of the packages whose kinds have webhooks.
	Sources []string

	// name is the name of new configurations; "" is that of kubebuilder's.
	name string
}

// typed returns the configurations of hand-written markers.
func typed(c *emit.Context) (*Configurations, error) {
	m := &Configurations{}
	if c.Options.TypedWebhooks == nil {
		return m, nil
	}
	text, err := c.Options.TypedWebhooks()
	if err != nil {
		return nil, err
	}
	for doc := range splitDocuments(text) {
		var meta metav1.TypeMeta
		if err := yaml.Unmarshal([]byte(doc), &meta); err != nil {
			return nil, fmt.Errorf("read the webhooks of markers: %w", err)
		}
		switch {
		case meta.Kind == "MutatingWebhookConfiguration" && m.Mutating == nil:
			m.Mutating = &admissionv1.MutatingWebhookConfiguration{}
			err = yaml.Unmarshal([]byte(doc), m.Mutating)
		case meta.Kind == "ValidatingWebhookConfiguration" && m.Validating == nil:
			m.Validating = &admissionv1.ValidatingWebhookConfiguration{}
			err = yaml.Unmarshal([]byte(doc), m.Validating)
		case meta.Kind != "":
			var other map[string]any
			err = yaml.Unmarshal([]byte(doc), &other)
			m.Others = append(m.Others, other)
		}
		if err != nil {
			return nil, fmt.Errorf("read the webhooks of markers: %w", err)
		}
	}
	return m, nil
}

// mutate adds a webhook, unless a marker describes one at its path.
func (m *Configurations) mutate(w admissionv1.MutatingWebhook) {
	if m.Mutating == nil {
		m.Mutating = &admissionv1.MutatingWebhookConfiguration{
			TypeMeta:   metav1.TypeMeta{APIVersion: admissionv1.SchemeGroupVersion.String(), Kind: "MutatingWebhookConfiguration"},
			ObjectMeta: metav1.ObjectMeta{Name: cmp.Or(m.name, "mutating-webhook-configuration")},
		}
	}
	list := m.Mutating.Webhooks
	if slices.ContainsFunc(list, func(o admissionv1.MutatingWebhook) bool { return path(o.ClientConfig) == path(w.ClientConfig) }) {
		return
	}
	w.Name = unique(w.Name, func(name string) bool {
		return slices.ContainsFunc(list, func(o admissionv1.MutatingWebhook) bool { return o.Name == name })
	})
	m.Mutating.Webhooks = append(m.Mutating.Webhooks, w)
}

// validate adds a webhook, unless a marker describes one at its path.
func (m *Configurations) validate(w admissionv1.ValidatingWebhook) {
	if m.Validating == nil {
		m.Validating = &admissionv1.ValidatingWebhookConfiguration{
			TypeMeta:   metav1.TypeMeta{APIVersion: admissionv1.SchemeGroupVersion.String(), Kind: "ValidatingWebhookConfiguration"},
			ObjectMeta: metav1.ObjectMeta{Name: cmp.Or(m.name, "validating-webhook-configuration")},
		}
	}
	list := m.Validating.Webhooks
	if slices.ContainsFunc(list, func(o admissionv1.ValidatingWebhook) bool { return path(o.ClientConfig) == path(w.ClientConfig) }) {
		return
	}
	w.Name = unique(w.Name, func(name string) bool {
		return slices.ContainsFunc(list, func(o admissionv1.ValidatingWebhook) bool { return o.Name == name })
	})
	m.Validating.Webhooks = append(m.Validating.Webhooks, w)
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
func (m *Configurations) inject(certificate string) {
	for _, meta := range []*metav1.ObjectMeta{metaOf(m.Mutating), metaOf(m.Validating)} {
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

// objects returns the configurations that exist.
func (m *Configurations) objects() (list []any) {
	for _, object := range append([]any{m.Mutating, m.Validating}, m.Others...) {
		if !IsNil(object) {
			list = append(list, object)
		}
	}
	return list
}

// IsNil reports whether a value is nil, or a nil pointer.
func IsNil(value any) bool {
	v := reflect.ValueOf(value)
	return !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil()
}

// Bytes returns the configurations as YAML documents, like controller-gen's.
func (m *Configurations) Bytes() ([]byte, error) { return emit.YAML(m.objects()...) }

// splitDocuments returns the documents of a text.
func splitDocuments(text []byte) func(yield func(string) bool) {
	return strings.SplitSeq("\n"+string(text), "\n---\n")
}
