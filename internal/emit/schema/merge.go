package schema

import (
	"reflect"
	"slices"
)

// merge adds to dst what src says: both hold afterwards. It is how the markers
// of a field come on top of those of its type, and how an inlined struct
// becomes part of the one around it. Keywords that differ go to allOf, one
// entry for each side, as controller-gen writes them. src must not be used
// afterwards.
func merge(dst, src *props) {
	describe(dst, src)
	var before, after props
	conflict := false
	d, s := reflect.ValueOf(dst).Elem(), reflect.ValueOf(src).Elem()
	for i := range s.NumField() {
		to, from := d.Field(i), s.Field(i)
		switch {
		case from.IsZero():
		case mergeKeyword(d.Type().Field(i).Name, dst, src):
		case to.IsZero():
			to.Set(from)
		case reflect.DeepEqual(to.Interface(), from.Interface()):
		default:
			conflict = true
			reflect.ValueOf(&before).Elem().Field(i).Set(to)
			reflect.ValueOf(&after).Elem().Field(i).Set(from)
			to.SetZero()
		}
	}
	if conflict {
		dst.AllOf = append(dst.AllOf, before, after)
	}
}

// describe takes over what is there for people: the closer to the use, the better.
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

// mergeKeyword merges one keyword whose values can be combined, or of which the
// closer one counts. It reports whether it did.
func mergeKeyword(keyword string, dst, src *props) bool {
	switch keyword {
	case "Description", "Title", "ExternalDocs", "Example":
		// Settled by describe; a description belongs to what it was written on.
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
				merge(&old, &p)
				p = old
			}
			dst.Properties[name] = p
		}
	case "Items":
		if dst.Items == nil || dst.Items.Schema == nil || src.Items.Schema == nil {
			return false
		}
		merge(dst.Items.Schema, src.Items.Schema)
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

// keywords returns a copy of a schema's own keywords, without the schemas in it.
func keywords(s *props) *props {
	own := *s
	own.Properties, own.Items, own.AdditionalProperties = nil, nil, nil
	own.AllOf, own.AnyOf, own.OneOf, own.Not = nil, nil, nil, nil
	own.XValidations, own.Required = nil, nil
	return own.DeepCopy()
}

// tighten keeps the stricter of what a schema said before a tag was applied
// and what it says now: tags add up along a chain of types, and none takes
// back what another demands.
func tighten(before, s *props) {
	lower(&s.MaxLength, before.MaxLength)
	lower(&s.MaxItems, before.MaxItems)
	lower(&s.MaxProperties, before.MaxProperties)
	higher(&s.MinLength, before.MinLength)
	higher(&s.MinItems, before.MinItems)
	higher(&s.MinProperties, before.MinProperties)
	if old := before.Maximum; old != nil && s.Maximum != nil {
		switch {
		case *old < *s.Maximum:
			s.Maximum, s.ExclusiveMaximum = old, before.ExclusiveMaximum
		case *old == *s.Maximum:
			s.ExclusiveMaximum = s.ExclusiveMaximum || before.ExclusiveMaximum
		}
	}
	if old := before.Minimum; old != nil && s.Minimum != nil {
		switch {
		case *old > *s.Minimum:
			s.Minimum, s.ExclusiveMinimum = old, before.ExclusiveMinimum
		case *old == *s.Minimum:
			s.ExclusiveMinimum = s.ExclusiveMinimum || before.ExclusiveMinimum
		}
	}
	var also props
	if before.Pattern != "" && before.Pattern != s.Pattern {
		also.Pattern = before.Pattern
	}
	if before.Format != "" && before.Format != s.Format && s.Type == typeString {
		also.Format = before.Format
	}
	if len(before.Enum) > 0 && !reflect.DeepEqual(before.Enum, s.Enum) {
		also.Enum = before.Enum
	}
	if !reflect.ValueOf(also).IsZero() {
		s.AllOf = append(s.AllOf, also)
	}
}

func lower(now **int64, before *int64) {
	if before != nil && (*now == nil || *before < **now) {
		*now = before
	}
}

func higher(now **int64, before *int64) {
	if before != nil && (*now == nil || *before > **now) {
		*now = before
	}
}
