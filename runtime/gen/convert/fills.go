package convert

import (
	"reflect"
	"slices"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// fills returns the copyFunc of the defaults that a way through the steps has for the fields of a struct; nil if the struct is not copied.
// On the way up, an object gets them. On the way down, a field that has another value is stored, and one without a value too.
func (c *compiler) fills(structs []jsonconvert.Value, types []*jsonconvert.Type, from, to []structField) copyFunc {
	var fills []copyFunc
	for k, t := range types {
		if t == nil {
			continue
		}
		for i := range t.Fields {
			f := &t.Fields[i]
			if len(f.Default) == 0 {
				continue
			}
			fields := from
			if c.steps[k].up {
				fields = to
			}
			key, text, ok := c.raised(k, f, structs, types)
			at := slices.IndexFunc(fields, func(f structField) bool { return f.name == key })
			if !ok || at < 0 || fields[at].quoted {
				return nil
			}
			fill := c.fill(&fields[at], text, c.steps[k].up)
			if fill == nil {
				return nil
			}
			fills = append(fills, fill)
		}
	}
	return all(fills)
}

// fill returns the copyFunc of a field with a default.
func (c *compiler) fill(f *structField, text []byte, up bool) copyFunc {
	def := reflect.New(f.typ)
	if utiljson.Unmarshal(text, def.Interface()) != nil {
		return nil
	}
	if !up {
		return func(in, _ reflect.Value) bool {
			v := in.FieldByIndex(f.index)
			return !f.omits(v) && reflect.DeepEqual(v.Interface(), def.Elem().Interface())
		}
	}
	copies := c.value(f.typ, f.typ, make([]jsonconvert.Value, len(c.steps)))
	if copies == nil {
		return nil
	}
	return func(_, out reflect.Value) bool { return copies(def.Elem(), out.FieldByIndex(f.index)) }
}

// raised returns the key and the default of a field in the newest version on the way; false if a step there makes more of it than a value
// that comes back.
func (c *compiler) raised(k int, f *jsonconvert.Field, structs []jsonconvert.Value, types []*jsonconvert.Type) (key string, text []byte, ok bool) {
	if f.Older.Name != "" {
		return "", nil, false
	}
	next := -1
	if c.steps[k].up {
		next = 1
	}
	key, text = f.Newer.Name, f.Default
	for k += next; k >= 0 && k < len(types); k += next {
		t := types[k]
		if t == nil {
			continue
		}
		i := slices.IndexFunc(t.Fields, func(f jsonconvert.Field) bool { return f.Older.Name == key })
		if i < 0 {
			if slices.ContainsFunc(t.Fields, func(f jsonconvert.Field) bool { return f.Newer.Name == key }) {
				return "", nil, false // the name means something else now
			}
			continue
		}
		if text, ok = c.converter.ConvertField(nil, text, c.steps[k].index, true, structs[k].Type, key); !ok {
			return "", nil, false
		}
		key = t.Fields[i].Newer.Name
	}
	return key, text, true
}
