package conversion

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/gofile"
)

// literals prints plain data of package jsonconvert as Go.
type literals struct{ f *gofile.File }

// typeName returns the name of a type of the package, or a literal of a type.
func (l literals) typeName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + l.typeName(t.Elem())
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "[]byte"
		}
		return "[]" + l.typeName(t.Elem())
	case reflect.Array:
		return "[" + strconv.Itoa(t.Len()) + "]" + l.typeName(t.Elem())
	case reflect.Map:
		return "map[" + l.typeName(t.Key()) + "]" + l.typeName(t.Elem())
	}
	if t.PkgPath() == "" {
		return t.Name()
	}
	return l.f.Ident(gofile.RuntimeJSONConvert, t.Name())
}

// expr returns the expression of a value. Without typed the context has the type.
func (l literals) expr(v reflect.Value, typed bool) string {
	t := v.Type()
	name := ""
	if typed {
		name = l.typeName(t)
	}
	switch t.Kind() {
	case reflect.Pointer:
		if !typed {
			return l.expr(v.Elem(), false)
		}
		return "&" + l.expr(v.Elem(), true)
	case reflect.String:
		if strings.Contains(v.String(), `"`) {
			return quoted(v.String())
		}
		return strconv.Quote(v.String())
	case reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case reflect.Int:
		return strconv.FormatInt(v.Int(), 10)
	case reflect.Slice, reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 {
			return "[]byte(" + quoted(string(v.Bytes())) + ")"
		}
		return name + l.list(v)
	case reflect.Map:
		keys := slices.SortedFunc(slices.Values(v.MapKeys()), func(a, b reflect.Value) int { return cmp.Compare(a.String(), b.String()) })
		var items []string
		for _, key := range keys {
			items = append(items, l.expr(key, false)+": "+l.expr(v.MapIndex(key), false))
		}
		return name + braces(items, isLong(t.Elem()))
	}
	var items []string
	for i := range t.NumField() {
		f := v.Field(i)
		if field := t.Field(i); field.IsExported() && !f.IsZero() {
			items = append(items, field.Name+": "+l.expr(f, true))
		}
	}
	return name + braces(items, false)
}

func (l literals) list(v reflect.Value) string {
	var items []string
	for i := range v.Len() {
		items = append(items, l.expr(v.Index(i), false))
	}
	return braces(items, isLong(v.Type().Elem()))
}

// isLong reports whether each value of a type gets its line: structs with lists of structs, and the fields of types.
func isLong(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Kind() == reflect.Struct && slices.Contains([]string{"Version", "Step", "Type", "Field", "Move", "Hook", "Kind", "Restore"}, t.Name())
}

// braces returns the items of a composite literal.
func braces(items []string, lines bool) string {
	if lines && len(items) > 0 {
		return "{\n" + strings.Join(items, ",\n") + ",\n}"
	}
	return "{" + strings.Join(items, ", ") + "}"
}

// quoted returns a Go string literal that is easy to read.
func quoted(text string) string {
	if strconv.CanBackquote(text) {
		return "`" + text + "`"
	}
	return strconv.Quote(text)
}
