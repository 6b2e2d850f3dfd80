package kubebuilder

import (
	gojson "encoding/json"
	"fmt"
	"strconv"
	"strings"

	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"

	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
)

// keywords returns what the markers on a type or a field set as keywords of the schema, as predicates on the value
// and on the items of a list. Only published schemas have these rules: generated Go does not. Rules in CEL are
// those of [Rules].
func keywords(list []model.Marker, onField bool) (own, items []rule.Rule) {
	exclusive := map[string]bool{}
	for _, m := range list {
		if b, ok := exclusiveOf(m, onField); ok {
			exclusive[m.Name] = b
		}
	}
	for _, m := range list {
		must := keyword(m, onField, exclusive)
		if must == nil {
			continue
		}
		r := rule.Rule{Tag: m.Name, Text: "+" + foreign.WithoutComment(m.Text), Span: m.Span, Must: must}
		if strings.HasPrefix(m.Name, foreign.KubebuilderItems) {
			items = append(items, r)
		} else {
			own = append(own, r)
		}
	}
	return own, items
}

// Example returns the value of a marker with an example of a field, as JSON.
func Example(m model.Marker) (json string, ok bool) {
	parsed, err := parse(m, true)
	if err != nil {
		return "", false
	}
	e, ok := parsed.(crdmarkers.Example)
	if !ok {
		return "", false
	}
	text, err := gojson.Marshal(e.Value)
	return string(text), err == nil
}

func exclusiveOf(m model.Marker, onField bool) (exclusive, ok bool) {
	parsed, _ := parse(m, onField)
	switch b := parsed.(type) {
	case crdmarkers.ExclusiveMinimum:
		return bool(b), true
	case crdmarkers.ExclusiveMaximum:
		return bool(b), true
	}
	return false, false
}

// keyword returns the predicate of a marker; nil for a marker without one. exclusive has the bounds that markers
// make exclusive, by name.
func keyword(m model.Marker, onField bool, exclusive map[string]bool) rule.Predicate {
	parsed, err := parse(m, onField)
	if err != nil {
		return nil
	}
	prefix := foreign.KubebuilderValidation
	if strings.HasPrefix(m.Name, foreign.KubebuilderItems) {
		prefix = foreign.KubebuilderItems
	}
	size := func(k rule.Keyword, n int) rule.Predicate { return &rule.Limit{Keyword: k, Value: strconv.Itoa(n)} }
	bound := func(k rule.Keyword, f float64) rule.Predicate {
		return &rule.Limit{Keyword: k, Value: strconv.FormatFloat(f, 'f', -1, 64)}
	}
	switch v := parsed.(type) {
	case crdmarkers.MinLength:
		return size(rule.MinLength, int(v))
	case crdmarkers.MaxLength:
		return size(rule.MaxLength, int(v))
	case crdmarkers.MinItems:
		return size(rule.MinItems, int(v))
	case crdmarkers.MaxItems:
		return size(rule.MaxItems, int(v))
	case crdmarkers.MinProperties:
		return size(rule.MinProperties, int(v))
	case crdmarkers.MaxProperties:
		return size(rule.MaxProperties, int(v))
	case crdmarkers.Minimum:
		if exclusive[prefix+"ExclusiveMinimum"] {
			return bound(rule.ExclusiveMinimum, float64(v))
		}
		return bound(rule.Minimum, float64(v))
	case crdmarkers.Maximum:
		if exclusive[prefix+"ExclusiveMaximum"] {
			return bound(rule.ExclusiveMaximum, float64(v))
		}
		return bound(rule.Maximum, float64(v))
	case crdmarkers.MultipleOf:
		return bound(rule.MultipleOf, float64(v))
	case crdmarkers.Pattern:
		return &rule.Pattern{Regexp: string(v)}
	case crdmarkers.UniqueItems:
		if v {
			return &rule.Unique{By: rule.Set}
		}
	case crdmarkers.Enum:
		e := &rule.Enum{}
		for _, value := range v {
			e.Values = append(e.Values, rule.EnumValue{Value: fmt.Sprint(value)})
		}
		return e
	}
	return nil
}
