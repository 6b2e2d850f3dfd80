package roundtrip

import (
	"bytes"
	"encoding/json"
	"reflect"
)

// unset makes values with their own JSON zero if a zero one encodes to the same JSON. A resource.Quantity that is read
// from "0" is one of these: only a struct with omitzero around it tells it from one that is not set.
func unset(v reflect.Value) {
	if v.Kind() == reflect.Struct && ownJSON(v.Type()) {
		text, err := json.Marshal(v.Addr().Interface())
		zero, errZero := json.Marshal(reflect.New(v.Type()).Interface())
		if err == nil && errZero == nil && bytes.Equal(text, zero) && v.CanSet() {
			v.SetZero()
		}
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			unset(v.Elem())
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			unset(v.Index(i))
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			value := reflect.New(v.Type().Elem()).Elem()
			value.Set(it.Value())
			unset(value)
			v.SetMapIndex(it.Key(), value)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() || f.Anonymous {
				unset(v.Field(i))
			}
		}
	}
}
