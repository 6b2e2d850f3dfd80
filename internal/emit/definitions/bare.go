package definitions

import (
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// withoutRules removes the rules about values from a definition: policies have these then. What gives objects their
// shape stays: types, defaults, and lists with keys.
func withoutRules(crd *apiextensionsv1.CustomResourceDefinition) {
	for i := range crd.Spec.Versions {
		if s := crd.Spec.Versions[i].Schema; s != nil && s.OpenAPIV3Schema != nil {
			bare(s.OpenAPIV3Schema, nil)
		}
	}
}

// bare removes the rules of a schema. API servers need keys of lists to be required, or to have a default.
func bare(s *props, keys []string) {
	s.Required = slices.DeleteFunc(slices.Clone(s.Required), func(name string) bool { return !slices.Contains(keys, name) })
	if len(s.Required) == 0 {
		s.Required = nil
	}
	s.Minimum, s.Maximum, s.ExclusiveMinimum, s.ExclusiveMaximum, s.MultipleOf = nil, nil, false, false, nil
	s.MinLength, s.MaxLength, s.MinItems, s.MaxItems, s.MinProperties, s.MaxProperties = nil, nil, nil, nil, nil, nil
	s.Enum, s.XValidations, s.AllOf, s.OneOf, s.Not = nil, nil, nil, nil, nil
	if !s.XIntOrString { // these belong to the type
		s.Pattern, s.AnyOf = "", nil
	}
	for name, p := range s.Properties {
		bare(&p, nil)
		s.Properties[name] = p
	}
	if s.Items != nil && s.Items.Schema != nil {
		bare(s.Items.Schema, s.XListMapKeys)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		bare(s.AdditionalProperties.Schema, nil)
	}
}
