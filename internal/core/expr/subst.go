package expr

import (
	"reflect"
	"slices"
	"strconv"
)

// Children returns the expressions directly below a node, in the order in which
// they are written.
func Children(e Expr) []Expr {
	switch e := e.(type) {
	case *Select:
		return []Expr{e.Operand}
	case *Call:
		if e.Target == nil {
			return e.Args
		}
		return append([]Expr{e.Target}, e.Args...)
	case *List:
		out := make([]Expr, len(e.Items))
		for i, x := range e.Items {
			out[i] = x.Value
		}
		return out
	case *Map:
		var out []Expr
		for _, x := range e.Entries {
			out = append(out, x.Key, x.Value)
		}
		return out
	case *Message:
		out := make([]Expr, len(e.Fields))
		for i, x := range e.Fields {
			out[i] = x.Value
		}
		return out
	case *Comprehension:
		if e.Filter == nil {
			return []Expr{e.Range, e.Body}
		}
		return []Expr{e.Range, e.Filter, e.Body}
	}
	return nil
}

// WithChildren returns a copy of a node with other children.
func WithChildren(e Expr, children []Expr) Expr {
	switch e := e.(type) {
	case *Select:
		c := *e
		c.Operand = children[0]
		return &c
	case *Call:
		c := *e
		if c.Target != nil {
			c.Target, children = children[0], children[1:]
		}
		c.Args = children
		return &c
	case *List:
		c := *e
		c.Items = slices.Clone(e.Items)
		for i := range c.Items {
			c.Items[i].Value = children[i]
		}
		return &c
	case *Map:
		c := *e
		c.Entries = slices.Clone(e.Entries)
		for i := range c.Entries {
			c.Entries[i].Key, c.Entries[i].Value = children[2*i], children[2*i+1]
		}
		return &c
	case *Message:
		c := *e
		c.Fields = slices.Clone(e.Fields)
		for i := range c.Fields {
			c.Fields[i].Value = children[i]
		}
		return &c
	case *Comprehension:
		c := *e
		c.Range, c.Body = children[0], children[len(children)-1]
		if c.Filter != nil {
			c.Filter = children[1]
		}
		return &c
	}
	return e
}

// Walk calls f for a node and then for its descendants. It skips the descendants of a node for
// which f returns false.
func Walk(e Expr, f func(Expr) bool) {
	if !f(e) {
		return
	}
	for _, c := range Children(e) {
		Walk(c, f)
	}
}

// Rewrite replaces nodes from the leaves up: f gets each node with the nodes
// below it already replaced, and returns it or another one.
func Rewrite(e Expr, f func(Expr) Expr) Expr {
	return f(mapChildren(e, func(c Expr) Expr { return Rewrite(c, f) }))
}

// mapChildren returns the node itself if f changes nothing.
func mapChildren(e Expr, f func(Expr) Expr) Expr {
	children := Children(e)
	changed := false
	out := make([]Expr, len(children))
	for i, c := range children {
		out[i] = f(c)
		changed = changed || out[i] != c
	}
	if !changed {
		return e
	}
	return WithChildren(e, out)
}

// Uses reports whether a variable occurs free in an expression.
func Uses(e Expr, name string) bool { return free(e)[name] }

// free returns the names of the variables that occur free in an expression.
func free(e Expr) map[string]bool {
	names := map[string]bool{}
	addFree(e, names, nil)
	return names
}

func addFree(e Expr, names map[string]bool, bound []string) {
	switch e := e.(type) {
	case *Var:
		if e.Name != "" && !slices.Contains(bound, e.Name) {
			names[e.Name] = true
		}
	case *Comprehension:
		addFree(e.Range, names, bound)
		inner := append(slices.Clone(bound), e.Var, e.Var2)
		if e.Filter != nil {
			addFree(e.Filter, names, inner)
		}
		addFree(e.Body, names, inner)
	default:
		for _, c := range Children(e) {
			addFree(c, names, bound)
		}
	}
}

// Subst replaces the free occurrences of a variable. Comprehensions whose
// variables occur in the replacement get other ones.
func Subst(e Expr, name string, by Expr) Expr {
	return substitute(e, func(v *Var) bool { return v.Name == name }, name, by, free(by))
}

// substitute replaces variables that match. It does not enter a comprehension that binds shadowed;
// avoid are the names that none may bind.
func substitute(e Expr, match func(*Var) bool, shadowed string, by Expr, avoid map[string]bool) Expr {
	switch e := e.(type) {
	case *Var:
		if match(e) {
			return by
		}
		return e
	case *Comprehension:
		again := func(x Expr) Expr { return substitute(x, match, shadowed, by, avoid) }
		if shadowed != "" && (e.Var == shadowed || e.Var2 == shadowed) {
			if r := again(e.Range); r != e.Range {
				c := *e
				c.Range = r
				return &c
			}
			return e
		}
		return mapChildren(rename(e, avoid, shadowed), again)
	}
	return mapChildren(e, func(c Expr) Expr { return substitute(c, match, shadowed, by, avoid) })
}

// rename renames the variables of a comprehension that are to be avoided or replaced.
func rename(c *Comprehension, avoid map[string]bool, replaced string) *Comprehension {
	for _, second := range []bool{false, true} {
		name := c.Var
		if second {
			name = c.Var2
		}
		if name == "" || !avoid[name] {
			continue
		}
		taken := scope(c)
		taken[replaced] = true
		for n := range avoid {
			taken[n] = true
		}
		fresh := freshName(base(name), taken)
		x := *c
		if second {
			x.Var2 = fresh
		} else {
			x.Var = fresh
		}
		v := &Var{Name: fresh}
		match := func(v *Var) bool { return v.Name == name }
		x.Body = substitute(c.Body, match, name, v, map[string]bool{fresh: true})
		if c.Filter != nil {
			x.Filter = substitute(c.Filter, match, name, v, map[string]bool{fresh: true})
		}
		c = &x
	}
	return c
}

// scope returns the names in scope in a comprehension.
func scope(c *Comprehension) map[string]bool {
	taken := free(c.Body)
	if c.Filter != nil {
		for n := range free(c.Filter) {
			taken[n] = true
		}
	}
	for _, n := range []string{c.Var, c.Var2, SelfName, OldSelfName} {
		taken[n] = true
	}
	return taken
}

// base removes the number that freshName appended to a name.
func base(name string) string {
	i := len(name)
	for i > 1 && name[i-1] >= '0' && name[i-1] <= '9' {
		i--
	}
	return name[:i]
}

// freshName returns the base or, if it is taken, the base with a number.
func freshName(base string, taken map[string]bool) string {
	name := base
	for n := 2; taken[name]; n++ {
		name = base + strconv.Itoa(n)
	}
	return name
}

// bind gives a comprehension its body. The body is built around a variable
// without a name; the name is chosen when the body is known.
func bind(c *Comprehension, body func(Expr) Expr) Expr {
	hole := &Var{}
	c.Body = body(hole)
	taken := free(c.Body)
	taken[SelfName], taken[OldSelfName] = true, true
	c.Var = freshName("i", taken)
	c.Body = fill(c.Body, hole, c.Var)
	return c
}

func bind2(c *Comprehension, body func(a, b Expr) Expr) Expr {
	hole, hole2 := &Var{}, &Var{}
	c.Body = body(hole, hole2)
	taken := free(c.Body)
	taken[SelfName], taken[OldSelfName] = true, true
	c.Var = freshName(c.Var, taken)
	taken[c.Var] = true
	c.Var2 = freshName(c.Var2, taken)
	c.Body = fill(fill(c.Body, hole, c.Var), hole2, c.Var2)
	return c
}

func fill(body Expr, hole *Var, name string) Expr {
	return substitute(body, func(v *Var) bool { return v == hole }, "", &Var{Name: name}, map[string]bool{name: true})
}

// bindNamed renames the variable of a comprehension, to a name like the base.
func bindNamed(c *Comprehension, base string) Expr {
	taken := scope(c)
	delete(taken, c.Var)
	name, old := freshName(base, taken), c.Var
	x := *c
	x.Var = name
	match := func(v *Var) bool { return v.Name == old }
	x.Body = substitute(c.Body, match, old, &Var{Name: name}, map[string]bool{name: true})
	if c.Filter != nil {
		x.Filter = substitute(c.Filter, match, old, &Var{Name: name}, map[string]bool{name: true})
	}
	return &x
}

// Equal reports whether two trees are equal except for positions.
func Equal(a, b Expr) bool {
	if a == nil || b == nil {
		return a == b
	}
	if reflect.TypeOf(a) != reflect.TypeOf(b) || !sameNode(a, b) {
		return false
	}
	x, y := Children(a), Children(b)
	return slices.EqualFunc(x, y, Equal)
}

// sameNode compares two nodes of one type without what is below them.
func sameNode(a, b Expr) bool {
	switch a := a.(type) {
	case *Literal:
		return reflect.DeepEqual(a.Value, b.(*Literal).Value)
	case *Var:
		return a.Name == b.(*Var).Name
	case *Select:
		b := b.(*Select)
		return a.Field == b.Field && a.Verbatim == b.Verbatim && a.Test == b.Test && a.Optional == b.Optional
	case *Call:
		b := b.(*Call)
		return a.Func == b.Func && (a.Target == nil) == (b.Target == nil)
	case *List:
		return slices.EqualFunc(a.Items, b.(*List).Items, func(x, y Item) bool { return x.Optional == y.Optional })
	case *Map:
		return slices.EqualFunc(a.Entries, b.(*Map).Entries, func(x, y Entry) bool { return x.Optional == y.Optional })
	case *Message:
		b := b.(*Message)
		return a.Name == b.Name && slices.EqualFunc(a.Fields, b.Fields, func(x, y Field) bool { return x.Name == y.Name && x.Optional == y.Optional })
	case *Comprehension:
		b := b.(*Comprehension)
		return a.Macro == b.Macro && a.Var == b.Var && a.Var2 == b.Var2 && (a.Filter == nil) == (b.Filter == nil)
	}
	return false
}
