package apply

import (
	"encoding/json"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/kindsmith/kindsmith/runtime/union/published"
)

// FromCRD returns the kind and the schemas of a CustomResourceDefinition, from its JSON. version is
// that of the objects in requests.
func FromCRD(text []byte, version string) (Config, error) {
	var crd struct {
		Spec struct {
			Group string `json:"group"`
			Names struct {
				Kind string `json:"kind"`
			} `json:"names"`
			Versions []struct {
				Name   string `json:"name"`
				Schema struct {
					OpenAPIV3Schema json.RawMessage `json:"openAPIV3Schema"`
				} `json:"schema"`
			} `json:"versions"`
		} `json:"spec"`
	}
	if err := json.Unmarshal(text, &crd); err != nil {
		return Config{}, fmt.Errorf("read CustomResourceDefinition: %w", err)
	}
	c := Config{
		Kind:    schema.GroupVersionKind{Group: crd.Spec.Group, Version: version, Kind: crd.Spec.Names.Kind},
		Schemas: map[string][]byte{},
	}
	for _, v := range crd.Spec.Versions {
		c.Schemas[v.Name] = v.Schema.OpenAPIV3Schema
	}
	return c, nil
}

// FromOpenAPI returns the kind, the schemas and the unions of the objects of an OpenAPI document, as
// JSON in version 2 or 3, such as that of an API server with generated definitions.
func FromOpenAPI(text []byte, kind schema.GroupVersionKind) (Config, error) {
	var document struct {
		Definitions map[string]json.RawMessage `json:"definitions"`
		Components  struct {
			Schemas map[string]json.RawMessage `json:"schemas"`
		} `json:"components"`
	}
	if err := json.Unmarshal(text, &document); err != nil {
		return Config{}, fmt.Errorf("read OpenAPI document: %w", err)
	}
	c := Config{Kind: kind, Schemas: map[string][]byte{}, Definitions: document.Definitions, EmptyKeys: true}
	if c.Definitions == nil {
		c.Definitions = document.Components.Schemas
	}
	for name, text := range c.Definitions {
		var d struct {
			Kinds []metav1.GroupVersionKind `json:"x-kubernetes-group-version-kind"`
		}
		if err := json.Unmarshal(text, &d); err != nil {
			return Config{}, fmt.Errorf("read the definition of %s: %w", name, err)
		}
		for _, k := range d.Kinds {
			if k.Group == kind.Group && k.Kind == kind.Kind {
				c.Schemas[k.Version] = []byte(fmt.Sprintf(`{"$ref": %q}`, "#/definitions/"+name))
			}
		}
	}
	definitions := map[string]any{}
	all, err := json.Marshal(c.Definitions)
	if err == nil {
		err = json.Unmarshal(all, &definitions)
	}
	if own := map[string]any{}; err == nil && c.Schemas[kind.Version] != nil {
		if err = json.Unmarshal(c.Schemas[kind.Version], &own); err == nil {
			c.Unions, err = published.Shape(own, definitions)
		}
	}
	return c, err
}

// metaName is the name of metadata's type.
const metaName = "ObjectMeta"

// metaSchema is the part of metadata's OpenAPI schema that decides how it is merged. A custom
// resource's schema does not have it.
const metaSchema = `{"type": "object", "properties": {
	"annotations": {"type": "object", "additionalProperties": {"type": "string"}},
	"creationTimestamp": {"type": "string"},
	"deletionGracePeriodSeconds": {"type": "integer"},
	"deletionTimestamp": {"type": "string"},
	"finalizers": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"},
	"generateName": {"type": "string"},
	"generation": {"type": "integer"},
	"labels": {"type": "object", "additionalProperties": {"type": "string"}},
	"managedFields": {"type": "array", "items": {"type": "object"}, "x-kubernetes-list-type": "atomic"},
	"name": {"type": "string"},
	"namespace": {"type": "string"},
	"ownerReferences": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["uid"], "items": {
		"type": "object", "x-kubernetes-map-type": "atomic", "properties": {
			"apiVersion": {"type": "string"}, "blockOwnerDeletion": {"type": "boolean"}, "controller": {"type": "boolean"},
			"kind": {"type": "string"}, "name": {"type": "string"}, "uid": {"type": "string"}}}},
	"resourceVersion": {"type": "string"},
	"selfLink": {"type": "string"},
	"uid": {"type": "string"}}}`

// typesOf returns the types of all versions.
func typesOf(c *Config) (managedfields.TypeConverter, error) {
	if c.Schemas[c.Kind.Version] == nil {
		return nil, fmt.Errorf("%s has no schema of version %q", c.Kind.GroupKind(), c.Kind.Version)
	}
	meta := &spec.Schema{}
	if err := json.Unmarshal([]byte(metaSchema), meta); err != nil {
		return nil, err
	}
	models := map[string]*spec.Schema{metaName: meta}
	for name, text := range c.Definitions {
		models[name] = &spec.Schema{}
		if err := json.Unmarshal(text, models[name]); err != nil {
			return nil, fmt.Errorf("read the definition of %s: %w", name, err)
		}
	}
	for version, text := range c.Schemas {
		s := &spec.Schema{}
		if err := json.Unmarshal(text, s); err != nil {
			return nil, fmt.Errorf("read the schema of version %s: %w", version, err)
		}
		if s.Ref.String() != "" {
			continue // a definition
		}
		embed(s)
		asResource(s)
		s.AddExtension("x-kubernetes-group-version-kind", []any{map[string]any{"group": c.Kind.Group, "version": version, "kind": c.Kind.Kind}})
		models["version/"+version] = s
	}
	return managedfields.NewTypeConverter(models, false)
}

// embed gives the objects in a value that are complete resources their type and metadata.
func embed(s *spec.Schema) {
	if s == nil {
		return
	}
	for name, p := range s.Properties {
		embed(&p)
		s.Properties[name] = p
	}
	if s.Items != nil {
		embed(s.Items.Schema)
	}
	if s.AdditionalProperties != nil {
		embed(s.AdditionalProperties.Schema)
	}
	if embedded, _ := s.Extensions.GetBool("x-kubernetes-embedded-resource"); embedded {
		asResource(s)
	}
}

func asResource(s *spec.Schema) {
	s.SetProperty("apiVersion", *spec.StringProperty())
	s.SetProperty("kind", *spec.StringProperty())
	s.SetProperty("metadata", *spec.RefSchema("#/" + metaName))
}

// converter converts objects for the managed fields of other versions.
type converter struct{ *Config }

func (c converter) ConvertToVersion(in runtime.Object, target runtime.GroupVersioner) (runtime.Object, error) {
	to, known := target.KindForGroupVersionKinds([]schema.GroupVersionKind{c.Kind})
	object, ok := in.(*unstructured.Unstructured)
	if !ok || !known {
		return nil, fmt.Errorf("cannot convert %T to %v", in, target)
	}
	switch {
	case object.GroupVersionKind() == to:
		return in, nil
	case c.Schemas[to.Version] == nil:
		return nil, runtime.NewNotRegisteredErrForKind("the versions of "+c.Kind.Kind, to)
	case c.Config.Convert != nil:
		return c.Config.Convert(object.DeepCopy(), to.GroupVersion())
	}
	out := object.DeepCopy()
	out.SetGroupVersionKind(to)
	return out, nil
}

// Convert is not called.
func (converter) Convert(in, _, _ any) error { return fmt.Errorf("cannot convert %T in place", in) }

// ConvertFieldLabel is not called.
func (converter) ConvertFieldLabel(_ schema.GroupVersionKind, label, _ string) (string, string, error) {
	return "", "", fmt.Errorf("the field label %q is not supported", label)
}

// maker makes empty objects.
type maker struct{}

func (maker) New(kind schema.GroupVersionKind) (runtime.Object, error) { return empty(kind), nil }

// nothing sets no defaults: they are set after fields are tracked, in merged and unchanged objects.
type nothing struct{}

func (nothing) Default(runtime.Object) {}
