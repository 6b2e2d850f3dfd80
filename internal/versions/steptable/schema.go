package steptable

import (
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/value"
	"github.com/kindsmith/kindsmith/internal/versions/steps"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// knownTypes are the types with their own JSON that a schema names.
var knownTypes = map[model.Name]string{
	{Package: "k8s.io/apimachinery/pkg/api/resource", Name: "Quantity"}:   "quantity",
	{Package: "k8s.io/apimachinery/pkg/apis/meta/v1", Name: "Duration"}:   "duration",
	{Package: "k8s.io/apimachinery/pkg/apis/meta/v1", Name: "Time"}:       "time",
	{Package: "k8s.io/apimachinery/pkg/apis/meta/v1", Name: "MicroTime"}:  "microTime",
	{Package: "k8s.io/apimachinery/pkg/util/intstr", Name: "IntOrString"}: "intOrString",
}

// version returns a version with the types of its kinds.
func (b *builder) version(v steps.Version) jsonconvert.Version {
	out := jsonconvert.Version{Name: v.Name, Kinds: map[string]jsonconvert.Schema{}, Types: map[string]*jsonconvert.Schema{}}
	for _, p := range v.Places {
		out.Places = append(out.Places, jsonconvert.Place{Kind: p.Kind, In: p.In, Key: p.Key})
	}
	for _, t := range b.m.Package(v.Package).Types {
		if t.Kind != nil && !t.Generic {
			out.Kinds[t.Name] = *b.schema(t.Ref(), out.Types)
		}
	}
	return out
}

// schema returns the schema of a type, and adds the declared types that it refers to.
func (b *builder) schema(r *model.Ref, types map[string]*jsonconvert.Schema) *jsonconvert.Schema {
	if r.Kind == model.KindPointer {
		s := *b.schema(r.Elem, types)
		s.Pointer = true
		return &s
	}
	if known := knownTypes[r.ID()]; known != "" {
		return &jsonconvert.Schema{Known: known}
	}
	if value.HasOwnJSON(b.m, r) {
		return &jsonconvert.Schema{}
	}
	u := b.m.Underlying(r)
	bits, unsigned := u.IntSize()
	s := &jsonconvert.Schema{}
	switch t := b.m.Struct(r); {
	case u.IsString():
		s.Kind = jsonconvert.StringKind
	case u.IsBytes():
		s.Kind = jsonconvert.BytesKind
	case u.IsBool():
		s.Kind = jsonconvert.BoolKind
	case bits > 0:
		s.Kind, s.Bits, s.Unsigned = jsonconvert.IntegerKind, bits, unsigned
	case u.IsFloat():
		s.Kind = jsonconvert.NumberKind
	case u.Kind == model.KindSlice || u.Kind == model.KindArray:
		s.Kind, s.Elem = jsonconvert.ListKind, b.schema(u.Elem, types)
	case u.Kind == model.KindMap:
		s.Kind, s.Elem = jsonconvert.MapKind, b.schema(u.Elem, types)
	case u.Kind == model.KindStruct && t != nil:
		name := r.String()
		if types[name] == nil {
			s.Kind, s.Fields = jsonconvert.ObjectKind, map[string]*jsonconvert.Schema{}
			s.Filled = b.api.IsFilled(t)
			types[name] = s // it may contain itself
			b.fields(s, t, types, 0)
		}
		return &jsonconvert.Schema{Ref: name}
	}
	return s
}

// maxDepth is how deep structs are embedded at most.
const maxDepth = 64

func (b *builder) fields(s *jsonconvert.Schema, t *model.Type, types map[string]*jsonconvert.Schema, depth int) {
	if depth > maxDepth {
		return
	}
	for _, f := range t.Fields {
		switch {
		case f.Inline:
			if inlined := b.m.Struct(f.Type); inlined != nil {
				b.fields(s, inlined, types, depth+1)
			}
		case f.JSON != "" && !f.Type.HasParams():
			s.Fields[f.JSON] = b.schema(f.Type, types)
		}
	}
}
