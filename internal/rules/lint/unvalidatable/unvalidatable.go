// Package unvalidatable reports rules on Go types that cannot be validated.
package unvalidatable

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/lint"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Firm(diag.Rules)

	codeArray     = codes.New("unvalidatable/array", "A fixed-length array is always set, with all of its items. Use a list with `+k8s:minItems` and `+k8s:maxItems`.")
	codeMapOfMaps = codes.New("unvalidatable/map-of-maps", "Values in a map of maps have no field path. Use a list of structs with `+k8s:listType=map`, or a struct for the inner map.")
	codeMapKey    = codes.New("unvalidatable/map-key", "JSON keys are strings. Use a map with keys of a string type.")
	codeGeneric   = codes.New("unvalidatable/generic", "The type arguments of a generic type are known only where it is used. Declare a type for each instance, and add the rules there.")
	codeChannel   = codes.New("unvalidatable/channel", "JSON cannot represent a channel. Use another type, or remove the tag.")
	codeFunction  = codes.New("unvalidatable/function", "JSON cannot represent a function. Use another type, or remove the tag.")
)

// Definition returns the convention.
func Definition() *lint.Definition {
	return &lint.Definition{
		Name: "unvalidatable", Always: true,
		Summary: "Rules are on types that an API can have.",
		Doc: "The schema of a kind has strings, booleans, numbers, lists, maps from strings to values, and structs. " +
			"A schema cannot express rules on other Go types, so API servers would not enforce them. They are errors. " +
			"Values in a map of maps have no field path, so only presence tags are allowed on it (`+k8s:optional`, `+k8s:required`, `+k8s:forbidden`).",
		Good: tag.Code(`
			// +k8s:optional
			// +k8s:maxItems=4
			Ports []int32 \'json:"ports,omitempty"\'`),
		Bad: tag.Code(`
			// +k8s:required
			Ports [4]int32 \'json:"ports"\' // an array is always set: use a list`),
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

// place checks the rules of one node and of the nodes that nesting tags lead to. It
// reports each tag once, at the outermost type that prevents the rule.
func (r *reporter) place(n *tag.Node) {
	for _, c := range n.Siblings {
		for n := n; c != nil && n != nil; n, c = n.Inner(c), c.Inner {
			def := r.tags.Lookup(c.Name)
			if def == nil || c.Role == model.RoleOpaque || !def.For(n.Model, n.Type) {
				break // not a rule, or reported already
			}
			if w := wrong(n, c); w != nil {
				r.bag.Errorf(c.NameSpan, w.code, "+%s cannot be enforced on %s: %s", c.Name, n.Describe(), w.why).
					RestsOn(n.TypeOf(), n.NoRules()).Voids(n.NoRules())
				break
			}
		}
	}
}

// shape is a kind of type that rules cannot be enforced on.
type shape struct {
	code diag.Code
	why  string
	// presence means that presence tags are allowed.
	presence bool
}

var (
	array    = shape{code: codeArray, why: "an array is always set, with all of its items; use a list"}
	mapOfMap = shape{code: codeMapOfMaps, why: "values in a map of maps have no field path; use a list of structs with +k8s:listType=map, or a struct for the inner map", presence: true}
	mapKey   = shape{code: codeMapKey, why: "JSON keys are strings; use a map with keys of a string type", presence: true}
	generic  = shape{code: codeGeneric, why: "the type arguments of a generic type are known only where it is used; declare a type for the instance, and add the rule there"}
	channel  = shape{code: codeChannel, why: "JSON cannot represent a channel"}
	function = shape{code: codeFunction, why: "JSON cannot represent a function"}
)

func wrong(n *tag.Node, c *model.Tag) *shape {
	s := shapeOf(n)
	if s == nil || s.presence && c.Role.IsPresence() {
		return nil
	}
	return s
}

func shapeOf(n *tag.Node) *shape {
	if n.Owner != nil && n.Owner.Generic && !ofInstance(n) || len(n.Value().Args) > 0 {
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

// ofInstance reports whether the node is a part of a declared type, or below one: it has the type's arguments.
func ofInstance(n *tag.Node) bool {
	for ; n != nil; n = n.Parent {
		if n.IsPart() {
			return true
		}
	}
	return false
}
