package union

import (
	"encoding/json"
	"reflect"
	"strconv"

	"github.com/kindsmith/kindsmith/runtime/gen/validate"
)

// Shape says where a JSON value has unions. Shapes of recursive types refer to themselves.
type Shape struct {
	// Unions are the unions of the object.
	Unions []*Union
	// Also are further shapes of the same value, such as that of its Go type. They come first.
	// Inlined are those of inlined structs, which come last.
	Also, Inlined []*Shape
	// Fields are the fields of the object that have unions.
	Fields []Field
	// Elem is the shape of the values of a map, or of the items of a list. Items of lists without Keys
	// are validated, but not normalised.
	Elem *Shape
	// Keys are the keys of a list of type map, by which its items are correlated with old ones.
	Keys []Key
	// Items are the shapes of items with certain keys, in addition to Elem.
	Items []Item
}

// Field is a field of an object.
type Field struct {
	// Name is the JSON name.
	Name  string
	Shape *Shape
}

// Key is a key of the items of a list.
type Key struct {
	Name string
	// Zero is the value of a missing key: its default, or its zero value; nil for none.
	Zero any
}

// Item selects items of a list by the values of all keys, in the order of the list's keys.
type Item struct {
	Values []any
	Shape  *Shape
}

// Normalize normalises the unions of a JSON object, which it changes. old is the object before an
// update, nil on a create. It returns the members that it removed.
//
// Values are those of encoding/json or of Kubernetes' decoder. A value that is not of the expected
// type counts as unset.
func (s *Shape) Normalize(r Request, object, old map[string]any) []Cleared {
	w := &walk{request: &r, visit: (*walk).normalize}
	w.value(s, object, old, nil)
	return Sorted(w.cleared)
}

// walk visits the values of one object that have unions.
type walk struct {
	request *Request
	run     validate.Run
	// visit is called with each object that has unions.
	visit func(w *walk, s *Shape, object, old map[string]any, exists bool, at *validate.Path)
	// uncorrelated is set to visit items of lists without keys, too.
	uncorrelated bool
	cleared      []Cleared
	violations   []Violation
}

// value visits one value. The old value is nil if there is none.
func (w *walk) value(s *Shape, v, old any, at *validate.Path) {
	if s == nil {
		return // no unions
	}
	for _, also := range s.Also {
		w.value(also, v, old, at)
	}
	switch v := v.(type) {
	case map[string]any:
		before, exists := old.(map[string]any)
		w.visit(w, s, v, before, exists && before != nil, at)
		for i := range s.Fields {
			f := &s.Fields[i]
			if x := v[f.Name]; x != nil {
				at := at.Child(f.Name)
				w.value(f.Shape, x, before[f.Name], &at)
			}
		}
		for _, inlined := range s.Inlined {
			w.value(inlined, v, old, at)
		}
		if s.Elem != nil {
			for key, x := range v {
				at := at.Key(key)
				w.value(s.Elem, x, before[key], &at)
			}
		}
	case []any:
		before, _ := old.([]any)
		w.list(s, v, before, at)
	}
}

func (w *walk) list(s *Shape, list, before []any, at *validate.Path) {
	if len(s.Keys) == 0 {
		if s.Elem != nil && w.uncorrelated {
			for i, item := range list {
				at := at.Index(i)
				w.value(s.Elem, item, nil, &at)
			}
		}
		return
	}
	byKeys := make(map[string]any, len(before))
	for _, item := range before {
		if object, ok := item.(map[string]any); ok {
			id := identity(s.Keys, func(i int) any { return s.Keys[i].of(object) })
			if _, repeated := byKeys[id]; !repeated {
				byKeys[id] = object
			}
		}
	}
	for i, item := range list {
		object, ok := item.(map[string]any)
		if !ok {
			continue
		}
		id := identity(s.Keys, func(i int) any { return s.Keys[i].of(object) })
		old := byKeys[id]
		at := at.Index(i)
		if s.Elem != nil {
			w.value(s.Elem, object, old, &at)
		}
		for _, special := range s.Items {
			if id == identity(s.Keys, func(i int) any { return special.Values[i] }) {
				w.value(special.Shape, object, old, &at)
			}
		}
	}
}

func (k *Key) of(object map[string]any) any {
	if v := object[k.Name]; v != nil {
		return v
	}
	return k.Zero
}

// identity returns a text that is the same for items with the same keys. Decoders represent numbers
// differently.
func identity(keys []Key, value func(i int) any) string {
	var id []byte
	for i := range keys {
		switch v := value(i).(type) {
		case string:
			id = strconv.AppendQuote(id, v)
		case bool:
			id = strconv.AppendBool(id, v)
		case json.Number:
			id = append(id, v...)
		case int:
			id = strconv.AppendInt(id, int64(v), 10)
		case int64:
			id = strconv.AppendInt(id, v, 10)
		case float64:
			id = strconv.AppendFloat(id, v, 'f', -1, 64)
		}
		id = append(id, ' ')
	}
	return string(id)
}

func (w *walk) normalize(s *Shape, object, old map[string]any, exists bool, at *validate.Path) {
	for _, u := range s.Unions {
		Normalize(u, w.request, jsonObject{u, object}, jsonObject{u, old}, exists, func(member int, sent bool) {
			at := at.Child(u.Members[member].Name)
			w.cleared = append(w.cleared, Cleared{
				Path: w.run.FieldPath(&at).String(), Discriminator: u.Discriminator, Value: jsonObject{u, object}.Discriminator(), Sent: sent,
			})
		})
	}
}

// jsonObject is the access to a union in a JSON object. Members with null are unset.
type jsonObject struct {
	union  *Union
	object map[string]any
}

func (j jsonObject) name(member int) string { return j.union.Members[member].Name }

func (j jsonObject) Discriminator() string {
	switch d := j.object[j.union.Discriminator].(type) {
	case string:
		return d
	case bool:
		return strconv.FormatBool(d)
	}
	if j.union.Bool {
		return "false"
	}
	return ""
}

func (j jsonObject) IsSet(member int) bool {
	v := j.object[j.name(member)]
	return v != nil && !j.union.Members[member].Zero.has(v)
}

func (j jsonObject) Select(value string) { j.object[j.union.Discriminator] = value }

func (j jsonObject) Clear(member int) bool {
	set := j.IsSet(member)
	delete(j.object, j.name(member))
	return set
}

func (j jsonObject) Differs(member int, old jsonObject) bool {
	return !reflect.DeepEqual(j.object[j.name(member)], old.object[j.name(member)])
}

func (j jsonObject) Retain(member int, old jsonObject) {
	j.object[j.name(member)] = copied(old.object[j.name(member)])
}

// copied returns a copy of a JSON value that shares no object or list with it.
func copied(v any) any {
	switch v := v.(type) {
	case map[string]any:
		if v == nil {
			return v
		}
		out := make(map[string]any, len(v))
		for key, x := range v {
			out[key] = copied(x)
		}
		return out
	case []any:
		if v == nil {
			return v
		}
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = copied(x)
		}
		return out
	}
	return v
}
