package validate

import (
	"hash/maphash"
	"math"
	"reflect"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kindsmith/kindsmith/runtime/gen/quantity"
)

// HashMeaning adds a value of any type to the hash h. Values that package equality
// compares as equal have equal hashes: what pointers point to counts, nil and empty
// lists and maps are the same, and so are quantities of one value and times of one
// instant. It uses reflection, and allocates for maps.
func HashMeaning[T any](h uint64, v *T) uint64 { return hashValue(h, reflect.ValueOf(v).Elem()) }

var (
	quantityType = reflect.TypeFor[resource.Quantity]()
	apiTimeType  = reflect.TypeFor[apiTime]()
	timeType     = reflect.TypeFor[time.Time]()
)

// apiTime is what Time and MicroTime of meta/v1 convert to. That package is not imported, because it links an HTTP server.
type apiTime struct{ time.Time }

func hashValue(h uint64, v reflect.Value) uint64 {
	switch v.Kind() {
	case reflect.Bool:
		return HashBool(h, v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return HashInt(h, v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return HashInt(h, v.Uint())
	case reflect.Float32, reflect.Float64:
		return HashInt(h, math.Float64bits(v.Float()+0)) // -0 equals 0
	case reflect.String:
		return HashString(h, v.String())
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return HashBool(h, false)
		}
		return hashValue(HashBool(h, true), v.Elem())
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8 {
			return mix(h, maphash.Bytes(seed, v.Bytes()))
		}
		for i := range v.Len() {
			h = hashValue(h, v.Index(i))
		}
		return HashInt(h, v.Len())
	case reflect.Map:
		sum := uint64(0) // the order does not matter
		for it := v.MapRange(); it.Next(); {
			sum += hashValue(hashValue(0, it.Key()), it.Value())
		}
		return mix(h, sum)
	case reflect.Struct:
		return hashStruct(h, v)
	}
	return h // complex numbers, channels and functions are not in JSON
}

func hashStruct(h uint64, v reflect.Value) uint64 {
	for _, special := range []reflect.Type{quantityType, apiTimeType, timeType} {
		if !v.Type().ConvertibleTo(special) {
			continue
		}
		if !v.CanInterface() {
			return h // an unexported field cannot be asked what it means
		}
		if !v.CanAddr() { // an item of a map
			variable := reflect.New(v.Type()).Elem()
			variable.Set(v)
			v = variable
		}
		switch p := v.Addr().Convert(reflect.PointerTo(special)).Interface().(type) {
		case *resource.Quantity:
			return hashQuantity(h, p)
		case *apiTime:
			return hashTime(h, p.Time)
		case *time.Time:
			return hashTime(h, *p)
		}
	}
	for i := range v.NumField() {
		h = hashValue(h, v.Field(i))
	}
	return h
}

func hashTime(h uint64, t time.Time) uint64 { return HashInt(HashInt(h, t.Unix()), t.Nanosecond()) }

func hashQuantity(h uint64, q *resource.Quantity) uint64 {
	var room [24]byte
	digits, magnitude := quantity.Canonical(q, room[:0])
	return HashInt(mix(h, maphash.Bytes(seed, digits)), magnitude)
}
