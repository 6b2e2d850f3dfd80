package evolve

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/kindsmith/kindsmith/internal/model"
)

// defaultAt returns a default as it reads in the version.
func (p *projection) defaultAt(here place, d *model.Default) *model.Default {
	if d == nil {
		return nil
	}
	n := *d
	if d.Ref != nil {
		n.Ref = p.constantAt(*d.Ref)
		return &n
	}
	n.JSON = string(p.jsonValueAt(here.ref, json.RawMessage(d.JSON)))
	return &n
}

// constantAt returns where older versions find the constant of a ref()
// default: beside their types if it is one of an enum, else in the newest package.
func (p *projection) constantAt(name model.Name) *model.Name {
	if name.Package != "" && name.Package != p.hub.pkg.Path {
		if path, ok := p.hub.pkg.Imports[name.Package]; ok {
			name.Package = path
		}
		return &name
	}
	for t := range p.types {
		for _, c := range t.Consts {
			if c.Name != name.Name {
				continue
			}
			if to := p.standIn(t, c, p.v); to != nil {
				goName, _ := p.constAt(to, p.v)
				return &model.Name{Name: goName}
			}
		}
	}
	return &model.Name{Package: p.hub.pkg.Path, Name: name.Name}
}

// jsonValueAt translates the field names and enum values in a JSON value. A
// value that has neither is returned as it was written.
func (p *projection) jsonValueAt(r *model.Ref, text json.RawMessage) json.RawMessage {
	r = p.derefed(r)
	if t := p.local(r); t != nil && len(t.Consts) > 0 {
		var s string
		if json.Unmarshal(text, &s) == nil {
			if to := p.valueAt(t, s, p.v); to != s {
				renamed, _ := json.Marshal(to)
				return renamed
			}
		}
		return text
	}
	var out json.RawMessage
	switch u := p.m.Underlying(r); u.Kind {
	case model.KindStruct:
		out = p.jsonObjectAt(text, func(key string) (string, *model.Ref, bool) {
			t := p.m.Struct(r)
			if t == nil || t.FieldByJSON(key) == nil {
				return key, nil, true
			}
			name, ok := p.jsonAt(t, key)
			return name, p.typeAt(t.FieldByJSON(key), p.v), ok
		})
	case model.KindMap:
		out = p.jsonObjectAt(text, func(key string) (string, *model.Ref, bool) { return key, u.Elem, true })
	case model.KindSlice, model.KindArray:
		var values []json.RawMessage
		if json.Unmarshal(text, &values) != nil {
			return text
		}
		items := make([][]byte, len(values))
		for i, v := range values {
			items[i] = p.jsonValueAt(u.Elem, v)
		}
		out = slices.Concat([]byte("["), bytes.Join(items, []byte(", ")), []byte("]"))
	}
	if out == nil || sameJSON(out, text) {
		return text
	}
	return out
}

// jsonObjectAt translates an object, key by key, in order.
func (p *projection) jsonObjectAt(text json.RawMessage, translate func(key string) (name string, r *model.Ref, ok bool)) json.RawMessage {
	d := json.NewDecoder(bytes.NewReader(text))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil
	}
	out := bytes.NewBufferString("{")
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return nil
		}
		name, r, ok := translate(key.(string))
		if !ok {
			continue
		}
		if r != nil {
			value = p.jsonValueAt(r, value)
		}
		if out.Len() > 1 {
			out.WriteString(", ")
		}
		quoted, _ := json.Marshal(name)
		out.Write(quoted)
		out.WriteString(": ")
		out.Write(value)
	}
	out.WriteString("}")
	return out.Bytes()
}

func sameJSON(a, b json.RawMessage) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}
