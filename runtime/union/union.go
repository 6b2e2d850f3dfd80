// Package union implements unions: normalisation and validation of objects in which a discriminator selects one of several
// members.
//
// Without Go types, describe where objects have unions, as a [Shape]:
//
//	cleared := shape.Normalize(union.Request{}, object, old) // on every update
//	problems := shape.Validate(union.Request{}, object, old)
//
// Normalise after defaults and mutating admission, and before you validate. [Shape.Normalize] changes the object and returns
// what it removed; [Warnings] has texts about it for clients. Package published, below this one, reads a shape from an OpenAPI
// schema.
//
// # For generated code
//
// Generated functions call [Normalize] on typed objects, with the same [Union] as data, so both give the same results. A kind
// with unions implements [Normalizer].
package union

import (
	"slices"
	"strconv"
	"strings"
)

// Algorithm is how a union is normalised.
type Algorithm string

const (
	// Newer clears, on updates that change the discriminator, the members that it does not select.
	// It never sets the discriminator or a member.
	Newer Algorithm = ""
	// Older is that of the first text of KEP-1027: it also deduces the discriminator from the
	// members, and runs on creates too.
	Older Algorithm = "older"
	// None is for unions that are only validated.
	None Algorithm = "none"
)

// Level is the stability level of a tag.
type Level string

// The levels, from the least stable.
const (
	Alpha  Level = "alpha"
	Beta   Level = "beta"
	Stable Level = "stable"
)

// Condition is an option or a level on which a member or a discriminator depends.
type Condition struct {
	// Option is the option that must be enabled, or disabled if Off is set; "" for a level.
	Option string `json:"option,omitempty"`
	Off    bool   `json:"off,omitempty"`
	// Level is Alpha or Beta.
	Level Level `json:"level,omitempty"`
}

// Request is what normalisation needs to know about a request.
type Request struct {
	// Options are the options of the request: operation.Operation.Options. An option that is
	// missing is disabled.
	Options map[string]bool
	// Level is the least stable level of tags that the host enforces; "" is Beta.
	Level Level
	// RetainSelected restores the old value of a required member that the discriminator selects, if
	// an update removes it without changing the discriminator: the client may not know the member.
	// A restored member of a typed object shares its memory with the old object.
	RetainSelected bool
}

// Holds reports whether all conditions are true.
func (r *Request) Holds(under []Condition) bool {
	for _, c := range under {
		switch {
		case c.Level == Alpha && r.Level != Alpha, c.Level == Beta && r.Level == Stable:
			return false
		case c.Level == "" && r.Options[c.Option] == c.Off:
			return false
		}
	}
	return true
}

// Union is a union of fields of one object.
type Union struct {
	Algorithm Algorithm `json:"algorithm,omitempty"`
	// Discriminator is the JSON name of the field that selects a member; "" for none.
	Discriminator string `json:"discriminator,omitempty"`
	// Bool is set if the discriminator is a bool, which is false if it is unset.
	Bool bool `json:"bool,omitempty"`
	// Members are in order of declaration. A member that several values select is listed once for
	// each, in a row.
	Members []Member `json:"members"`
	// Values are the discriminator's values that select no member.
	Values []Value `json:"values,omitempty"`
	// Open is set if the discriminator is no enum: other values are valid and select no member.
	Open bool `json:"open,omitempty"`
	// ZeroOrOne is set if no member needs to be set in a union without discriminator.
	ZeroOrOne bool `json:"zeroOrOne,omitempty"`
	// Declarative is set if errors are those of the +k8s: tags, else they are those of KEP-1027.
	Declarative bool `json:"declarative,omitempty"`
	// Declared is set if another rule reports wrong values of the discriminator when it changes,
	// Required if one reports a discriminator that is unset.
	Declared bool `json:"declared,omitempty"`
	Required bool `json:"required,omitempty"`
	// Strict unions are validated on every update, others if the discriminator or the set members
	// changed.
	Strict bool `json:"strict,omitempty"`
	// Under are the conditions of the union; if one is false, there is no union.
	Under []Condition `json:"under,omitempty"`
	// DiscriminatorUnder are the conditions of the discriminator.
	DiscriminatorUnder []Condition `json:"discriminatorUnder,omitempty"`
}

// Member is a field that is a member of a union.
type Member struct {
	// Name is the field's JSON name.
	Name string `json:"name"`
	// Value is the discriminator's value that selects the member.
	Value string `json:"value,omitempty"`
	// Optional is set if the member may be unset although it is selected.
	Optional bool `json:"optional,omitempty"`
	// Zero says which values besides null are unset.
	Zero Zero `json:"zero,omitempty"`
	// Under are the member's conditions. If one is false, the field is no member.
	Under []Condition `json:"under,omitempty"`
}

// Zero is the way in which JSON has the zero value of a member's Go type. A Go type that is not a pointer does not distinguish
// its zero value from an absent field, so the member is unset.
type Zero string

// The ways. Values of another JSON type than that of the member are set.
const (
	// NoZero is for pointers: all values but null are set.
	NoZero Zero = ""
	// ZeroValue is the empty string, an empty list or map, zero, or false.
	ZeroValue Zero = "value"
	// ZeroDuration is a duration of zero in any spelling, such as 0s or 0h0m.
	ZeroDuration Zero = "duration"
	// ZeroQuantity is a quantity of zero in any spelling, such as 0 or 0Mi.
	ZeroQuantity Zero = "quantity"
)

// Value is a value of a discriminator that selects no member.
type Value struct {
	Value string `json:"value"`
	// Excluded are conditions, each of which makes the value invalid.
	Excluded []Condition `json:"excluded,omitempty"`
}

// discriminated reports whether the union has a discriminator in a request.
func (u *Union) discriminated(r *Request) bool {
	return u.Discriminator != "" && r.Holds(u.Under) && r.Holds(u.DiscriminatorUnder)
}

// known reports whether a value of the discriminator selects a member, or none.
func (u *Union) known(r *Request, d string) bool {
	for i := range u.Members {
		if m := &u.Members[i]; m.Value == d && r.Holds(m.Under) {
			return true
		}
	}
	return slices.ContainsFunc(u.Values, func(v Value) bool {
		return v.Value == d && !slices.ContainsFunc(v.Excluded, func(c Condition) bool { return r.Holds([]Condition{c}) })
	})
}

// deselected reports whether the field of a member belongs to the union in a request, and the
// discriminator does not select it.
func (u *Union) deselected(r *Request, i int, d string) bool {
	member := false
	for k := range u.Members {
		m := &u.Members[k]
		if m.Name != u.Members[i].Name || !r.Holds(m.Under) {
			continue
		}
		if m.Value == d {
			return false
		}
		member = true
	}
	return member
}

// repeated reports whether the field of a member is that of the member before it.
func (u *Union) repeated(i int) bool { return i > 0 && u.Members[i-1].Name == u.Members[i].Name }

// State is what a union looks like in one object. Members are numbered as in Union.Members.
type State interface {
	// Discriminator returns the discriminator; "" if it is unset.
	Discriminator() string
	// IsSet reports whether a member is set.
	IsSet(member int) bool
}

// Object is the access to a union in one object.
type Object interface {
	State
	// Select sets the discriminator, for Older.
	Select(value string)
	// Clear removes a member. It reports whether the member was set.
	Clear(member int) bool
}

// Updated is access to an object, and comparison with its old version.
type Updated[T any] interface {
	Object
	// Differs reports whether a member has another value in the old object.
	Differs(member int, old T) bool
	// Retain sets a member to its value in the old object.
	Retain(member int, old T)
}

// Normalizer is an object with unions. Generated code implements it for kinds.
type Normalizer interface {
	// NormalizeUnions normalises the unions of the object, and returns the members that it removed.
	// old is the object before an update, of the same type; nil on a create.
	NormalizeUnions(r Request, old any) []Cleared
}

// Normalize normalises one union of an updated object; exists is set if the object existed before
// the request. It calls cleared for each member that was set and is removed.
//
// Newer: if the discriminator changed to a value that the union knows, all members are removed that
// it does not select. An unknown value clears nothing, as validation rejects it.
func Normalize[T Updated[T]](u *Union, r *Request, obj, old T, exists bool, cleared func(member int, sent bool)) {
	switch {
	case u.Algorithm == None || !r.Holds(u.Under):
		return
	case u.Algorithm == Older:
		older(u, r, obj, old, cleared)
		return
	case !exists || !u.discriminated(r):
		return
	}
	d := obj.Discriminator()
	if d == old.Discriminator() {
		if r.RetainSelected {
			retain(u, r, d, obj, old)
		}
		return
	}
	if u.known(r, d) {
		clearOthers(u, r, d, obj, old, cleared)
	}
}

func clearOthers[T Updated[T]](u *Union, r *Request, d string, obj, old T, cleared func(member int, sent bool)) {
	for i := range u.Members {
		if u.repeated(i) || !u.deselected(r, i, d) {
			continue
		}
		sent := obj.IsSet(i) && obj.Differs(i, old)
		if obj.Clear(i) {
			cleared(i, sent)
		}
	}
}

func retain[T Updated[T]](u *Union, r *Request, d string, obj, old T) {
	for i := range u.Members {
		if m := &u.Members[i]; m.Value == d && !m.Optional && r.Holds(m.Under) && !obj.IsSet(i) && old.IsSet(i) {
			obj.Retain(i, old)
		}
	}
}

// older is the algorithm of the first text: respect a discriminator that is set to another value;
// else deduce it from the only member, or the only member that was added.
func older[T Updated[T]](u *Union, r *Request, obj, old T, cleared func(member int, sent bool)) {
	discriminated := u.discriminated(r)
	if discriminated {
		if d := obj.Discriminator(); d != "" && d != old.Discriminator() {
			clearOthers(u, r, d, obj, old, cleared)
			return
		}
	}
	set, added, only, new := 0, 0, -1, -1
	for i := range u.Members {
		if !r.Holds(u.Members[i].Under) || !obj.IsSet(i) {
			continue
		}
		set, only = set+1, i
		if !old.IsSet(i) {
			added, new = added+1, i
		}
	}
	switch {
	case set == 1:
	case added == 1:
		only = new
		for i := range u.Members {
			if i == only || !r.Holds(u.Members[i].Under) {
				continue
			}
			sent := obj.IsSet(i) && obj.Differs(i, old)
			if obj.Clear(i) {
				cleared(i, sent)
			}
		}
	default:
		return
	}
	if discriminated {
		obj.Select(u.Members[only].Value)
	}
}

// Changed reports whether an update changes a union: its discriminator, or which members are set.
// Validation ignores other updates, except of Strict unions.
func (u *Union) Changed(r *Request, obj, old State) bool {
	if u.discriminated(r) && obj.Discriminator() != old.Discriminator() {
		return true
	}
	for i := range u.Members {
		if r.Holds(u.Members[i].Under) && obj.IsSet(i) != old.IsSet(i) {
			return true
		}
	}
	return false
}

// Cleared is a member that normalisation removed.
type Cleared struct {
	// Path is the path of the member in the object.
	Path string
	// Discriminator is the JSON name of the discriminator, Value its value; "" without one.
	Discriminator, Value string
	// Sent is set if the request had set or changed the member, rather than kept the old one.
	Sent bool
}

// Sorted sorts members by their paths and returns them.
func Sorted(cleared []Cleared) []Cleared {
	slices.SortStableFunc(cleared, func(a, b Cleared) int { return strings.Compare(a.Path, b.Path) })
	return cleared
}

// Warning returns a text for the warning header of the response.
func (c Cleared) Warning() string {
	if c.Discriminator == "" {
		return c.Path + " was removed: another member of the union was added"
	}
	return c.Path + " was removed: " + c.Discriminator + " is set to " + strconv.Quote(c.Value)
}

// Warnings returns the warnings about members that the request had set or changed. The client may
// not expect that these are removed.
func Warnings(cleared []Cleared) []string {
	var list []string
	for _, c := range cleared {
		if c.Sent {
			list = append(list, c.Warning())
		}
	}
	return list
}
