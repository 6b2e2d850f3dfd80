package schema

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// The names of the types of OpenAPI.
const (
	String  = "string"
	Integer = "integer"
	Number  = "number"
	Boolean = "boolean"
	Array   = "array"
	Object  = "object"
)

// builtins are the schemas of Go's predeclared types. Integers without a size have no format. With
// the format int32, which controller-gen uses (Options.ControllerGen), API servers would reject half
// of the values of uint32.
var builtins = map[string]struct{ typ, format string }{
	"bool": {Boolean, ""}, "string": {String, ""},
	"int": {Integer, ""}, "int8": {Integer, ""}, "int16": {Integer, ""},
	"int32": {Integer, "int32"}, "rune": {Integer, "int32"}, "int64": {Integer, "int64"},
	"uint": {Integer, ""}, "uint8": {Integer, ""}, "byte": {Integer, ""}, "uint16": {Integer, ""},
	"uint32": {Integer, "int64"}, "uint64": {Integer, "int64"},
	"float32": {Number, ""}, "float64": {Number, ""},
}

// ref builds the schema of a type expression.
func (b *Builder) ref(r *model.Ref, u use) *props {
	s := b.shape(r, u)
	if r.Alias != nil && b.options.ControllerGen {
		if d := Description(r.Alias.Doc); d != "" {
			s.Description = d
		}
		s = b.applyMarkers(s, b.limited(b.parse(r.Alias.Markers, onType, r.Alias.Package), r.Alias.Package), declarations{value: true})
	}
	return s
}

// shape is like ref, for the type without its alias.
func (b *Builder) shape(r *model.Ref, u use) *props {
	switch r.Kind {
	case model.KindNamed:
		return b.named(r, u)
	case model.KindPointer:
		return b.ref(r.Elem, u)
	case model.KindParam:
		if arg := u.params[r.Name]; arg != nil {
			return b.ref(arg, u)
		}
	case model.KindBuiltin:
		if s, ok := builtins[r.Name]; ok {
			if s.typ == Number && !b.options.Floats {
				b.diags.Warnf(u.span, codeFloat, "%s loses precision between languages, and the API conventions advise against it; use an integer, a resource.Quantity or a string", r.Name)
			}
			if r.Name == "uint32" && b.options.ControllerGen {
				s.format = "int32"
			}
			return &props{Type: s.typ, Format: s.format}
		}
	case model.KindSlice:
		if r.IsBytes() {
			return &props{Type: String, Format: "byte"}
		}
		return b.list(r, u)
	case model.KindArray:
		return b.list(r, u)
	case model.KindMap:
		return b.mapping(r, u)
	case model.KindStruct:
		b.diags.Errorf(u.span, codeAnonymousStruct, "an anonymous struct cannot have markers and documentation; declare a named type").Voids(diag.Meaning(u.span))
		return b.gap(u)
	case model.KindInterface:
		b.diags.Errorf(u.span, codeInterface, "the JSON type of an interface is not known; use apiextensionsv1.JSON or runtime.RawExtension, or name the type").Voids(diag.Meaning(u.span))
		return b.gap(u)
	case model.KindInvalid:
		b.diags.Errorf(u.span, codeUnknownType, "this type does not compile, so it has no schema").Voids(diag.Meaning(u.span))
		return b.gap(u)
	}
	b.diags.Errorf(u.span, codeNotSerialisable, "a value of type %s cannot be written as JSON; use another type, or exclude the field with json:\"-\"", r).Voids(diag.Meaning(u.span))
	return b.gap(u)
}

func (b *Builder) list(r *model.Ref, u use) *props {
	items := b.ref(r.Elem, u.inside(u.contents && u.keyed))
	b.applyElementDefault(items, r.Elem.Substitute(u.params))
	return &props{Type: Array, Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: items}}
}

func (b *Builder) mapping(r *model.Ref, u use) *props {
	if key := r.Key.Substitute(u.params); !b.isStringKey(key) {
		b.diags.Errorf(u.span, codeMapKey, "the keys of JSON objects are strings, not %s; use a string type, or a type with MarshalText", key).Voids(diag.Meaning(u.span))
	}
	values := b.ref(r.Elem, u.inside(u.contents))
	b.applyElementDefault(values, r.Elem.Substitute(u.params))
	s := &props{
		Type:                 Object,
		AdditionalProperties: &apiextensionsv1.JSONSchemaPropsOrBool{Allows: true, Schema: values},
	}
	if !u.opaque && !u.opaqueKeys {
		b.keyRules(s, r.Key.Substitute(u.params))
	}
	return s
}

func (b *Builder) isStringKey(r *model.Ref) bool {
	if b.model.Underlying(r).IsString() {
		return true
	}
	t := b.model.Type(r.ID())
	return t != nil && b.hasMethod(t, "MarshalText")
}
