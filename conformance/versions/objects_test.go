package versions_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/value"
	"github.com/kindsmith/kindsmith/internal/versions/steps"
)

// objects makes and compares JSON values of the types of an API's versions.
type objects struct {
	api *steps.API
	m   *model.Model
	r   *rand.Rand
	// plain makes no nulls, explicit zero values and unknown fields.
	plain bool
	// places are labels and annotations that are fields in some version.
	places []steps.Place
}

// texts are strings that transforms and patterns read, among others.
var texts = []string{"", "a", "b", "5", "07", "a:80", "a/b", "a/b/c", "x:y:z", "true", "TRUE", "7", "90s", "1h30m", "500m", "2Gi", "300", "-1", "kebab-case", "KebabCase", "a'b\"c\\", "ü"}

func pickOf[T any](r *rand.Rand, of []T) T { return of[r.IntN(len(of))] }

// of returns a value of a type as json.Unmarshal returns it with numbers.
func (o *objects) of(r *model.Ref, f *model.Field, depth int) any {
	for r.Kind == model.KindPointer {
		r = r.Elem
	}
	switch r.ID() {
	case model.Name{Package: "k8s.io/apimachinery/pkg/api/resource", Name: "Quantity"}:
		return pickOf(o.r, []string{"0", "1", "500m", "2Gi", "1.5Gi", "1024Mi", "100"})
	case model.Name{Package: "k8s.io/apimachinery/pkg/apis/meta/v1", Name: "Duration"}:
		return pickOf(o.r, []string{"0s", "90s", "1h30m0s", "1500ms", "1m30s"})
	case model.Name{Package: "k8s.io/apimachinery/pkg/apis/meta/v1", Name: "Time"}:
		return pickOf(o.r, []string{"2024-01-02T03:04:05Z", "2025-01-02T03:04:05Z"})
	}
	if value.HasOwnJSON(o.m, r) {
		return pickOf(o.r, []any{"x", json.Number("1"), map[string]any{"a": "b"}})
	}
	if t := o.m.Type(r.ID()); t != nil && len(t.Consts) > 0 && (t.IsEnum() || o.r.IntN(6) > 0) {
		c := pickOf(o.r, t.Consts)
		if c.IsString {
			return c.Value
		}
		return json.Number(c.Value)
	}
	u := o.m.Underlying(r)
	bits, unsigned := u.IntSize()
	switch t := o.m.Struct(r); {
	case u.IsString():
		return pickOf(o.r, texts)
	case u.IsBytes():
		return pickOf(o.r, []string{"", "YQ==", "YWI="})
	case u.IsBool():
		return o.r.IntN(2) == 0
	case bits > 0:
		n := int64(o.r.IntN(4) * o.r.IntN(30))
		if bits > 32 && o.r.IntN(4) == 0 {
			n = 1 << 40
		}
		if !unsigned && o.r.IntN(5) == 0 {
			n = -n
		}
		return json.Number(strconv.FormatInt(n, 10))
	case u.IsFloat():
		return json.Number(pickOf(o.r, []string{"0", "1", "1.5", "1e3"}))
	case u.Kind == model.KindSlice || u.Kind == model.KindArray:
		return o.list(u, f, depth)
	case u.Kind == model.KindMap:
		out := map[string]any{}
		if depth < 12 {
			for _, key := range []string{"k1", "k2", "a.b"} {
				if o.r.IntN(3) == 0 {
					out[key] = o.of(u.Elem, nil, depth+1)
				}
			}
		}
		return out
	case t != nil:
		out := map[string]any{}
		if depth < 12 {
			o.fields(out, t, depth)
		}
		return out
	}
	return pickOf(o.r, []any{"x", json.Number("1"), true})
}

func (o *objects) list(u *model.Ref, f *model.Field, depth int) any {
	out, seen := []any{}, map[string]bool{}
	items := o.identity(f)
	n := o.r.IntN(4)
	if u.Kind == model.KindArray {
		n = int(u.Len)
	} else if depth >= 12 {
		n = 0
	}
	for range n {
		item := o.of(u.Elem, nil, depth+1)
		if items.Type != model.ListAtomic && u.Kind == model.KindSlice {
			id, ok := itemID(item, items)
			if !ok || seen[id] {
				continue
			}
			seen[id] = true
		}
		out = append(out, item)
	}
	return out
}

// identity returns how the items of a list are known; by their index without a field.
func (o *objects) identity(f *model.Field) *model.List {
	if f == nil {
		return &model.List{Type: model.ListAtomic}
	}
	return o.m.ListAt(f.Tags, f.Markers, f.Type)
}

// itemID returns what an item of a list is known by; false if it has no keys.
func itemID(item any, items *model.List) (id string, ok bool) {
	object, ok := item.(map[string]any)
	if !ok || items.Type == model.ListSet {
		return canon(item), true
	}
	keys := map[string]any{}
	for _, key := range items.Keys {
		if object[key] == nil {
			return "", false
		}
		keys[key] = object[key]
	}
	return canon(keys), true
}

func (o *objects) fields(out map[string]any, t *model.Type, depth int) {
	for _, f := range t.Fields {
		if f.Inline {
			if inlined := o.m.Struct(f.Type); inlined != nil && inlined.Name != "TypeMeta" {
				o.fields(out, inlined, depth)
			}
			continue
		}
		if f.JSON == "" || f.Type.HasParams() {
			continue
		}
		if f.JSON == "metadata" && t.Kind != nil {
			if m := o.metadata(); m != nil {
				out["metadata"] = m
			}
			continue
		}
		if f.JSON == "changedValues" {
			continue
		}
		switch n := o.r.IntN(14); {
		case n < 5:
		case n == 5 && !o.plain:
			out[f.JSON] = nil
		case n == 6 && !o.plain:
			out[f.JSON] = o.zero(f.Type)
		default:
			out[f.JSON] = o.of(f.Type, f, depth+1)
		}
	}
	if !o.plain && o.r.IntN(10) == 0 {
		out["x-unknown"] = map[string]any{"a": []any{json.Number("1.0"), map[string]any{}}}
	}
}

func (o *objects) zero(r *model.Ref) any {
	if r.Kind == model.KindPointer {
		r = r.Elem
	}
	var v any
	if u := o.m.Underlying(r); u.IsBytes() {
		return ""
	} else if u.Kind == model.KindSlice {
		return []any{}
	} else if u.Kind == model.KindMap {
		return map[string]any{}
	}
	decode(value.Zero(o.m, r).JSON(), &v)
	return v
}

func (o *objects) metadata() any {
	switch o.r.IntN(6) {
	case 0:
		return nil
	case 1:
		return map[string]any{}
	}
	out := map[string]any{"name": "n"}
	for _, in := range []string{"labels", "annotations"} {
		m := map[string]any{}
		for _, p := range append([]steps.Place{{In: in, Key: "other"}}, o.places...) {
			if p.In == in && o.r.IntN(2) == 0 {
				m[p.Key] = pickOf(o.r, []string{"a", "5", "07", "true", "", "x", "90s"})
			}
		}
		if o.r.IntN(3) > 0 {
			out[in] = m
		}
	}
	return out
}

// normal returns a value without what its Go type cannot tell from an absent one.
func (o *objects) normal(v any, r *model.Ref) any {
	for r.Kind == model.KindPointer {
		r = r.Elem
	}
	if value.HasOwnJSON(o.m, r) {
		return v
	}
	u := o.m.Underlying(r)
	switch v := v.(type) {
	case []any:
		if u.Elem == nil {
			return v
		}
		out := make([]any, len(v))
		for i := range v {
			out[i] = o.normal(v[i], u.Elem)
		}
		return out
	case map[string]any:
		out := map[string]any{}
		if u.Kind == model.KindMap {
			for key, item := range v {
				out[key] = o.normal(item, u.Elem)
			}
			return out
		}
		t := o.m.Struct(r)
		if t == nil {
			return v
		}
		known := map[string]*model.Field{}
		o.flatten(t, known, 0)
		for key, item := range v {
			f := known[key]
			if item == nil && f != nil {
				continue
			}
			if f == nil || f.Type.HasParams() {
				out[key] = item
				continue
			}
			item = o.normal(item, f.Type)
			k := o.api.Key(f)
			empty, isObject := item.(map[string]any)
			if k.EmptyIsAbsent && isObject && len(empty) == 0 || k.Zero != "" && canon(item) == k.Zero {
				continue
			}
			out[key] = item
		}
		return out
	}
	return v
}

func (o *objects) flatten(t *model.Type, known map[string]*model.Field, depth int) {
	for _, f := range t.Fields {
		if inlined := o.m.Struct(f.Type); f.Inline && inlined != nil && depth < 20 {
			o.flatten(inlined, known, depth+1)
		} else if f.JSON != "" {
			known[f.JSON] = f
		}
	}
}

// unknown returns the path of what a type does not have, or of a constant that an enum lacks.
func (o *objects) unknown(v any, r *model.Ref, at string) string {
	for r.Kind == model.KindPointer {
		r = r.Elem
	}
	if value.HasOwnJSON(o.m, r) {
		return ""
	}
	u := o.m.Underlying(r)
	switch v := v.(type) {
	case []any:
		for i := range v {
			if u.Kind != model.KindSlice && u.Kind != model.KindArray {
				return at
			}
			if bad := o.unknown(v[i], u.Elem, fmt.Sprintf("%s[%d]", at, i)); bad != "" {
				return bad
			}
		}
	case map[string]any:
		known := map[string]*model.Field{}
		if t := o.m.Struct(r); t != nil && u.Kind != model.KindMap {
			o.flatten(t, known, 0)
		}
		for key, item := range v {
			typ := u.Elem
			if u.Kind != model.KindMap {
				f := known[key]
				switch {
				case key == "x-unknown" || key == "metadata" || key == "apiVersion" || key == "kind" || key == "changedValues":
					continue
				case f == nil:
					return at + "." + key
				case f.Type.HasParams():
					continue
				}
				typ = f.Type
			}
			if bad := o.unknown(item, typ, at+"."+key); bad != "" {
				return bad
			}
		}
	case string:
		if t := o.m.Type(r.ID()); t != nil && t.IsEnum() && v != "" && !slices.ContainsFunc(t.Consts, func(c *model.Const) bool { return c.Value == v }) {
			return at + " = " + v
		}
	}
	return ""
}

// leaf is a scalar in a value.
type leaf struct {
	set func(any)
	typ *model.Ref
	at  string
}

// leaves returns the scalars that edits may change.
func (o *objects) leaves(v any, r *model.Ref, f *model.Field, at string) (out []leaf) {
	for r.Kind == model.KindPointer {
		r = r.Elem
	}
	u := o.m.Underlying(r)
	switch v := v.(type) {
	case []any:
		items := o.identity(f)
		if u.Elem == nil || items.Type == model.ListSet {
			return nil
		}
		for i := range v {
			below := o.leaves(v[i], u.Elem, nil, fmt.Sprintf("%s[%d]", at, i))
			if items.Type == model.ListMap {
				below = slices.DeleteFunc(below, func(l leaf) bool {
					return slices.ContainsFunc(items.Keys, func(key string) bool { return l.at == fmt.Sprintf("%s[%d].%s", at, i, key) })
				})
			}
			out = append(out, below...)
		}
	case map[string]any:
		known := map[string]*model.Field{}
		if t := o.m.Struct(r); t != nil && u.Kind != model.KindMap {
			o.flatten(t, known, 0)
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			f, typ := known[key], (*model.Ref)(nil)
			switch {
			case key == "metadata" || key == "apiVersion" || key == "kind" || key == "changedValues":
				continue
			case u.Kind == model.KindMap:
				typ = u.Elem
			case f != nil && !f.Type.HasParams():
				typ = f.Type
			default:
				continue
			}
			below := o.leaves(v[key], typ, f, at+"."+key)
			if len(below) == 1 && below[0].set == nil {
				below[0].set = func(to any) { v[key] = to }
			}
			out = append(out, below...)
		}
		return out
	default:
		if v != nil && !value.HasOwnJSON(o.m, r) {
			return []leaf{{typ: r, at: at}}
		}
	}
	return slices.DeleteFunc(out, func(l leaf) bool { return l.set == nil })
}

func decode(text string, into *any) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		panic(fmt.Sprintf("%v: %s", err, text))
	}
}

func canon(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return strings.TrimSpace(b.String())
}
