package object

import (
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// rounds is the number of rounds of Repair. Repairing one error may uncover others.
const rounds = 60

// Repair changes an object, guided by the errors of validate, until validate reports
// none. old is the object before an update, nil on create. It returns whether it
// succeeded.
func (m Maker) Repair(obj, old any, validate func(obj any) field.ErrorList) bool {
	for round := range rounds {
		errs := validate(obj)
		if len(errs) == 0 {
			return true
		}
		for _, e := range errs {
			m.repair(obj, old, e, round)
			if e.Type == field.ErrorTypeDuplicate || e.Type == field.ErrorTypeTooMany {
				break // the indices of other errors may have changed
			}
		}
	}
	return false
}

// repair tries to repair one error.
func (m Maker) repair(obj, old any, e *field.Error, round int) {
	path := e.Field
	for {
		if find(obj, path, func(n node) {
			if path != e.Field || round > rounds/2 {
				drop(n) // no other repair is known
			} else {
				m.mend(old, n, e)
			}
		}) {
			return
		}
		// The path does not exist or is spelled differently: change the parent.
		i := strings.LastIndexAny(path, ".[")
		if i < 0 {
			if e.Origin == "union" || e.Origin == "zeroOrOneOf" {
				m.chooseMember(reflect.ValueOf(obj).Elem(), e)
			}
			return
		}
		path = path[:i]
	}
}

func drop(n node) {
	if n.remove != nil {
		n.remove()
		return
	}
	n.value.SetZero()
}

var (
	number = regexp.MustCompile(`-?\d+`)
	quoted = regexp.MustCompile(`"([^"]*)"`)
	ticked = regexp.MustCompile("`([^`]*)`")
)

// mend changes the value at the path of an error.
func (m Maker) mend(old any, n node, e *field.Error) {
	v := n.value
	limit, hasLimit := 0, false
	if s := number.FindString(e.Detail); s != "" {
		limit, _ = strconv.Atoi(s)
		hasLimit = true
	}
	switch {
	case e.Origin == "immutable" || e.Origin == "update" || e.Origin == "monotonic":
		restore(n, old)
	case e.Type == field.ErrorTypeRequired:
		m.set(v, 2)
	case e.Type == field.ErrorTypeForbidden, strings.Contains(e.Detail, "may only be specified"):
		v.SetZero()
	case e.Type == field.ErrorTypeDuplicate:
		drop(n)
	case e.Type == field.ErrorTypeTooMany && hasLimit && v.Kind() == reflect.Slice:
		v.Set(v.Slice(0, min(limit, v.Len())))
	case e.Type == field.ErrorTypeTooMany && hasLimit && v.Kind() == reflect.Map:
		for _, key := range sortedKeys(v)[min(limit, v.Len()):] {
			v.SetMapIndex(key, reflect.Value{})
		}
	case e.Type == field.ErrorTypeNotSupported:
		if all := quoted.FindAllStringSubmatch(e.Detail, -1); len(all) > 0 {
			setString(v, pick(m, all)[1])
		}
	case strings.HasPrefix(e.Origin, "format="):
		m.mendFormat(n, e)
	case (e.Origin == "minimum" || e.Origin == "maximum") && hasLimit:
		setInt(v, int64(limit))
	case e.Origin == "union" || e.Origin == "zeroOrOneOf":
		if strings.Contains(e.Detail, "must be specified") {
			m.set(v, 2)
		} else {
			m.chooseMember(v, e)
		}
	case e.Type == field.ErrorTypeTooLong && hasLimit && indirect(v).Kind() == reflect.String:
		s := indirect(v).String()
		setString(v, s[:min(limit, len(s))])
	case m.chance(0.5):
		drop(n)
	default:
		m.change(v)
	}
}

// restore sets a node to its old value.
func restore(n node, old any) {
	restored := old != nil && find(old, n.path, func(o node) { n.value.Set(copied(o.value)) })
	if !restored {
		drop(n)
	}
}

// good are valid values of formats; a letter is appended to distinguish them.
var good = map[string]string{
	"k8s-short-name": "short-", "k8s-long-name": "long.name-", "k8s-long-name-caseless": "Long.name-",
	"k8s-label-key": "label-", "k8s-prefixed-label-key": "example.com/", "k8s-label-value": "value-",
	"k8s-path-segment-name": "segment-", "k8s-uuid": "123e4567-e89b-12d3-a456-42661417400", "k8s-resource-pool-name": "pool/one-",
	"k8s-extended-resource-name": "example.com/gpu-", "k8s-resource-fully-qualified-name": "example.com/size", "k8s-ip": "10.0.0.1",
}

func (m Maker) mendFormat(n node, e *field.Error) {
	prefix, ok := good[strings.TrimPrefix(e.Origin, "format=")]
	if !ok {
		drop(n)
		return
	}
	value := prefix + pick(m, []string{"a", "b", "c", "d"})
	if n.value.Kind() != reflect.Map {
		setString(n.value, value)
		return
	}
	// The keys of a map.
	keys := sortedKeys(n.value)
	if len(keys) == 0 {
		return
	}
	entry := n.value.MapIndex(keys[0])
	for _, key := range keys {
		if key.String() == e.BadValue || len(keys) == 1 {
			n.value.SetMapIndex(key, reflect.Value{})
		}
	}
	key := reflect.New(n.value.Type().Key()).Elem()
	setString(key, value)
	n.value.SetMapIndex(key, entry)
}

// chooseMember sets one of the union members that an error names.
func (m Maker) chooseMember(v reflect.Value, e *field.Error) {
	v = indirect(v)
	names := ticked.FindAllStringSubmatch(e.Detail, -1)
	if v.Kind() != reflect.Struct || len(names) == 0 {
		if v.CanSet() {
			v.SetZero()
		}
		return
	}
	chosen := pick(m, names)[1]
	for _, name := range names {
		f := fieldNamed(v, name[1])
		switch {
		case !f.IsValid():
		case name[1] != chosen:
			f.SetZero()
		case f.IsZero():
			m.set(f, 2)
		}
	}
}

// fieldNamed returns the field with a JSON name.
func fieldNamed(v reflect.Value, name string) reflect.Value {
	for i := range v.NumField() {
		tag, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		if tag == name {
			return v.Field(i)
		}
		if tag == "" && v.Type().Field(i).Anonymous && v.Field(i).Kind() == reflect.Struct {
			if f := fieldNamed(v.Field(i), name); f.IsValid() {
				return f
			}
		}
	}
	return reflect.Value{}
}

func indirect(v reflect.Value) reflect.Value {
	for v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	return v
}

func setString(v reflect.Value, s string) {
	if v = indirect(v); v.Kind() == reflect.String {
		v.SetString(s)
	}
}

func setInt(v reflect.Value, n int64) {
	if v = indirect(v); v.CanInt() {
		v.SetInt(n)
	}
}
