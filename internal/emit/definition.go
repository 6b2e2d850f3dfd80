package emit

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"
)

// CustomResourceDefinition returns the definition of a kind; nil if it has none.
func (c *Context) CustomResourceDefinition(k *Kind) (*apiextensionsv1.CustomResourceDefinition, error) {
	return parseDefinition(k, c.Options.Definition)
}

// CompleteDefinition returns the definition of a kind with all rules, also if these are in a policy; nil if it has none.
func (c *Context) CompleteDefinition(k *Kind) (*apiextensionsv1.CustomResourceDefinition, error) {
	return parseDefinition(k, c.Options.Complete)
}

func parseDefinition(k *Kind, read func(group, kind string) ([]byte, error)) (*apiextensionsv1.CustomResourceDefinition, error) {
	if read == nil {
		return nil, nil
	}
	text, err := read(k.Group, k.Name)
	if text == nil || err != nil {
		return nil, err
	}
	crd := &apiextensionsv1.CustomResourceDefinition{}
	return crd, yaml.Unmarshal(text, crd)
}
