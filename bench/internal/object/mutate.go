package object

import (
	"math"
	"reflect"
	"strings"
)

// lengths are common limits of lengths.
var lengths = []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 16, 17, 20, 31, 32, 33, 50, 62, 63, 64, 65, 99, 100, 101, 127, 128, 129, 253, 254, 255, 256, 257, 316, 317, 318, 500, 512, 513, 1023, 1024, 1025}

// numbers are common limits of numbers.
var numbers = []int64{math.MinInt32, -129, -128, -2, -1, 0, 1, 2, 9, 10, 11, 99, 100, 101, 128, 129, 255, 256, 600, 3600, 65535, 65536, 99999, 100000, 100001, 1000000, 1000000000, 1000000001, math.MaxInt32, math.MaxInt64, math.MinInt64}

// words are strings that some rules reject.
var words = []string{
	"", " ", "-", "UPPER", "under_score", "a..b", "-a", "a-", "a.", ".a", "a/b", "a/b/c", "/a", "a/", "é", "日本", "a b", "a\x00b", "\xff",
	"example.com", "example.com/", "example.com/x", "Example.com/x", "k8s.io/x", "x.k8s.io/y", "kubernetes.io/x", "requests.example.com/x", "requests.x",
	"123e4567-e89b-12d3-a456-426614174000", "123E4567-E89B-12D3-A456-426614174000", "123e4567-e89b-12d3-a456-42661417400", "123e4567ae89b-12d3-a456-426614174000",
	"10.0.0.1", "::1", "010.0.0.1", "10.0.0.0/8", "..", ".", "a%b", "true", "*", "*.example.com",
}

// Hints returns whether a path has rules, and the numbers in these rules.
type Hints func(path string) (ruled bool, limits []int)

// Mutate changes an object at one path, usually one with rules.
func (m Maker) Mutate(obj any, hints Hints) {
	var preferred []int
	count := 0
	walk(obj, func(n node) bool {
		if ruled, _ := hints(n.path); ruled {
			preferred = append(preferred, count)
		}
		count++
		return true
	})
	if count == 0 {
		return
	}
	at := m.IntN(count)
	if len(preferred) > 0 && m.chance(0.7) {
		at = pick(m, preferred)
	}
	walk(obj, func(n node) bool {
		if at > 0 {
			at--
			return true
		}
		_, limits := hints(n.path)
		switch {
		case len(limits) > 0 && m.chance(0.5):
			m.toLimit(n.value, pick(m, limits)+m.IntN(3)-1)
		case n.remove != nil && m.chance(0.15):
			n.remove()
		default:
			m.change(n.value)
		}
		return false
	})
}

// toLimit changes a number to n, or the length of another value to n.
func (m Maker) toLimit(v reflect.Value, n int) {
	v = indirect(v)
	switch {
	case v.CanInt():
		if !v.OverflowInt(int64(n)) {
			v.SetInt(int64(n))
		}
	case n < 0 || n > maxLength:
	case v.Kind() == reflect.String:
		m.lengthen(v, n)
	case v.Kind() == reflect.Slice && v.Len() > 0:
		m.resize(v, n)
	case v.Kind() == reflect.Map && v.Len() > 0 && v.Type().Key().Kind() == reflect.String:
		m.multiply(v, n)
	}
}

// maxLength limits lengths.
const maxLength = 70000

// lengthen changes a string to n bytes, as far as whole characters allow.
func (m Maker) lengthen(v reflect.Value, n int) {
	s := v.String()
	if len(s) < n {
		c := pick(m, []string{"a", "a", "é"})
		s += strings.Repeat(c, (n-len(s))/len(c))
	}
	v.SetString(s[:min(n, len(s))])
}

// multiply extends a map to n entries, with keys similar to an existing one.
func (m Maker) multiply(v reflect.Value, n int) {
	key := pick(m, sortedKeys(v))
	for i := 0; v.Len() < min(n, 26*26); i++ {
		more := reflect.New(v.Type().Key()).Elem()
		more.SetString(key.String() + alphabetic(i))
		v.SetMapIndex(more, copied(v.MapIndex(key)))
	}
}

// change replaces a value.
func (m Maker) change(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		switch {
		case v.IsNil():
			m.set(v, 0)
		case m.chance(0.4):
			v.SetZero()
		default:
			p := reflect.New(v.Type().Elem())
			p.Elem().Set(v.Elem())
			m.change(p.Elem())
			v.Set(p)
		}
	case reflect.String:
		m.changeString(v)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if n := v.Int() + pick(m, []int64{-1, 1}); m.chance(0.4) && !v.OverflowInt(n) {
			v.SetInt(n)
		} else {
			v.SetInt(pick(m, numbers)) // truncated to the field's width
		}
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Slice:
		m.changeSlice(v)
	case reflect.Map:
		m.changeMap(v)
	case reflect.Struct:
		if m.chance(0.3) && !leaves[v.Type()] {
			v.SetZero()
		} else {
			m.set(v, 4)
		}
	default:
		m.fill(v, 0)
	}
}

func (m Maker) changeString(v reflect.Value) {
	s := v.String()
	if len(m.Words) > 0 && m.chance(0.3) {
		v.SetString(pick(m, m.Words))
		return
	}
	switch m.IntN(6) {
	case 0:
		v.SetString("")
	case 1:
		v.SetString(pick(m, words))
	case 2:
		v.SetString(m.name())
	case 3:
		m.lengthen(v, pick(m, lengths))
	case 4:
		v.SetString(s + pick(m, []string{"x", "-", ".", "/x", "_", "X"}))
	case 5:
		if len(s) > 0 {
			v.SetString(s[:len(s)-1])
		}
	}
}

func (m Maker) changeSlice(v reflect.Value) {
	n := v.Len()
	switch op := m.IntN(7); {
	case n == 0 && op < 3:
		m.set(v, 2)
	case op == 0:
		v.SetZero()
	case op == 1: // validators do not distinguish nil and empty
		if v.IsNil() {
			v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		} else {
			v.Set(v.Slice(0, 0))
		}
	case n == 0:
		m.set(v, 2)
	case op == 2:
		item := reflect.New(v.Type().Elem()).Elem()
		m.set(item, 2)
		at := m.IntN(n + 1)
		tail := copied(v.Slice(at, n))
		v.Set(reflect.AppendSlice(reflect.Append(copied(v.Slice(0, at)), item), tail))
	case op == 3:
		v.Set(reflect.Append(copied(v), copied(v.Index(m.IntN(n)))))
	case op == 4:
		i, j := m.IntN(n), m.IntN(n)
		a, b := copied(v.Index(i)), copied(v.Index(j))
		v.Index(i).Set(b)
		v.Index(j).Set(a)
	case op == 5:
		m.resize(v, pick(m, lengths))
	case op == 6:
		item := v.Index(m.IntN(n))
		if item.Kind() == reflect.Pointer && m.chance(0.5) {
			item.SetZero() // null in a list
			return
		}
		m.change(item)
	}
}

// resize changes the length of a list, with slightly different copies of its items.
func (m Maker) resize(v reflect.Value, n int) {
	if n > 140 && v.Type().Elem().Kind() == reflect.Struct {
		n = 140 // longer lists are slow and find no other differences
	}
	if n <= v.Len() {
		v.Set(v.Slice(0, n))
		return
	}
	out := copied(v)
	for i := v.Len(); i < n; i++ {
		item := copied(v.Index(i % v.Len()))
		if m.chance(0.98) {
			distinguish(item, i)
		}
		out = reflect.Append(out, item)
	}
	v.Set(out)
}

// distinguish changes a value so that it differs from its neighbours.
func distinguish(v reflect.Value, i int) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			distinguish(v.Elem(), i)
		}
	case reflect.String:
		v.SetString(v.String() + alphabetic(i))
	case reflect.Struct:
		for j := range v.NumField() {
			if f := v.Field(j); f.Kind() == reflect.String && f.CanSet() {
				distinguish(f, i)
				return
			}
		}
	}
}

// alphabetic returns a number in letters, which most formats allow.
func alphabetic(i int) string {
	return string([]byte{'a' + byte(i/26%26), 'a' + byte(i%26)})
}

func (m Maker) changeMap(v reflect.Value) {
	out := copied(v)
	if out.IsNil() {
		out.Set(reflect.MakeMap(v.Type()))
	}
	keys := out.MapKeys()
	key := func() reflect.Value {
		return pick(m, sortedKeys(out))
	}
	switch op := m.IntN(6); {
	case op == 0:
		v.SetZero()
		return
	case op == 1:
		m.addEntry(out, 2)
	case op == 2:
		odd := reflect.New(v.Type().Key()).Elem()
		if odd.Kind() == reflect.String {
			odd.SetString(pick(m, words))
		}
		value := reflect.New(v.Type().Elem()).Elem()
		m.set(value, 2)
		out.SetMapIndex(odd, value)
	case op == 3 && len(keys) > 0:
		out.SetMapIndex(key(), reflect.Value{})
	case op == 4 && len(keys) > 0:
		k := key()
		value := copied(out.MapIndex(k))
		m.change(value)
		out.SetMapIndex(k, value)
	case op == 5 && len(keys) > 0 && v.Type().Key().Kind() == reflect.String:
		m.multiply(out, min(pick(m, lengths), 140))
	}
	v.Set(out)
}
