package definitions

import (
	"cmp"
	"slices"

	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/versions/steps"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// conversion sets how API servers convert between the versions of a kind that the lead declares.
// How other versions convert is up to the project. It returns a note on kinds that need no webhook.
func conversion(c *emit.Context, crd *apiextensionsv1.CustomResourceDefinition, fam family) (note string) {
	if len(fam.versions) < 2 || fam.lead.declared == nil {
		return ""
	}
	i := slices.IndexFunc(c.Steps, func(a *steps.API) bool { return a.Newest == fam.lead.pkg.Path })
	if i < 0 {
		return ""
	}
	reason := ""
	for _, v := range fam.versions {
		if v.pkg == fam.lead.pkg {
			continue
		}
		if !slices.ContainsFunc(c.Steps[i].Versions, func(known steps.Version) bool { return known.Package == v.pkg.Path }) || v.typ.Hub == nil {
			return ""
		}
		reason = cmp.Or(reason, c.Steps[i].Differs(fam.kind, v.version))
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
