package tag

import (
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/kindsmith/kindsmith/internal/model"
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
	// Projection says which rules under conditions the schema has.
	Projection Projection
}

// Projection is what is known of the API server that a schema is for.
type Projection struct {
	// Options are those that are on there; all others are off.
	Options []string
	// Level is the least stable level of rules that it enforces; "" is Beta.
	Level Stability
}

// Holds reports whether rules under all of the given conditions hold. When they
// do not, the reason says which flag would make them; it is empty where it is
// right that the schema has nothing of the rules.
func (p Projection) Holds(under ...*model.Constraint) (holds bool, reason string) {
	for _, c := range under {
		if o, ok := options[c.Name]; ok {
			switch name := c.ArgText(""); {
			case slices.Contains(p.Options, name) == o.on:
			case o.on:
				return false, "option " + name + " is not among those of --enable-options"
			default:
				return false, ""
			}
		}
		if c.Name == "k8s:alpha" && p.Level != Alpha || c.Name == "k8s:beta" && p.Level == Stable {
			return false, c.ShortName() + " rules are published with --level " + c.ShortName()
		}
	}
	return true, ""
}

// Inside returns the schema of a part of the value, without a struct around it.
func (s *Schema) Inside(props *apiextensionsv1.JSONSchemaProps, correlatable bool) *Schema {
	return &Schema{Props: props, Correlatable: correlatable, Unprojectable: s.Unprojectable, Projection: s.Projection}
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
