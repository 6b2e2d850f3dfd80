package tag

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/gofile"
	"github.com/kindsmith/kindsmith/internal/model"
)

// Rule is one thing that a generated validator checks at a place. Exactly one
// of Guard, Check, Each, Part and Modes is set.
type Rule struct {
	// Tag is the name of the tag that the rule is of. It orders rules for values
	// and keys; those of a place itself are in the order of the names of the tags
	// that stand outermost there.
	Tag string
	// Cohort groups rules; short-circuiting stays within one. "" is the default
	// cohort, which runs first: when one of its short-circuiting rules fails,
	// the others do not run at all.
	Cohort string
	// Short marks a rule that, when it fails, stops the other rules of its cohort.
	Short bool
	// Parent moves the rule from a field to the struct around it: a union's
	// rule stands on its first member and is about the struct. The rule of an
	// item moves to its list.
	Parent bool

	// Guard returns a boolean Go expression; when it is false the rest of the
	// cohort is skipped without an error (an unset optional field).
	Guard func(e *Exprs) string
	// Check returns a boolean Go expression that reports to the run and is
	// false when the value breaks the rule. It must be a single call.
	Check func(e *Exprs) string
	// Each are rules for the values of a list or map, or for the keys of a map.
	Each *Each
	// Part are rules for one part of the value.
	Part *Part
	// Modes are rules for a field of the struct that depend on another field.
	Modes *Modes

	// Holds returns a boolean Go expression that says what Check does and
	// reports nothing, for rules that can be said like that.
	Holds func(e *Exprs) string
	// Nil has a Check run for a nil pointer too, which e.Value does not allow.
	Nil bool

	// Reports are the errors that Check can report. RulesOf fills in what the
	// tag's definition says, where a tag says nothing of its own.
	Reports []Report

	// If, where it is set, returns a boolean Go expression that says whether
	// the rule is to be looked at at all. It is evaluated once at a place.
	If func(e *Exprs) string
	// IfReports is set where If can report, as a condition on an option does.
	IfReports bool
	// Known, where it is set, returns a boolean Go expression that says whether
	// what If asks about is known, and reports nothing. Where it is not, a rule
	// that could stop its cohort does.
	Known func(e *Exprs) string
	// Conditioned marks a rule that looks at the conditions that its tag is
	// under itself, as a union's does, whose members can be under different ones.
	Conditioned bool
}

// Report identifies an error that a rule can report.
type Report struct {
	// Type and Origin are as in Definition.
	Type, Origin string
	// At is where, seen from the rule's place: "[*]" for an item, the JSON name
	// of a field of the struct there, "" for the place itself.
	At string
}

// Each says which parts of a value its rules are for.
type Each struct {
	Keys  bool
	Node  *Node
	Rules []Rule
}

// Part is one part of a value: a field of a struct, or the item of a list whose
// keys have certain values.
type Part struct {
	// Node is the part's place.
	Node *Node
	// Field is the field, for a part of a struct; Through are the inlined
	// structs that lead to it, outermost first.
	Field   *model.Field
	Through []*model.Field
	// Keys are the values of the keys, in the order of the list's keys, for an
	// item of a list.
	Keys  []KeyValue
	Rules []Rule
	// Unless are guards that stop the rules where the part's own declaration
	// has already decided about it, such as an optional field that is unset.
	Unless []Rule
}

// Modes says which rules a field has in which mode. In a mode that is not among
// the cases the field is forbidden.
type Modes struct {
	// Node is the field's place.
	Node *Node
	// Discriminator is the field whose value is the mode.
	Discriminator *model.Field
	Cases         []Mode
	// Forbidden are the rules of any other mode.
	Forbidden []Rule
}

// Mode is one case of Modes. Value is Go source of a constant.
type Mode struct {
	Value string
	Rules []Rule
}

// KeyValue is the value that a key of a list item has: Go source of a constant.
type KeyValue struct {
	Field *model.Field
	Value string
}

// When returns the rules with a further condition on each.
func When(rules []Rule, condition func(e *Exprs) string) []Rule {
	out := make([]Rule, len(rules))
	for i, r := range rules {
		if inner := r.If; inner == nil {
			r.If = condition
		} else {
			r.If = func(e *Exprs) string { return both(condition(e), inner(e)) }
		}
		out[i] = r
	}
	return out
}

// Wrap returns the rules with every check, at any depth, put through a function
// that gets the check's expression; so is a condition that can report.
func Wrap(rules []Rule, wrap func(e *Exprs, check string) string) []Rule {
	out := make([]Rule, len(rules))
	for i, r := range rules {
		if condition := r.If; r.IfReports {
			r.If = func(e *Exprs) string {
				if e.Silent {
					return condition(e)
				}
				return wrap(e, condition(e))
			}
		}
		switch {
		case r.Check != nil:
			check := r.Check
			r.Check = func(e *Exprs) string { return wrap(e, check(e)) }
		case r.Each != nil:
			each := *r.Each
			each.Rules = Wrap(each.Rules, wrap)
			r.Each = &each
		case r.Part != nil:
			part := *r.Part
			part.Rules = Wrap(part.Rules, wrap)
			r.Part = &part
		case r.Modes != nil:
			modes := *r.Modes
			modes.Forbidden = Wrap(modes.Forbidden, wrap)
			modes.Cases = slices.Clone(modes.Cases)
			for i := range modes.Cases {
				modes.Cases[i].Rules = Wrap(modes.Cases[i].Rules, wrap)
			}
			r.Modes = &modes
		}
		out[i] = r
	}
	return out
}

// stops reports whether the rule, or one below it, stops others with an error.
func (r *Rule) stops() bool {
	stops := func(r Rule) bool { return r.stops() }
	switch {
	case r.Each != nil:
		return slices.ContainsFunc(r.Each.Rules, stops)
	case r.Part != nil:
		return slices.ContainsFunc(r.Part.Rules, stops)
	}
	return r.Short && r.Check != nil
}

// Exprs are the Go expressions with which a rule is written.
type Exprs struct {
	File  *gofile.File
	Model *model.Model
	// Package is the import path of the package that the file is in.
	Package string
	// Run is the *validate.Run, At the *validate.Path of the place.
	Run, At string
	// Silent asks conditions to report nothing: another rule does, or nothing
	// would be stopped.
	Silent bool
	// Value is the value with pointers stripped; for a place behind a pointer
	// it is only valid where that is not nil. Raw is the value as declared, and
	// Nilable is that or, where it can never be nil, a pointer to it.
	Value, Raw, Nilable string
	// Old is the correlated old value as declared, for rules about updates. It
	// is valid where HasOld holds, a boolean Go expression that is "false" where
	// a place never has an old value.
	Old, HasOld string
	// OldValue is the old value with pointers stripped, valid where HasOldValue
	// holds.
	OldValue, HasOldValue string
	// OldSet says whether the old value is set, where HasOld holds.
	OldSet string
	// OldNilable returns the old value in the form of Nilable, nil where there
	// is none. It writes statements ahead of the check that asks for it.
	OldNilable func() string
	// Obj and OldObj are the pointers to the struct that a rule is about, and to
	// its old value, which is valid where HasOldValue holds. They are for rules
	// that were moved to the struct.
	Obj, OldObj string
	// Set is the expression that says whether the value is set: non-nil,
	// non-empty or non-zero by the value's type. It is "true" for values that are always set.
	Set string
	// Declare adds a package-level declaration to the generated file, once for
	// each name, and returns the name to use for it.
	Declare func(name, declaration string) string
	// ItemFuncs returns the names of two functions over the items of the list
	// at the place: a hash and an equality, both of what identifies an item.
	ItemFuncs func() (hash, same string)
	// SameItem returns the name of the latter alone.
	SameItem func() string
	// HasItem returns an expression that says whether a list, which is of the
	// type of the one at the place, has the item with certain keys.
	HasItem func(keys []KeyValue, list string) string
	// Equal returns an expression that compares two values of a type by
	// meaning: nil and empty are equal, quantities and times compare by value.
	// x and y are addressable expressions of type t.
	Equal func(t *model.Ref, x, y string) string
}

// Validate returns the name of a declaration of the runtime's validate package.
func (e *Exprs) Validate(name string) string {
	return e.File.Ident("github.com/kindsmith/kindsmith/runtime/validate", name)
}

// Call returns a call of a check of the runtime's validate package:
// validate.name(run, at, args...).
func (e *Exprs) Call(name string, args ...string) string {
	s := e.Validate(name) + "(" + e.Run + ", " + e.At
	for _, a := range args {
		s += ", " + a
	}
	return s + ")"
}

// shortCircuit has what a check reports marked as errors that stop other rules,
// where the check does not do that itself.
func (e *Exprs) shortCircuit(check string) string {
	return e.Validate("ShortCircuit") + "(" + e.Run + ", " + e.Run + ".Mark(), " + check + ")"
}

// SetExpr says whether a value of a type is set; "true" where it always is.
func SetExpr(m *model.Model, t *model.Ref, x string) string {
	u := m.Underlying(t)
	switch {
	case u.Kind == model.KindPointer, u.Kind == model.KindInterface:
		return x + " != nil"
	case u.Kind == model.KindSlice, u.Kind == model.KindMap:
		return "len(" + x + ") != 0"
	case u.IsString():
		return x + ` != ""`
	case u.IsBool():
		return x
	case u.IsScalar():
		return x + " != 0"
	default:
		return "true"
	}
}

// Created returns an expression that says whether there is no old value, or
// else whether the given expression about it holds.
func (e *Exprs) Created(or string) string {
	if e.HasOldValue == "false" {
		return "true"
	}
	return Not(e.HasOldValue) + " ||\n" + or
}
