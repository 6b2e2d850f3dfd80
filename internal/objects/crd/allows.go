package crd

import (
	"context"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	kjson "sigs.k8s.io/json"
)

// Allows reports whether a schema by itself accepts a new value, given as JSON. A schema that API servers refuse
// accepts none.
func Allows(schema *apiextensionsv1.JSONSchemaProps, text []byte) bool {
	// The type of integers matters to CEL.
	var value any
	if err := kjson.UnmarshalCaseSensitivePreserveInts(text, &value); err != nil {
		return false
	}
	props := apiextensions.JSONSchemaProps{}
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(schema, &props, nil); err != nil {
		return false
	}
	keywords, _, err := validation.NewSchemaValidator(&props)
	if err != nil || len(validation.ValidateCustomResource(nil, value, keywords)) > 0 {
		return false
	}
	structural, err := structuralschema.NewStructural(&props)
	if err != nil {
		return false
	}
	rules := cel.NewValidator(structural, false, celconfig.PerCallLimit)
	if rules == nil {
		return true
	}
	broken, _ := rules.Validate(context.Background(), nil, structural, value, nil, celconfig.RuntimeCELCostBudget)
	return len(broken) == 0
}
