// Package crd validates custom resources with the API server's packages, to compare
// the cost of schemas and CEL rules with generated Go.
package crd

import (
	"context"
	"fmt"
	"os"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"
)

// Validator validates the objects of one definition like an API server.
type Validator struct{ strategy strategy }

type strategy interface {
	Validate(ctx context.Context, obj runtime.Object) field.ErrorList
	ValidateUpdate(ctx context.Context, obj, old runtime.Object) field.ErrorList
}

// Load reads a definition with one version from a file.
func Load(file string) (*Validator, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var crd apiextensionsv1.CustomResourceDefinition
	if err := yaml.UnmarshalStrict(data, &crd); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(crd.Spec.Versions) != 1 {
		return nil, fmt.Errorf("%s has %d versions, want one", file, len(crd.Spec.Versions))
	}
	v := crd.Spec.Versions[0]
	var props apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(v.Schema.OpenAPIV3Schema, &props, nil); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	structural, err := structuralschema.NewStructural(&props)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	validator, _, err := validation.NewSchemaValidator(&props)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	gvk := schema.GroupVersionKind{Group: crd.Spec.Group, Version: v.Name, Kind: crd.Spec.Names.Kind}
	namespaced := crd.Spec.Scope == apiextensionsv1.NamespaceScoped
	return &Validator{customresource.NewStrategy(nil, namespaced, gvk, validator, nil, structural, nil, nil, v.SelectableFields)}, nil
}

// Validate validates a decoded object; old is nil on create.
func (v *Validator) Validate(obj, old *unstructured.Unstructured) field.ErrorList {
	if old == nil {
		return v.strategy.Validate(context.Background(), obj)
	}
	return v.strategy.ValidateUpdate(context.Background(), obj, old)
}
