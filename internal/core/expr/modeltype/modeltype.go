// Package modeltype returns the CEL types of Go types: those that API servers derive from the
// published schemas.
//
// A [Builder] makes the types of a model, each once.
package modeltype

import (
	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/core/model"
)

// known are the types of Go types that have their own form in JSON.
var known = map[model.Name]expr.Type{
	model.Time:         {Kind: expr.TimestampKind},
	model.MicroTime:    {Kind: expr.TimestampKind},
	model.GoTime:       {Kind: expr.TimestampKind},
	model.Duration:     {Kind: expr.StringKind},
	model.Quantity:     {Kind: expr.IntOrStringKind},
	model.IntOrString:  {Kind: expr.IntOrStringKind},
	model.RawExtension: {Kind: expr.ObjectKind, Name: model.RawExtension.String()}, // one without fields
	model.RawJSON:      {Kind: expr.UnknownKind},
	model.GoRawMessage: {Kind: expr.UnknownKind},
}

// Known returns the type of a Go type that has its own form in JSON; nil for
// any other.
func Known(name model.Name) *expr.Type {
	if t, ok := known[name]; ok {
		return &t
	}
	return nil
}

// Builder makes types of one model, and collects the fields of the objects in them.
type Builder struct {
	Model *model.Model
	// Field may change the type of a field because of its tags: its list type, a format, nullable.
	Field func(owner *model.Type, f *model.Field, t *expr.Type)
	// Declared may change a declared type because of its tags.
	Declared func(decl *model.Type, t *expr.Type)

	// Objects are the fields of the objects, by their names.
	Objects expr.Types
}

// Of returns the CEL type of a Go type without pointers. It is unknown if rules cannot refer to the
// JSON of the type.
func (b *Builder) Of(r *model.Ref) *expr.Type { return b.of(r, 0) }

// Root returns the type of an API object: rules see only the name and the generateName of its
// metadata.
func (b *Builder) Root(r *model.Ref) *expr.Type {
	t := b.Of(r)
	s := b.Model.Struct(r)
	if s == nil || t.Kind != expr.ObjectKind {
		return t
	}
	root := &expr.Type{Kind: expr.ObjectKind, Name: t.Name + "@root"}
	fields := map[string]*expr.Type{}
	for name, field := range b.Objects[t.Name] {
		fields[name] = field
	}
	meta := &expr.Type{Kind: expr.ObjectKind, Name: root.Name + ".metadata"}
	b.Objects[meta.Name] = map[string]*expr.Type{"name": expr.StringType(), "generateName": expr.StringType()}
	fields["metadata"], fields["kind"], fields["apiVersion"] = meta, expr.StringType(), expr.StringType()
	b.Objects[root.Name] = fields
	return root
}

func (b *Builder) of(r *model.Ref, depth int) *expr.Type {
	unknown := &expr.Type{Kind: expr.UnknownKind}
	if depth > 64 || r == nil {
		return unknown
	}
	switch r.Kind {
	case model.KindPointer:
		return b.of(r.Elem, depth+1)
	case model.KindNamed:
		if t := Known(r.ID()); t != nil {
			if t.Kind == expr.ObjectKind {
				b.object(t.Name)
			}
			return t
		}
		decl := b.Model.Type(r.ID())
		switch {
		case decl == nil:
			return unknown
		case decl.Generic:
			unknown.Why = decl.Name + " is generic"
			return unknown
		case decl.Methods["MarshalJSON"] != nil:
			unknown.Why = "the method MarshalJSON of " + decl.Name + " decides what its JSON is"
			return unknown
		}
		t := b.of(decl.Def, depth+1)
		if decl.IsStruct() {
			t = b.structure(decl)
		}
		if b.Declared != nil {
			own := *t
			t = &own
			b.Declared(decl, t)
		}
		return t
	case model.KindSlice, model.KindArray:
		if r.IsBytes() {
			return &expr.Type{Kind: expr.BytesKind}
		}
		return expr.ListType(b.of(r.Elem, depth+1))
	case model.KindMap:
		return expr.MapType(b.of(r.Elem, depth+1))
	case model.KindBuiltin:
		switch {
		case r.IsString():
			return expr.StringType()
		case r.IsBool():
			return &expr.Type{Kind: expr.BoolKind}
		case r.IsInteger():
			return &expr.Type{Kind: expr.IntKind}
		case r.IsFloat():
			return &expr.Type{Kind: expr.DoubleKind}
		}
	}
	return unknown
}

// object returns the fields under a name, and whether they are new.
func (b *Builder) object(name string) (map[string]*expr.Type, bool) {
	if b.Objects == nil {
		b.Objects = expr.Types{}
	}
	fields, ok := b.Objects[name]
	if !ok {
		fields = map[string]*expr.Type{}
		b.Objects[name] = fields
	}
	return fields, !ok
}

func (b *Builder) structure(t *model.Type) *expr.Type {
	out := &expr.Type{Kind: expr.ObjectKind, Name: t.ID().String()}
	if fields, isNew := b.object(out.Name); isNew {
		for _, member := range b.Model.Object(t).Members {
			of := b.Of(member.Type)
			if b.Field != nil {
				own := *of
				of = &own
				b.Field(b.Model.Type(member.Owner), member.Field, of)
			}
			fields[member.Name] = of
		}
	}
	return out
}
