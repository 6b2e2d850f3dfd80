package evolve

import (
	"fmt"
	"maps"

	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/kubebuilder"
)

// ruleCheck finds what a CEL rule of the newest version uses and another version lacks or names differently.
type ruleCheck struct {
	*projection
	marker model.Marker
}

// checkRule reports a CEL rule on values of a type that uses a field which the version lacks or names differently,
// or a constant which it names differently. kindsmith does not rewrite the author's rules.
func (p *projection) checkRule(self *model.Ref, onField bool, m model.Marker) {
	c, ok := kubebuilder.Read(m, onField)
	if !ok {
		return // the emitter of schemas reports it
	}
	check := ruleCheck{p, m}
	vars := map[string]*model.Ref{expr.SelfName: self, expr.OldSelfName: self}
	for _, tree := range []expr.Tree{c.Tree, c.MessageTree} {
		if tree.Expr != nil && check.reports(tree.Expr, vars) {
			return
		}
	}
	at := self
	for _, name := range c.Path() {
		if check.field(at, name) {
			return
		}
		at = check.fieldType(at, name)
	}
}

// reports reports the first problem of an expression, and whether it has one. The variables have the given types.
func (c ruleCheck) reports(e expr.Expr, vars map[string]*model.Ref) bool {
	switch e := e.(type) {
	case *expr.Select:
		if name, _ := e.Property(); c.field(c.typeOf(e.Operand, vars), name) {
			return true
		}
	case *expr.Call:
		if c.constants(e, vars) {
			return true
		}
	case *expr.Comprehension:
		inner := c.bind(e, vars)
		return c.reports(e.Range, vars) || e.Filter != nil && c.reports(e.Filter, inner) || c.reports(e.Body, inner)
	}
	for _, child := range expr.Children(e) {
		if c.reports(child, vars) {
			return true
		}
	}
	return false
}

// bind adds the variables of a comprehension.
func (c ruleCheck) bind(e *expr.Comprehension, vars map[string]*model.Ref) map[string]*model.Ref {
	inner := maps.Clone(vars)
	over := c.typeOf(e.Range, vars)
	r, _ := c.m.Deref(over)
	switch {
	case r == nil:
		inner[e.Var], inner[e.Var2] = nil, nil
	case e.Macro == expr.OptMapMacro || e.Macro == expr.OptFlatMapMacro:
		inner[e.Var] = over
	case e.Var2 != "":
		inner[e.Var], inner[e.Var2] = c.m.Underlying(r).Key, c.elem(over)
	case c.m.Underlying(r).Kind == model.KindMap:
		inner[e.Var] = c.m.Underlying(r).Key
	default:
		inner[e.Var] = c.elem(over)
	}
	return inner
}

// typeOf returns the type of the value of an expression; nil if it is no value of the object.
func (c ruleCheck) typeOf(e expr.Expr, vars map[string]*model.Ref) *model.Ref {
	switch e := e.(type) {
	case *expr.Var:
		return vars[e.Name]
	case *expr.Select:
		name, _ := e.Property()
		return c.fieldType(c.typeOf(e.Operand, vars), name)
	case *expr.Comprehension:
		if e.Macro == expr.FilterMacro || e.Macro == expr.SortByMacro {
			return c.typeOf(e.Range, vars)
		}
	case *expr.Call:
		switch {
		case e.Target != nil && (e.Func == "value" || e.Func == "orValue"): // of an optional
			return c.typeOf(e.Target, vars)
		case e.Func == expr.OpIndex || e.Func == expr.OpOptIndex:
			if of := c.typeOf(e.Args[0], vars); of != nil {
				return c.elem(of)
			}
		case e.Func == expr.OpCond:
			return c.typeOf(e.Args[1], vars)
		}
	}
	return nil
}

// fieldType returns the type of a field, or of the values of a map; nil for other types.
func (c ruleCheck) fieldType(of *model.Ref, name string) *model.Ref {
	if of == nil {
		return nil
	}
	if f, _ := c.wireField(c.m.Struct(of), name); f != nil {
		return f.Type
	}
	if r, _ := c.m.Deref(of); c.m.Underlying(r).Kind == model.KindMap {
		return c.elem(of)
	}
	return nil
}

// constants reports a constant that an expression compares with, if the version names it differently.
func (c ruleCheck) constants(e *expr.Call, vars map[string]*model.Ref) bool {
	if len(e.Args) != 2 {
		return false
	}
	x, y := e.Args[0], e.Args[1]
	switch e.Func {
	case expr.OpEq, expr.OpNe:
		return c.constant(c.typeOf(x, vars), y) || c.constant(c.typeOf(y, vars), x)
	case expr.OpIn:
		if of := c.typeOf(y, vars); of != nil {
			return c.constant(c.elem(of), x)
		}
		list, ok := y.(*expr.List)
		if !ok {
			return false
		}
		for _, item := range list.Items {
			if c.constant(c.typeOf(x, vars), item.Value) {
				return true
			}
		}
	}
	return false
}

func (c ruleCheck) constant(of *model.Ref, e expr.Expr) bool {
	v, ok := expr.Constant(e)
	t := c.enumOf(of)
	if !ok || t == nil {
		return false
	}
	text := fmt.Sprint(v)
	k := constNamed(t, text)
	if k == nil || k.Value != text || !c.of(k).exists(c.v) {
		return false // a comparison with a value that nothing has is false
	}
	_, renamed := c.constAt(k, c.v)
	if renamed == text {
		return false
	}
	c.report(fmt.Sprintf("%q", text), fmt.Sprintf("calls it %q", renamed))
	return true
}

// field reports a field of a struct that a rule uses and the version lacks or names differently.
func (c ruleCheck) field(of *model.Ref, name string) bool {
	if of == nil || name == "" {
		return false
	}
	f, exists := c.wireField(c.m.Struct(of), name)
	if f == nil {
		return false
	}
	if !exists {
		c.report(name, "lacks it")
		return true
	}
	_, renamed := c.fieldAt(f, c.v)
	if renamed == name {
		return false
	}
	c.report(name, "calls it "+renamed)
	return true
}

func (c ruleCheck) report(what, how string) {
	c.bag.Errorf(c.marker.Span, codeRule, "the rule uses %s, but version %s %s; wrap the rule in +%s, and write the rule for older versions with +%s",
		what, c.pkg.Name, how, c.name(model.RoleSince), c.name(model.RoleUntil))
}
