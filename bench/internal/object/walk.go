// Package object generates API objects for tests: it fills them at random, repairs
// them until they are valid, and mutates one value at a time.
//
// Random objects alone do not test validators well, because errors at the top hide the
// rules below. Objects are therefore first repaired, guided by a validator's errors,
// and then mutated.
package object

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// leaves are structs that are treated as one value.
var leaves = map[reflect.Type]bool{
	reflect.TypeFor[metav1.Time]():        true,
	reflect.TypeFor[metav1.MicroTime]():   true,
	reflect.TypeFor[metav1.FieldsV1]():    true,
	reflect.TypeFor[resource.Quantity]():  true,
	reflect.TypeFor[intstr.IntOrString](): true,
}

// node is a field, an item or an entry's value.
type node struct {
	// path is its path in errors.
	path string
	// value is settable.
	value reflect.Value
	// remove removes it from its list or map; nil elsewhere.
	remove func()
}

// find visits the node at a path, if it exists. The visit may change the node.
func find(obj any, path string, visit func(node)) bool {
	found := false
	v := reflect.ValueOf(obj).Elem()
	walkIn("", v, func(n node) bool {
		if n.path == path {
			found = true
			visit(n)
		}
		return !found
	}, func(above string) bool { return strings.HasPrefix(path, above) })
	return found
}

// walk visits all nodes of an object, outer ones first, until visit returns false.
// visit may change the node only if it returns false.
func walk(obj any, visit func(node) bool) {
	walkIn("", reflect.ValueOf(obj).Elem(), visit, func(string) bool { return true })
}

// walkIn visits the nodes in a value for whose path enter returns true. It returns
// false if visit did.
func walkIn(path string, v reflect.Value, visit func(node) bool, enter func(path string) bool) bool {
	if !enter(path) {
		return true
	}
	for v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return true
		}
		v = v.Elem()
	}
	if leaves[v.Type()] {
		return true
	}
	switch v.Kind() {
	case reflect.Struct:
		return walkFields(path, v, visit, enter)
	case reflect.Slice:
		for i := range v.Len() {
			n := node{path: path + "[" + strconv.Itoa(i) + "]", value: v.Index(i), remove: func() {
				v.Set(reflect.AppendSlice(copied(v.Slice(0, i)), v.Slice(i+1, v.Len())))
			}}
			if !visit(n) || !walkIn(n.path, n.value, visit, enter) {
				return false
			}
		}
	case reflect.Map:
		return walkEntries(path, v, visit, enter)
	}
	return true
}

func walkFields(path string, v reflect.Value, visit func(node) bool, enter func(path string) bool) bool {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case !f.IsExported() || name == "-" || f.Type == reflect.TypeFor[metav1.TypeMeta]():
		case f.Anonymous && name == "":
			if !walkIn(path, v.Field(i), visit, enter) {
				return false
			}
		default:
			n := node{path: strings.TrimPrefix(path+"."+name, "."), value: v.Field(i)}
			if !visit(n) || !walkIn(n.path, n.value, visit, enter) {
				return false
			}
		}
	}
	return true
}

// walkEntries visits the values of a map. Map values are not settable, so it visits
// copies and stores them back.
func walkEntries(path string, v reflect.Value, visit func(node) bool, enter func(path string) bool) bool {
	for _, key := range sortedKeys(v) {
		value := reflect.New(v.Type().Elem()).Elem()
		value.Set(v.MapIndex(key))
		removed := false
		n := node{path: path + "[" + fmt.Sprint(key) + "]", value: value, remove: func() { removed = true }}
		if visit(n) && walkIn(n.path, value, visit, enter) {
			continue
		}
		if removed {
			v.SetMapIndex(key, reflect.Value{})
		} else {
			v.SetMapIndex(key, value)
		}
		return false
	}
	return true
}

// Copy returns a deep copy of the value of a pointer.
func Copy(obj any) any {
	v := reflect.ValueOf(obj)
	out := reflect.New(v.Type().Elem())
	out.Elem().Set(copied(v.Elem()))
	return out.Interface()
}

// copied returns a deep copy that preserves nil and empty.
func copied(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			out.Set(reflect.New(v.Type().Elem()))
			out.Elem().Set(copied(v.Elem()))
		}
	case reflect.Slice:
		if !v.IsNil() {
			out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
			for i := range v.Len() {
				out.Index(i).Set(copied(v.Index(i)))
			}
		}
	case reflect.Map:
		if !v.IsNil() {
			out.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
			for _, key := range v.MapKeys() {
				out.SetMapIndex(key, copied(v.MapIndex(key)))
			}
		}
	case reflect.Struct:
		if leaves[v.Type()] {
			break
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				out.Field(i).Set(copied(v.Field(i)))
			}
		}
	}
	return out
}
