package object

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
)

// Respell changes an object without changing its meaning: empty lists and maps become
// nil, and nil ones empty.
func (m Maker) Respell(obj any) {
	respell(m, reflect.ValueOf(obj).Elem())
}

func respell(m Maker, v reflect.Value) {
	if leaves[v.Type()] {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			respell(m, v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				respell(m, v.Field(i))
			}
		}
	case reflect.Slice:
		if v.Len() == 0 && m.chance(0.5) {
			toggle(v, func() reflect.Value { return reflect.MakeSlice(v.Type(), 0, 0) })
		}
		for i := range v.Len() {
			respell(m, v.Index(i))
		}
	case reflect.Map:
		if v.Len() == 0 && m.chance(0.5) {
			toggle(v, func() reflect.Value { return reflect.MakeMap(v.Type()) })
		}
	}
}

func toggle(v reflect.Value, empty func() reflect.Value) {
	if v.IsNil() {
		v.Set(empty())
	} else {
		v.SetZero()
	}
}

func sortedKeys(v reflect.Value) []reflect.Value {
	return slices.SortedFunc(slices.Values(v.MapKeys()), func(a, b reflect.Value) int { return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
}
