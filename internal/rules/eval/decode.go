package eval

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/runtime/gen/validate"
)

// Decode reads one JSON object with exact numbers.
func Decode(text []byte) (map[string]any, error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var object map[string]any
	if err := dec.Decode(&object); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is more than one JSON value")
	}
	return object, nil
}

// decoder decodes JSON values like Go: absent and null values are zero values, and unknown keys are
// ignored.
type decoder struct {
	run *validate.Run
	// malformed are the JSON values that do not fit their types.
	malformed field.ErrorList
}

// decode decodes a JSON value of a type.
func (d *decoder) decode(t *goType, at *validate.Path, raw any) *value {
	if raw == nil && t.form != knownForm {
		return t.zero()
	}
	switch t.form {
	case stringForm:
		if text, ok := raw.(string); ok {
			return &value{typ: t, text: text}
		}
	case boolForm:
		if b, ok := raw.(bool); ok {
			return &value{typ: t, bits: map[bool]uint64{true: 1}[b]}
		}
	case intForm, uintForm, floatForm:
		if v := decodeNumber(t, raw); v != nil {
			return v
		}
	case bytesForm:
		if text, ok := raw.(string); ok {
			if content, err := base64.StdEncoding.DecodeString(text); err == nil {
				return &value{typ: t, text: string(content)}
			}
		}
	case pointerForm:
		return &value{typ: t, parts: []*value{d.decode(t.elem, at, raw)}}
	case listForm, arrayForm:
		if list, ok := raw.([]any); ok {
			return d.list(t, at, list)
		}
	case mapForm:
		if object, ok := raw.(map[string]any); ok {
			return d.mapping(t, at, object)
		}
	case structForm:
		if object, ok := raw.(map[string]any); ok {
			return d.structure(t, at, object)
		}
	case knownForm:
		return d.known(t, at, raw)
	default:
		return &value{typ: t, own: raw}
	}
	return d.refuse(t, at, raw)
}

// refuse reports a JSON value that does not fit its type.
func (d *decoder) refuse(t *goType, at *validate.Path, raw any) *value {
	var shown any
	switch raw.(type) {
	case map[string]any, []any:
		shown = field.OmitValueType{}
	default:
		shown = raw
	}
	d.malformed = append(d.malformed, field.TypeInvalid(d.run.FieldPath(at), shown, "must be "+t.words()))
	return t.zero()
}

// decodeNumber returns nil for a number that does not fit the type.
func decodeNumber(t *goType, raw any) *value {
	text, ok := numberText(raw)
	if !ok {
		return nil
	}
	v := &value{typ: t}
	var err error
	switch t.form {
	case intForm:
		var n int64
		n, err = strconv.ParseInt(text, 10, t.bits)
		v.bits = uint64(n)
	case uintForm:
		v.bits, err = strconv.ParseUint(text, 10, t.bits)
	default:
		v.real, err = strconv.ParseFloat(text, t.bits)
	}
	if err != nil {
		return nil
	}
	return v
}

// numberText returns the JSON text of a number. Decoders of YAML return Go numbers.
func numberText(raw any) (string, bool) {
	switch n := raw.(type) {
	case json.Number:
		return string(n), true
	case int:
		return strconv.Itoa(n), true
	case int32:
		return strconv.FormatInt(int64(n), 10), true
	case int64:
		return strconv.FormatInt(n, 10), true
	case uint64:
		return strconv.FormatUint(n, 10), true
	case float64:
		return strconv.FormatFloat(n, 'f', -1, 64), true
	}
	return "", false
}

func (d *decoder) list(t *goType, at *validate.Path, list []any) *value {
	v := &value{typ: t, parts: make([]*value, 0, len(list))}
	for i, raw := range list {
		if t.form == arrayForm && i == t.size {
			break
		}
		at := at.Index(i)
		v.parts = append(v.parts, d.decode(t.elem, &at, raw))
	}
	for t.form == arrayForm && len(v.parts) < t.size {
		v.parts = append(v.parts, t.elem.zero())
	}
	return v
}

func (d *decoder) mapping(t *goType, at *validate.Path, object map[string]any) *value {
	v := &value{typ: t, entries: make(map[string]*value, len(object))}
	for _, key := range sortedKeys(object) {
		at := at.Key(key)
		if t.key.form != stringForm && decodeNumber(t.key, json.Number(key)) == nil {
			d.refuse(t.key, &at, key)
			continue
		}
		v.entries[key] = d.decode(t.elem, &at, object[key])
	}
	return v
}

func (d *decoder) structure(t *goType, at *validate.Path, object map[string]any) *value {
	v := t.fresh()
	for _, key := range t.keys() {
		raw, given := object[key.name]
		if !given {
			continue
		}
		at := at.Child(key.name)
		into, last := v, len(key.way)-1
		for _, step := range key.way[:last] {
			into = into.inlined(step)
		}
		i := key.way[last]
		f := into.typ.fields[i]
		if f.quoted && raw != nil {
			into.parts[i] = d.quoted(f.typ, &at, raw)
			continue
		}
		into.parts[i] = d.decode(f.typ, &at, raw)
	}
	return v
}

// quoted decodes the value of a field with the option string, whose JSON is in a string.
func (d *decoder) quoted(t *goType, at *validate.Path, raw any) *value {
	text, ok := raw.(string)
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var inner any
	if !ok || dec.Decode(&inner) != nil || dec.More() {
		d.malformed = append(d.malformed, field.TypeInvalid(d.run.FieldPath(at), raw, "must be a string with "+t.pointee().words()))
		return t.zero()
	}
	return d.decode(t, at, inner)
}

// fresh returns a zero struct whose fields can be set.
func (t *goType) fresh() *value {
	return &value{typ: t, parts: slices.Clone(t.zero().parts)}
}

// inlined returns the inlined struct of a field of a fresh struct. As in Go, a nil pointer becomes
// one to a new struct.
func (v *value) inlined(step int) *value {
	t := v.typ.fields[step].typ
	if v.parts[step] == t.zero() {
		v.parts[step] = t.pointee().fresh()
		if t.form == pointerForm {
			v.parts[step] = &value{typ: t, parts: []*value{v.parts[step]}}
		}
	}
	return v.parts[step].deref()
}

// known decodes a value of a type with custom JSON, which may be null.
func (d *decoder) known(t *goType, at *validate.Path, raw any) *value {
	text, err := json.Marshal(raw)
	if err == nil {
		var own any
		if own, err = t.known.decode(text); err == nil {
			return &value{typ: t, own: own}
		}
	}
	return d.refuse(t, at, raw)
}
