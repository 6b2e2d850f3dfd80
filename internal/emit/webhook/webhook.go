// Package webhook writes manifests.yaml: the configurations of the admission webhooks that kinds need, at
// the paths that package runtime/admission and the module webhook serve.
//
// A kind has a validating webhook if it has rules, and a mutating one if it has defaults or unions. The
// file has the webhooks of hand-written markers, too: a marker at the path of a kind replaces the kind's.
//
// Package driver reads the hand-written markers with controller-gen's generator, in all packages of the
// module.
package webhook

import (
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/emit"
)

// FileName is the file that the emitter writes; it is that of controller-gen's.
const FileName = "manifests.yaml"

// The Service of kubebuilder's scaffolds.
const serviceNamespace, serviceName = "system", "webhook-service"

// Emitter returns the emitter.
func Emitter() *emit.Emitter {
	return &emit.Emitter{
		Name:    "webhook",
		Part:    diag.Webhooks,
		Summary: "configurations of the admission webhooks that kinds need, if a folder is set: manifests.yaml",
		Folder:  emit.InWebhooks,
		Scope:   emit.PerRun,
		Emit:    run,
	}
}

func run(c *emit.Context) ([]emit.File, error) {
	m, err := typed(c)
	if err != nil {
		return nil, err
	}
	var sources []string
	for _, k := range emit.Kinds(c.Model) {
		v, err := served(c, k)
		if err != nil {
			return nil, err
		}
		if v != nil && m.add(c, v) {
			for _, of := range k.Versions {
				if path := of.Package.Path; !of.Package.Generated && !slices.Contains(sources, path) {
					sources = append(sources, path)
				}
			}
		}
	}
	if m.mutating == nil && m.validating == nil {
		return nil, nil
	}
	if w := c.Options.CRDs.Conversion; w != nil && w.Certificate != "" {
		m.inject(w.Certificate)
	}
	content, err := m.bytes()
	if err != nil {
		return nil, err
	}
	slices.Sort(sources)
	return []emit.File{{Name: FileName, Folder: emit.InWebhooks, Content: content, Sources: sources}}, nil
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
func (m *manifests) add(c *emit.Context, v *version) bool {
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
