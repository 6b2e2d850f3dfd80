package order

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/rule"
)

// Reported is a rule that values of a type can break.
type Reported struct {
	*Check
	// Path is the path of the rule's place, with [*] for every item or entry.
	Path string
	// Errors are the errors that the rule can report.
	Errors []rule.Error
}

// Reported calls f for each rule that validators run on values of a type and in them. It visits a
// recursive type once. item writes the path segment of the item with some keys.
func (s *Set) Reported(t *model.Type, item func([]rule.KeyValue) string, f func(Reported)) {
	if s.Needed(t) {
		(&reporter{Set: s, item: item, f: f, open: map[*model.Type]bool{}}).typ(Use{Type: t}, "")
	}
}

type reporter struct {
	*Set
	item func([]rule.KeyValue) string
	f    func(Reported)
	open map[*model.Type]bool
}

func (r *reporter) typ(use Use, path string) {
	t := use.Type
	if r.open[t] {
		return
	}
	r.open[t] = true
	defer delete(r.open, t)
	ordered := r.At(use)
	if ordered.Base != nil {
		r.typ(Use{Type: ordered.Base}, path)
	}
	r.body(ordered.Own, path)
	for _, f := range ordered.Fields {
		at := path
		if !f.Inline {
			at = Join(path, f.JSON)
		}
		r.body(f.Body, at)
	}
}

func (r *reporter) body(b *Body, path string) {
	if b == nil {
		return
	}
	for _, c := range append([]Cohort{b.Default}, b.Others...) {
		for _, one := range slices.Concat(c.Shorts, c.Rest) {
			r.check(one, path)
		}
		for _, l := range slices.Concat(c.Stopping, c.Each) {
			r.body(l.Keys, path)
			r.body(l.Values, path+"[*]")
		}
	}
	if b.Call != nil {
		r.typ(*b.Call, path)
	}
}

func (r *reporter) check(c *Check, path string) {
	switch m := c.Must.(type) {
	case *rule.Part:
		r.body(c.Inside, Join(path, m.Field.JSON))
	case *rule.Item:
		r.body(c.Inside, path+r.item(m.Keys))
	case *rule.Modes:
		at := Join(path, m.Field.JSON)
		for _, mode := range c.Modes {
			r.body(mode, at)
		}
		r.body(c.Otherwise, at)
		if len(m.Otherwise) > 0 {
			r.f(Reported{c, at, m.Otherwise[0].Errors})
		}
	default:
		r.f(Reported{c, path, c.Errors})
	}
}

// Join appends a field's name to a path.
func Join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
