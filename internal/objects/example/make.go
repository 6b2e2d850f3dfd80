package example

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/objects/fieldtree"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
)

// object makes the manifest.
func (a *attempt) object() map[string]any {
	out := map[string]any{}
	if fields, ok := a.value(a.Root, 0).(map[string]any); ok {
		out = fields
	}
	out["apiVersion"], out["kind"] = a.Kind.GroupVersion().String(), a.Kind.Kind
	out["metadata"] = map[string]any{"name": "my-" + strings.ToLower(a.Kind.Kind)}
	return out
}

// wants reports whether the manifest has a member of an object.
func (a *attempt) wants(n *fieldtree.Node) bool {
	if set, forced := a.force[n.Pattern]; forced {
		return set
	}
	switch {
	case n.Path == "status", fieldtree.Has[*rule.Forbidden](n):
		return false
	case n.Required:
		return true
	}
	return a.mode == full && !model.IsDeprecated(n.Member.Field.Doc) && a.isOurs(n) && n.Form != fieldtree.Any && n.Same == nil &&
		(n.Items == nil || !recurs(n.Items))
}

// recurs reports whether the innermost items are of a type around them.
func recurs(n *fieldtree.Node) bool {
	for n.Items != nil {
		n = n.Items
	}
	return n.Same != nil
}

// isOurs reports whether the project declares a member.
func (m *Maker) isOurs(n *fieldtree.Node) bool {
	p := m.Model.Package(n.Owner.Package)
	return p != nil && !p.IsDependency()
}

// deepest bounds how deep manifests are.
const deepest = 24

// value makes the value of a node; nil for none. at is the index of an item.
func (a *attempt) value(n *fieldtree.Node, at int) any {
	depth := 0
	for above := n.Parent; above != nil; above = above.Parent {
		depth++
	}
	switch {
	case depth > deepest:
		return nil
	case n.Form == fieldtree.Object:
		return a.members(n)
	case n.Form == fieldtree.List && n.Items != nil:
		return a.list(n)
	case n.Form == fieldtree.Map && n.Items != nil:
		return a.entries(n)
	}
	all := a.candidates(n)
	if len(all) == 0 {
		return nil
	}
	return all[(a.tries[n.Pattern]+at)%len(all)]
}

func (a *attempt) members(n *fieldtree.Node) any {
	if v, ok := a.authored(n); ok {
		return v
	}
	out := map[string]any{}
	skip, selected := a.chosen(n)
	for _, f := range n.Fields {
		switch value, ok := selected[f.Name]; {
		case n.Parent == nil && slices.Contains([]string{"apiVersion", "kind", "metadata"}, f.Name):
		case ok && value != nil:
			out[f.Name] = value
		case skip[f.Name]:
		case ok || a.wants(f):
			if v := a.value(f, 0); v != nil {
				out[f.Name] = v
			}
		}
	}
	return out
}

// chosen returns the fields of an object that its unions exclude, and those that they select, with the value of a
// discriminator.
func (a *attempt) chosen(n *fieldtree.Node) (skip map[string]bool, selected map[string]any) {
	skip, selected = map[string]bool{}, map[string]any{}
	for _, u := range n.Unions {
		if u.Members[0].Field == nil {
			continue
		}
		c, forced := a.choices[key(n, u.Union)]
		if !forced {
			c = a.usual(n, u.Union)
		}
		for _, member := range u.Members {
			skip[member.Field.JSON] = true
		}
		if c.Member >= 0 {
			chosen := u.Members[c.Member]
			delete(skip, chosen.Field.JSON)
			if !chosen.Optional || a.mode == full || forced {
				selected[chosen.Field.JSON] = nil
			}
		}
		if u.Discriminator != nil && (c.Value != "" || c.Member >= 0) {
			selected[u.Discriminator.Field.JSON] = discriminator(a.Model, u.Discriminator, c.Value)
		}
		if c.Member >= 0 || c.Value != "" {
			a.made = append(a.made, c)
		}
	}
	return skip, selected
}

func discriminator(m *model.Model, d *rule.Discriminator, value string) any {
	if m.Underlying(d.Field.Type).IsBool() {
		return value == "true"
	}
	return value
}

// usual returns the choice of a union that nothing asks for: a member that is allowed, and none if that is valid in a minimal
// manifest.
func (a *attempt) usual(n *fieldtree.Node, u *rule.Union) Choice {
	all := a.ChoicesOf(n, u)
	none := Choice{Node: n, Union: u, Member: -1}
	if a.mode == minimal {
		optional := u.ZeroOrOne
		if u.Discriminator != nil {
			d := n.Field(u.Discriminator.Field.JSON)
			optional = d != nil && !d.Required
		}
		if optional {
			return none
		}
	}
	for _, c := range all {
		if c.Member < 0 {
			continue
		}
		if f := n.Field(u.Members[c.Member].Field.JSON); f != nil && f.Same == nil && !fieldtree.Has[*rule.Forbidden](f) {
			return c
		}
	}
	if len(all) > 0 {
		return all[0]
	}
	return none
}

// list makes a list with as many items as its rules ask for: one, unless it needs more.
func (a *attempt) list(n *fieldtree.Node) any {
	if v, ok := a.authored(n); ok {
		return v
	}
	least, most := a.counts(n, rule.MinItems, rule.MaxItems)
	if most == 0 {
		return []any{}
	}
	var out []any
	for i := range least + a.tries[n.Pattern] {
		if v := a.value(n.Items, i); v != nil {
			out = append(out, a.distinct(n, v, i))
		}
	}
	if out == nil {
		return []any{}
	}
	return out
}

// distinct gives an item of a list of type map a key of its own.
func (a *attempt) distinct(n *fieldtree.Node, v any, i int) any {
	object, ok := v.(map[string]any)
	if !ok || i == 0 {
		return v
	}
	for _, r := range n.Rules {
		var keys []rule.FieldPath
		switch must := r.Must.(type) {
		case *rule.ListType:
			keys = must.Keys
		case *rule.Unique:
			keys = must.Keys
		}
		for _, k := range keys {
			if f := n.Items.Field(k.JSON); f != nil {
				object[k.JSON] = a.value(f, i)
			}
		}
	}
	return object
}

func (a *attempt) entries(n *fieldtree.Node) any {
	if v, ok := a.authored(n); ok {
		return v
	}
	least, most := a.counts(n, rule.MinProperties, rule.MaxProperties)
	out := map[string]any{}
	if most == 0 {
		return out
	}
	keys := a.keys(n)
	for i := range least {
		if v := a.value(n.Items, i); v != nil && len(keys) > 0 {
			out[keys[(i+a.tries[n.Pattern])%len(keys)]] = v
		}
	}
	return out
}

// keys returns candidates for the keys of a map.
func (m *Maker) keys(n *fieldtree.Node) []string {
	key := &fieldtree.Node{Name: "key", Form: fieldtree.String, Rules: n.Keys, Type: model.Builtin("string"), Pattern: n.Pattern + "[key]"}
	var keys []string
	for _, c := range m.candidates(key) {
		if text, ok := c.(string); ok {
			keys = append(keys, text)
		}
	}
	return keys
}

// counts returns how many items a list has at least, one or more, and at most.
func (m *Maker) counts(n *fieldtree.Node, lower, upper rule.Keyword) (least, most int) {
	least, most = 1, -1
	for _, r := range n.Rules {
		if l, ok := r.Must.(*rule.Limit); ok {
			v := int(rule.IntOf(l.Value).Int64())
			switch l.Keyword {
			case lower:
				least = max(least, v)
			case upper:
				most = v
			}
		}
	}
	return least, most
}

// authored returns the value of the field's marker with an example, or of its default if that is an object or a list and the
// first candidate.
func (a *attempt) authored(n *fieldtree.Node) (any, bool) {
	all := markedExamples(n)
	if a.mode == full && n.Default != nil && n.Form != fieldtree.Object && n.Items != nil && len(n.Items.Fields) == 0 {
		all = append(all, decode(n.Default.JSON()))
	}
	if i := a.tries[n.Pattern]; i < len(all) && !emptyValue(all[i]) {
		return all[i], true
	}
	return nil, false
}

func emptyValue(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}

// decode reads JSON as the engine takes it: integers as int64.
func decode(text string) any {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil {
		return nil
	}
	return numbers(v)
}

func numbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		f, _ := v.Float64()
		return f
	case []any:
		for i := range v {
			v[i] = numbers(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = numbers(v[k])
		}
	}
	return v
}

// Decode reads an object in JSON as makers make it.
func Decode(object []byte) any { return decode(string(object)) }
