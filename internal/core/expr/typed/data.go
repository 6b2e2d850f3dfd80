package typed

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"regexp"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	forked "k8s.io/apimachinery/third_party/forked/golang/reflect"

	"github.com/kindsmith/kindsmith/internal/core/expr"
)

// value is a JSON value with its type, like an API server's value with its schema. A value that
// does not fit its type is an error only if a rule uses it.
func (e *Env) value(v any, t *expr.Type) ref.Val {
	if v == nil {
		if t.Nullable || t.Kind == expr.NullKind {
			return types.NullValue
		}
		return misfit("null", t)
	}
	switch t.Kind {
	case expr.DynKind:
		return plain(v)
	case expr.UnknownKind:
		return unknown{v}
	case expr.IntOrStringKind:
		if s, ok := v.(string); ok {
			return types.String(s)
		}
		if i, ok := integer(v); ok {
			return types.Int(i)
		}
	case expr.ObjectKind, expr.MapKind:
		if m, ok := v.(map[string]any); ok {
			return &mapValue{env: e, value: m, t: t}
		}
	case expr.ListKind:
		if l, ok := v.([]any); ok {
			return e.listOf(l, t)
		}
	case expr.StringKind, expr.DurationKind, expr.TimestampKind, expr.BytesKind:
		if s, ok := v.(string); ok {
			return stringOf(s, t)
		}
	case expr.DoubleKind:
		if f, ok := number(v); ok {
			return types.Double(f)
		}
	case expr.IntKind:
		if i, ok := integer(v); ok {
			return types.Int(i)
		}
	case expr.BoolKind:
		if b, ok := v.(bool); ok {
			return types.Bool(b)
		}
	}
	return misfit(fmt.Sprintf("%T", v), t)
}

// listOf is a list by its type: items of sets and maps are compared without their order.
func (e *Env) listOf(items []any, t *expr.Type) ref.Val {
	list := &listValue{env: e, items: items, t: t}
	switch t.ListType {
	case "set":
		return &keyedList{Lister: list, key: setKey, joined: setKey}
	case "map":
		return &keyedList{Lister: list, key: dataKey(t.ListKeys), joined: mapKey(t.ListKeys), overwrite: true}
	}
	return list
}

// stringOf is a string, or the value that its format says.
func stringOf(s string, t *expr.Type) ref.Val {
	switch t.Kind {
	case expr.DurationKind:
		return durationOf(s)
	case expr.TimestampKind:
		return timestampOf(s, t.Format)
	case expr.BytesKind:
		return bytesOf(s)
	}
	return types.String(s)
}

func misfit(what string, t *expr.Type) ref.Val {
	return types.NewErr("invalid data: %s where the type is %s", what, t)
}

func integer(v any) (int64, bool) {
	switch v := v.(type) {
	case int64:
		return v, true
	case int:
		return int64(v), true
	case int32:
		return int64(v), true
	case json.Number:
		i, err := v.Int64()
		return i, err == nil
	}
	return 0, false
}

func number(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case float32:
		return float64(v), true
	case json.Number:
		f, err := v.Float64()
		return f, err == nil || math.IsInf(f, 0)
	}
	i, ok := integer(v)
	return float64(i), ok
}

// plain is a JSON value without a type.
func plain(v any) ref.Val {
	switch v := v.(type) {
	case json.Number:
		if i, err := v.Int64(); err == nil {
			return types.Int(i)
		}
		f, _ := number(v)
		return types.Double(f)
	case []any:
		list := make([]ref.Val, len(v))
		for i, x := range v {
			list[i] = plain(x)
		}
		return types.NewRefValList(types.DefaultTypeAdapter, list)
	case map[string]any:
		m := make(map[ref.Val]ref.Val, len(v))
		for k, x := range v {
			m[types.String(k)] = plain(x)
		}
		return types.NewRefValMap(types.DefaultTypeAdapter, m)
	}
	return types.DefaultTypeAdapter.NativeToValue(v)
}

// unknown is data without a schema: it can only be compared.
type unknown struct{ v any }

func (u unknown) ConvertToNative(t reflect.Type) (any, error) {
	return nil, fmt.Errorf("unknown data cannot become %s", t)
}
func (u unknown) ConvertToType(t ref.Type) ref.Val {
	return types.NewErr("unknown data cannot become %s", t.TypeName())
}
func (u unknown) Equal(other ref.Val) ref.Val {
	return types.Bool(sameJSON(u.v, other.Value()))
}

// sameJSON compares two JSON values like equality.Semantic, whose other functions are for types that JSON does not have.
func sameJSON(a, b any) bool { return forked.Equalities{}.DeepEqual(a, b) }

func (u unknown) Type() ref.Type { return types.UnknownType }
func (u unknown) Value() any     { return u.v }

// mapValue is an object, each of whose fields has its type, or a map.
type mapValue struct {
	env   *Env
	value map[string]any
	t     *expr.Type
}

// field returns the type of a property by its JSON name; nil if it has none.
func (m *mapValue) field(name string) *expr.Type {
	if m.t.Kind == expr.MapKind {
		return m.t.Elem
	}
	return m.env.types[m.t.Name][name]
}

func (m *mapValue) ConvertToNative(t reflect.Type) (any, error) {
	if t.Kind() == reflect.Map {
		return m.value, nil
	}
	return nil, fmt.Errorf("a map cannot become %s", t)
}

func (m *mapValue) ConvertToType(t ref.Type) ref.Val {
	switch t {
	case types.MapType:
		return m
	case types.TypeType:
		return types.MapType
	}
	return types.NewErr("type conversion error from 'map' to '%s'", t.TypeName())
}

// Equal compares as API servers do: keys that have no type are compared as data,
// and only when both sides have them.
func (m *mapValue) Equal(other ref.Val) ref.Val {
	o, ok := other.(traits.Mapper)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	if m.Size() != o.Size() {
		return types.False
	}
	for key, value := range m.value {
		if m.field(key) == nil {
			om, ok := other.(*mapValue)
			if !ok {
				return types.MaybeNoSuchOverloadErr(other)
			}
			if ov, ok := om.value[key]; ok && !sameJSON(value, ov) {
				return types.False
			}
			continue
		}
		v, found := m.Find(types.String(key))
		ov, oFound := o.Find(types.String(key))
		if found != oFound {
			return types.False
		}
		if !found {
			continue
		}
		if eq := v.Equal(ov); eq != types.True {
			return eq
		}
	}
	return types.True
}

func (m *mapValue) Type() ref.Type { return types.MapType }
func (m *mapValue) Value() any     { return m.value }
func (m *mapValue) Size() ref.Val  { return types.Int(len(m.value)) }

func (m *mapValue) Contains(key ref.Val) ref.Val {
	v, found := m.Find(key)
	if v != nil && types.IsUnknownOrError(v) {
		return v
	}
	return types.Bool(found)
}

func (m *mapValue) Get(key ref.Val) ref.Val {
	if v, found := m.Find(key); found {
		return v
	}
	return types.ValOrErr(key, "no such key: %v", key)
}

func (m *mapValue) Find(key ref.Val) (ref.Val, bool) {
	name, ok := key.(types.String)
	if !ok {
		return types.MaybeNoSuchOverloadErr(key), true
	}
	k := string(name)
	if m.t.Kind == expr.ObjectKind {
		if k, ok = unescape(k); !ok {
			return nil, false
		}
	}
	v, ok := m.value[k]
	if !ok || v == nil && m.t.Kind == expr.ObjectKind { // null counts as unset
		return nil, false
	}
	t := m.field(k)
	if t == nil {
		return nil, false
	}
	return m.env.value(v, t), true
}

// escape is an escape sequence in a name.
var escape = regexp.MustCompile(`__[^_]+__`)

// unescape is expr.UnescapeName for names that may also be written without escapes,
// like in API servers.
func unescape(word string) (string, bool) {
	ok := true
	name := escape.ReplaceAllStringFunc(word, func(s string) string {
		name, known := expr.UnescapeName(s)
		ok = ok && known && (len(s) == len(word) || !expr.Reserved(name))
		return name
	})
	return name, ok
}

func (m *mapValue) Iterator() traits.Iterator {
	var keys []ref.Val
	for k := range m.value {
		if m.field(k) == nil {
			continue
		}
		if m.t.Kind == expr.ObjectKind {
			if escaped, ok := expr.EscapeName(k); ok {
				k = escaped
			}
		}
		keys = append(keys, types.String(k))
	}
	return types.NewRefValList(types.DefaultTypeAdapter, keys).Iterator()
}

// listValue is a list.
type listValue struct {
	env   *Env
	items []any
	t     *expr.Type
}

func (l *listValue) ConvertToNative(t reflect.Type) (any, error) {
	if t.Kind() != reflect.Slice {
		return nil, fmt.Errorf("a list cannot become %s", t)
	}
	if l.t.Elem.Kind != expr.StringKind {
		return l.items, nil
	}
	out := make([]string, len(l.items))
	for i, x := range l.items {
		s, ok := x.(string)
		if !ok {
			return nil, fmt.Errorf("%T in a list of strings", x)
		}
		out[i] = s
	}
	return out, nil
}

func (l *listValue) ConvertToType(t ref.Type) ref.Val {
	switch t {
	case types.ListType:
		return l
	case types.TypeType:
		return types.ListType
	}
	return types.NewErr("type conversion error from 'list' to '%s'", t.TypeName())
}

func (l *listValue) Equal(other ref.Val) ref.Val {
	o, ok := other.(traits.Lister)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	if l.Size() != o.Size() {
		return types.False
	}
	for i := range l.items {
		if eq := l.at(i).Equal(o.Get(types.Int(i))); eq != types.True {
			return eq
		}
	}
	return types.True
}

func (l *listValue) at(i int) ref.Val { return l.env.value(l.items[i], l.t.Elem) }
func (l *listValue) Type() ref.Type   { return types.ListType }
func (l *listValue) Value() any       { return l.items }
func (l *listValue) Size() ref.Val    { return types.Int(len(l.items)) }

func (l *listValue) values() []ref.Val {
	out := make([]ref.Val, len(l.items))
	for i := range l.items {
		out[i] = l.at(i)
	}
	return out
}

func (l *listValue) Add(other ref.Val) ref.Val {
	o, ok := other.(traits.Lister)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	more, err := items(o)
	if err != nil {
		return err
	}
	return types.NewRefValList(types.DefaultTypeAdapter, append(l.values(), more...))
}

func (l *listValue) Contains(v ref.Val) ref.Val {
	if types.IsUnknownOrError(v) {
		return v
	}
	var failed ref.Val
	for _, x := range l.values() {
		eq := x.Equal(v)
		if eq == types.True {
			return types.True
		}
		if _, ok := eq.(types.Bool); !ok && failed == nil {
			failed = types.MaybeNoSuchOverloadErr(eq)
		}
	}
	if failed != nil {
		return failed
	}
	return types.False
}

func (l *listValue) Get(index ref.Val) ref.Val {
	i, ok := index.(types.Int)
	if !ok {
		return types.ValOrErr(index, "unsupported index: %v", index)
	}
	if i < 0 || int(i) >= len(l.items) {
		return types.NewErr("index out of bounds: %v", index)
	}
	return l.at(int(i))
}

func (l *listValue) Iterator() traits.Iterator {
	return types.NewRefValList(types.DefaultTypeAdapter, l.values()).Iterator()
}
