package adopt

import (
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/kindsmith/kindsmith/internal/core/model"
)

// generator makes objects of kinds at random, as JSON values.
type generator struct {
	*rand.Rand
	model *model.Model
	// left bounds the size of an object.
	left int
}

// mapKey begins the keys of maps, so that paths show where a map is.
const mapKey = "key-"

// object returns an object of a kind, without its version.
func (g *generator) object(t *model.Type) map[string]any {
	g.left = 30 + g.IntN(150)
	out := g.fields(t, 0)
	delete(out, "apiVersion")
	delete(out, "kind")
	out["metadata"] = map[string]any{"name": "a", "namespace": "b", "labels": map[string]any{mapKey + "1": "c"}}
	return out
}

// fields returns the fields of a struct.
func (g *generator) fields(t *model.Type, depth int) map[string]any {
	out := map[string]any{}
	for _, f := range t.Fields {
		switch {
		case f.Skipped || !f.Exported():
		case f.Inline:
			if s := g.model.Struct(f.Type); s != nil && depth < 20 && f.Type.ID() != model.TypeMeta {
				for name, value := range g.fields(s, depth+1) {
					out[name] = value
				}
			}
		case depth > 1 && g.left <= 0 || g.IntN(10) < 3 || f.JSON == "":
		default:
			g.left--
			if value := g.value(f.Type, depth+1); value != nil {
				out[f.JSON] = value
			}
		}
	}
	return out
}

// known are values of types whose JSON their declarations do not show.
var known = map[model.Name][]any{
	model.Time:         {"2026-01-02T03:04:05Z", "1999-12-31T23:59:59Z"},
	model.GoTime:       {"2026-01-02T03:04:05Z", "1999-12-31T23:59:59Z"},
	model.MicroTime:    {"2026-01-02T03:04:05.000006Z"},
	model.Duration:     {"0s", "5m0s", "1h30m0s", "90s", "1.5s"},
	model.Quantity:     {"0", "1", "100m", "1Gi"},
	model.IntOrString:  {0, 1, 8080, "http", "50%"},
	model.RawExtension: {map[string]any{"any": "a"}},
	model.RawJSON:      {map[string]any{"any": "a"}, "text", 5, true},
	model.FieldsV1:     {map[string]any{"any": map[string]any{}}},
	model.GoRawMessage: {map[string]any{"any": "a"}},
}

// value returns a value of a type, nil for none.
func (g *generator) value(r *model.Ref, depth int) any {
	switch r.Kind {
	case model.KindPointer:
		return g.value(r.Elem, depth)
	case model.KindSlice, model.KindArray:
		if r.IsBytes() {
			return g.pick("", "AQID", "/+8=")
		}
		return g.list(r, depth)
	case model.KindMap:
		out := map[string]any{}
		for i := range g.length(depth) {
			key := mapKey + strconv.Itoa(i)
			if g.model.Underlying(r.Key).IsInteger() {
				key = strconv.Itoa(i)
			}
			if value := g.value(r.Elem, depth+1); value != nil {
				out[key] = value
			}
		}
		return out
	case model.KindNamed:
		return g.named(r, depth)
	case model.KindBuiltin:
		return g.scalar(r)
	case model.KindInterface:
		return map[string]any{"any": "a"}
	}
	return nil
}

func (g *generator) named(r *model.Ref, depth int) any {
	if values := known[r.ID()]; values != nil {
		return g.pick(values...)
	}
	t := g.model.Type(r.ID())
	if t == nil || t.Generic {
		return nil
	}
	if t.Methods["UnmarshalJSON"] != nil || t.Methods["MarshalJSON"] != nil || t.Methods["MarshalText"] != nil {
		return nil // any JSON
	}
	if len(t.Consts) > 0 && g.IntN(8) > 0 {
		k := t.Consts[g.IntN(len(t.Consts))]
		if k.IsString {
			return k.Value
		}
		if n, err := strconv.ParseInt(k.Value, 10, 64); err == nil {
			return n
		}
	}
	if t.IsStruct() {
		return g.fields(t, depth)
	}
	return g.value(t.Def, depth)
}

func (g *generator) length(depth int) int {
	if g.left <= 0 || depth > 12 {
		return 0
	}
	n := g.IntN(3)
	g.left -= n
	return n
}

func (g *generator) list(r *model.Ref, depth int) any {
	n := int(r.Len)
	if r.Kind == model.KindSlice {
		n = g.length(depth)
	}
	out := []any{}
	for range n {
		if value := g.value(r.Elem, depth+1); value != nil {
			out = append(out, value)
		}
	}
	return out
}

func (g *generator) scalar(r *model.Ref) any {
	switch {
	case r.IsString():
		return g.pick("", "a", "b", "some text", "5m", "true", "1", "https://example.com/a", "Ünïcödé", `quo"te`)
	case r.IsBool():
		return g.IntN(2) == 0
	case r.IsInteger():
		return g.pick(0, 1, 2, 5, 100, 101, 127)
	case r.IsFloat():
		return g.pick(0, 1.5, 0.25)
	}
	return nil
}

func (g *generator) pick(values ...any) any { return values[g.IntN(len(values))] }

// both returns the kinds that two versions have.
func both(older, hub *model.Package) []*model.Type {
	var kinds []*model.Type
	for _, t := range older.Types {
		if own := hub.Type(t.Name); isObject(t) && own != nil && isObject(own) {
			kinds = append(kinds, t)
		}
	}
	slices.SortFunc(kinds, func(a, b *model.Type) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
	return kinds
}
