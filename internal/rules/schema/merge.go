package schema

import (
	"math/big"
	"reflect"
	"slices"

	"github.com/kindsmith/kindsmith/internal/rules/rule"
)

// merge adds the keywords of src to dst, so that both apply: those of a field's markers to those of
// its type, and those of an inlined struct to the enclosing one. Like controller-gen, it adds
// keywords that differ to allOf, one entry for each side; tight bounds are merged instead. src must
// not be used afterwards.
func merge(dst, src *props, options Options) {
	describe(dst, src)
	var before, after props
	conflict := false
	d, s := reflect.ValueOf(dst).Elem(), reflect.ValueOf(src).Elem()
	for i := range s.NumField() {
		to, from := d.Field(i), s.Field(i)
		switch {
		case from.IsZero():
		case mergeKeyword(d.Type().Field(i).Name, dst, src, options), options.TightBounds && tighten(d.Type().Field(i).Name, dst, src):
		case to.IsZero():
			to.Set(from)
		case reflect.DeepEqual(to.Interface(), from.Interface()):
		default:
			conflict = true
			reflect.ValueOf(&before).Elem().Field(i).Set(to)
			reflect.ValueOf(&after).Elem().Field(i).Set(from)
			to.SetZero()
			switch d.Type().Field(i).Name { // which an exclusive bound belongs to
			case "Maximum":
				before.ExclusiveMaximum, after.ExclusiveMaximum = dst.ExclusiveMaximum, src.ExclusiveMaximum
				dst.ExclusiveMaximum, src.ExclusiveMaximum = false, false
			case "Minimum":
				before.ExclusiveMinimum, after.ExclusiveMinimum = dst.ExclusiveMinimum, src.ExclusiveMinimum
				dst.ExclusiveMinimum, src.ExclusiveMinimum = false, false
			}
		}
	}
	if conflict {
		dst.AllOf = append(dst.AllOf, before, after)
	}
}

// describe merges documentation; that of the use takes precedence.
func describe(dst, src *props) {
	if src.Title != "" {
		dst.Title = src.Title
	}
	if src.ExternalDocs != nil {
		dst.ExternalDocs = src.ExternalDocs
	}
	if src.Example != nil {
		dst.Example = src.Example
	}
}

// mergeKeyword merges one keyword, if the values can be combined or that of the use takes
// precedence. It reports whether it did.
func mergeKeyword(keyword string, dst, src *props, options Options) bool {
	switch keyword {
	case "Description", "Title", "ExternalDocs", "Example":
		// See describe; descriptions are not merged.
	case "Type":
		dst.Type = src.Type
	case "AllOf":
		dst.AllOf = append(dst.AllOf, src.AllOf...)
	case "XValidations":
		dst.XValidations = append(src.XValidations, dst.XValidations...)
	case "Required":
		dst.Required = append(dst.Required, src.Required...)
		slices.Sort(dst.Required)
		dst.Required = slices.Compact(dst.Required)
	case "Properties":
		if dst.Properties == nil {
			dst.Properties = map[string]props{}
		}
		for name, p := range src.Properties {
			if old, ok := dst.Properties[name]; ok {
				merge(&old, &p, options)
				p = old
			}
			dst.Properties[name] = p
		}
	case "Enum":
		// Controller-gen drops the second list.
		return options.ControllerGen && len(dst.Enum) > 0
	case "Items":
		if dst.Items == nil || dst.Items.Schema == nil || src.Items.Schema == nil {
			return false
		}
		merge(dst.Items.Schema, src.Items.Schema, options)
	case "Default":
		dst.Default = src.Default
	case "XListType":
		dst.XListType = src.XListType
	case "XMapType":
		dst.XMapType = src.XMapType
	case "XListMapKeys":
		dst.XListMapKeys = src.XListMapKeys
	default:
		return false
	}
	return true
}

// tighten merges a bound that is set in src: the stricter one remains. It reports whether it did.
func tighten(keyword string, dst, src *props) bool {
	switch keyword {
	case "Maximum":
		bound(dst, rule.Comparison{Exclusive: src.ExclusiveMaximum}, *src.Maximum)
	case "Minimum":
		bound(dst, rule.Comparison{Lower: true, Exclusive: src.ExclusiveMinimum}, *src.Minimum)
	case "ExclusiveMaximum", "ExclusiveMinimum": // with the bound
	case "MaxLength":
		lower(&dst.MaxLength, src.MaxLength)
	case "MaxItems":
		lower(&dst.MaxItems, src.MaxItems)
	case "MaxProperties":
		lower(&dst.MaxProperties, src.MaxProperties)
	case "MinLength":
		higher(&dst.MinLength, src.MinLength)
	case "MinItems":
		higher(&dst.MinItems, src.MinItems)
	case "MinProperties":
		higher(&dst.MinProperties, src.MinProperties)
	case "MultipleOf":
		n, accuracy := big.NewFloat(*src.MultipleOf).Int(nil)
		if accuracy != big.Exact || n.Sign() <= 0 {
			return false
		}
		dst.MultipleOf = multipleOfBoth(dst, n)
	default:
		return false
	}
	return true
}

// lower sets an upper bound, unless there is a stricter one.
func lower(now **int64, before *int64) {
	if before != nil && (*now == nil || *before < **now) {
		*now = before
	}
}

// higher sets a lower bound, unless there is a stricter one.
func higher(now **int64, before *int64) {
	if before != nil && (*now == nil || *before > **now) {
		*now = before
	}
}
