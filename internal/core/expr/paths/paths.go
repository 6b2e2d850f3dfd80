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
	// lists are the lengths of the paths to lists; other values with a step each are maps.
	lists []int
}

// Field returns the path to a field of a value.
func (p Path) Field(name string) Path {
	return Path{append(slices.Clone(p.steps), name), p.lists}
}

// Items returns the path to the items of a list.
func (p Path) Items() Path {
	return Path{append(slices.Clone(p.steps), each), append(slices.Clone(p.lists), len(p.steps))}
}

// Values returns the path to the values of a map.
func (p Path) Values() Path { return Path{append(slices.Clone(p.steps), each), p.lists} }

// Equal reports whether two paths are the same.
func (p Path) Equal(o Path) bool {
	return slices.Equal(p.steps, o.steps) && slices.Equal(p.lists, o.lists)
}

// Single reports whether an object has at most one value at the path.
func (p Path) Single() bool { return !slices.Contains(p.steps, each) }

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
)

// All returns the condition that a check of each value holds. The check gets the value, and the condition that the old
// object has it at the same path, too, maybe in another item.
func (p Path) All(check func(value, unchanged expr.Expr) expr.Expr) expr.Expr {
	return p.all(object, 0, check)
}

// Optional returns the value of a Single path of the old object as an optional value.
func (p Path) Optional() expr.Expr {
	x, _ := p.follow(old, 0)
	return x
}

// IsCreate is the condition that there is no old object.
func IsCreate() expr.Expr { return expr.Eq(old, expr.Null()) }

func (p Path) all(x expr.Expr, from int, check func(value, unchanged expr.Expr) expr.Expr) expr.Expr {
	x, i := p.follow(x, from)
	switch {
	case i < len(p.steps):
		return p.loop(expr.AllMacro, "", x, i, i > from, func(item expr.Expr) expr.Expr { return p.all(item, i+1, check) })
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
		return p.loop(expr.ExistsMacro, "Old", x, i, i > from, func(item expr.Expr) expr.Expr { return p.known(item, i+1, value) })
	case i == from:
		return expr.Eq(x, value)
	}
	return expr.Eq(x, expr.Method(&expr.Var{Name: "optional"}, "of", value))
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

// loop applies a macro to the items or values of a list or map.
func (p Path) loop(macro expr.Macro, suffix string, x expr.Expr, i int, optional bool, body func(expr.Expr) expr.Expr) expr.Expr {
	depth := 0
	for _, step := range p.steps[:i] {
		if step == each {
			depth++
		}
	}
	v := &expr.Var{Name: names[depth%len(names)] + suffix + strings.Repeat("_", depth/len(names))}
	empty, isList := expr.MapOf(), slices.Contains(p.lists, i)
	if optional && isList {
		x = orValue(x, expr.ListOf())
	} else if optional {
		x = orValue(x, empty)
	}
	if isList {
		return &expr.Comprehension{Macro: macro, Range: x, Var: v.Name, Body: body(v)}
	}
	return &expr.Comprehension{Macro: macro, Range: x, Var: v.Name, Body: body(expr.At(x, v))}
}

func orValue(optional, otherwise expr.Expr) expr.Expr {
	return expr.Method(optional, "orValue", otherwise)
}
