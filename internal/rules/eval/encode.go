package eval

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"slices"
)

// MarshalJSON encodes the value like Go.
func (v *value) MarshalJSON() ([]byte, error) { return v.append(nil) }

func (v *value) append(out []byte) ([]byte, error) {
	if v.null && v.typ.form != foreignForm {
		return append(out, "null"...), nil
	}
	switch v.typ.form {
	case boolForm, intForm, uintForm:
		return append(out, v.scalar()...), nil
	case stringForm:
		return appendJSON(out, v.text)
	case bytesForm:
		return appendJSON(out, base64.StdEncoding.EncodeToString([]byte(v.text)))
	case floatForm:
		if v.typ.bits == 32 {
			return appendJSON(out, float32(v.real))
		}
		return appendJSON(out, v.real)
	case pointerForm:
		return v.parts[0].append(out)
	case listForm, arrayForm:
		return v.appendList(out)
	case mapForm:
		return v.appendMap(out)
	case structForm:
		return v.appendStruct(out)
	}
	return appendJSON(out, v.own)
}

func appendJSON(out []byte, v any) ([]byte, error) {
	text, err := json.Marshal(v)
	return append(out, text...), err
}

func (v *value) appendList(out []byte) ([]byte, error) {
	var err error
	out = append(out, '[')
	for i, item := range v.parts {
		if i > 0 {
			out = append(out, ',')
		}
		if out, err = item.append(out); err != nil {
			return nil, err
		}
	}
	return append(out, ']'), nil
}

func (v *value) appendMap(out []byte) ([]byte, error) {
	var err error
	out = append(out, '{')
	for i, key := range slices.Sorted(maps.Keys(v.entries)) {
		if i > 0 {
			out = append(out, ',')
		}
		if out, err = appendJSON(out, key); err != nil {
			return nil, err
		}
		out = append(out, ':')
		if out, err = v.entries[key].append(out); err != nil {
			return nil, err
		}
	}
	return append(out, '}'), nil
}

func (v *value) appendStruct(out []byte) ([]byte, error) {
	out = append(out, '{')
	first := true
	for _, key := range v.typ.keys() {
		f, x := v.at(key.way)
		if x == nil || f.OmitEmpty && x.isEmpty() && (x.null || !key.keepsEmpty) || f.OmitZero && x.isZero() {
			continue
		}
		if !first {
			out = append(out, ',')
		}
		first = false
		var err error
		if out, err = appendJSON(out, key.name); err != nil {
			return nil, err
		}
		out = append(out, ':')
		if f.quoted && x.deref() != nil {
			text, err := x.append(nil)
			if err != nil {
				return nil, err
			}
			if out, err = appendJSON(out, string(text)); err != nil {
				return nil, err
			}
			continue
		}
		if out, err = x.append(out); err != nil {
			return nil, err
		}
	}
	return append(out, '}'), nil
}

// at returns the field at a path; nil if an inlined pointer is nil.
func (v *value) at(way []int) (f *goField, x *value) {
	for i, step := range way {
		f, x = v.typ.fields[step], v.parts[step]
		if i < len(way)-1 {
			if v = x.deref(); v == nil {
				return f, nil
			}
		}
	}
	return f, x
}

// isEmpty reports whether omitempty omits the value.
func (v *value) isEmpty() bool {
	switch v.typ.form {
	case structForm, knownForm:
		return false
	case arrayForm:
		return len(v.parts) == 0
	case foreignForm:
		return v.null
	}
	return !v.isSet()
}

// isZero reports whether omitzero omits the value.
func (v *value) isZero() bool {
	switch v.typ.form {
	case pointerForm, listForm, mapForm, bytesForm, foreignForm:
		return v.null
	case knownForm:
		return v.typ.known.unset(v.own)
	case structForm, arrayForm:
		return !slices.ContainsFunc(v.parts, func(p *value) bool { return !p.isZero() })
	}
	return !v.isSet()
}
