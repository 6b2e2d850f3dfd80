// Package example makes manifests of a kind: a minimal one, a full one, one for each choice of a union, and ones that
// break a rule.
//
// A [Maker] fills in the tree of the kind's values. For each value it has candidates: the marker
// +kubebuilder:example, the default, the values of an enum, texts that the comment quotes, and values that follow from
// the type and the rules. The engine judges the manifest. If it reports an error, the maker takes the next candidate at
// that path, or sets or removes the field, until there is none. Otherwise the error is an [*Unsatisfied] with the field.
//
// Manifests are JSON values as package eval takes them; [YAML] prints them in the order of the fields. The same
// input has the same output.
package example

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/objects/fieldtree"
	"github.com/kindsmith/kindsmith/internal/objects/verdict"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
)

// Maker makes manifests of one kind.
type Maker struct {
	Kind schema.GroupVersionKind
	// Root is the tree of the kind, and Model the model of its types.
	Root  *fieldtree.Node
	Model *model.Model
	// Engine judges manifests.
	Engine verdict.Engine

	// known are the candidates of nodes.
	known map[*fieldtree.Node][]any
}

// Example is a manifest.
type Example struct {
	// Object is the manifest; Choices are the members of unions that it has.
	Object  map[string]any
	Choices []Choice
}

// Choice is the choice of one member of a union.
type Choice struct {
	// Node is the object with the union.
	Node  *fieldtree.Node
	Union *rule.Union
	// Value is the value of the discriminator; "" without one. Member is the index of the chosen member; -1 is none.
	Value  string
	Member int
}

// Unsatisfied is the error about a manifest that the engine refuses, whatever the maker tries.
type Unsatisfied struct {
	// Node is the field with the error; nil for the object.
	Node *fieldtree.Node
	// Path is its path, Message what the engine reports, and Rule the rule; nil if it is not known.
	Path, Message string
	Rule          *verdict.Rule
}

func (e *Unsatisfied) Error() string {
	return fmt.Sprintf("no value of %s is valid: %s", e.Path, e.Message)
}

// mode is how much a manifest has.
type mode int

const (
	minimal mode = iota
	full
)

// attempt is what one manifest has.
type attempt struct {
	*Maker
	mode mode
	// tries is the number of the candidate, by pattern.
	tries map[string]int
	// force has the fields that are set, or not set, whatever the mode says.
	force map[string]bool
	// choices are those of unions, by node and name.
	choices map[string]Choice
	// values are those that a selector needs, by pattern.
	values map[string]any
	// made are the choices of the manifest.
	made []Choice
}

func (m *Maker) attempt(mode mode) *attempt {
	return &attempt{Maker: m, mode: mode, tries: map[string]int{}, force: map[string]bool{}, choices: map[string]Choice{}, values: map[string]any{}}
}

// Minimal returns a manifest with required fields only.
func (m *Maker) Minimal() (Example, error) { return m.attempt(minimal).valid() }

// Full returns a manifest with all fields that clients set, but for deprecated ones, optional ones of types of other
// modules, and all but one member of each union.
func (m *Maker) Full() (Example, error) { return m.attempt(full).valid() }

// Chosen returns a minimal manifest with a choice of a union.
func (m *Maker) Chosen(c Choice) (Example, error) {
	a := m.attempt(minimal)
	a.choose(c)
	return a.valid()
}

// With returns a minimal manifest that has some fields, too.
func (m *Maker) With(nodes ...*fieldtree.Node) (Example, error) {
	a := m.attempt(minimal)
	for _, n := range nodes {
		a.include(n)
	}
	return a.valid()
}

// include sets a node and everything around it.
func (a *attempt) include(n *fieldtree.Node) {
	for ; n != nil; n = n.Parent {
		if n.Name == "" {
			continue
		}
		a.force[n.Pattern] = true
		for _, u := range n.Parent.Unions {
			i := slices.IndexFunc(u.Members, func(m rule.Member) bool { return m.Field != nil && m.Field.JSON == n.Name })
			if i >= 0 {
				a.choices[key(n.Parent, u.Union)] = Choice{Node: n.Parent, Union: u.Union, Member: i, Value: u.Members[i].Value}
			}
		}
	}
}

func (a *attempt) choose(c Choice) {
	a.include(c.Node)
	a.choices[key(c.Node, c.Union)] = c
}

func key(n *fieldtree.Node, u *rule.Union) string {
	return n.Pattern + " " + u.Name + " " + u.Members[0].Name
}

// Choices returns the choices of all unions of fields, in the order of the tree.
func (m *Maker) Choices() []Choice {
	var all []Choice
	for n := range m.Root.All {
		for _, u := range n.Unions {
			if n.Same == nil && Writes(n) {
				all = append(all, m.ChoicesOf(n, u.Union)...)
			}
		}
	}
	return all
}

// ChoicesOf returns the choices of a union of fields; none of a union of list items.
func (m *Maker) ChoicesOf(n *fieldtree.Node, u *rule.Union) []Choice {
	var all []Choice
	if u.Members[0].Field == nil {
		return nil
	}
	for i, member := range u.Members {
		all = append(all, Choice{Node: n, Union: u, Value: member.Value, Member: i})
	}
	if d := u.Discriminator; d != nil {
		for _, v := range d.Values {
			if v.Value != "" && len(v.Excluded) == 0 && !slices.ContainsFunc(u.Members, func(m rule.Member) bool { return m.Value == v.Value }) {
				all = append(all, Choice{Node: n, Union: u, Value: v.Value, Member: -1})
			}
		}
	}
	return all
}

// rounds bounds how often a manifest is repaired.
const rounds = 60

// valid makes manifests until the engine accepts one.
func (a *attempt) valid() (Example, error) {
	var last *Unsatisfied
	for range rounds {
		a.made = nil
		object := a.object()
		errs := a.judge(object, nil, nil)
		if len(errs) == 0 {
			return Example{object, a.made}, nil
		}
		repaired := false
		for _, err := range errs {
			n := a.nodeAt(err.Field)
			if last == nil || !repaired {
				last = &Unsatisfied{Node: n, Path: err.Field, Message: err.ErrorBody(), Rule: err.Rule}
			}
			repaired = a.repair(n, err) || repaired
		}
		if !repaired {
			break
		}
	}
	return Example{}, last
}

// judge returns the errors of a manifest. Unknown fields would be mistakes of this package.
func (m *Maker) judge(object, old map[string]any, options map[string]bool) []verdict.Error {
	result := m.Engine.Validate(context.Background(), verdict.Request{Kind: m.Kind, Object: object, Old: old, Options: options})
	return result.Errors
}

// inBrackets are the indexes and keys in the path of an error.
var inBrackets = regexp.MustCompile(`\[[^\]]*\]`)

// pattern returns the path of an error with [*] for items and keys.
func pattern(path string) string { return inBrackets.ReplaceAllString(path, "[*]") }

// nodeAt returns the node of the path of an error; nil if there is none.
func (m *Maker) nodeAt(path string) *fieldtree.Node {
	want := pattern(path)
	var found *fieldtree.Node
	for n := range m.Root.All {
		if n.Pattern == want {
			found = n
		}
	}
	return found
}

// repair changes what the next manifest has at a node with an error. It reports whether there is something to change.
func (a *attempt) repair(n *fieldtree.Node, err verdict.Error) bool {
	if n == nil || n.Pattern == "" {
		return a.repairRelated(a.Root, err)
	}
	kind := string(err.Type)
	_, forced := a.force[n.Pattern]
	switch {
	case strings.HasSuffix(kind, "Required") && !forced && n.Name != "":
		a.include(n)
		return true
	case strings.HasSuffix(kind, "Forbidden") && !n.Required && (!forced || a.force[n.Pattern]) && n.Name != "" && a.tries[n.Pattern] > 2:
		a.force[n.Pattern] = false
		return true
	case n.Form == fieldtree.Object || n.Name != "" && err.Origin == "union":
		return a.repairRelated(n, err) || a.drop(n)
	case len(n.Members()) > 0 && a.repairRelated(n, err):
		return true
	}
	a.tries[n.Pattern]++
	if n.Form == fieldtree.List || n.Form == fieldtree.Map {
		return a.tries[n.Pattern] < 4 || a.drop(n)
	}
	return a.tries[n.Pattern] < len(a.candidates(n))
}

// drop leaves an optional field out of a full manifest, whose rules may allow only one of several fields.
func (a *attempt) drop(n *fieldtree.Node) bool {
	for ; n != nil; n = n.Parent {
		if n.Name == "" || n.Required {
			continue
		}
		if set, forced := a.force[n.Pattern]; a.mode == full && !forced || set && a.mode == full {
			a.force[n.Pattern] = false
			return true
		}
	}
	return false
}

// repairRelated changes the fields that a rule on an object mentions, one after the other: first whether they are set, then
// their values.
func (a *attempt) repairRelated(n *fieldtree.Node, err verdict.Error) bool {
	if n.Name != "" && len(n.Members()) == 0 {
		n = n.Parent
	}
	text := err.Detail
	if err.Rule != nil {
		text = err.Rule.Text
	}
	mentioned := n.Mentioned(text)
	for _, f := range mentioned {
		if _, forced := a.force[f.Pattern]; !forced && !f.Required {
			if set := a.wants(f); set {
				a.force[f.Pattern] = false
			} else {
				a.include(f)
			}
			return true
		}
	}
	for _, f := range mentioned {
		if a.tries[f.Pattern]+1 < len(a.candidates(f)) {
			a.tries[f.Pattern]++
			return true
		}
	}
	return false
}

// Writes reports whether manifests have a node: they have no status, which controllers write.
func Writes(n *fieldtree.Node) bool {
	return n.Path != "status" && !strings.HasPrefix(n.Path, "status.")
}
