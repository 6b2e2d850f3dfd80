package signatures

import (
	"reflect"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
)

// fill fills a value with one of everything.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("before")
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i))
		}
	case reflect.Map:
		elem := reflect.New(v.Type().Elem()).Elem()
		fill(elem)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("key"), elem)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Name != "Copied" {
				fill(v.Field(i))
			}
		}
	}
}

// change changes all strings, and returns their number and whether methods made the copies that have the field Copied.
func change(t *testing.T, v reflect.Value, path string) (strings int) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("after")
		return 1
	case reflect.Bool:
		if !v.Bool() {
			t.Errorf("%s: the method that it has was not called", path)
		}
	case reflect.Pointer:
		return change(t, v.Elem(), path)
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			strings += change(t, v.Index(i), path+"[]")
		}
	case reflect.Map:
		elem := reflect.New(v.Type().Elem()).Elem()
		elem.Set(v.MapIndex(reflect.ValueOf("key")))
		strings = change(t, elem, path+"[key]")
	case reflect.Struct:
		for i := range v.NumField() {
			strings += change(t, v.Field(i), path+"."+v.Type().Field(i).Name)
		}
	}
	return strings
}

func TestCopies(t *testing.T) {
	all, untouched := &All{}, &All{}
	fill(reflect.ValueOf(all).Elem())
	fill(reflect.ValueOf(untouched).Elem())
	if n := change(t, reflect.ValueOf(all.DeepCopy()).Elem(), "All"); n != 9*5+2*5+1 {
		t.Errorf("%d strings", n)
	}
	if !reflect.DeepEqual(all, untouched) {
		t.Error("a change to the copy shows in the original")
	}
	var out All
	all.DeepCopyInto(&out)
	change(t, reflect.ValueOf(&out).Elem(), "All")
	if !reflect.DeepEqual(all, untouched) {
		t.Error("a change to the other copy shows in the original")
	}
}

func TestObjects(t *testing.T) {
	for _, obj := range []runtime.Object{&Neither{Words: []string{"before"}}, &Object{Words: []string{"before"}}} {
		copied := obj.DeepCopyObject()
		if !reflect.DeepEqual(obj, copied) {
			t.Errorf("%T: %v", obj, copied)
		}
		if change(t, reflect.ValueOf(copied).Elem(), "") != 1 || reflect.DeepEqual(obj, copied) {
			t.Errorf("%T shares memory with its copy", obj)
		}
	}
}
