package rule

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/model"
)

// Predicate is a condition on a value. The set of predicates is closed. Predicates do not know
// about loops, paths and ratcheting.
type Predicate interface{ predicate() }

// Required means that the value is set: not nil, not empty, not zero.
type Required struct {
	// Defaulted is set if the value has a default, so that only an empty value from a client breaks
	// the rule.
	Defaulted bool `json:"defaulted,omitempty"`
}

// IsSet is Required for guards, which have no error.
type IsSet struct{}

// Forbidden means that the value is not set.
type Forbidden struct{}

// Keyword names a limit. The names are those of the tags and, except for MaxBytes, of OpenAPI.
type Keyword string

// The limits.
const (
	MinLength        Keyword = "minLength"
	MaxLength        Keyword = "maxLength"
	MaxBytes         Keyword = "maxBytes"
	MinItems         Keyword = "minItems"
	MaxItems         Keyword = "maxItems"
	MinProperties    Keyword = "minProperties"
	MaxProperties    Keyword = "maxProperties"
	Minimum          Keyword = "minimum"
	Maximum          Keyword = "maximum"
	ExclusiveMinimum Keyword = "exclusiveMinimum"
	ExclusiveMaximum Keyword = "exclusiveMaximum"
	MultipleOf       Keyword = "multipleOf"
)

// Limit is a bound on a number, a duration or a quantity, or on a size.
type Limit struct {
	Keyword Keyword `json:"keyword"`
	// Of is the measure of Value.
	Of Measure `json:"of,omitempty"`
	// Value is canonical as of Measure.Read; integers are decimal.
	Value string `json:"value"`
}

// NotEqual means that the value does not equal a constant.
type NotEqual struct {
	Value Constant `json:"value"`
}

// Constant is a value of a predeclared type.
type Constant struct {
	Kind model.ValueKind `json:"kind"` // StringValue, IntValue or BoolValue
	Text string          `json:"text"`
}

// Pattern means that a regular expression in RE2 syntax matches somewhere.
type Pattern struct {
	Regexp string `json:"regexp"`
}

// Format is that the value has a named format; see Formats.
type Format struct {
	Name string `json:"name"`
}

// Enum is that the value is one of the constants of a type.
type Enum struct {
	Type model.Name `json:"type"`
	// Values are in order of declaration, each value once.
	Values []EnumValue `json:"values"`
}

// EnumValue is a constant.
type EnumValue struct {
	// Const is the constant's Go name.
	Const string `json:"const"`
	Value string `json:"value"`
	// Excluded are conditions, each of which excludes the value.
	Excluded []Condition `json:"excluded,omitempty"`
}

// ListType is the type of a list. Items of a set, and keys of the items of a map, are unique.
type ListType struct {
	Type Semantics `json:"type"`
	// Keys are the keys of a map.
	Keys []FieldPath `json:"keys,omitempty"`
	// Unchecked is set if hand-written code, or the rule of a declared type, checks uniqueness.
	Unchecked bool `json:"unchecked,omitempty"`
}

// Unique means that the items of a list are unique, by value or by keys.
type Unique struct {
	By   Semantics   `json:"by"`
	Keys []FieldPath `json:"keys,omitempty"`
	// Unchecked is as in ListType.
	Unchecked bool `json:"unchecked,omitempty"`
}

// NoNils means that a list of pointers has no nil items.
type NoNils struct{}

// Immutable means that the value has not changed.
type Immutable struct{}

// Monotonic means that an integer has not decreased.
type Monotonic struct{}

// Forbids names a change that an Update disallows.
type Forbids string

// The changes.
const (
	NoSet        Forbids = "NoSet"
	NoUnset      Forbids = "NoUnset"
	NoModify     Forbids = "NoModify"
	NoAddItem    Forbids = "NoAddItem"
	NoRemoveItem Forbids = "NoRemoveItem"
)

// Update means that the value has not changed in one way.
type Update struct {
	Forbids Forbids `json:"forbids"`
}

// Call is the verdict of the author's Go function.
type Call struct {
	// Name is the function's name, Package its import path; "" is the generated package.
	Package string `json:"package"`
	Name    string `json:"name"`
}

// Fixed always passes or always fails, for tests of generators.
type Fixed struct {
	Passes bool   `json:"passes"`
	Text   string `json:"text"`
}

// Dependent means that a field of the struct is set, or is not set, if another field is set.
type Dependent struct {
	Forbidden bool      `json:"forbidden,omitempty"`
	When      FieldPath `json:"when"`
	Then      FieldPath `json:"then"`
}

// Union means that exactly one member is set, or, with a discriminator, the selected one. Members
// are fields of the struct, or items of the list.
type Union struct {
	Name string `json:"name,omitempty"`
	// Place is the name of the union in generated code.
	Place string `json:"place"`
	// ZeroOrOne is set if no member needs to be set.
	ZeroOrOne     bool           `json:"zeroOrOne,omitempty"`
	Discriminator *Discriminator `json:"discriminator,omitempty"`
	Members       []Member       `json:"members"`
	// Mixed is set if the conditions of the members and the discriminator differ. Otherwise the
	// rule has them.
	Mixed bool `json:"mixed,omitempty"`
	// Text is the text that the tags are from.
	Text Text `json:"text,omitempty"`
	// Declared and Required are set if other rules report wrong values, or an unset one, of the
	// discriminator.
	Declared bool `json:"declared,omitempty"`
	Required bool `json:"required,omitempty"`
	// Strict is set if the union is checked on all updates.
	Strict bool `json:"strict,omitempty"`
}

// IsPlain reports whether the runtime checks the union by its table: the rule has all conditions, and
// the discriminator is a field of the struct itself, or not of an inlined pointer.
func (u *Union) IsPlain() bool {
	return !u.Mixed && (u.Discriminator != nil || u.Text == Older) && (u.Discriminator == nil || len(u.Discriminator.Field.Through) == 0)
}

// Text is a text that defines unions.
type Text string

const (
	// Declarative is the text of the +k8s: tags, KEP-5073. Such unions are normalised as by Newer.
	Declarative Text = ""
	// Newer is the newer text of KEP-1027.
	Newer Text = "newer"
	// Older is the older text of KEP-1027.
	Older Text = "older"
)

// Discriminator is the field whose value selects a member.
type Discriminator struct {
	Field FieldPath   `json:"field"`
	Under []Condition `json:"under,omitempty"`
	// Values are the values of its enum, and "" if it may be unset.
	Values []EnumValue `json:"values,omitempty"`
	// Open is set if it is no enum: any value is valid.
	Open bool `json:"open,omitempty"`
}

// Allows reports whether a value is one of Values, regardless of options.
func (d *Discriminator) Allows(value string) bool {
	return slices.ContainsFunc(d.Values, func(v EnumValue) bool { return v.Value == value })
}

// Member is a member of a union.
type Member struct {
	// Name is the name in errors.
	Name string `json:"name"`
	// Field is the field, or Keys select the item.
	Field *FieldPath `json:"field,omitempty"`
	Keys  []KeyValue `json:"keys,omitempty"`
	// Value is the discriminator's value that selects the member.
	Value string      `json:"value,omitempty"`
	Under []Condition `json:"under,omitempty"`
	// Optional is set if the member may be unset although it is selected.
	Optional bool `json:"optional,omitempty"`
}

// KeyValue is the value of one key of a list item.
type KeyValue struct {
	Key   FieldPath `json:"key"`
	Value Constant  `json:"value"`
}

// Each has rules for the values of a list or map, or for the keys of a map.
type Each struct {
	Keys  bool   `json:"keys,omitempty"`
	Place *Place `json:"place"`
	Rules []Rule `json:"rules"`
}

// Part has rules for a subfield of the struct.
type Part struct {
	Field FieldPath `json:"field"`
	Place *Place    `json:"place"`
	Rules []Rule    `json:"rules"`
	// Unless are the guards of the field's own declaration. If one fails, the rules do not run.
	Unless []Rule `json:"unless,omitempty"`
}

// Item has rules for the list item with certain keys.
type Item struct {
	// Keys are in the order of the list's keys.
	Keys  []KeyValue `json:"keys"`
	Place *Place     `json:"place"`
	Rules []Rule     `json:"rules"`
}

// Modes has rules for a field of the struct that depend on the value of another.
type Modes struct {
	Field         FieldPath `json:"field"`
	Place         *Place    `json:"place"`
	Discriminator FieldPath `json:"discriminator"`
	// Modes are the values of the discriminator, if it is an enum or a bool.
	Modes []EnumValue `json:"modes,omitempty"`
	Cases []Mode      `json:"cases"`
	// Otherwise are the rules of any other mode.
	Otherwise []Rule `json:"otherwise,omitempty"`
}

// Mode has the rules of one mode.
type Mode struct {
	Value Constant `json:"value"`
	// Named are the conditions of each tag with the mode.
	Named [][]Condition `json:"named"`
	Rules []Rule        `json:"rules,omitempty"`
}

// Union returns the union whose member is the field in the modes that have rules for it; nil if the
// discriminator is no enum and no bool. Other modes forbid the field.
func (m *Modes) Union() *Union {
	if len(m.Modes) == 0 {
		return nil
	}
	u := &Union{Mixed: true, Discriminator: &Discriminator{Field: m.Discriminator, Values: m.Modes}}
	for _, c := range m.Cases {
		if slices.ContainsFunc(c.Rules, func(r Rule) bool { _, never := r.Must.(*Forbidden); return never && len(r.Under)+len(r.Unless) == 0 }) {
			continue
		}
		for _, under := range c.Named {
			u.Members = append(u.Members, Member{Name: m.Field.JSON, Field: &m.Field, Value: c.Value.Text, Under: under, Optional: true})
		}
	}
	return u
}

func (*Required) predicate()  {}
func (*IsSet) predicate()     {}
func (*Forbidden) predicate() {}
func (*Limit) predicate()     {}
func (*NotEqual) predicate()  {}
func (*Pattern) predicate()   {}
func (*Format) predicate()    {}
func (*Enum) predicate()      {}
func (*ListType) predicate()  {}
func (*Unique) predicate()    {}
func (*NoNils) predicate()    {}
func (*Immutable) predicate() {}
func (*Monotonic) predicate() {}
func (*Update) predicate()    {}
func (*Call) predicate()      {}
func (*Fixed) predicate()     {}
func (*Dependent) predicate() {}
func (*Union) predicate()     {}
func (*Each) predicate()      {}
func (*Part) predicate()      {}
func (*Item) predicate()      {}
func (*Modes) predicate()     {}

// Checks reports whether a predicate can fail. A list type may only define how a list is owned.
func Checks(p Predicate) bool {
	switch p := p.(type) {
	case *ListType:
		return !p.Unchecked && p.Type != Atomic
	case *Unique:
		return !p.Unchecked
	}
	return true
}

// Below returns the rules in a predicate.
func Below(p Predicate) []Rule {
	var all []Rule
	Within(p, func(rules []Rule) []Rule {
		all = append(all, rules...)
		return rules
	})
	return all
}

// Within returns a predicate with f applied to the rules in it.
func Within(p Predicate, f func([]Rule) []Rule) Predicate {
	switch p := p.(type) {
	case *Each:
		out := *p
		out.Rules = f(p.Rules)
		return &out
	case *Part:
		out := *p
		out.Rules = f(p.Rules)
		return &out
	case *Item:
		out := *p
		out.Rules = f(p.Rules)
		return &out
	case *Modes:
		out := *p
		out.Cases = slices.Clone(p.Cases)
		for i := range out.Cases {
			out.Cases[i].Rules = f(out.Cases[i].Rules)
		}
		out.Otherwise = f(p.Otherwise)
		return &out
	}
	return p
}
