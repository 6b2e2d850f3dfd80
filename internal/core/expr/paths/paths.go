// Package paths prints conditions about all values at a path of JSON objects, as admission policies see these: the values
// have no types, and the old object is null in a create.
//
// A [Path] leads from one value to another in an object; it becomes an expression in CEL.
package paths

import (
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/expr"
)

// each is the step to all items of a list or all values of a map.
const each = ""

// Path is a path from the object. The zero Path is the object itself.
type Path struct {
	steps []string
	// lists are the lists on the way; other values with a step each are maps.
	lists []list
}

// list is a list at the end of the first steps of a path. keys are the names of the fields that identify its items.
type list struct {
	steps int
	keys  []string
}

func (l list) equal(o list) bool { return l.steps == o.steps && slices.Equal(l.keys, o.keys) }

// Field returns the path to a field of a value.
func (p Path) Field(name string) Path {
	return Path{append(slices.Clone(p.steps), name), p.lists}
}

// Items returns the path to the items of a list. keys are the fields that identify an item, if it has any.
func (p Path) Items(keys ...string) Path {
	return Path{append(slices.Clone(p.steps), each), append(slices.Clone(p.lists), list{len(p.steps), keys})}
}

// Values returns the path to the values of a map.
func (p Path) Values() Path { return Path{append(slices.Clone(p.steps), each), p.lists} }

// Equal reports whether two paths are the same.
func (p Path) Equal(o Path) bool {
	return slices.Equal(p.steps, o.steps) && slices.EqualFunc(p.lists, o.lists, list.equal)
}

// Paired reports whether each value at the path has at most one old value: all lists on the way have keys.
func (p Path) Paired() bool {
	return !slices.ContainsFunc(p.lists, func(l list) bool { return len(l.keys) == 0 })
}

// String returns the path for messages, such as spec.items[*].name; "" for the object.
func (p Path) String() string {
	var b strings.Builder
	for i, step := range p.steps {
		switch {
		case step == each:
			b.WriteString("[*]")
		case i > 0:
			b.WriteString("." + step)
		default:
			b.WriteString(step)
		}
	}
	return b.String()
}

var (
	object = &expr.Var{Name: "object"}
	old    = &expr.Var{Name: "oldObject"}
	// optional is the prefix of functions.
	optional = &expr.Var{Name: "optional"}
)

// All returns the condition that a check of each value holds. The check gets the value, and the condition that the old
// object has it at the same path, too, maybe in another item.
func (p Path) All(check func(value, unchanged expr.Expr) expr.Expr) expr.Expr {
	return p.all(object, 0, check)
}

// Pair is a value and its old one, as API servers correlate them.
type Pair struct {
	Value expr.Expr
	// Unchanged is the condition that the old value is the same, Before the old value as an optional value. Below a list
	// without keys, there is no old value: Unchanged is false, and Before is nil.
	Unchanged, Before expr.Expr
}

// Pairs is All for pairs. An unchanged list without keys is not checked.
func (p Path) Pairs(check func(Pair) expr.Expr) expr.Expr {
	w := &walk{path: p, check: check, keys: make([]expr.Expr, len(p.steps))}
	return w.pairs(object, expr.If(IsCreate(), expr.Method(optional, "none"), expr.Method(optional, "of", old)), 0)
}

// walk prints the condition on the pairs at a path.
type walk struct {
	path  Path
	check func(Pair) expr.Expr
	// keys has the item of each list, and the key of each map, by its step.
	keys []expr.Expr
}

func (w *walk) pairs(x, before expr.Expr, from int) expr.Expr {
	p := w.path
	x, i := p.follow(x, from)
	if before != nil {
		before, _ = p.follow(before, from)
	}
	switch {
	case i < len(p.steps):
		keyed := p.listAt(i) == nil || len(p.listAt(i).keys) > 0
		all := p.loop(expr.AllMacro, "", x, i, i > from, func(item, key expr.Expr) expr.Expr {
			if before == nil || !keyed {
				return w.pairs(item, nil, i+1)
			}
			w.keys[i] = item
			if key != nil {
				w.keys[i] = key
			}
			return w.pairs(item, w.old(before, i), i+1)
		})
		if before == nil || keyed {
			return all
		}
		return expr.Or(w.unchanged(i, x, i > from), all)
	case i == 0:
		return w.check(Pair{object, expr.Bool(false), before}) // metadata always differs
	case i == from:
		return w.pair(x, before)
	}
	value := &expr.Var{Name: "value"}
	return orValue(&expr.Comprehension{Macro: expr.OptMapMacro, Range: x, Var: value.Name, Body: w.pair(value, before)}, expr.Bool(true))
}

func (w *walk) pair(value, before expr.Expr) expr.Expr {
	if before == nil {
		return w.check(Pair{value, expr.Bool(false), nil})
	}
	return w.check(Pair{value, w.unchanged(len(w.path.steps), value, false), before})
}

// unchanged returns the condition that a value, which may be optional, is the old value at the end of some steps.
func (w *walk) unchanged(steps int, value expr.Expr, maybe bool) expr.Expr {
	if !maybe {
		value = expr.Method(optional, "of", value)
	}
	return expr.And(expr.Ne(old, expr.Null()), w.same(expr.Method(optional, "of", old), 0, steps, value))
}

// same compares with an optional old value. It stops at the first item with the same keys.
func (w *walk) same(x expr.Expr, from, steps int, value expr.Expr) expr.Expr {
	for i := from; i < steps; i++ {
		switch l := w.path.listAt(i); {
		case w.path.steps[i] != each:
			x = expr.OptJSONField(x, w.path.steps[i])
		case l == nil:
			x = expr.OptAt(x, w.keys[i])
		default:
			v := w.path.variable(i, "Old")
			return &expr.Comprehension{Macro: expr.ExistsMacro, Range: orValue(x, expr.ListOf()), Var: v.Name, Body: expr.And(
				sameKeys(l.keys, v, w.keys[i]), w.same(expr.Method(optional, "of", v), i+1, steps, value))}
		}
	}
	return expr.Eq(x, value)
}

func sameKeys(keys []string, x, y expr.Expr) expr.Expr {
	var same []expr.Expr
	for _, name := range keys {
		same = append(same, expr.Eq(expr.OptJSONField(x, name), expr.OptJSONField(y, name)))
	}
	return expr.And(same...)
}

// listAt returns the list at the end of some steps; nil for a map.
func (p Path) listAt(steps int) *list {
	if i := slices.IndexFunc(p.lists, func(l list) bool { return l.steps == steps }); i >= 0 {
		return &p.lists[i]
	}
	return nil
}

// old returns the item or entry of an old list or map with the keys of the new one.
func (w *walk) old(before expr.Expr, i int) expr.Expr {
	l := w.path.listAt(i)
	if l == nil {
		return expr.OptAt(before, w.keys[i])
	}
	v := w.path.variable(i, "Old")
	return expr.OptAt(&expr.Comprehension{
		Macro: expr.FilterMacro, Range: orValue(before, expr.ListOf()), Var: v.Name, Body: sameKeys(l.keys, v, w.keys[i]),
	}, expr.Int(0))
}

// IsCreate is the condition that there is no old object.
func IsCreate() expr.Expr { return expr.Eq(old, expr.Null()) }

func (p Path) all(x expr.Expr, from int, check func(value, unchanged expr.Expr) expr.Expr) expr.Expr {
	x, i := p.follow(x, from)
	switch {
	case i < len(p.steps):
		return p.loop(expr.AllMacro, "", x, i, i > from, func(item, _ expr.Expr) expr.Expr { return p.all(item, i+1, check) })
	case i == 0:
		return check(object, expr.Bool(false)) // metadata always differs
	case i == from:
		return check(x, p.unchanged(x))
	}
	value := &expr.Var{Name: "value"}
	return orValue(&expr.Comprehension{Macro: expr.OptMapMacro, Range: x, Var: value.Name, Body: check(value, p.unchanged(value))}, expr.Bool(true))
}

func (p Path) unchanged(value expr.Expr) expr.Expr {
	return expr.And(expr.Ne(old, expr.Null()), p.known(old, 0, value))
}

// known returns the condition that a value is one below x.
func (p Path) known(x expr.Expr, from int, value expr.Expr) expr.Expr {
	x, i := p.follow(x, from)
	switch {
	case i < len(p.steps):
		return p.loop(expr.ExistsMacro, "Old", x, i, i > from, func(item, _ expr.Expr) expr.Expr { return p.known(item, i+1, value) })
	case i == from:
		return expr.Eq(x, value)
	}
	return expr.Eq(x, expr.Method(optional, "of", value))
}

// follow selects fields until the path ends, or a list or map follows. It returns an optional value if there are fields, and
// the next step.
func (p Path) follow(x expr.Expr, from int) (expr.Expr, int) {
	for from < len(p.steps) && p.steps[from] != each {
		x = expr.OptJSONField(x, p.steps[from])
		from++
	}
	return x, from
}

// names are the names of loop variables, by depth.
var names = []string{"item", "part", "element", "member"}

// variable returns the variable of the loop over the list or map at the end of the first steps.
func (p Path) variable(steps int, suffix string) *expr.Var {
	depth := 0
	for _, step := range p.steps[:steps] {
		if step == each {
			depth++
		}
	}
	return &expr.Var{Name: names[depth%len(names)] + suffix + strings.Repeat("_", depth/len(names))}
}

// loop applies a macro to the items or values of a list or map. The body gets each, and the key of a map's.
func (p Path) loop(macro expr.Macro, suffix string, x expr.Expr, i int, maybe bool, body func(item, key expr.Expr) expr.Expr) expr.Expr {
	v := p.variable(i, suffix)
	empty, isList := expr.MapOf(), p.listAt(i) != nil
	if maybe && isList {
		x = orValue(x, expr.ListOf())
	} else if maybe {
		x = orValue(x, empty)
	}
	if isList {
		return &expr.Comprehension{Macro: macro, Range: x, Var: v.Name, Body: body(v, nil)}
	}
	return &expr.Comprehension{Macro: macro, Range: x, Var: v.Name, Body: body(expr.At(x, v), v)}
}

func orValue(optional, otherwise expr.Expr) expr.Expr {
	return expr.Method(optional, "orValue", otherwise)
}
