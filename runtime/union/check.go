package union

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/runtime/gen/validate"
	"github.com/kindsmith/kindsmith/runtime/internal/skew"
)

// Code is a rule of unions.
type Code string

// The rules.
const (
	// SeveralSet: several members are set. If the discriminator was changed, normalisation has cleared
	// the others.
	SeveralSet Code = "V1"
	// SelectedUnset: the selected member is not set.
	SelectedUnset Code = "V2"
	// NotSelected: a member is set that is not the selected one.
	NotSelected Code = "V3"
	// UnknownValue: the discriminator has a value that the union does not have.
	UnknownValue Code = "V4"
	// NoValue: the discriminator is unset.
	NoValue Code = "V5"
	// TooMany and TooFew: more or less members are set than a union without discriminator allows.
	TooMany Code = "L-multi"
	TooFew  Code = "L-none"
)

// Problem is a rule that an object breaks.
type Problem struct {
	Code Code
	// Field is the JSON name of the field with the error; "" for the object of the union.
	Field string
	Type  field.ErrorType
	// Value is the field's value; field.OmitValueType if the error is not about a value.
	Value  any
	Detail string
}

// Error returns the problem as an error at the path of the union's object.
func (p Problem) Error(at *field.Path) *field.Error {
	if p.Field != "" {
		at = at.Child(p.Field)
	}
	return &field.Error{Type: p.Type, Field: at.String(), BadValue: p.Value, Detail: p.Detail, Origin: "union"}
}

// Problems returns the rules that an object breaks; modified is set if it is new, or its
// discriminator was changed. All conditions of the union hold for the object.
//
// In a union of KEP-1027, a wrong discriminator is the only problem: what it should select is not known. If several
// members are set, the error says what to change, rather than which of them are not selected. In a union of the +k8s:
// tags, a wrong discriminator selects no member, and other rules report it.
func (u *Union) Problems(r *Request, obj State, exists, modified bool) []Problem {
	active, set := u.set(r, obj)
	if !u.discriminated(r) || u.Algorithm == Older {
		return u.counted(active, set)
	}
	d := obj.Discriminator()
	if !u.Open && !u.Declarative && !u.known(r, d) {
		return u.unknown(r, d, modified)
	}
	var list []Problem
	several := len(set) > 1 && !u.Declarative
	for i := range u.Members {
		m := &u.Members[i]
		switch {
		case u.repeated(i) || !r.Holds(m.Under):
		case u.deselected(r, i, d):
			if obj.IsSet(i) && !several {
				list = append(list, u.notSelected(m, d, exists && !modified))
			}
		case !obj.IsSet(i) && !u.optional(i, d):
			list = append(list, u.selectedUnset(m, d))
		}
	}
	if several {
		list = append([]Problem{u.several(d, set, exists && !modified)}, list...)
	}
	return list
}

// Report reports the problems of an object to a run, at the path of the object. It returns whether there are none.
func (u *Union) Report(r *validate.Run, at *validate.Path, obj State, exists, modified bool) bool {
	ok := true
	for _, p := range u.Problems(&Request{Options: skew.Map(r.Operation.Options), Level: Alpha}, obj, exists, modified) {
		ok = r.Report([]*field.Error{p.Error(r.FieldPath(at))}) && ok
	}
	return ok
}

// set returns the names of the members that belong to the union in a request, and of those that are
// set.
func (u *Union) set(r *Request, obj State) (active, set []string) {
	for i := range u.Members {
		if m := &u.Members[i]; r.Holds(m.Under) && !slices.Contains(active, m.Name) {
			active = append(active, m.Name)
			if obj.IsSet(i) {
				set = append(set, m.Name)
			}
		}
	}
	return active, set
}

// optional reports whether a selected member may be unset.
func (u *Union) optional(i int, d string) bool {
	return slices.ContainsFunc(u.Members, func(m Member) bool { return m.Name == u.Members[i].Name && m.Value == d && m.Optional })
}

func (u *Union) unknown(r *Request, d string, modified bool) []Problem {
	switch {
	case modified && (u.Declared && d != "" || u.Required && d == ""):
		return nil // another rule reports the value
	case d == "":
		return []Problem{{Code: NoValue, Field: u.Discriminator, Type: field.ErrorTypeRequired, Value: "", Detail: "must be " + choice(u.names(r))}}
	default:
		return []Problem{{Code: UnknownValue, Field: u.Discriminator, Type: field.ErrorTypeNotSupported, Value: d, Detail: "supported values: " + strings.Join(u.names(r), ", ")}}
	}
}

// names returns the values of the discriminator in quotes.
func (u *Union) names(r *Request) []string {
	var names []string
	for _, m := range u.Members {
		if r.Holds(m.Under) {
			names = append(names, strconv.Quote(m.Value))
		}
	}
	for _, v := range u.Values {
		if name := strconv.Quote(v.Value); u.known(r, v.Value) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func choice(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}

func (u *Union) several(d string, set []string, kept bool) Problem {
	p := Problem{Code: SeveralSet, Type: field.ErrorTypeInvalid, Value: "{" + strings.Join(set, ", ") + "}"}
	selected := slices.DeleteFunc(slices.Clone(u.Members), func(m Member) bool { return m.Value != d })
	keep := "nothing, so none of them may be set"
	if len(selected) > 0 {
		keep = "`" + selected[0].Name + "`, so only that may be set"
	}
	p.Detail = fmt.Sprintf("`%s` is %q and selects %s", u.Discriminator, d, keep)
	if kept {
		p.Detail += fmt.Sprintf("; `%s` must be changed when changing members", u.Discriminator)
	}
	return p
}

func (u *Union) notSelected(m *Member, d string, kept bool) Problem {
	p := Problem{Code: NotSelected, Field: m.Name, Type: field.ErrorTypeForbidden, Value: field.OmitValueType{}}
	if u.Declarative {
		p.Type = field.ErrorTypeInvalid
	}
	var values []string
	for _, other := range u.Members {
		if other.Name == m.Name {
			values = append(values, strconv.Quote(other.Value))
		}
	}
	p.Detail = fmt.Sprintf("may only be specified when `%s` is %s", u.Discriminator, choice(values))
	if kept {
		p.Detail += fmt.Sprintf(", and it is %q: change `%s` to switch members", d, u.Discriminator)
	}
	return p
}

func (u *Union) selectedUnset(m *Member, d string) Problem {
	p := Problem{Code: SelectedUnset, Field: m.Name, Type: field.ErrorTypeRequired, Value: "", Detail: fmt.Sprintf("must be specified when `%s` is %q", u.Discriminator, d)}
	if u.Declarative {
		p.Type, p.Value = field.ErrorTypeInvalid, field.OmitValueType{}
	}
	return p
}

// counted checks how many members are set in a union that no discriminator validates.
func (u *Union) counted(active, set []string) []Problem {
	members := "`" + strings.Join(active, "`, `") + "`"
	switch {
	case len(active) == 0:
		return nil
	case len(set) > 1 && (u.ZeroOrOne || u.Algorithm == Older):
		return []Problem{{Code: TooMany, Type: field.ErrorTypeInvalid, Value: "{" + strings.Join(set, ", ") + "}", Detail: "must specify at most one of: " + members}}
	case len(set) > 1:
		return []Problem{{Code: TooMany, Type: field.ErrorTypeInvalid, Value: "{" + strings.Join(set, ", ") + "}", Detail: "must specify exactly one of: " + members}}
	case len(set) == 0 && !u.ZeroOrOne && u.Algorithm != Older:
		return []Problem{{Code: TooFew, Type: field.ErrorTypeInvalid, Value: "", Detail: "must specify one of: " + members}}
	}
	return nil
}

// Violation is a problem and the path of its object.
type Violation struct {
	Problem
	At *field.Path
}

// Validate returns the rules of unions that a JSON object breaks. old is the object before an update,
// nil on a create. Unions that an update does not change are not validated, unless they are Strict.
func (s *Shape) Validate(r Request, object, old map[string]any) []Violation {
	w := &walk{request: &r, visit: (*walk).check, uncorrelated: true}
	w.value(s, object, old, nil)
	return w.violations
}

// check validates the unions of one object.
func (w *walk) check(s *Shape, object, old map[string]any, exists bool, at *validate.Path) {
	for _, u := range s.Unions {
		obj, before := jsonObject{u, object}, jsonObject{u, old}
		if !w.request.Holds(u.Under) || exists && !u.Strict && !u.Changed(w.request, obj, before) {
			continue
		}
		modified := !exists || obj.Discriminator() != before.Discriminator()
		for _, p := range u.Problems(w.request, obj, exists, modified) {
			w.violations = append(w.violations, Violation{Problem: p, At: w.run.FieldPath(at)})
		}
	}
}
