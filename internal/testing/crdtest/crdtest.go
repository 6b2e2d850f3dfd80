// Package crdtest validates custom resources like an API server, with the server's
// own packages and without a server.
//
// [Load] returns a [CRD].
//
// Load a definition once. Admit then processes an object like a create or update:
// it prunes unknown fields, drops nulls and applies defaults. Validate validates the
// result with the schema, the rules on lists and embedded objects, and the CEL rules,
// including transition rules.
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
	// Definition is the loaded definition.
	Definition *apiextensionsv1.CustomResourceDefinition

	versions map[string]*version
}

// version is one compiled version.
type version struct {
	apiVersion string
	structural *structuralschema.Structural
	strategy   strategy
}

// strategy is the used part of the server's strategy for custom resources.
type strategy interface {
	Validate(ctx context.Context, obj runtime.Object) field.ErrorList
	ValidateUpdate(ctx context.Context, obj, old runtime.Object) field.ErrorList
}

// Load reads a definition from YAML or JSON. It returns an error if the text is not
// a definition or if a server would reject it.
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
		return nil, fmt.Errorf("%s is rejected: %w", in.Name, errs.ToAggregate())
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

// Validate returns the server's errors for creating obj or, with an old object, for
// updating it to obj. It changes neither. It adds missing type and metadata, so that
// a test case only needs a spec.
//
// It validates the status together with the rest, whether or not it is a
// subresource. It panics if the definition does not have the version.
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

// Admit returns obj as the server would store it: pruned and with defaults. The
// errors are those of its metadata.
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

// complete adds the missing type and metadata of an object.
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
