package eval

import (
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/rule"
	"github.com/kindsmith/kindsmith/internal/source"
)

// Declared is a rule that the values of a type are held to. An Error is of the rule
// with the same text and declaration.
type Declared struct {
	// Path is where the rule applies, with [*] for every item or entry.
	Path string
	// Rule and Declared are as in Error.
	Rule     string
	Declared source.Span
	// Errors are what it can report; none for a function that only Go can run.
	Errors []rule.Error
}

// Inventory returns the rules of a type and of everything below it, each path and
// rule once. A recursive type is entered once.
func (s *Set) Inventory(name TypeName) ([]Declared, error) {
	if _, err := s.goType(name); err != nil {
		return nil, err
	}
	t := s.model.Type(name)
	if !s.needs.typ(t) {
		return nil, nil
	}
	i := &inventory{open: map[*typePlan]bool{}, seen: map[string]bool{}}
	i.typ(s.planOf(t), "")
	return i.found, nil
}

// inventory collects the rules of plans.
type inventory struct {
	found []Declared
	seen  map[string]bool
	open  map[*typePlan]bool
}

func (i *inventory) typ(t *typePlan, path string) {
	if i.open[t] {
		return
	}
	i.open[t] = true
	defer delete(i.open, t)
	if t.base != nil {
		i.typ(t.base, path)
	}
	i.body(t.own, path)
	for _, f := range t.fields {
		at := path
		if !f.Inline {
			at = below(path, f.JSON)
		}
		i.body(f.body, at)
	}
}

func (i *inventory) body(b *body, path string) {
	if b == nil {
		return
	}
	for _, c := range append([]cohort{b.first}, b.others...) {
		for _, one := range slices.Concat(c.shorts, c.rest) {
			i.check(one, path)
		}
		for _, l := range slices.Concat([]*loop{c.stopping.always, c.each.always}, c.stopping.when, c.each.when) {
			if l != nil {
				i.body(l.keys, path)
				i.body(l.values, path+"[*]")
			}
		}
	}
	if b.call != nil {
		i.typ(b.call, path)
	}
}

func (i *inventory) check(c *check, path string) {
	switch m := c.Must.(type) {
	case *rule.Part:
		i.body(c.inside, below(path, m.Field.JSON))
		return
	case *rule.Item:
		i.body(c.inside, path+"["+keyText(m.Keys)+"]")
		return
	case *rule.Modes:
		at := below(path, m.Field.JSON)
		for _, mode := range c.modes {
			i.body(mode, at)
		}
		i.body(c.otherwise, at)
		if len(m.Otherwise) > 0 {
			i.add(Declared{Path: at, Rule: c.Text, Declared: c.Span, Errors: m.Otherwise[0].Errors})
		}
		return
	}
	if !c.Span.IsZero() {
		i.add(Declared{Path: path, Rule: c.Text, Declared: c.Span, Errors: c.Errors})
	}
}

func (i *inventory) add(d Declared) {
	key := d.Path + " " + d.Rule + " " + d.Declared.String()
	if !i.seen[key] {
		i.seen[key] = true
		i.found = append(i.found, d)
	}
}

// keyText spells the keys that select an item.
func keyText(keys []rule.KeyValue) string {
	parts := make([]string, len(keys))
	for i, k := range keys {
		parts[i] = k.Key.JSON + "=" + k.Value.Text
		if k.Value.Kind == model.StringValue {
			parts[i] = k.Key.JSON + "=" + `"` + k.Value.Text + `"`
		}
	}
	return strings.Join(parts, ",")
}

// below adds a field's name to a path.
func below(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
