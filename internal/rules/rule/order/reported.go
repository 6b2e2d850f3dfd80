package order

import (
	"math"
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
)

// Reported is a rule that values of a type can break.
type Reported struct {
	*Check
	// Path is the path of the rule's place, with [*] for every item or entry.
	Path string
	// Errors are the errors that the rule can report.
	Errors []rule.Error
}

// Reported calls f for each rule that validators run on values of a type and in them, once for each path. It follows a
// recursive type once. item writes the path segment of the item with some keys.
//
// The number of paths may double with each level of types. Reported follows limit of them to declared types at most, and
// otherwise returns the path of a value where it stopped; "" if it followed all.
func (s *Set) Reported(t *model.Type, limit int, item func([]rule.KeyValue) string, f func(Reported)) (stopped string) {
	r := &reporter{Set: s, item: item, f: f, visited: map[key]bool{}, left: limit}
	if s.Needed(t) {
		r.typ(Use{Type: t}, "")
	}
	return r.stopped
}

// Declared calls f for each rule that validators run on values of a type and in them, at the first path that leads to it.
func (s *Set) Declared(t *model.Type, item func([]rule.KeyValue) string, f func(Reported)) {
	if s.Needed(t) {
		(&reporter{Set: s, item: item, f: f, visited: map[key]bool{}, left: math.MaxInt, once: true}).typ(Use{Type: t}, "")
	}
}

type reporter struct {
	*Set
	item func([]rule.KeyValue) string
	f    func(Reported)
	// visited are the types that are not followed: all that were if once is set, else those on the path.
	visited map[key]bool
	once    bool
	// left is the number of types to follow. stopped is the first path of one that was not.
	left    int
	stopped string
}

func (r *reporter) typ(use Use, path string) {
	id := use.key()
	if r.visited[id] || r.stopped != "" {
		return
	}
	if r.left == 0 {
		r.stopped = path
		return
	}
	r.left--
	r.visited[id] = true
	defer func() {
		if !r.once {
			delete(r.visited, id)
		}
	}()
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
