package object

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Maker generates objects. The same source of randomness generates the same objects.
type Maker struct {
	*rand.Rand
	// Words are strings that rules use, such as the keys of items.
	Words []string
}

// maxDepth limits the depth of objects of recursive types.
const maxDepth = 14

// New returns a random object of a type.
func (m Maker) New(t reflect.Type) any {
	v := reflect.New(t)
	m.fill(v.Elem(), 0)
	return v.Interface()
}

// fill sets a random value.
func (m Maker) fill(v reflect.Value, depth int) {
	if m.leaf(v) {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if depth < maxDepth && m.chance(0.6) {
			m.set(v, depth)
		}
	case reflect.Slice:
		if depth >= maxDepth || !m.chance(0.7) {
			return
		}
		n := m.IntN(3)
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			m.set(v.Index(i), depth+1)
		}
	case reflect.Map:
		if depth >= maxDepth || !m.chance(0.6) {
			return
		}
		v.Set(reflect.MakeMap(v.Type()))
		for range m.IntN(3) {
			m.addEntry(v, depth)
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[metav1.TypeMeta]() {
			return
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				m.fill(v.Field(i), depth+1)
			}
		}
	}
}

// set is like fill, for a value that must be set.
func (m Maker) set(v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		m.fill(v.Elem(), depth+1)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		m.fill(v.Index(0), depth+1)
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		m.addEntry(v, depth)
	default:
		for range 10 {
			if m.fill(v, depth); !v.IsZero() {
				return
			}
		}
	}
}

func (m Maker) addEntry(v reflect.Value, depth int) {
	key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
	m.set(key, depth+1)
	m.set(value, depth+1)
	v.SetMapIndex(key, value)
}

// leaf fills scalar values.
func (m Maker) leaf(v reflect.Value) bool {
	switch v.Type() {
	case reflect.TypeFor[metav1.Time]():
		v.Set(reflect.ValueOf(metav1.Time{Time: m.time()}))
		return true
	case reflect.TypeFor[metav1.MicroTime]():
		v.Set(reflect.ValueOf(metav1.MicroTime{Time: m.time()}))
		return true
	case reflect.TypeFor[resource.Quantity]():
		v.Set(reflect.ValueOf(resource.MustParse(pick(m, quantities))))
		return true
	case reflect.TypeFor[intstr.IntOrString]():
		if m.chance(0.5) {
			v.Set(reflect.ValueOf(intstr.FromInt32(pick(m, []int32{0, 1, 80, 70000, -1}))))
		} else {
			v.Set(reflect.ValueOf(intstr.FromString(pick(m, []string{"http", "50%", ""}))))
		}
		return true
	case reflect.TypeFor[metav1.FieldsV1]():
		return true
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(m.name())
	case reflect.Bool:
		v.SetBool(m.chance(0.5))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(pick(m, []int64{0, 1, 2, 3, 5, 10, 80}))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(pick(m, []uint64{0, 1, 2, 3, 5, 10, 80}))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(pick(m, []float64{0, 1, 2.5}))
	case reflect.Interface, reflect.Func, reflect.Chan:
	default:
		return false
	}
	return true
}

var (
	// Some are equal but written differently.
	quantities = []string{"0", "1", "1000m", "100m", "0.1", "1Gi", "1024Mi", "-1", "2"}
	epoch      = time.Date(2025, 1, 2, 3, 4, 5, 0, time.UTC)
)

// time returns one of a few times, so that some are equal, in different zones.
func (m Maker) time() time.Time {
	t := epoch.Add(time.Duration(m.IntN(3)) * time.Hour)
	switch m.IntN(4) {
	case 0:
		return time.Time{}
	case 1:
		return t.In(time.FixedZone("", 3600))
	}
	return t
}

// name returns one of a few strings that are valid in most fields, so that some are
// equal.
func (m Maker) name() string {
	if len(m.Words) > 0 && m.chance(0.4) {
		return pick(m, m.Words)
	}
	letter := string(rune('a' + m.IntN(6)))
	switch m.IntN(6) {
	case 0:
		return letter
	case 1:
		return "name-" + letter
	case 2:
		return letter + ".example.com"
	case 3:
		return letter + ".example.com/" + letter
	case 4:
		return strings.ToUpper(letter) + letter
	}
	return fmt.Sprintf("%s-%d", letter, m.IntN(100))
}

func (m Maker) chance(p float64) bool { return m.Float64() < p }

func pick[T any](m Maker, list []T) T { return list[m.IntN(len(list))] }
