package tag

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// Schema is a published schema that tags are applied to.
type Schema struct {
	// Props is the schema of the value.
	Props *apiextensionsv1.JSONSchemaProps
	// Parent is the schema of the struct around a field; nil elsewhere.
	Parent *apiextensionsv1.JSONSchemaProps
	// Correlatable is set where the server pairs old and new values, so that
	// rules may speak of oldSelf.
	Correlatable bool
	// Unprojectable collects what could not be said in the schema, with the reason.
	Unprojectable func(reason string)
}

// Require lists the field as required on the struct around it.
func (s *Schema) Require(name string) {
	if s.Parent == nil {
		return
	}
	for _, r := range s.Parent.Required {
		if r == name {
			return
		}
	}
	s.Parent.Required = append(s.Parent.Required, name)
}

// Rule adds a CEL rule on the value. An equal rule is added once.
func (s *Schema) Rule(rule apiextensionsv1.ValidationRule) { addRule(s.Props, rule) }

// ParentRule adds a CEL rule on the struct around the field. An equal rule is
// added once.
func (s *Schema) ParentRule(rule apiextensionsv1.ValidationRule) {
	if s.Parent != nil {
		addRule(s.Parent, rule)
	}
}

func addRule(props *apiextensionsv1.JSONSchemaProps, rule apiextensionsv1.ValidationRule) {
	for _, r := range props.XValidations {
		if r.Rule == rule.Rule {
			return
		}
	}
	props.XValidations = append(props.XValidations, rule)
}
