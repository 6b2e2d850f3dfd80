package tag

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/kindsmith/kindsmith/internal/model"
)

// When applies tags to the schema under a CEL condition on the value. They are
// applied to a copy that says nothing yet, and what it says then is written as
// rules with the condition before them. Keywords get the message.
func (s *Schema) When(condition, message string, apply func(scratch *Schema)) {
	copied := bare(s.Props)
	scratch := s.Inside(copied, s.Correlatable)
	apply(scratch)
	w := &whenWriter{s: s, condition: condition, message: message}
	w.walk(copied, "self", nil)
}

// bare copies the structure of a schema, without what it says of values.
func bare(props *apiextensionsv1.JSONSchemaProps) *apiextensionsv1.JSONSchemaProps {
	out := &apiextensionsv1.JSONSchemaProps{
		Type: props.Type, XListType: props.XListType, XListMapKeys: props.XListMapKeys, XMapType: props.XMapType,
		XIntOrString: props.XIntOrString,
	}
	for name, p := range props.Properties {
		if out.Properties == nil {
			out.Properties = map[string]apiextensionsv1.JSONSchemaProps{}
		}
		out.Properties[name] = *bare(&p)
	}
	if props.Items != nil && props.Items.Schema != nil {
		out.Items = &apiextensionsv1.JSONSchemaPropsOrArray{Schema: bare(props.Items.Schema)}
	}
	if props.AdditionalProperties != nil && props.AdditionalProperties.Schema != nil {
		out.AdditionalProperties = &apiextensionsv1.JSONSchemaPropsOrBool{Allows: true, Schema: bare(props.AdditionalProperties.Schema)}
	}
	return out
}

// whenWriter writes what a schema says as rules on another.
type whenWriter struct {
	s                  *Schema
	condition, message string
}

// walk writes what a schema and those of its properties say of x, which is at
// the path.
func (w *whenWriter) walk(props *apiextensionsv1.JSONSchemaProps, x string, path []string) {
	guard := ""
	if len(path) > 0 {
		guard = "!has(" + x + ") || "
	}
	said := *props
	said.XValidations, said.Required, said.Properties = nil, nil, nil // each has its own rule
	if usesOld(&said) {
		w.s.Unprojectable("old values below a list cannot be compared under a condition")
	} else if expr := CELOf(&said, x); expr != "" {
		w.add(guard+"("+expr+")", apiextensionsv1.ValidationRule{Message: w.message}, path, x)
	}
	for _, r := range props.XValidations {
		rule := replaceVariable(r.Rule, "self", x)
		before := guard
		if old := "oldSelf" + strings.TrimPrefix(x, "self"); old != "oldSelf" && usesVariable(r.Rule, "oldSelf") {
			rule = replaceVariable(rule, "oldSelf", old)
			before += "!has(" + old + ") || "
		}
		w.add(before+"("+rule+")", r, path, x)
	}
	for _, name := range slices.Sorted(slices.Values(props.Required)) {
		reason := ReasonRequired
		w.add(guard+"has("+x+"."+CELName(name)+")", apiextensionsv1.ValidationRule{Message: "Required value", Reason: &reason}, append(slices.Clone(path), name), x)
	}
	for _, name := range slices.Sorted(maps.Keys(props.Properties)) {
		p := props.Properties[name]
		w.walk(&p, x+"."+CELName(name), append(slices.Clone(path), name))
	}
}

// usesOld reports whether a rule at any depth of a schema speaks of old values.
func usesOld(props *apiextensionsv1.JSONSchemaProps) bool {
	for _, r := range props.XValidations {
		if usesVariable(r.Rule, "oldSelf") {
			return true
		}
	}
	for _, p := range props.Properties {
		if usesOld(&p) {
			return true
		}
	}
	return props.Items != nil && props.Items.Schema != nil && usesOld(props.Items.Schema) ||
		props.AdditionalProperties != nil && props.AdditionalProperties.Schema != nil && usesOld(props.AdditionalProperties.Schema)
}

// add writes one rule, with the condition, and the has() of the structs on the
// way to x.
func (w *whenWriter) add(expr string, rule apiextensionsv1.ValidationRule, path []string, x string) {
	parts := strings.Split(x, ".")
	for i := len(parts) - 1; i > 1; i-- {
		expr = "!has(" + strings.Join(parts[:i], ".") + ") || " + expr
	}
	rule.Rule = "!(" + w.condition + ") || " + expr
	var at strings.Builder
	for _, name := range path {
		at.WriteString(FieldPath(name))
	}
	rule.FieldPath = at.String() + rule.FieldPath
	w.s.Rule(rule)
}

// CELHasKeys says that a list item has certain keys. CEL has no name for some
// integers that a key can be, and the reason is given for those.
func CELHasKeys(m *model.Model, item string, keys []KeyValue) (expr, reason string) {
	parts := make([]string, len(keys))
	for i, k := range keys {
		x := item + "." + CELName(k.Field.JSON)
		if k.Constant.Kind == model.IntValue && !InRange(k.Constant.Text, strconv.Itoa(math.MinInt64), strconv.Itoa(math.MaxInt64)) {
			return "", "key " + k.Field.JSON + " is more than an integer of CEL can be"
		}
		parts[i] = x + " == " + CELConstant(k.Constant)
		if k.Field.OmitEmpty || k.Field.OmitZero {
			parts[i] = "has(" + x + ") && " + parts[i]
		}
	}
	return strings.Join(parts, " && "), ""
}
