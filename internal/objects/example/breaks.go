package example

import (
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/objects/fieldtree"
	"github.com/kindsmith/kindsmith/internal/objects/verdict"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/rule/words"
)

// Break is what happens if a manifest breaks a rule.
type Break struct {
	// Node is the value with the rule.
	Node *fieldtree.Node
	Rule rule.Rule
	// Error is what the engine reports; "" if no manifest was found that breaks the rule alone.
	Error string
	// Object is the part of the manifest that breaks the rule, within the objects around it. Old is the same part before an
	// update; nil for a new object.
	Object, Old any
}

// Breaks returns a break of each rule of the kind, in the order of the tree.
func (m *Maker) Breaks() []Break {
	var all []Break
	for n := range m.Root.All {
		if n.Same != nil {
			continue
		}
		rules := slices.Clone(n.Rules)
		for _, u := range n.Unions {
			if u.Rule.Must != nil {
				rules = append(rules, u.Rule)
			}
		}
		var in *attempt
		var base Example
		var err error
		for _, r := range slices.Concat(rules, n.Keys) {
			if len(words.Of(r)) == 0 {
				continue
			}
			if in == nil {
				in, base, err = m.around(n)
			}
			at := route(base.Object, n)
			if err != nil || at == nil {
				all = append(all, Break{Node: n, Rule: r})
				continue
			}
			all = append(all, m.breakRule(n, r, in, base, at)...)
		}
	}
	return all
}

// around makes a valid manifest that has a node.
func (m *Maker) around(n *fieldtree.Node) (*attempt, Example, error) {
	a := m.attempt(minimal)
	a.include(n)
	if n.Items != nil {
		a.include(n.Items)
	}
	base, err := a.valid()
	return a, base, err
}

// breakRule finds manifests that break a rule: one, but for a union one for each error that it has. The valid manifest that
// an attempt has made has the node at a path.
func (m *Maker) breakRule(n *fieldtree.Node, r rule.Rule, a *attempt, base Example, at []any) []Break {
	var found []Break
	for _, change := range m.changes(a, n, r, at) {
		object, ok := clone(base.Object).(map[string]any)
		if !ok {
			continue
		}
		var old map[string]any
		if change.old {
			old, _ = clone(object).(map[string]any)
			if change.before != nil {
				change.before(old)
			}
		}
		change.apply(object)
		for _, e := range m.judge(object, old, options(r)) {
			text := e.Error.Error()
			if !m.isOf(e, n, r) || slices.ContainsFunc(found, func(b Break) bool { return b.Error == text }) {
				continue
			}
			out := Break{Node: n, Rule: r, Error: text}
			path := at
			if _, ok := r.Must.(*rule.Required); ok && len(at) > 1 {
				path = at[:len(at)-1]
			}
			out.Object = part(object, path)
			if old != nil {
				out.Old = part(old, path)
			}
			if found = append(found, out); !isUnion(r) {
				return found
			}
		}
	}
	if len(found) == 0 {
		found = []Break{{Node: n, Rule: r}}
	}
	return found
}

func isUnion(r rule.Rule) bool { _, ok := r.Must.(*rule.Union); return ok }

func options(r rule.Rule) map[string]bool {
	var enabled map[string]bool
	for _, c := range r.Under {
		if c.IsOption() {
			if enabled == nil {
				enabled = map[string]bool{}
			}
			enabled[c.Option] = !c.Off
		}
	}
	return enabled
}

// isOf reports whether an error is that of a rule at a node.
func (m *Maker) isOf(e verdict.Error, n *fieldtree.Node, r rule.Rule) bool {
	at := pattern(e.Field)
	if at != n.Pattern && !strings.HasPrefix(at, n.Pattern+".") && !strings.HasPrefix(at, n.Pattern+"[") && n.Pattern != "" {
		return false
	}
	return e.Rule != nil && e.Rule.Text == r.Text
}

// change is a change of a valid manifest. With old, it is an update, and before changes the manifest before it.
type change struct {
	apply, before func(map[string]any)
	old           bool
}

// changes returns changes that may break a rule, the likeliest first.
func (m *Maker) changes(a *attempt, n *fieldtree.Node, r rule.Rule, at []any) []change {
	set := func(v any) change { return change{apply: func(o map[string]any) { put(o, at, v) }} }
	remove := change{apply: func(o map[string]any) { put(o, at, nil) }}
	var all []change
	each := func(values ...any) []change {
		for _, v := range values {
			all = append(all, set(v))
		}
		return all
	}
	switch must := r.Must.(type) {
	case *rule.Required:
		return append([]change{remove}, each("", []any{}, map[string]any{})...)
	case *rule.Forbidden:
		return each(append(m.candidates(n), a.value(n, 0))...)
	case *rule.Limit:
		return each(m.beyond(a, n, must)...)
	case *rule.NotEqual:
		return each(must.Value.Text, decode(must.Value.Text))
	case *rule.Pattern, *rule.Format, *rule.Enum:
		return m.wrong(n, at, r)
	case *rule.ListType, *rule.Unique:
		return []change{{apply: func(o map[string]any) {
			if list, ok := get(o, at).([]any); ok && len(list) > 0 {
				put(o, at, append(slices.Clone(list), clone(list[0])))
			}
		}}}
	case *rule.NoNils:
		return each([]any{nil})
	case *rule.Immutable, *rule.Monotonic, *rule.Update:
		return m.updates(a, n, at)
	case *rule.Union:
		return unionChanges(a, n, must, at)
	case *rule.Dependent:
		return dependentChanges(a, n, must, at)
	case *rule.CEL:
		return m.celChanges(a, n, r, at)
	}
	return nil
}

// wrong returns texts that have few formats. For the keys of a map, they are keys.
func (m *Maker) wrong(n *fieldtree.Node, at []any, r rule.Rule) []change {
	texts := []string{"Not Valid!", "-", "", "Unknown", "a_b", "A", "a/b/c", "%", "."}
	if _, ok := r.Must.(*rule.Enum); ok {
		texts = []string{"Unknown"}
	}
	var all []change
	for _, text := range texts {
		all = append(all, change{apply: func(o map[string]any) {
			if entries, ok := get(o, at).(map[string]any); ok && n.Form == fieldtree.Map {
				for _, key := range slices.Sorted(maps.Keys(entries)) {
					put(o, at, map[string]any{text: entries[key]})
				}
				return
			}
			put(o, at, text)
		}})
	}
	return all
}

// beyond returns values outside of a limit.
func (m *Maker) beyond(a *attempt, n *fieldtree.Node, l *rule.Limit) []any {
	limit := new(big.Int)
	if !bigOf(l.Value, limit) || !limit.IsInt64() {
		return []any{"-1s", "100000h", "-1", "1000000Ei", "1000Ti"}
	}
	k := limit.Int64()
	switch l.Keyword {
	case rule.Minimum, rule.MultipleOf:
		if l.Keyword == rule.MultipleOf {
			return []any{k + 1}
		}
		return []any{k - 1}
	case rule.Maximum:
		return []any{k + 1}
	case rule.ExclusiveMinimum, rule.ExclusiveMaximum:
		return []any{k}
	}
	const most = 1 << 14
	if k < 0 || k > most {
		return nil
	}
	size := int(k) + 1
	if l.Keyword == rule.MinLength || l.Keyword == rule.MinItems || l.Keyword == rule.MinProperties {
		size = int(k) - 1
	}
	if size < 0 || n.Items == nil && (n.Form == fieldtree.List || n.Form == fieldtree.Map) {
		return nil
	}
	switch n.Form {
	case fieldtree.String, fieldtree.Bytes:
		return []any{strings.Repeat("a", size), strings.Repeat("1", size)}
	case fieldtree.List:
		var list []any
		for i := range size {
			v := a.distinct(n, a.value(n.Items, i), i)
			list = append(list, v)
		}
		return []any{list}
	case fieldtree.Map:
		entries := map[string]any{}
		if l.Keyword != rule.MinProperties && l.Keyword != rule.MaxProperties { // a rule on keys
			return []any{map[string]any{strings.Repeat("a", size): a.value(n.Items, 0)}}
		}
		for i := range size {
			entries["key-"+strconv.Itoa(i+1)] = a.value(n.Items, 0)
		}
		return []any{entries}
	}
	return nil
}

// updates returns updates: of the value, of whether it is set, and of what is in it.
func (m *Maker) updates(a *attempt, n *fieldtree.Node, at []any) []change {
	var all []change
	for _, v := range m.candidates(n) {
		all = append(all, change{old: true, apply: func(o map[string]any) { put(o, at, v) }})
	}
	set := a.value(n, 0)
	all = append(all,
		change{old: true, apply: func(o map[string]any) { put(o, at, nil) }},
		change{old: true, before: func(o map[string]any) { put(o, at, nil) }, apply: func(o map[string]any) { put(o, at, set) }})
	for _, f := range n.Members() {
		below := append(slices.Clone(at), f.Name)
		if n.Form != fieldtree.Object {
			continue
		}
		for _, v := range m.candidates(f) {
			all = append(all, change{old: true, apply: func(o map[string]any) { put(o, below, v) }})
		}
	}
	if list, ok := set.([]any); ok && n.Items != nil {
		more := append(slices.Clone(list), a.distinct(n, a.value(n.Items, 1), 1))
		all = append(all,
			change{old: true, apply: func(o map[string]any) { put(o, at, more) }},
			change{old: true, before: func(o map[string]any) { put(o, at, more) }, apply: func(o map[string]any) { put(o, at, list) }})
	}
	return all
}

func unionChanges(a *attempt, n *fieldtree.Node, u *rule.Union, at []any) []change {
	var all []change
	child := func(name string) []any { return append(slices.Clone(at), name) }
	for _, member := range u.Members {
		if member.Field == nil || n.Field(member.Field.JSON) == nil {
			continue
		}
		v := a.value(n.Field(member.Field.JSON), 0)
		all = append(all, change{apply: func(o map[string]any) { put(o, child(member.Field.JSON), v) }})
	}
	all = append(all, change{apply: func(o map[string]any) {
		for _, member := range u.Members {
			if member.Field != nil {
				put(o, child(member.Field.JSON), nil)
			}
		}
	}})
	everything := change{apply: func(o map[string]any) {
		for _, member := range u.Members {
			if member.Field != nil && n.Field(member.Field.JSON) != nil {
				put(o, child(member.Field.JSON), a.value(n.Field(member.Field.JSON), 0))
			}
		}
	}}
	return append(all, everything)
}

func dependentChanges(a *attempt, n *fieldtree.Node, d *rule.Dependent, at []any) []change {
	when, then := n.Field(d.When.JSON), n.Field(d.Then.JSON)
	if when == nil || then == nil {
		return nil
	}
	return []change{{apply: func(o map[string]any) {
		put(o, append(slices.Clone(at), when.Name), a.value(when, 0))
		var v any
		if d.Forbidden {
			v = a.value(then, 0)
		}
		put(o, append(slices.Clone(at), then.Name), v)
	}}}
}

// inText are the strings in a rule.
var inText = regexp.MustCompile(`'([^'\n]{1,40})'|\\?"([^"\\\n]{1,40})\\?"`)

// celChanges returns changes of the fields that a rule in CEL mentions, and of the value itself.
func (m *Maker) celChanges(a *attempt, n *fieldtree.Node, r rule.Rule, at []any) []change {
	var all []change
	try := func(f *fieldtree.Node, path []any) {
		values := append(m.candidates(f), "Not Valid!", "", int64(-1), int64(0), int64(1_000_000))
		for _, found := range inText.FindAllStringSubmatch(r.Text, -1) {
			text := found[1] + found[2]
			values = append(values, text, "/"+text, "/"+text+"x", "x"+text, text+"x")
		}
		switch f.Form {
		case fieldtree.List, fieldtree.Map, fieldtree.Object:
			values = []any{a.value(f, 0), []any{}, map[string]any{}}
		}
		for _, v := range append(values, nil) {
			all = append(all,
				change{apply: func(o map[string]any) { put(o, path, v) }},
				change{old: true, apply: func(o map[string]any) { put(o, path, v) }})
		}
	}
	if n.Form != fieldtree.Object {
		try(n, at)
	}
	for _, f := range n.Mentioned(r.Text) {
		path := slices.Clone(at)
		if f.Parent != nil && f.Parent.Name != "" && f.Parent != n && f.Parent.Parent == n {
			path = append(path, f.Parent.Name)
		}
		if n.Form == fieldtree.Object {
			try(f, append(path, f.Name))
		}
	}
	return all
}
