package deploy

import (
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/kindsmith/kindsmith/internal/emit"
)

// AdmissionFile is the file of the configurations of webhooks; it is that of controller-gen.
const AdmissionFile = "manifests.yaml"

// The Service of kubebuilder's scaffolds.
const serviceNamespace, serviceName = "system", "webhook-service"

// Admission returns the configurations of the admission webhooks that the kinds of a run need, and those of
// hand-written markers.
func Admission(c *emit.Context) (*Configurations, error) {
	m, err := typed(c)
	if err != nil {
		return nil, err
	}
	if w := c.Options.CRDs.Conversion; w != nil && c.Options.Deploy.Runs() {
		m.name = w.Name // others of the cluster would have the same names
	}
	for _, k := range emit.Kinds(c.Model) {
		v, err := served(c, k)
		if err != nil {
			return nil, err
		}
		if v != nil && m.add(c, v) {
			m.Sources = appendSources(m.Sources, k)
		}
	}
	if w := c.Options.CRDs.Conversion; w != nil && w.Certificate != "" {
		m.inject(w.Certificate)
	}
	slices.Sort(m.Sources)
	return m, nil
}

// appendSources adds the packages that a kind is declared in.
func appendSources(sources []string, k *emit.Kind) []string {
	for _, of := range k.Versions {
		if path := of.Package.Path; !of.Package.Generated && !slices.Contains(sources, path) {
			sources = append(sources, path)
		}
	}
	return sources
}

// version is the version of a kind that webhooks get. API servers convert the objects of the other versions
// to it (matchPolicy: Equivalent).
type version struct {
	emit.KindVersion
	crd *apiextensionsv1.CustomResourceDefinition
	// status is set if the status is a subresource.
	status bool
}

// served returns the version of a kind that webhooks get: that of the leading package, or else the first
// that is served. It is nil for kinds without definition.
func served(c *emit.Context, k *emit.Kind) (*version, error) {
	crd, err := c.CustomResourceDefinition(k)
	if crd == nil || err != nil {
		return nil, err
	}
	for _, v := range append([]emit.KindVersion{k.Lead()}, k.Versions...) {
		i := slices.IndexFunc(crd.Spec.Versions, func(d apiextensionsv1.CustomResourceDefinitionVersion) bool { return d.Name == v.Name && d.Served })
		if i >= 0 {
			sub := crd.Spec.Versions[i].Subresources
			return &version{KindVersion: v, crd: crd, status: sub != nil && sub.Status != nil}, nil
		}
	}
	return nil, nil
}

// path returns the path of a webhook, as in kubebuilder's scaffolds.
func (v *version) path(operation string) string {
	return "/" + operation + "-" + strings.ReplaceAll(v.crd.Spec.Group, ".", "-") + "-" + v.Name + "-" + strings.ToLower(v.Type.Name)
}

// name returns the name of a webhook.
func (v *version) name(operation string) string {
	return operation[:1] + strings.ToLower(v.Type.Name) + "." + v.crd.Spec.Group
}

// rules returns the requests for which a webhook is called.
func (v *version) rules(parts parts) []admissionv1.RuleWithOperations {
	var resources []string
	if parts.object || !v.status {
		resources = append(resources, v.crd.Spec.Names.Plural)
	}
	if parts.status && v.status {
		resources = append(resources, v.crd.Spec.Names.Plural+"/status")
	}
	return []admissionv1.RuleWithOperations{{
		Operations: []admissionv1.OperationType{admissionv1.Create, admissionv1.Update},
		Rule:       admissionv1.Rule{APIGroups: []string{v.crd.Spec.Group}, APIVersions: []string{v.Name}, Resources: resources},
	}}
}

// client returns how API servers call a webhook.
func client(c *emit.Context, path string) admissionv1.WebhookClientConfig {
	s := &admissionv1.ServiceReference{Namespace: serviceNamespace, Name: serviceName, Path: &path}
	if w := c.Options.CRDs.Conversion; w != nil {
		s.Namespace, s.Name = w.Namespace, w.Name
		if w.Port != 443 {
			s.Port = &w.Port
		}
	}
	return admissionv1.WebhookClientConfig{Service: s}
}

// add adds the webhooks of a kind, and reports whether it needs some.
func (m *Configurations) add(c *emit.Context, v *version) bool {
	n := needsOf(c, v)
	if n.mutates.any() {
		w := admissionv1.MutatingWebhook{
			Name: v.name("mutate"), ClientConfig: client(c, v.path("mutate")), Rules: v.rules(n.mutates), AdmissionReviewVersions: []string{"v1"},
			FailurePolicy: new(admissionv1.Fail), SideEffects: new(admissionv1.SideEffectClassNone),
		}
		if n.unions {
			w.ReinvocationPolicy = new(admissionv1.IfNeededReinvocationPolicy) // another webhook may change a discriminator later
		}
		m.mutate(w)
	}
	if n.validates.any() {
		m.validate(admissionv1.ValidatingWebhook{
			Name: v.name("validate"), ClientConfig: client(c, v.path("validate")), Rules: v.rules(n.validates), AdmissionReviewVersions: []string{"v1"},
			FailurePolicy: new(admissionv1.Fail), SideEffects: new(admissionv1.SideEffectClassNone),
		})
	}
	return n.mutates.any() || n.validates.any()
}
