// Package unions has the functions that generated normalisation of unions calls. Only generated code
// uses it.
//
// A [Run] has the request, and [Check] validates one union.
//
// Nothing in this package allocates unless a member is cleared.
package unions

import (
	"reflect"
	"strconv"

	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/kindsmith/kindsmith/runtime/gen/validate"
	"github.com/kindsmith/kindsmith/runtime/union"
)

// Run is the normalisation of one object.
type Run struct {
	union.Request
	// Cleared are the members that were removed so far.
	Cleared []union.Cleared

	paths validate.Run
}

// Fields are pointers to the discriminator, nil for none, and to the members of a union in one
// struct. No fields are those of a struct that does not exist.
type Fields []any

// Normalize normalises a union. exists is set if the old struct exists.
func (r *Run) Normalize(at *validate.Path, u *union.Union, obj, old Fields, exists bool) {
	union.Normalize(u, &r.Request, fields{u, obj}, fields{u, old}, exists, func(member int, sent bool) {
		at := at.Child(u.Members[member].Name)
		r.Cleared = append(r.Cleared, union.Cleared{
			Path: r.paths.FieldPath(&at).String(), Discriminator: u.Discriminator, Value: fields{u, obj}.Discriminator(), Sent: sent,
		})
	})
}

type fields struct {
	union  *union.Union
	values Fields
}

// at returns the discriminator or a member, the zero Value if it is in an inlined struct that is nil.
func (f fields) at(i int) reflect.Value { return reflect.ValueOf(f.values[i]).Elem() }

// Discriminator implements union.Object.
func (f fields) Discriminator() string {
	switch {
	case len(f.values) == 0 || f.values[0] == nil || !f.at(0).IsValid():
		if f.union.Bool {
			return strconv.FormatBool(false)
		}
		return ""
	case f.union.Bool:
		return strconv.FormatBool(f.at(0).Bool())
	}
	return f.at(0).String()
}

// IsSet implements union.Object.
func (f fields) IsSet(member int) bool {
	if len(f.values) == 0 {
		return false
	}
	switch v := f.at(member + 1); v.Kind() {
	case reflect.Invalid:
		return false
	case reflect.Slice, reflect.Map:
		return v.Len() > 0
	default:
		if zeroer, ok := v.Addr().Interface().(interface{ IsZero() bool }); ok { // a quantity remembers its text
			return !zeroer.IsZero()
		}
		return !v.IsZero()
	}
}

// Select implements union.Object.
func (f fields) Select(value string) {
	if d := f.at(0); d.IsValid() && d.String() != value {
		f.at(0).SetString(value)
	}
}

// Clear implements union.Object.
func (f fields) Clear(member int) bool {
	set := f.IsSet(member)
	if v := f.at(member + 1); v.IsValid() {
		v.SetZero()
	}
	return set
}

// Differs implements union.Updated.
func (f fields) Differs(member int, old fields) bool {
	return !old.IsSet(member) || !equality.Semantic.DeepEqual(f.at(member+1).Interface(), old.at(member+1).Interface())
}

// Retain implements union.Updated.
func (f fields) Retain(member int, old fields) {
	if v := f.at(member + 1); v.IsValid() {
		v.Set(old.at(member + 1))
	}
}
