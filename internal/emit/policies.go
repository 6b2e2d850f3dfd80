package emit

import (
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// Policies are the admission policies of one kind. Versions with the same resources and the same content share a policy.
type Policies[T any] struct {
	// Equal compares contents.
	Equal func(a, b T) bool
	list  []Policy[T]
}

// Policy is one of them.
type Policy[T any] struct {
	Versions, Resources []string
	Content             T
}

// Add adds what the policy of a version has.
func (p *Policies[T]) Add(version string, resources []string, content T) {
	i := slices.IndexFunc(p.list, func(o Policy[T]) bool {
		return slices.Equal(o.Resources, resources) && p.Equal(o.Content, content)
	})
	if i >= 0 {
		p.list[i].Versions = append(p.list[i].Versions, version)
		return
	}
	p.list = append(p.list, Policy[T]{[]string{version}, resources, content})
}

// PolicySuffix returns the end of the names of files with policies about something, such as rules.
func PolicySuffix(about string) string { return "_" + about + ".yaml" }

// Files returns the file of the policies, which are about something, such as rules; none if there are no policies. objects
// returns the manifests of a policy with a name.
func (p *Policies[T]) Files(crd *apiextensionsv1.CustomResourceDefinition, about string, objects func(p Policy[T], name string) []any) ([]File, error) {
	var all []any
	for i, policy := range p.list {
		name := crd.Spec.Names.Plural + "-" + about
		if i > 0 {
			name += "-" + policy.Versions[0]
		}
		all = append(all, objects(policy, name+"."+crd.Spec.Group)...)
	}
	if len(all) == 0 {
		return nil, nil
	}
	content, err := YAML(all...)
	return []File{{Name: crd.Spec.Group + "_" + crd.Spec.Names.Plural + PolicySuffix(about), Folder: InPolicies, Content: content}}, err
}
