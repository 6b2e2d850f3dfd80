package schema

import (
	"slices"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/source"
)

// place is the source of a path into a schema.
type place struct {
	// schema is the schema at the place.
	schema *props
	// owner and field are the field whose value it is, or whose list's or map's
	// element; field is nil for the object itself.
	owner *model.Type
	field *model.Field
	// value is the type of the value.
	value *model.Ref
	// element is set for a list item or a map value of the field.
	element bool
	// keyword and rest are the path below the schema.
	keyword string
	rest    []step
	// above are the enclosing places, outermost first.
	above []place
}

// locate returns the source of a path in the schema of a type.
func (b *builder) locate(t *model.Type, root *props, path []step) place {
	return b.locateFrom(place{schema: root, owner: t, value: model.Named(t.Package, t.Name)}, path)
}

// locateFrom continues a path from a place.
func (b *builder) locateFrom(at place, path []step) place {
	for {
		inner, taken := descend(at.schema, path)
		if taken == 0 {
			break
		}
		next := place{schema: inner, owner: at.owner, field: at.field, element: true, above: append(slices.Clone(at.above), at)}
		switch {
		case at.value == nil: // inside of a type whose fields are not in the model
		case path[0].name == "properties":
			if s := b.model.Struct(at.value); s != nil {
				if owner, f := b.model.FieldByJSON(s, path[1].name); f != nil {
					next.owner, next.field, next.element, next.value = owner, f, false, b.bound(at.value, f.Type)
				}
			}
		default:
			elem, _ := b.model.Deref(at.value)
			next.value = b.bound(at.value, b.model.Underlying(elem).Elem)
		}
		at, path = next, path[taken:]
	}
	if len(path) > 0 {
		at.keyword, at.rest = path[0].name, path[1:]
	}
	return at
}

// bound replaces the type parameters in a part of a type by that type's arguments.
func (b *builder) bound(whole, part *model.Ref) *model.Ref {
	whole, _ = b.model.Deref(whole)
	return part.Substitute(b.model.Params(whole))
}

// span returns the smallest text that sets the place's keyword.
func (b *builder) span(at place) source.Span {
	if at.keyword == "x-kubernetes-validations" && len(at.rest) > 0 {
		if i, err := strconv.Atoi(at.rest[0].name); err == nil && i < len(at.schema.XValidations) {
			if span, ok := b.ruleSpan(at, at.schema.XValidations[i].Rule); ok {
				return span
			}
		}
	}
	if at.keyword == "default" && at.field != nil && at.field.Default != nil {
		return at.field.Default.Span
	}
	sources := b.sources(at)
	for _, keyword := range []string{keywordName(at.keyword), "listtype"} {
		for _, s := range sources {
			if s.keyword == keyword && (keyword != "listtype" || strings.HasPrefix(at.keyword, "x-kubernetes-")) {
				return s.span
			}
		}
	}
	if at.field != nil {
		return at.field.Span
	}
	return at.owner.Span
}

// ruleSpan returns the tag or marker of a rule. If several have the same rule, it prefers one at
// the place.
func (b *builder) ruleSpan(at place, rule string) (source.Span, bool) {
	candidates := b.rules[rule]
	for _, s := range b.sources(at) {
		if slices.Contains(candidates, s.span) {
			return s.span, true
		}
	}
	if len(candidates) == 0 {
		return source.Span{}, false
	}
	return candidates[0], true
}

// keywordSource is a tag or marker with its schema keyword.
type keywordSource struct {
	keyword string
	span    source.Span
	// field is the field with the tag; nil on a type.
	field *model.Field
}

// sources returns the tags and markers that affect a place: those of the field, of its types and
// their inlined structs, and of the fields of a struct, which may set rules on the struct.
func (b *builder) sources(at place) []keywordSource {
	var list []keywordSource
	add := func(f *model.Field, markers []model.Marker, tags []*model.Tag) {
		for _, c := range tags {
			for inner := c; inner != nil; inner = inner.Inner {
				list = append(list, keywordSource{strings.ToLower(inner.ShortName()), c.Span, f})
			}
		}
		for _, m := range markers {
			list = append(list, keywordSource{markerKeyword(m.Name), m.Span, f})
		}
	}
	if at.field != nil {
		add(at.field, at.field.Markers, at.field.Tags)
	}
	if at.value == nil {
		return list
	}
	value, _ := b.model.Deref(at.value)
	_, chain := b.model.Resolve(value)
	var addType func(t *model.Type, depth int)
	addType = func(t *model.Type, depth int) {
		add(nil, t.Markers, t.Tags)
		for _, f := range t.Fields {
			add(f, nil, f.Tags)
			if inner := b.model.Struct(f.Type); f.Inline && inner != nil && depth < 8 {
				addType(inner, depth+1)
			}
		}
	}
	for _, t := range chain {
		addType(t, 0)
	}
	return list
}

// keywordName returns the name of a schema keyword in tags and markers, in lower case: "listmapkey"
// for x-kubernetes-list-map-keys.
func keywordName(keyword string) string {
	name := strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(keyword, "x-kubernetes-"), "-", ""))
	if name == "listmapkeys" {
		return "listmapkey"
	}
	return name
}

// markerKeyword returns the last significant part of a marker's name:
// "maximum" of kubebuilder:validation:Maximum.
func markerKeyword(name string) string {
	parts := strings.Split(strings.ToLower(name), ":")
	if len(parts) > 3 {
		return parts[2]
	}
	return parts[len(parts)-1]
}
