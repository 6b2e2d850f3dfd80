package schema

import (
	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
)

// each writes rules for values on the schema of these, and those for keys, which
// have no schema, on the map.
func (p *projector) each(at target, must *rule.Each) {
	if must.Keys {
		p.add(at.props, p.clauses(p.rule, &loc{place: at.place, x: expr.Self()}))
		return
	}
	below := target{place: must.Place}
	switch s := at.props; {
	case s.Items != nil && s.Items.Schema != nil:
		below.props, below.correlatable = s.Items.Schema, at.correlatable && isMap(s)
	case s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil:
		below.props, below.correlatable = s.AdditionalProperties.Schema, at.correlatable
	default:
		return
	}
	p.b.write(p.owner, must.Rules, below)
}

func isMap(list *props) bool { return list.XListType != nil && *list.XListType == string(rule.Map) }

// part writes rules for a field of a struct on the property's schema.
func (p *projector) part(at target, must *rule.Part) {
	name := must.Field.JSON
	s, ok := at.props.Properties[name]
	if !ok {
		p.cannot(rule.Reason("the schema of the struct does not describe " + name))
		return
	}
	atomic := at.props.XMapType != nil && *at.props.XMapType == string(rule.Atomic)
	p.b.write(p.owner, must.Rules, target{
		place: must.Place, props: &s, parent: at.props, name: name, correlatable: at.correlatable && !atomic,
	})
	at.props.Properties[name] = s
}

// item writes rules for the item with certain keys on the items' schema, under the
// condition that an item has them, so that they are reported at the item.
func (p *projector) item(at target, must *rule.Item) {
	if at.props.Items == nil || at.props.Items.Schema == nil {
		return
	}
	has, reason := p.b.rulesOf.HasKeys(expr.Self(), must.Keys)
	if reason != "" {
		p.cannot(reason)
		return
	}
	clauses := p.all(must.Rules, &loc{place: must.Place, x: expr.Self(), old: old(at.correlatable && isMap(at.props))})
	for i, c := range clauses {
		if c.reason == "" {
			clauses[i].holds = expr.Or(expr.Not(has), c.holds)
		}
	}
	p.add(at.props.Items.Schema, clauses)
}

// keyRules says what the declared type of a map's keys asks of them. Keys have no
// schema of their own, so it is a rule on the map.
func (b *Builder) keyRules(s *props, key *model.Ref) {
	_, chain := b.model.Resolve(key)
	for _, t := range chain {
		program := b.rulesOf.Of(t)
		for _, r := range program.Rules {
			p := &projector{b: b, owner: t, rule: r}
			each := r
			each.Must, each.Under = &rule.Each{Keys: true, Place: program.Place, Rules: []rule.Rule{r}}, nil
			whole := &rule.Place{Scope: rule.OnField, Unset: model.LackEmpty, Type: &model.Ref{Kind: model.KindMap, Key: key, Elem: model.Builtin("string")}}
			clauses := p.clauses(each, &loc{place: whole, x: expr.Self()})
			for i := range clauses {
				clauses[i].message = "every key must be a valid " + key.Name
			}
			p.add(s, clauses)
		}
	}
}
