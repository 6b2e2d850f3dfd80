package eval

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// UnknownField is the error about a key, with the names of the fields that its object has.
type UnknownField struct {
	Err    *field.Error
	Beside []string
}

// Unknown returns the unknown keys of an object, which API servers drop or, in strict mode, reject.
// Like in API servers, keys are case-sensitive.
func (s *Set) Unknown(name TypeName, object map[string]any) ([]UnknownField, error) {
	t, err := s.goType(name)
	if err != nil {
		return nil, err
	}
	var found []UnknownField
	unknown(t, nil, object, &found)
	return found, nil
}

func unknown(t *goType, at *field.Path, raw any, found *[]UnknownField) {
	switch t = t.pointee(); raw := raw.(type) {
	case []any:
		if t.form != listForm && t.form != arrayForm {
			return
		}
		for i, item := range raw {
			unknown(t.elem, at.Index(i), item, found)
		}
	case map[string]any:
		switch t.form {
		case mapForm:
			for _, key := range sortedKeys(raw) {
				unknown(t.elem, at.Key(key), raw[key], found)
			}
		case structForm:
			unknownKeys(t, at, raw, found)
		}
	}
}

func unknownKeys(t *goType, at *field.Path, object map[string]any, found *[]UnknownField) {
	for _, key := range sortedKeys(object) {
		i := slices.IndexFunc(t.keys(), func(k wireKey) bool { return k.name == key })
		if i < 0 {
			*found = append(*found, UnknownField{unknownField(t, at, key), t.keyNames()})
			continue
		}
		last, way := t, t.wire[i].way
		for _, step := range way[:len(way)-1] {
			last = last.fields[step].typ.pointee()
		}
		unknown(last.fields[way[len(way)-1]].typ, at.Child(key), object[key], found)
	}
}

func unknownField(t *goType, at *field.Path, key string) *field.Error {
	detail := "unknown field"
	for _, name := range t.keyNames() {
		if strings.EqualFold(name, key) {
			detail += fmt.Sprintf("; the field is spelled %q", name)
			break
		}
	}
	return field.Invalid(at.Child(key), field.OmitValueType{}, detail)
}

// Duplicates returns the duplicate keys in a JSON text, of which decoders use the last. It returns
// an error for invalid JSON.
func Duplicates(text []byte) (field.ErrorList, error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var found field.ErrorList
	if err := duplicates(dec, nil, &found); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is more than one JSON value")
	}
	return found, nil
}

func duplicates(dec *json.Decoder, at *field.Path, found *field.ErrorList) error {
	token, err := dec.Token()
	if err != nil {
		return err
	}
	open, ok := token.(json.Delim)
	if !ok {
		return nil
	}
	seen := map[string]bool{}
	for i := 0; dec.More(); i++ {
		inside := at.Index(i)
		if open == '{' {
			token, err := dec.Token()
			if err != nil {
				return err
			}
			key, _ := token.(string)
			inside = at.Child(key)
			if seen[key] {
				*found = append(*found, field.Duplicate(inside, key))
			}
			seen[key] = true
		}
		if err := duplicates(dec, inside, found); err != nil {
			return err
		}
	}
	_, err = dec.Token()
	return err
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
