package schema

import (
	"slices"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
)

// Place is the source of a path into a schema.
type Place struct {
	// schema is the schema at the place.
	Schema *props
	// owner and field are the field whose value it is, or whose list's or map's
	// element; field is nil for the object itself.
	Owner *model.Type
	Field *model.Field
	// value is the type of the value.
	Value *model.Ref
	// element is set for a list item or a map value of the field.
	Element bool
	// keyword and rest are the path below the schema.
	Keyword string
	Rest    []Step
	// above are the enclosing places, outermost first.
	Above []Place
}

// What names the declaration of a place.
func (p Place) What() string {
	switch {
	case p.Field == nil:
		return "the type " + p.Owner.Name
	case p.Element:
		return "the elements of the field " + p.Owner.Name + "." + p.Field.Name
	}
	return "the field " + p.Owner.Name + "." + p.Field.Name
}

// Declaration returns the field of a place, else its type.
func (p Place) Declaration() source.Span {
	if p.Field == nil {
		return p.Owner.Span
	}
	return p.Field.Span
}

// Locate returns the source of a path in the schema of a type.
func (b *Builder) Locate(t *model.Type, root *props, path []Step) Place {
	return b.LocateFrom(Place{Schema: root, Owner: t, Value: model.Named(t.Package, t.Name)}, path)
}

// LocateFrom continues a path from a place.
func (b *Builder) LocateFrom(at Place, path []Step) Place {
	for {
		inner, taken := descend(at.Schema, path)
		if taken == 0 {
			break
		}
		next := Place{Schema: inner, Owner: at.Owner, Field: at.Field, Element: true, Above: append(slices.Clone(at.Above), at)}
		switch {
		case at.Value == nil: // inside of a type whose fields are not in the model
		case path[0].Name == "properties":
			if s := b.model.Struct(at.Value); s != nil {
				if owner, f := b.model.FieldByJSON(s, path[1].Name); f != nil {
					next.Owner, next.Field, next.Element, next.Value = owner, f, false, b.bound(at.Value, f.Type)
				}
			}
		default:
			elem, _ := b.model.Deref(at.Value)
			next.Value = b.bound(at.Value, b.model.Underlying(elem).Elem)
		}
		at, path = next, path[taken:]
	}
	if len(path) > 0 {
		at.Keyword, at.Rest = path[0].Name, path[1:]
	}
	return at
}

// bound replaces the type parameters in a part of a type by that type's arguments.
func (b *Builder) bound(whole, part *model.Ref) *model.Ref {
	whole, _ = b.model.Deref(whole)
	return part.Substitute(b.model.Params(whole))
}

// Span returns the smallest text that sets the place's keyword.
func (b *Builder) Span(at Place) source.Span {
	if at.Keyword == "x-kubernetes-validations" {
		if span, ok := b.RuleSpan(at, at.Rule()); ok {
			return span
		}
	}
	if at.Keyword == "default" && at.Field != nil && at.Field.Default != nil {
		return at.Field.Default.Span
	}
	sources := b.Sources(at)
	for _, keyword := range []string{KeywordName(at.Keyword), "listtype"} {
		for _, s := range sources {
			if s.Keyword == keyword && (keyword != "listtype" || strings.HasPrefix(at.Keyword, "x-kubernetes-")) {
				return s.Span
			}
		}
	}
	if at.Field != nil {
		return at.Field.Span
	}
	return at.Owner.Span
}

// RuleSpan returns the tag or marker of a rule. If several have the same rule, it prefers one at
// the place.
func (b *Builder) RuleSpan(at Place, rule string) (source.Span, bool) {
	candidates := b.rules[rule]
	for _, s := range b.Sources(at) {
		if slices.Contains(candidates, s.Span) {
			return s.Span, true
		}
	}
	if len(candidates) == 0 {
		return source.Span{}, false
	}
	return candidates[0], true
}

// Source is a tag or marker with its schema keyword.
type Source struct {
	Keyword string
	Span    source.Span
	// field is the field with the tag; nil on a type.
	Field *model.Field
}

// Sources returns the tags and markers that affect a place: those of the field, of its types and
// their inlined structs, and of the fields of a struct, which may set rules on the struct.
func (b *Builder) Sources(at Place) []Source {
	var list []Source
	add := func(f *model.Field, markers []model.Marker, tags []*model.Tag) {
		for _, c := range tags {
			for inner := c; inner != nil; inner = inner.Inner {
				list = append(list, Source{strings.ToLower(inner.ShortName()), c.Span, f})
			}
		}
		for _, m := range markers {
			list = append(list, Source{markerKeyword(m.Name), m.Span, f})
		}
	}
	if at.Field != nil {
		add(at.Field, at.Field.Markers, at.Field.Tags)
	}
	if at.Value == nil {
		return list
	}
	value, _ := b.model.Deref(at.Value)
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

// KeywordName returns the name of a schema keyword in tags and markers, in lower case: "listmapkey"
// for x-kubernetes-list-map-keys.
func KeywordName(keyword string) string {
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

// Rule returns the CEL rule at the place, "" if the place is not a rule.
func (p Place) Rule() string {
	if len(p.Rest) == 0 {
		return ""
	}
	if i, err := strconv.Atoi(p.Rest[0].Name); err == nil && i < len(p.Schema.XValidations) {
		return p.Schema.XValidations[i].Rule
	}
	return ""
}
