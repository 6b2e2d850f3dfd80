// Package crdtest judges custom resources as an API server would, with the
// server's own code and without a server.
//
// A definition is loaded once; Admit then takes an object through what happens
// to it on create and update: unknown fields are pruned, nulls dropped,
// defaults set, and the result is validated by the schema, by the rules on
// lists and embedded objects, and by the CEL rules, old values at hand.
package crdtest

import (
	"context"
	"fmt"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	schemaobjectmeta "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	apiservervalidation "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"
)

// CRD is a loaded definition.
type CRD struct {
	// Definition is what was loaded.
	Definition *apiextensionsv1.CustomResourceDefinition

	versions map[string]*version
}

// version is one version, compiled.
type version struct {
	apiVersion string
	structural *structuralschema.Structural
	strategy   strategy
}

// strategy is the part of the server's strategy for custom resources that is used.
type strategy interface {
	Validate(ctx context.Context, obj runtime.Object) field.ErrorList
	ValidateUpdate(ctx context.Context, obj, old runtime.Object) field.ErrorList
}

// Load reads a definition from YAML or JSON. It fails if the text is none, and
// if a server would refuse it.
func Load(data []byte) (*CRD, error) {
	crd := &CRD{Definition: &apiextensionsv1.CustomResourceDefinition{}, versions: map[string]*version{}}
	if err := yaml.UnmarshalStrict(data, crd.Definition); err != nil {
		return nil, fmt.Errorf("read definition: %w", err)
	}
	in := crd.Definition.DeepCopy()
	apiextensionsv1.SetDefaults_CustomResourceDefinition(in)
	apiextensionsv1.SetDefaults_CustomResourceDefinitionSpec(&in.Spec)
	var internal apiextensions.CustomResourceDefinition
	if err := apiextensionsv1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(in, &internal, nil); err != nil {
		return nil, fmt.Errorf("convert definition: %w", err)
	}
	for _, v := range in.Spec.Versions {
		if v.Storage {
			internal.Status.StoredVersions = []string{v.Name}
			break
		}
	}
	if errs := validation.ValidateCustomResourceDefinition(context.Background(), &internal); len(errs) > 0 {
		return nil, fmt.Errorf("%s is refused: %w", in.Name, errs.ToAggregate())
	}
	for i := range in.Spec.Versions {
		v, err := compile(in, &in.Spec.Versions[i])
		if err != nil {
			return nil, fmt.Errorf("%s, version %s: %w", in.Name, in.Spec.Versions[i].Name, err)
		}
		crd.versions[in.Spec.Versions[i].Name] = v
	}
	return crd, nil
}

func compile(crd *apiextensionsv1.CustomResourceDefinition, v *apiextensionsv1.CustomResourceDefinitionVersion) (*version, error) {
	var props apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(v.Schema.OpenAPIV3Schema, &props, nil); err != nil {
		return nil, err
	}
	structural, err := structuralschema.NewStructural(&props)
	if err != nil {
		return nil, err
	}
	schemaValidator, _, err := apiservervalidation.NewSchemaValidator(&props)
	if err != nil {
		return nil, err
	}
	gvk := schema.GroupVersionKind{Group: crd.Spec.Group, Version: v.Name, Kind: crd.Spec.Names.Kind}
	return &version{
		apiVersion: gvk.GroupVersion().String(),
		structural: structural,
		strategy: customresource.NewStrategy(nil, crd.Spec.Scope == apiextensionsv1.NamespaceScoped, gvk,
			schemaValidator, nil, structural, nil, nil, v.SelectableFields),
	}, nil
}

// Validate returns what the server would say of creating obj, or, with an old
// object, of changing that into obj. Neither is changed. What of the type and
// the metadata is missing is made up, so that a case can be about its spec.
//
// Status is judged together with the rest, whether or not it is a subresource.
// It panics on a version that the definition does not have.
func (c *CRD) Validate(version string, obj, old map[string]any) field.ErrorList {
	now, errs := c.Admit(version, obj)
	if len(errs) > 0 {
		return errs
	}
	v := c.version(version)
	if old == nil {
		return v.strategy.Validate(context.Background(), &unstructured.Unstructured{Object: now})
	}
	before, errs := c.Admit(version, old)
	if len(errs) > 0 {
		return errs
	}
	for _, o := range []map[string]any{now, before} {
		metadata := o["metadata"].(map[string]any)
		if metadata["resourceVersion"] == nil {
			metadata["resourceVersion"] = "1"
		}
	}
	return v.strategy.ValidateUpdate(context.Background(), &unstructured.Unstructured{Object: now}, &unstructured.Unstructured{Object: before})
}

// Admit returns obj as the server would keep it: pruned and with defaults. Errors
// are those of its metadata.
func (c *CRD) Admit(version string, obj map[string]any) (map[string]any, field.ErrorList) {
	v := c.version(version)
	out := runtime.DeepCopyJSON(obj)
	c.complete(out, v)
	pruning.Prune(out, v.structural, true)
	if err := schemaobjectmeta.Coerce(nil, out, v.structural, true, false); err != nil {
		return nil, field.ErrorList{err}
	}
	defaulting.PruneNonNullableNullsWithoutDefaults(out, v.structural)
	defaulting.Default(out, v.structural)
	return out, nil
}

// complete makes up the type and the metadata of an object.
func (c *CRD) complete(obj map[string]any, v *version) {
	set := func(m map[string]any, key string, value any) {
		if _, ok := m[key]; !ok {
			m[key] = value
		}
	}
	set(obj, "apiVersion", v.apiVersion)
	set(obj, "kind", c.Definition.Spec.Names.Kind)
	set(obj, "metadata", map[string]any{})
	if metadata, ok := obj["metadata"].(map[string]any); ok {
		set(metadata, "name", "test")
		if c.Definition.Spec.Scope == apiextensionsv1.NamespaceScoped {
			set(metadata, "namespace", "default")
		}
	}
}

func (c *CRD) version(name string) *version {
	v, ok := c.versions[name]
	if !ok {
		panic(fmt.Sprintf("%s has no version %q", c.Definition.Name, name))
	}
	return v
}
