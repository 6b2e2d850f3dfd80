package schema

import (
	"github.com/kindsmith/kindsmith/internal/core/model"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

const (
	metaV1  = "k8s.io/apimachinery/pkg/apis/meta/v1"
	runtime = "k8s.io/apimachinery/pkg/runtime"

	quantityPattern = `^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$`
)

// ObjectMeta is the name of the type of metadata.
var ObjectMeta = model.Name{Package: metaV1, Name: "ObjectMeta"}

// Known returns the schema of a type whose JSON differs from its fields without markers that
// describe it; nil for other types.
func Known(name model.Name) *props {
	switch name {
	case model.Name{Package: metaV1, Name: "Time"}, model.Name{Package: metaV1, Name: "MicroTime"}, model.Name{Package: "time", Name: "Time"}:
		return &props{Type: String, Format: "date-time"}
	case model.Name{Package: metaV1, Name: "Duration"}:
		return &props{Type: String}
	case model.Name{Package: metaV1, Name: "Fields"}, model.Name{Package: metaV1, Name: "FieldsV1"}:
		return &props{Type: Object, AdditionalProperties: &apiextensionsv1.JSONSchemaPropsOrBool{Allows: true}}
	case ObjectMeta:
		return embeddedObjectMeta()
	case model.Name{Package: metaV1 + "/unstructured", Name: "Unstructured"}:
		return &props{Type: Object}
	case model.Name{Package: runtime, Name: "RawExtension"}:
		yes := true
		return &props{Type: Object, XPreserveUnknownFields: &yes}
	case model.Name{Package: "k8s.io/apimachinery/pkg/api/resource", Name: "Quantity"}:
		return intOrString(quantityPattern)
	case model.Name{Package: "k8s.io/apimachinery/pkg/util/intstr", Name: "IntOrString"}:
		return intOrString("")
	case model.Name{Package: "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1", Name: "JSON"},
		model.Name{Package: "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1", Name: "JSON"},
		model.Name{Package: "encoding/json", Name: "RawMessage"}:
		return anything()
	}
	return nil
}

func intOrString(pattern string) *props {
	return &props{
		XIntOrString: true,
		AnyOf:        []props{{Type: Integer}, {Type: String}},
		Pattern:      pattern,
	}
}

// embeddedObjectMeta is the schema of the metadata of a template in an object. The server would
// prune all fields of a bare object.
func embeddedObjectMeta() *props {
	text := func() *props { return &props{Type: String} }
	texts := props{Type: Object, AdditionalProperties: &apiextensionsv1.JSONSchemaPropsOrBool{Allows: true, Schema: text()}}
	return &props{
		Type: Object,
		Properties: map[string]props{
			"annotations": texts,
			"finalizers":  {Type: Array, Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: text()}},
			"labels":      *texts.DeepCopy(),
			"name":        *text(),
			"namespace":   *text(),
		},
	}
}
