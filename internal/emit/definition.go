package emit

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"
)

// CustomResourceDefinition returns the definition of a kind; nil if it has none.
func (c *Context) CustomResourceDefinition(k *Kind) (*apiextensionsv1.CustomResourceDefinition, error) {
	if c.Options.Definition == nil {
		return nil, nil
	}
	text, err := c.Options.Definition(k.Group, k.Name)
	if text == nil || err != nil {
		return nil, err
	}
	crd := &apiextensionsv1.CustomResourceDefinition{}
	return crd, yaml.Unmarshal(text, crd)
}
