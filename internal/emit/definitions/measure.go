package definitions

import (
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/schema"
)

// A schema repeats a type's schema wherever the type is used, so that a few types with
// a few fields each can have one of many gigabytes. It is measured before it is built.

// least is the number of bytes that every schema has at least: `{"type":"array"}`.
const least = 16

// fits reports whether the schemas of a kind may be small enough for an API server.
func (b *builder) fits(fam family) bool {
	sizes := measure{model: b.model, known: map[string]int{}, open: map[model.Name]bool{}}
	total, largest, most := 0, fam.lead.typ, 0
	for _, v := range fam.versions {
		size := sizes.declared(v.typ, nil)
		if total += size; size > most {
			largest, most = v.typ, size
		}
	}
	if total <= requestLimit {
		return true
	}
	b.diags.Errorf(fam.lead.typ.Span, codeTooLarge, "the definition of %s has more than %d KiB, since it repeats the schema of a type wherever that is used, and the API server stores no object over %d KiB; most of it is %s; use fewer types in several fields, or mark fields with +kubebuilder:validation:Schemaless and +kubebuilder:pruning:PreserveUnknownFields; or write everything else with --skip crd", fam.kind, min(total, enough)/1024, requestLimit/1024, sizes.growth(largest))
	return false
}

// growth describes the path to the types whose schemas are repeated: of the fields with the largest schemas, down to the
// deepest that is too large by itself, or to the first field.
func (m *measure) growth(t *model.Type) string {
	path, params, seen := "", map[string]*model.Ref(nil), map[*model.Type]bool{}
	for t != nil && !seen[t] {
		seen[t] = true
		field, next, most := "", (*model.Ref)(nil), 0
		for _, f := range t.Fields {
			if size := m.field(f, params); !f.Skipped && size > most {
				field, next, most = f.JSON, f.Type.Substitute(params), size
			}
		}
		if next == nil || path != "" && most <= requestLimit {
			break
		}
		if field != "" { // inlined fields have no name
			path = strings.TrimPrefix(path+"."+field, ".")
		}
		for next.Kind != model.KindNamed && next.Elem != nil {
			if next.Kind != model.KindPointer {
				path += "[*]"
			}
			next = next.Elem
		}
		t, params = m.model.Struct(next), m.model.Params(next)
	}
	if path == "" {
		return t.Name
	}
	return path
}

// measure finds lower bounds for the sizes of schemas.
type measure struct {
	model *model.Model
	known map[string]int
	open  map[model.Name]bool
}

// enough is a size that is added up no further.
const enough = 1 << 40

func (m *measure) declared(t *model.Type, params map[string]*model.Ref) int {
	if t == nil || m.open[t.ID()] || schema.Known(t.ID()) != nil || t.Methods["MarshalJSON"] != nil || t.Methods["MarshalText"] != nil || reshaped(t.Markers) {
		return least
	}
	m.open[t.ID()] = true
	defer delete(m.open, t.ID())
	if !t.IsStruct() {
		return m.ref(t.Def, params)
	}
	size := least
	for _, f := range t.Fields {
		if !f.Skipped {
			size += len(f.JSON) + m.field(f, params)
		}
	}
	return min(size, enough)
}

func (m *measure) field(f *model.Field, params map[string]*model.Ref) int {
	if reshaped(f.Markers) {
		return least
	}
	return m.ref(f.Type, params)
}

func (m *measure) ref(r *model.Ref, params map[string]*model.Ref) int {
	r = r.Substitute(params)
	switch r.Kind {
	case model.KindNamed:
		key := r.String()
		size, ok := m.known[key]
		if !ok {
			size = m.declared(m.model.Type(r.ID()), m.model.Params(r))
			m.known[key] = size
		}
		return size
	case model.KindPointer:
		return m.ref(r.Elem, nil)
	case model.KindSlice, model.KindArray, model.KindMap:
		return least + m.ref(r.Elem, nil)
	}
	return least
}

func reshaped(list []model.Marker) bool {
	return slices.ContainsFunc(list, func(marker model.Marker) bool { return foreign.Reshapes(marker.Name) })
}
