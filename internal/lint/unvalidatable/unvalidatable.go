// Package unvalidatable is about rules on Go types that have no place for them.
package unvalidatable

import (
	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/lint"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// Diagnostic codes.
var (
	codes diag.Codes

	codeArray     = codes.New("unvalidatable/array", "An array of fixed length is always there, with all of its items. Use a list, with `+k8s:minItems` and `+k8s:maxItems`.")
	codeMapOfMaps = codes.New("unvalidatable/map-of-maps", "Values in a map of maps have no path that a rule could name. Use a list of structs with `+k8s:listType=map`, or a struct for the inner map.")
	codeMapKey    = codes.New("unvalidatable/map-key", "Keys are strings on the wire. Use a map with keys of a string type.")
	codeGeneric   = codes.New("unvalidatable/generic", "What a generic type holds is known only where it is used. Declare a type for each instance, and put the rules there.")
	codeChannel   = codes.New("unvalidatable/channel", "A channel is never on the wire. Use another type, or take the tag away.")
	codeFunction  = codes.New("unvalidatable/function", "A function is never on the wire. Use another type, or take the tag away.")
)

// Definition returns the convention.
func Definition() *lint.Definition {
	return &lint.Definition{
		Name: "unvalidatable", Always: true,
		Summary: "Rules stand on types that an API can have.",
		Doc: "The schema of a kind has strings, booleans, numbers, lists, maps from strings to values, and structs. " +
			"A rule on another Go type cannot be published and would hold in part of the places where objects are checked, so it is refused. " +
			"A map of maps is one of these: nothing in it has a path that names it. Whether it is there can be said (`+k8s:optional`, `+k8s:required`, `+k8s:forbidden`).",
		Good:  "// +k8s:optional\n// +k8s:maxItems=4\nPorts []int32 `json:\"ports,omitempty\"`",
		Bad:   "// +k8s:required\nPorts [4]int32 `json:\"ports\"` // an array is always there: use a list",
		Codes: codes.All(),
		Run:   run,
	}
}

func run(pass *lint.Pass) {
	m, tags, bag := pass.Model, pass.Tags, pass.Diags
	r := reporter{tags: tags, bag: bag}
	for _, t := range lint.Types(m) {
		r.place(tag.TypeNode(m, tags, t))
		for _, f := range t.Fields {
			r.place(tag.FieldNode(m, tags, t, f))
		}
	}
}

type reporter struct {
	tags *tag.Set
	bag  *diag.Bag
}

// place looks at the rules of one place, and at what nesting tags lead to: each
// tag is reported once, at the outermost type that is in its way.
func (r *reporter) place(n *tag.Node) {
	for _, c := range n.Siblings {
		for n := n; c != nil && n != nil; n, c = n.Inner(c), c.Inner {
			def := r.tags.Lookup(c.Name)
			if def == nil || c.Role == model.RoleOpaque || !def.For(n.Model, n.Type) {
				break // not a rule, or reported already
			}
			if w := wrong(n, c); w != nil {
				r.bag.Errorf(c.NameSpan, w.code, "+%s cannot hold on %s: %s", c.Name, n.Describe(), w.why)
				break
			}
		}
	}
}

// shape is a kind of type that is in a rule's way.
type shape struct {
	code diag.Code
	why  string
	// presence is set where it can still be said whether the field is set.
	presence bool
}

var (
	array    = shape{code: codeArray, why: "an array is always there with all of its items; use a list"}
	mapOfMap = shape{code: codeMapOfMaps, why: "values in a map of maps have no path of their own; use a list of structs with +k8s:listType=map, or a struct for the inner map", presence: true}
	mapKey   = shape{code: codeMapKey, why: "keys are strings on the wire; use a map with keys of a string type", presence: true}
	generic  = shape{code: codeGeneric, why: "what a generic type holds is known only where it is used; declare a type for the instance, and put the rule there"}
	channel  = shape{code: codeChannel, why: "a channel is never on the wire"}
	function = shape{code: codeFunction, why: "a function is never on the wire"}
)

func wrong(n *tag.Node, c *model.Constraint) *shape {
	s := shapeOf(n)
	if s == nil || s.presence && c.Role.IsPresence() {
		return nil
	}
	return s
}

func shapeOf(n *tag.Node) *shape {
	if n.Owner != nil && n.Owner.Generic || len(n.Value().Args) > 0 {
		return &generic
	}
	switch u := n.Underlying(); u.Kind {
	case model.KindArray:
		return &array
	case model.KindChan:
		return &channel
	case model.KindFunc:
		return &function
	case model.KindParam:
		return &generic
	case model.KindMap:
		switch {
		case !n.Model.Underlying(u.Key).IsString():
			return &mapKey
		case n.Model.Underlying(u.Elem).Kind == model.KindMap:
			return &mapOfMap
		}
	}
	return nil
}
