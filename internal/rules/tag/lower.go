package tag

import (
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
)

// Programs returns the rules of a model's types. The set keeps those of one model, which must not
// change any more.
func Programs(m *model.Model, tags *Set) *rule.Programs {
	if tags.programs == nil || tags.programs.Model != m {
		tags.programs = rule.NewPrograms(m, func(t *model.Type, params map[string]*model.Ref) *rule.Program {
			return program(m, tags, t, params)
		})
	}
	return tags.programs
}

func program(m *model.Model, tags *Set, t *model.Type, params map[string]*model.Ref) *rule.Program {
	n := TypeNode(m, tags, t)
	p := &rule.Program{Type: t.ID(), Place: n.Place()}
	p.Rules, _ = lowerAll(n, t.Tags)
	p.Rules = append(p.Rules, tags.markerRules(n, t.Markers)...)
	p.Place.Schema = schemaOf(t.Markers)
	for _, f := range t.Fields {
		if f.Skipped {
			continue
		}
		n := FieldNode(m, tags, t, f)
		n.Type = f.Type.Substitute(params)
		authored, schema := tags.markerRules(n, f.Markers), schemaOf(f.Markers)
		if len(f.Tags)+len(authored) > 0 || schema != nil || n.declaresList() {
			own, around := lowerAll(n, f.Tags)
			place := n.Place()
			place.Schema = schema
			p.Fields = append(p.Fields, rule.FieldRules{Field: f.Name, Place: place, Rules: append(own, authored...), Around: around})
		}
	}
	return p
}

// schemaOf returns what markers of other tools set in the schema of a value; nil if nothing.
func schemaOf(list []model.Marker) *rule.Schema {
	var s *rule.Schema
	for _, m := range list {
		if !foreign.Reshapes(m.Name) {
			continue
		}
		if s == nil {
			s = &rule.Schema{}
		}
		at, name := s, m.Name
		if rest, ok := strings.CutPrefix(name, foreign.KubebuilderItems); ok {
			if s.Items == nil {
				s.Items = &rule.Schema{}
			}
			at, name = s.Items, foreign.KubebuilderValidation+rest
		}
		_, value, _ := strings.Cut(foreign.WithoutComment(m.Text), "=")
		value = strings.Trim(value, "\"`")
		switch name {
		case foreign.KubebuilderType:
			at.Type = value
		case foreign.KubebuilderFormat:
			at.Format = value
		default:
			at.Hidden = true
		}
	}
	return s
}

// lowerAll returns the rules of the tags on a node, in the order of their names: the rules of the
// node, and those of the enclosing struct. A repeated tag adds no rule.
func lowerAll(n *Node, list []*model.Tag) (own, around []rule.Rule) {
	sorted := slices.Clone(list)
	name := func(c *model.Tag) string {
		if d := n.Tags.Lookup(c.Name); d != nil {
			return d.Name
		}
		return c.Name
	}
	slices.SortStableFunc(sorted, func(a, b *model.Tag) int { return strings.Compare(name(a), name(b)) })
	for i, c := range sorted {
		if slices.ContainsFunc(sorted[:i], func(first *model.Tag) bool {
			return name(first) == name(c) && first.Until == c.Until && first.Describe() == c.Describe()
		}) {
			continue
		}
		for _, r := range Rules(n, c) {
			if r.Around {
				around = append(around, r)
			} else {
				own = append(own, r)
			}
		}
	}
	return own, around
}

// Rules returns the rules of a tag on a node. Tags that nest other tags call it for these.
func Rules(n *Node, c *model.Tag) []rule.Rule {
	if n == nil || c == nil {
		return nil
	}
	d := n.Tags.Lookup(c.Name)
	if d == nil || d.Lower == nil || n.Inner(c) == nil || !d.takes(n, c) {
		return nil
	}
	rules := d.Lower(n, c)
	for i := range rules {
		r := &rules[i]
		if r.Text == "" {
			r.Text, r.Span = c.Describe(), c.Span
		}
		r.Until = c.Until
		if r.Effect != rule.Guard && r.Errors == nil && d.ErrorType != "" && rule.Checks(r.Must) && len(rule.Below(r.Must)) == 0 {
			r.Errors = []rule.Error{{Type: d.ErrorType, Origin: d.Origin}}
		}
	}
	return rules
}

// takes reports whether a tag may be on the node and has a valid payload. Package check reports
// other tags; they have no rules.
func (d *Definition) takes(n *Node, c *model.Tag) bool {
	if d.Scopes&n.Scope == 0 || !d.For(n.Model, n.Type) {
		return false
	}
	switch p := c.Payload; {
	case d.Payload.Tag:
		return c.Inner != nil
	case p == nil:
		return len(d.Payload.Kinds) == 0 || d.Payload.Optional
	default:
		return slices.Contains(d.PayloadKinds(n), p.Kind) && (len(d.Payload.Values) == 0 || slices.Contains(d.Payload.Values, p.Text))
	}
}

// scopes are the scopes of nodes in rules.
var scopes = map[Scope]rule.Scope{
	OnType: rule.OnType, OnField: rule.OnField, OnValue: rule.OnValue, OnKey: rule.OnKey, OnMapValue: rule.OnMapValue,
}

// Place returns the node's place in rules.
func (n *Node) Place() *rule.Place {
	p := &rule.Place{Scope: scopes[n.Scope], Owner: n.Owner.ID(), Type: n.Type, Opaque: n.HasBare(model.RoleOpaque), Unset: n.Model.UnsetValue(n.Type)}
	if n.Field != nil {
		p.Field = n.Field.Name
	}
	if n.Scope == OnField {
		p.Unset = n.unset()
	}
	if n.Underlying().Kind == model.KindSlice {
		list := n.List()
		p.List = &rule.List{Type: rule.Semantics(list.Type), Identity: rule.Semantics(list.Identity), Keys: n.keyPaths()}
	}
	for _, s := range model.Bare(n.Siblings) {
		inner := n.Inner(s)
		switch {
		case inner == nil || s.Inner == nil || inner.Parent != n || inner.IsPart() || inner.Keys != nil:
		case inner.Scope == OnKey:
			p.Key = inner.Place()
		default:
			p.Elem = inner.Place()
		}
	}
	return p
}

// declaresList reports whether a marker of another tool gives the node's field a list type.
func (n *Node) declaresList() bool {
	return n.Underlying().Kind == model.KindSlice && (n.List().By != "" || len(n.List().Keys) > 0)
}

// unset returns which values of the node's field rules take as unset; an instance of a generic type may have a type of
// its own for the field.
func (n *Node) unset() model.Lack {
	f := *n.Field
	f.Type = n.Type
	return n.Model.Unset(&f)
}

// AlwaysSet reports whether the field is a struct that rules never take as unset.
func (n *Node) AlwaysSet() bool {
	return n.Field != nil && ShapeOf(n.Model, n.Type) == Structs && n.unset() == model.LackNever
}

// keyPaths returns the keys of a list.
func (n *Node) keyPaths() []rule.FieldPath {
	item := n.Model.Struct(n.Underlying().Elem)
	var paths []rule.FieldPath
	for _, f := range n.ListMapKeys() {
		paths = append(paths, pathTo(n.Model, item, Through(n.Model, item, f), f))
	}
	return paths
}

// pathTo returns the path from a struct to a field.
func pathTo(m *model.Model, t *model.Type, through []*model.Field, f *model.Field) rule.FieldPath {
	p := rule.FieldPath{Struct: t.ID(), Name: f.Name, JSON: f.JSON, Type: f.Type, Unset: m.Unset(f)}
	for _, in := range through {
		p.Through = append(p.Through, in.Name)
	}
	return p
}

// Path returns the path from the enclosing struct to the node's field.
func (n *Node) Path() rule.FieldPath { return pathTo(n.Model, n.Around(), n.Through, n.Field) }

// SiblingPath returns the path to another field of the enclosing struct.
func (n *Node) SiblingPath(f *model.Field, through []*model.Field) rule.FieldPath {
	return pathTo(n.Model, n.Around(), through, f)
}

// Around returns the enclosing struct of the node's field: the struct that declares it, or, for a
// subfield, the struct that is named from outside.
func (n *Node) Around() *model.Type {
	if n.IsPart() {
		return n.Model.Struct(n.Parent.Value())
	}
	return n.Owner
}

// KeyValues returns the values that select the node's list item.
func (n *Node) KeyValues() []rule.KeyValue {
	item := n.Model.Struct(n.Type)
	var out []rule.KeyValue
	for _, k := range n.Keys {
		out = append(out, rule.KeyValue{Key: pathTo(n.Model, item, Through(n.Model, item, k.Field), k.Field), Value: k.Constant})
	}
	return out
}

// Lifted divides the rules of a subfield or item into its own rules and the rules of the enclosing
// struct or list.
func Lifted(rules []rule.Rule) (own, lifted []rule.Rule) {
	for _, r := range rules {
		r.Cohort = ""
		if r.Around {
			r.Around = false
			lifted = append(lifted, r)
			continue
		}
		own = append(own, r)
	}
	return own, lifted
}

// ConditionOf returns the condition of a tag such as ifEnabled.
func ConditionOf(c *model.Tag) rule.Condition {
	if c.Role.IsOption() {
		return rule.Condition{Option: c.ArgText(""), Off: c.Role == model.RoleOptionOff}
	}
	return rule.Condition{Level: levels[c.Role]}
}

// ConditionsOf returns the conditions of several tags.
func ConditionsOf(under []*model.Tag) []rule.Condition {
	var out []rule.Condition
	for _, c := range under {
		out = append(out, ConditionOf(c))
	}
	return out
}

// Held returns those of the tags whose conditions hold, without the conditions.
func Held(projection rule.Projection, list []*model.Tag) []*model.Tag {
	var held []*model.Tag
	for _, c := range list {
		bare, under := c.Bare()
		if holds, _ := projection.Holds(ConditionsOf(under)); holds && bare != nil {
			held = append(held, bare)
		}
	}
	return held
}

// ConditionalRules lowers a condition and its inner tag.
func ConditionalRules(n *Node, c *model.Tag) []rule.Rule {
	return rule.Under([]rule.Condition{ConditionOf(c)}, Rules(n, c.Inner))
}

// Keyword lowers a tag whose name is that of a limit.
func Keyword(keyword rule.Keyword, effect rule.Effect) func(n *Node, c *model.Tag) []rule.Rule {
	return func(_ *Node, c *model.Tag) []rule.Rule {
		return []rule.Rule{{Tag: string(keyword), Effect: effect, Must: &rule.Limit{Keyword: keyword, Value: c.Text()}}}
	}
}
