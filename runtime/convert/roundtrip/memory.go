package roundtrip

import (
	"fmt"
	"reflect"
)

// memory is the addresses of what can be changed through a value: of pointers, maps and lists.
type memory map[uintptr]bool

// add adds the memory of a value.
func (m memory) add(v reflect.Value) {
	find(v, func(address uintptr) bool { m[address] = true; return false })
}

// shared returns the path in b of memory that is also that of a, or "".
func (m memory) shared(a, b any) string {
	at := uintptr(0)
	path, ok := find(reflect.ValueOf(b), func(address uintptr) bool { at = address; return m[address] })
	if !ok {
		return ""
	}
	from, _ := find(reflect.ValueOf(a), func(address uintptr) bool { return address == at })
	return fmt.Sprintf("%s (%s of the original)", path, from)
}

// find returns the path of the first memory in a value that is looked for.
func find(v reflect.Value, isIt func(address uintptr) bool) (path string, ok bool) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() || v.Type().Elem().Size() == 0 {
			return "", false
		}
		if isIt(v.Pointer()) {
			return "", true
		}
		return find(v.Elem(), isIt)
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice && v.Cap() > 0 && v.Type().Elem().Size() > 0 && isIt(v.Pointer()) {
			return "", true
		}
		for i := range v.Len() {
			if path, ok := find(v.Index(i), isIt); ok {
				return index(i) + path, true
			}
		}
	case reflect.Map:
		if !v.IsNil() && isIt(v.Pointer()) {
			return "", true
		}
		for it := v.MapRange(); it.Next(); {
			if path, ok := find(it.Value(), isIt); ok {
				return fmt.Sprintf("[%v]%s", it.Key(), path), true
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() || f.Anonymous {
				if path, ok := find(v.Field(i), isIt); ok {
					return "." + f.Name + path, true
				}
			}
		}
	}
	return "", false
}
