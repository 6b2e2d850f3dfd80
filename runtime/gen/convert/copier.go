package convert

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/kindsmith/kindsmith/runtime/convert"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// copyFunc sets out, which is zero, to what decoding the converted JSON of in gives. It returns false if that is more than a copy
// of values under other names: a value has no place or does not come back, a default is filled in. in is addressable.
type copyFunc func(in, out reflect.Value) bool

// compiler makes the copyFuncs of a way through the steps.
type compiler struct {
	converter *jsonconvert.Converter
	// steps are the tables on the way, each with its direction.
	steps []step
	// structs are those known already: types may contain themselves.
	structs map[structKey]*copyFunc
	// hasFilled means that a struct which is left out may be another than an empty one.
	hasFilled bool
	// targets are the fields of the struct that is compiled which are copied.
	targets map[string]bool
	// depth is that of the value that is compiled.
	depth int
}

// maxDepth is how deep a value is at most that is no struct: a list may be one of lists of its own type.
const maxDepth = 32

type step struct {
	index int
	types map[string]*jsonconvert.Type
	up    bool
}

// structKey is a pair of structs, with the names of their type in each step.
type structKey struct {
	in, out reflect.Type
	names   string
}

func newCompiler(api *jsonconvert.API, converter *jsonconvert.Converter, kind, from, to string) *compiler {
	version := func(name string) int {
		return slices.IndexFunc(api.Versions, func(v jsonconvert.Version) bool { return v.Name == name })
	}
	c := &compiler{converter: converter, structs: map[structKey]*copyFunc{}, hasFilled: converter.HasFilled(kind, to)}
	at, end := version(from), version(to)
	for ; at >= 0 && at < end; at++ {
		c.steps = append(c.steps, step{at, api.Steps[at].Types, true})
	}
	for ; end >= 0 && at > end; at-- {
		c.steps = append(c.steps, step{at - 1, api.Steps[at-1].Types, false})
	}
	return c
}

// kind returns the copyFunc of objects, or of a list without its items; nil if it could not copy any.
func (c *compiler) kind(in, out reflect.Type, name string, isList bool) copyFunc {
	values := make([]jsonconvert.Value, len(c.steps))
	for k := range values {
		values[k].Type = name
	}
	types, ok := c.resolve(values)
	from, isFrom := fieldsOf(in)
	to, isTo := fieldsOf(out)
	if !ok || !isFrom || !isTo {
		return nil
	}
	c.targets = map[string]bool{}
	var copies []copyFunc
	for i := range from {
		switch f := &from[i]; {
		case f.name == "apiVersion" || f.name == "kind" || f.name == "items" && isList:
		case f.name == "metadata": // labels and annotations that are fields elsewhere are marked
			copies = append(copies, c.member(f, to, values, nil))
		default:
			copies = append(copies, c.member(f, to, values, types))
		}
	}
	fills := c.fills(values, types, from, to)
	if fills == nil || c.writesMore(to) {
		return nil
	}
	return all(append(copies, fills))
}

// writesMore reports whether Go writes a struct of the target which is not copied, and which is not the same as an absent one.
func (c *compiler) writesMore(to []structField) bool {
	return c.hasFilled && slices.ContainsFunc(to, func(f structField) bool {
		return f.typ.Kind() == reflect.Struct && !f.omitZero && !c.targets[f.name] && f.name != "metadata" && !hasOwnJSON(f.typ)
	})
}

// all returns the copyFunc of several ones.
func all(copies []copyFunc) copyFunc {
	return func(in, out reflect.Value) bool {
		for _, f := range copies {
			if !f(in, out) {
				return false
			}
		}
		return true
	}
}

// resolve returns the types of a value in each step, nil where it stays the same; false if values are not just copied.
func (c *compiler) resolve(values []jsonconvert.Value) ([]*jsonconvert.Type, bool) {
	types := make([]*jsonconvert.Type, len(c.steps))
	for k := range values {
		for values[k].Type != "" {
			t := c.steps[k].types[values[k].Type]
			switch {
			case t == nil:
				values[k] = jsonconvert.Value{}
				continue
			case t.Up != "" || t.Down != "" || len(t.Hooks) > 0:
				return nil, false
			case t.Value != nil:
				values[k] = *t.Value
				continue
			}
			types[k] = t
			for i := range t.Fields {
				if t.Fields[i].DefaultFunc != "" {
					return nil, false
				}
			}
			break
		}
		if values[k].Call != nil || values[k].List != nil {
			return nil, false
		}
	}
	return types, true
}

// member returns the copyFunc of a field of a struct. structs have the names of the struct's types in each step.
func (c *compiler) member(f *structField, to []structField, structs []jsonconvert.Value, types []*jsonconvert.Type) copyFunc {
	if f.isHidden() {
		return f.unlessSet(false)
	}
	values := make([]jsonconvert.Value, len(c.steps))
	var calls []call
	key, isAbsent := f.name, f.isNilable()
	for k, t := range types {
		if t == nil {
			continue
		}
		up := c.steps[k].up
		i := slices.IndexFunc(t.Fields, func(at jsonconvert.Field) bool { from, _ := ends(&at, up); return from.Name == key })
		if i < 0 {
			if slices.ContainsFunc(t.Fields, func(at jsonconvert.Field) bool { _, to := ends(&at, up); return to.Name == key }) {
				return f.unlessSet(isAbsent) // the name means something else now
			}
			continue
		}
		at, after := ends(&t.Fields[i], up)
		if after.Name == "" && len(t.Fields[i].Default) > 0 {
			return func(_, _ reflect.Value) bool { return true } // it has its default
		}
		if isAbsent = isAbsent || at.Zero != "" || at.EmptyIsAbsent; after.Name == "" {
			return f.unlessSet(isAbsent)
		}
		if values[k] = t.Fields[i].Value; values[k].Call != nil || values[k].List != nil {
			calls = append(calls, call{c.steps[k].index, up, structs[k].Type, key})
		}
		key = after.Name
	}
	i := slices.IndexFunc(to, func(g structField) bool { return g.name == key })
	if i < 0 || to[i].quoted != f.quoted {
		return f.unlessSet(isAbsent)
	}
	copies := c.value(f.typ, to[i].typ, values)
	switch {
	case copies != nil:
		c.targets[key] = true
		return c.copied(f, &to[i], copies)
	case len(calls) > 0 && !f.quoted && len(calls) == changes(values):
		return c.called(f, &to[i], calls, isAbsent)
	}
	return f.unlessSet(isAbsent)
}

// copied returns the copyFunc of a field that is copied.
func (c *compiler) copied(f, to *structField, copies copyFunc) copyFunc {
	if c.hasFilled && f.typ.Kind() == reflect.Struct || f.omitEmpty != to.omitEmpty || f.omitZero != to.omitZero {
		return func(in, out reflect.Value) bool { // Go may write one of them and leave out the other
			from, target := in.FieldByIndex(f.index), out.FieldByIndex(to.index)
			isAbsent := f.omits(from)
			return (isAbsent || copies(from, target)) && to.omits(target) == isAbsent
		}
	}
	return func(in, out reflect.Value) bool {
		v := in.FieldByIndex(f.index)
		return f.omits(v) || copies(v, out.FieldByIndex(to.index))
	}
}

// changes counts the steps in which a value is another.
func changes(values []jsonconvert.Value) (n int) {
	for _, v := range values {
		if v.Type != "" || v.Elem != nil || v.List != nil || v.Call != nil {
			n++
		}
	}
	return n
}

// call is the conversion of a field, by a function or so, in a step.
type call struct {
	step     int
	up       bool
	typ, key string
}

// called returns the copyFunc of a field that functions convert: its JSON alone converts.
func (c *compiler) called(f, to *structField, calls []call, isAbsent bool) copyFunc {
	return func(in, out reflect.Value) bool {
		v, target := in.FieldByIndex(f.index), out.FieldByIndex(to.index)
		if f.omits(v) || isAbsent && v.IsZero() {
			return true
		}
		text, err := json.Marshal(v.Addr().Interface())
		ok := err == nil
		for i := 0; ok && i < len(calls); i++ {
			text, ok = c.converter.ConvertField(nil, text, calls[i].step, calls[i].up, calls[i].typ, calls[i].key)
		}
		return ok && utiljson.Unmarshal(text, target.Addr().Interface()) == nil && !to.omits(target)
	}
}

// ends returns the keys of a field in the versions before and after a step.
func ends(f *jsonconvert.Field, up bool) (from, to *jsonconvert.Key) {
	if up {
		return &f.Older, &f.Newer
	}
	return &f.Newer, &f.Older
}

// value returns the copyFunc of a value, nil if there is none. values say how it converts in each step.
func (c *compiler) value(in, out reflect.Type, values []jsonconvert.Value) copyFunc {
	c.depth++
	defer func() { c.depth-- }()
	if c.depth > maxDepth {
		return nil
	}
	if in.Kind() == reflect.Pointer && out.Kind() == reflect.Pointer {
		return pointer(c.value(in.Elem(), out.Elem(), values))
	}
	values = slices.Clone(values)
	types, ok := c.resolve(values)
	isSame := in == out && !slices.ContainsFunc(values, func(v jsonconvert.Value) bool { return v.Type != "" || v.Elem != nil })
	switch {
	case !ok || in == reflect.TypeFor[convert.ChangedValues]() || in == reflect.TypeFor[json.Number]():
		return nil
	case hasOwnJSON(in) || hasOwnJSON(out):
		if isSame {
			return deepCopy(in)
		}
		return nil
	case isSame && isFlat(in):
		return assign
	case isText(in) && isText(out) || isInteger(in) && isInteger(out):
		return c.scalar(in, types)
	case in.Kind() != out.Kind() || slices.ContainsFunc(types, func(t *jsonconvert.Type) bool { return t != nil && t.Enum != nil }):
		return nil
	}
	return c.sameKind(in, out, values, types)
}

// sameKind is value for two types of one kind, which are neither text nor integers.
func (c *compiler) sameKind(in, out reflect.Type, values []jsonconvert.Value, types []*jsonconvert.Type) copyFunc {
	switch in.Kind() {
	case reflect.Bool:
		return func(in, out reflect.Value) bool { out.SetBool(in.Bool()); return true }
	case reflect.Float32, reflect.Float64:
		return func(in, out reflect.Value) bool { out.SetFloat(in.Float()); return true }
	case reflect.Struct:
		return c.structure(in, out, values, types)
	case reflect.Slice:
		if elem := in.Elem(); elem == out.Elem() && elem.Kind() == reflect.Uint8 && !hasOwnJSON(elem) {
			return func(in, out reflect.Value) bool { out.SetBytes(slices.Clone(in.Bytes())); return true }
		}
		return items(c.value(in.Elem(), out.Elem(), elems(values)))
	case reflect.Array:
		if elem := c.value(in.Elem(), out.Elem(), elems(values)); elem != nil && in.Len() == out.Len() {
			return func(in, out reflect.Value) bool { return each(in, out, elem) }
		}
	case reflect.Map:
		if isText(in.Key()) && isText(out.Key()) && (in.Key() == out.Key() || !hasOwnJSON(in.Key()) && !hasOwnJSON(out.Key())) {
			return entries(c.value(in.Elem(), out.Elem(), elems(values)))
		}
	}
	return nil
}

func isText(t reflect.Type) bool { return t.Kind() == reflect.String }

func isInteger(t reflect.Type) bool { return t.Kind() >= reflect.Int && t.Kind() <= reflect.Uint64 }

// elems returns how the items of a list, or the values of a map, convert.
func elems(values []jsonconvert.Value) []jsonconvert.Value {
	elems := make([]jsonconvert.Value, len(values))
	for k := range values {
		if e := values[k].Elem; e != nil {
			elems[k] = *e
		}
	}
	return elems
}

func (c *compiler) structure(in, out reflect.Type, values []jsonconvert.Value, types []*jsonconvert.Type) copyFunc {
	var names []string
	for k := range values {
		names = append(names, values[k].Type)
	}
	key := structKey{in, out, strings.Join(names, " ")}
	if known := c.structs[key]; known != nil {
		return func(in, out reflect.Value) bool { return (*known)(in, out) }
	}
	copies := new(copyFunc)
	c.structs[key] = copies
	from, isFrom := fieldsOf(in)
	to, isTo := fieldsOf(out)
	if !isFrom || !isTo {
		*copies = func(_, _ reflect.Value) bool { return false }
		return nil
	}
	depth := c.depth
	c.depth = 0
	defer func() { c.depth = depth }()
	targets := c.targets
	c.targets = map[string]bool{}
	members := []copyFunc{c.fills(values, types, from, to)}
	for i := range from {
		members = append(members, c.member(&from[i], to, values, types))
	}
	writesMore := c.writesMore(to)
	if c.targets = targets; writesMore || members[0] == nil {
		*copies = func(_, _ reflect.Value) bool { return false }
		return nil
	}
	*copies = all(members)
	return *copies
}

// pointer returns the copyFunc of pointers. Without one of what they point to, it copies nil.
func pointer(elem copyFunc) copyFunc {
	return func(in, out reflect.Value) bool {
		if in.IsNil() {
			return true
		}
		if elem == nil {
			return false
		}
		to := reflect.New(out.Type().Elem())
		if !elem(in.Elem(), to.Elem()) {
			return false
		}
		out.Set(to)
		return true
	}
}

// items returns the copyFunc of lists. Without one of items, it copies empty ones.
func items(elem copyFunc) copyFunc {
	return func(in, out reflect.Value) bool {
		if in.IsNil() {
			return true
		}
		n := in.Len()
		if elem == nil && n > 0 {
			return false
		}
		out.Set(reflect.MakeSlice(out.Type(), n, n))
		return each(in, out, elem)
	}
}

func each(in, out reflect.Value, elem copyFunc) bool {
	for i := range in.Len() {
		if !elem(in.Index(i), out.Index(i)) {
			return false
		}
	}
	return true
}

// entries returns the copyFunc of maps. Without one of values, it copies empty ones.
func entries(elem copyFunc) copyFunc {
	return func(in, out reflect.Value) bool {
		if in.IsNil() {
			return true
		}
		if elem == nil && in.Len() > 0 {
			return false
		}
		out.Set(reflect.MakeMapWithSize(out.Type(), in.Len()))
		from, key := reflect.New(in.Type().Elem()).Elem(), reflect.New(out.Type().Key()).Elem()
		for entry := in.MapRange(); entry.Next(); {
			from.SetIterValue(entry)
			to := reflect.New(out.Type().Elem()).Elem()
			if !elem(from, to) {
				return false
			}
			key.SetString(entry.Key().String())
			out.SetMapIndex(key, to)
		}
		return true
	}
}

func assign(in, out reflect.Value) bool { out.Set(in); return true }

// deepCopy returns the copyFunc of a type that has its own JSON; nil if the type has no method that copies it.
func deepCopy(t reflect.Type) copyFunc {
	if isPlain(t) {
		return assign
	}
	if t == reflect.TypeFor[json.RawMessage]() {
		return func(in, out reflect.Value) bool { out.SetBytes(slices.Clone(in.Bytes())); return true }
	}
	p := reflect.PointerTo(t)
	m, ok := p.MethodByName("DeepCopyInto")
	if !ok || m.Type.NumIn() != 2 || m.Type.In(1) != p || m.Type.NumOut() != 0 {
		return nil
	}
	return func(in, out reflect.Value) bool {
		switch from := in.Addr().Interface().(type) { // calls by reflection are slow
		case *metav1.ObjectMeta:
			from.DeepCopyInto(out.Addr().Interface().(*metav1.ObjectMeta))
		case *metav1.Time:
			from.DeepCopyInto(out.Addr().Interface().(*metav1.Time))
		default:
			m.Func.Call([]reflect.Value{in.Addr(), out.Addr()})
		}
		return true
	}
}

// enum maps the values of an enum in a step, and back.
type enum struct{ there, back map[string]string }

// scalar returns the copyFunc of texts or integers; nil if it needs another table.
func (c *compiler) scalar(in reflect.Type, types []*jsonconvert.Type) copyFunc {
	var enums []enum
	for k, t := range types {
		if t == nil || t.Enum == nil {
			continue
		}
		up, isUp := texts(in, t.Enum.Up)
		down, isDown := texts(in, t.Enum.Down)
		if !isUp || !isDown {
			return nil
		}
		if !c.steps[k].up {
			up, down = down, up
		}
		enums = append(enums, enum{up, down})
	}
	if isText(in) {
		return func(in, out reflect.Value) bool {
			text, ok := mapped(enums, in.String())
			out.SetString(text)
			return ok
		}
	}
	return func(in, out reflect.Value) bool {
		n, ok := integer(in)
		if len(enums) > 0 && ok {
			text := ""
			if text, ok = mapped(enums, strconv.FormatInt(n, 10)); ok {
				var err error
				n, err = strconv.ParseInt(text, 10, 64)
				ok = err == nil
			}
		}
		switch {
		case !ok:
			return false
		case out.CanInt():
			out.SetInt(n)
			return !out.OverflowInt(n)
		}
		out.SetUint(uint64(n))
		return n >= 0 && !out.OverflowUint(uint64(n))
	}
}

func integer(v reflect.Value) (int64, bool) {
	if v.CanInt() {
		return v.Int(), true
	}
	return int64(v.Uint()), v.Uint() <= math.MaxInt64
}

// texts returns a table of an enum with the values of a Go type; false if they are others.
func texts(t reflect.Type, cases map[string]string) (map[string]string, bool) {
	if !isText(t) {
		return cases, true
	}
	out := map[string]string{}
	for from, to := range cases {
		var a, b string
		if json.Unmarshal([]byte(from), &a) != nil || json.Unmarshal([]byte(to), &b) != nil {
			return nil, false
		}
		out[a] = b
	}
	return out, true
}

// mapped returns what a value becomes; false if it does not come back as itself.
func mapped(enums []enum, v string) (string, bool) {
	for _, e := range enums {
		to, ok := e.there[v]
		if _, isOther := e.back[v]; !ok && isOther || ok && e.back[to] != v {
			return "", false
		}
		if ok {
			v = to
		}
	}
	return v, true
}
