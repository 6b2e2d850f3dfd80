package emit

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/gofile"
	"github.com/kindsmith/kindsmith/runtime/union"
)

// UnionLiteral returns the table of a union as a Go literal.
func UnionLiteral(f *gofile.File, u *union.Union) string {
	typed := *u
	typed.Members = slices.Clone(u.Members)
	for i := range typed.Members {
		typed.Members[i].Zero = union.NoZero // Go types say that themselves
	}
	return unionLiteral(f, reflect.ValueOf(typed))
}

// unionLiteral returns a value of the runtime's package union as a Go literal, without zero fields.
func unionLiteral(f *gofile.File, v reflect.Value) string {
	switch v.Kind() {
	case reflect.Struct:
		var fields []string
		for i := range v.NumField() {
			if !v.Field(i).IsZero() {
				fields = append(fields, v.Type().Field(i).Name+": "+unionLiteral(f, v.Field(i)))
			}
		}
		return f.Ident(gofile.RuntimeUnion, v.Type().Name()) + "{" + strings.Join(fields, ", ") + "}"
	case reflect.Slice:
		items, inLines := make([]string, v.Len()), ""
		for i := range items {
			items[i] = strings.TrimPrefix(unionLiteral(f, v.Index(i)), f.Ident(gofile.RuntimeUnion, v.Type().Elem().Name()))
			if len(items) > 1 {
				inLines = "\n"
				items[i] += ","
			}
		}
		return "[]" + f.Ident(gofile.RuntimeUnion, v.Type().Elem().Name()) + "{" + inLines + strings.Join(items, "\n") + inLines + "}"
	default:
		return fmt.Sprintf("%#v", v.Interface())
	}
}
