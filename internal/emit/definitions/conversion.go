package definitions

import (
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/plan"
	"github.com/kindsmith/kindsmith/internal/wiretable"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// conversion sets how API servers convert between the versions of a kind that the lead declares.
// How other versions convert is up to the project. It returns a note on kinds that need no webhook.
func conversion(c *emit.Context, crd *apiextensionsv1.CustomResourceDefinition, fam family) (note string) {
	if len(fam.versions) < 2 || fam.lead.declared == nil {
		return ""
	}
	reason := ""
	for _, v := range fam.versions {
		if v.pkg == fam.lead.pkg {
			continue
		}
		p := c.Plans[v.pkg.Path]
		if p == nil || p.Hub.Package != fam.lead.pkg.Path {
			return ""
		}
		t := pairOf(p, v)
		if t == nil {
			return ""
		}
		if reason == "" {
			reason = wiretable.Differs(p, t)
		}
	}
	webhook := c.Options.CRDs.Conversion
	switch {
	case reason == "":
		crd.Spec.Conversion = &apiextensionsv1.CustomResourceConversion{Strategy: apiextensionsv1.NoneConverter}
		return "conversion strategy None: the versions have the same JSON"
	case webhook == nil:
		c.Diags.Warnf(fam.lead.typ.Span, codeNoConversion,
			"the versions of %s differ (%s), and the CustomResourceDefinition names no webhook that converts them: API servers change only the apiVersion and drop fields; name the service with --conversion-webhook or in kindsmith.yaml", fam.kind, reason).
			RestsOn(emit.Configured)
		return ""
	}
	service := &apiextensionsv1.ServiceReference{Namespace: webhook.Namespace, Name: webhook.Name, Path: &webhook.Path, Port: &webhook.Port}
	crd.Spec.Conversion = &apiextensionsv1.CustomResourceConversion{
		Strategy: apiextensionsv1.WebhookConverter,
		Webhook: &apiextensionsv1.WebhookConversion{
			ClientConfig:             &apiextensionsv1.WebhookClientConfig{Service: service},
			ConversionReviewVersions: []string{"v1"},
		},
	}
	if webhook.Certificate != "" {
		if crd.Annotations == nil {
			crd.Annotations = map[string]string{}
		}
		if crd.Annotations[emit.InjectCA] == "" {
			crd.Annotations[emit.InjectCA] = webhook.Certificate
		}
	}
	return ""
}

func pairOf(p *plan.Plan, v member) *plan.Type {
	for _, t := range p.Types {
		if t.Older == v.typ.ID() {
			return t
		}
	}
	return nil
}
