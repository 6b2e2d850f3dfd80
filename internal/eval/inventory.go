package eval

import (
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/rule"
	"github.com/kindsmith/kindsmith/internal/rule/order"
	"github.com/kindsmith/kindsmith/internal/source"
)

// Declared is a rule on values of a type. An Error belongs to the rule with the same text and
// position.
type Declared struct {
	// Path is the path of the rule, with [*] for every item or entry.
	Path string
	// Rule and Declared are those of Error.
	Rule     string
	Declared source.Span
	// Errors are the errors that it can report; none for a function that only Go can run.
	Errors []rule.Error
	// Defaulted is set for rules that no object with defaults breaks. An empty list or map
	// can be written where there is a default.
	Defaulted bool
}

// Inventory returns the rules of a type and of the types of its fields, each path and rule once. It
// visits a recursive type once.
func (s *Set) Inventory(name TypeName) ([]Declared, error) {
	if _, err := s.goType(name); err != nil {
		return nil, err
	}
	t := s.model.Type(name)
	if !s.order.Needed(t) {
		return nil, nil
	}
	i := &inventory{model: s.model, order: s.order, open: map[*model.Type]bool{}, seen: map[string]bool{}}
	i.typ(t, "")
	return i.found, nil
}

// inventory collects rules.
type inventory struct {
	order *order.Set
	model *model.Model
	found []Declared
	seen  map[string]bool
	open  map[*model.Type]bool
}

func (i *inventory) typ(t *model.Type, path string) {
	if i.open[t] {
		return
	}
	i.open[t] = true
	defer delete(i.open, t)
	ordered := i.order.Of(t)
	if ordered.Base != nil {
		i.typ(ordered.Base, path)
	}
	i.body(ordered.Own, path)
	for _, f := range ordered.Fields {
		at := path
		if !f.Inline {
			at = below(path, f.JSON)
		}
		i.body(f.Body, at)
	}
}

func (i *inventory) body(b *order.Body, path string) {
	if b == nil {
		return
	}
	for _, c := range append([]order.Cohort{b.Default}, b.Others...) {
		for _, one := range slices.Concat(c.Shorts, c.Rest) {
			i.check(one, path)
		}
		for _, l := range slices.Concat(c.Stopping, c.Each) {
			i.body(l.Keys, path)
			i.body(l.Values, path+"[*]")
		}
	}
	if b.Call != nil {
		i.typ(b.Call, path)
	}
}

func (i *inventory) check(c *order.Check, path string) {
	switch m := c.Must.(type) {
	case *rule.Part:
		i.body(c.Inside, below(path, m.Field.JSON))
		return
	case *rule.Item:
		i.body(c.Inside, path+"["+keyText(m.Keys)+"]")
		return
	case *rule.Modes:
		at := below(path, m.Field.JSON)
		for _, mode := range c.Modes {
			i.body(mode, at)
		}
		i.body(c.Otherwise, at)
		if len(m.Otherwise) > 0 {
			i.add(Declared{Path: at, Rule: c.Text, Declared: c.Span, Errors: m.Otherwise[0].Errors})
		}
		return
	}
	if !c.Span.IsZero() {
		required, ok := c.Must.(*rule.Required)
		i.add(Declared{Path: path, Rule: c.Text, Declared: c.Span, Errors: c.Errors, Defaulted: ok && required.Defaulted && (c.Place.IsPointer(i.model) || !c.Place.CanBeNil(i.model))})
	}
}

func (i *inventory) add(d Declared) {
	key := d.Path + " " + d.Rule + " " + d.Declared.String()
	if !i.seen[key] {
		i.seen[key] = true
		i.found = append(i.found, d)
	}
}

// keyText formats the keys that select an item.
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
