package roundtrip

import (
	"fmt"
	"reflect"
)

// shared returns the path of memory in b that is also in a, or "".
func shared(a, b any) string {
	inA := map[uintptr]string{}
	memory(reflect.ValueOf(a), "", func(p uintptr, path string) { inA[p] = path })
	found := ""
	memory(reflect.ValueOf(b), "", func(p uintptr, path string) {
		if from, ok := inA[p]; ok && found == "" {
			found = fmt.Sprintf("%s (%s of the original)", path, from)
		}
	})
	return found
}

// memory calls visit for every pointer, map and list that can be changed
// through a value.
func memory(v reflect.Value, path string, visit func(p uintptr, path string)) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && v.Type().Elem().Size() > 0 {
			visit(v.Pointer(), path)
			memory(v.Elem(), path, visit)
		}
	case reflect.Slice:
		if v.Cap() > 0 && v.Type().Elem().Size() > 0 {
			visit(v.Pointer(), path)
		}
		for i := range v.Len() {
			memory(v.Index(i), path+index(i), visit)
		}
	case reflect.Array:
		for i := range v.Len() {
			memory(v.Index(i), path+index(i), visit)
		}
	case reflect.Map:
		if !v.IsNil() {
			visit(v.Pointer(), path)
		}
		for it := v.MapRange(); it.Next(); {
			memory(it.Value(), fmt.Sprintf("%s[%v]", path, it.Key()), visit)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() || f.Anonymous {
				memory(v.Field(i), path+"."+f.Name, visit)
			}
		}
	}
}
