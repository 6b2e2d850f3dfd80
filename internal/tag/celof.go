package tag

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// CELOf returns a CEL expression over x that holds where x satisfies a schema,
// its rules included; "" when the schema says nothing. Map keys have no schema
// of their own, and a schema has no conditions: what holds for these is said
// like this.
func CELOf(props *apiextensionsv1.JSONSchemaProps, x string) string {
	return strings.Join(celOf(props, x, 1), " && ")
}

func celOf(props *apiextensionsv1.JSONSchemaProps, x string, depth int) []string {
	parts := slices.Concat(celOfString(props, x), celOfNumber(props, x), celOfSize(props, x))
	if len(props.Enum) > 0 {
		parts = append(parts, x+" in ["+strings.Join(celValues(props.Enum), ", ")+"]")
	}
	for _, rule := range props.XValidations {
		parts = append(parts, "("+replaceVariable(rule.Rule, "self", x)+")")
	}
	for _, sub := range props.AllOf {
		parts = append(parts, celOf(&sub, x, depth)...)
	}
	return append(parts, celOfParts(props, x, depth)...)
}

func celOfString(props *apiextensionsv1.JSONSchemaProps, x string) (parts []string) {
	if props.MinLength != nil {
		parts = append(parts, fmt.Sprintf("size(%s) >= %d", x, *props.MinLength))
	}
	if props.MaxLength != nil {
		parts = append(parts, fmt.Sprintf("size(%s) <= %d", x, *props.MaxLength))
	}
	if props.Pattern != "" {
		parts = append(parts, x+".matches("+CELString(props.Pattern)+")")
	}
	if f := celFormat(props.Format); f != "" {
		parts = append(parts, "!format."+f+"().validate("+x+").hasValue()")
	}
	return parts
}

func celOfNumber(props *apiextensionsv1.JSONSchemaProps, x string) (parts []string) {
	number := func(v float64) string {
		s := strconv.FormatFloat(v, 'f', -1, 64)
		if props.Type == "number" && !strings.Contains(s, ".") {
			s += ".0"
		}
		return s
	}
	operator := func(exclusive bool, sign string) string {
		if exclusive {
			return " " + sign + " "
		}
		return " " + sign + "= "
	}
	if props.Minimum != nil {
		parts = append(parts, x+operator(props.ExclusiveMinimum, ">")+number(*props.Minimum))
	}
	if props.Maximum != nil {
		parts = append(parts, x+operator(props.ExclusiveMaximum, "<")+number(*props.Maximum))
	}
	if props.MultipleOf != nil {
		parts = append(parts, x+" % "+number(*props.MultipleOf)+" == 0")
	}
	return parts
}

func celOfSize(props *apiextensionsv1.JSONSchemaProps, x string) (parts []string) {
	for _, least := range []*int64{props.MinItems, props.MinProperties} {
		if least != nil {
			parts = append(parts, fmt.Sprintf("size(%s) >= %d", x, *least))
		}
	}
	for _, most := range []*int64{props.MaxItems, props.MaxProperties} {
		if most != nil {
			parts = append(parts, fmt.Sprintf("size(%s) <= %d", x, *most))
		}
	}
	return parts
}

// celOfParts says what holds for what is inside of a value.
func celOfParts(props *apiextensionsv1.JSONSchemaProps, x string, depth int) (parts []string) {
	variable := "i"
	if depth > 1 {
		variable += strconv.Itoa(depth)
	}
	all := func(inner *apiextensionsv1.JSONSchemaProps, value string) {
		if exprs := celOf(inner, value, depth+1); len(exprs) > 0 {
			parts = append(parts, x+".all("+variable+", "+strings.Join(exprs, " && ")+")")
		}
	}
	if props.Items != nil && props.Items.Schema != nil {
		all(props.Items.Schema, variable)
	}
	if props.AdditionalProperties != nil && props.AdditionalProperties.Schema != nil {
		all(props.AdditionalProperties.Schema, x+"["+variable+"]")
	}
	for _, name := range slices.Sorted(slices.Values(props.Required)) {
		parts = append(parts, "has("+x+"."+CELName(name)+")")
	}
	for _, name := range slices.Sorted(maps.Keys(props.Properties)) {
		p := props.Properties[name]
		at := x + "." + CELName(name)
		if exprs := celOf(&p, at, depth); len(exprs) > 0 {
			parts = append(parts, "(!has("+at+") || ("+strings.Join(exprs, " && ")+"))")
		}
	}
	return parts
}

func celValues(list []apiextensionsv1.JSON) []string {
	values := make([]string, len(list))
	for i, v := range list {
		var s string
		if json.Unmarshal(v.Raw, &s) == nil {
			values[i] = CELString(s)
		} else {
			values[i] = string(v.Raw)
		}
	}
	return values
}
