package validation

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/expr"
	"github.com/kindsmith/kindsmith/internal/expr/golang"
	"github.com/kindsmith/kindsmith/internal/expr/typed"
	"github.com/kindsmith/kindsmith/internal/goexpr"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/rule"
	"github.com/kindsmith/kindsmith/internal/source"
)

// enforceable returns the programs of a run without the rules in CEL that cannot
// be compiled to Go, and warns of those in the package's own types.
func enforceable(c *emit.Context) *rule.Programs {
	j := &judge{c: c}
	return c.Rules.Rewritten(j.kept)
}

// judge says which rules in CEL can be compiled.
type judge struct{ c *emit.Context }

func (j *judge) kept(p *rule.Place, rules []rule.Rule) []rule.Rule {
	var kept []rule.Rule
	for _, r := range rules {
		switch must := r.Must.(type) {
		case *rule.CEL:
			if !j.compiles(p, r, must) {
				continue
			}
		case *rule.Each:
			in := *must
			if in.Rules = j.kept(must.Place, must.Rules); len(in.Rules) == 0 && len(must.Rules) > 0 {
				continue
			}
			r.Must = &in
		}
		kept = append(kept, r)
	}
	return kept
}

// compiles reports whether Go can enforce a rule, or some of it.
func (j *judge) compiles(p *rule.Place, r rule.Rule, c *rule.CEL) bool {
	if t := j.c.Model.Type(p.Owner); t != nil && t.Generic {
		return false
	}
	if p.Reshaped {
		j.warn(p, r, expr.Span{}, c, "the rule: another marker gives the value a schema that differs from its Go type")
		return false
	}
	sees := j.c.Rules.Sees(p)
	env, err := typed.NewEnv(j.c.Rules.Types().Objects, sees, c.OptionalOldSelf)
	if err != nil {
		j.warn(p, r, expr.Span{}, c, "the rule: "+err.Error())
		return false
	}
	checked, problems := env.Read(c.Rule)
	for _, problem := range problems {
		j.warn(p, r, problem.Span, c, "the rule: "+problem.Message)
	}
	if len(problems) > 0 {
		return false
	}
	if t := checked.TypeOf(checked.Tree); t.Kind != expr.BoolKind && t.Kind != expr.DynKind {
		j.warn(p, r, expr.Span{}, c, "the rule: its value is a "+t.String()+", not a bool")
		return false
	}
	value := golang.Operand{Code: goexpr.Star(obj), Type: p.Value(j.c.Model)}
	code, reasons := golang.Print(checked.Tree, golang.Context{
		Model: j.c.Model, Self: value, OldSelf: value, OldOptional: c.OptionalOldSelf, Types: j.c.Rules.Types(), SelfType: sees,
		File: names{}, Declare: func(hint, _ string) string { return hint },
		Equal: func(t *model.Ref, sees *expr.Type, x, y goexpr.Expr) goexpr.Expr {
			if !sameInJSON(j.c.Rules, t, sees) {
				return nil
			}
			return goexpr.Call("equal", x, y)
		},
	})
	for _, reason := range reasons {
		j.warn(p, r, reason.Span, c, "this part of the rule: Go does not have "+reason.What)
	}
	return code != goexpr.Expr(goexpr.True)
}

// warn reports a rule of the package's own that Go does not enforce.
func (j *judge) warn(p *rule.Place, r rule.Rule, at expr.Span, c *rule.CEL, what string) {
	if p.Owner.Package != j.c.Package.Path && !slices.Contains(j.c.Package.Inputs, p.Owner.Package) {
		return
	}
	j.c.Diags.Warnf(spanIn(r, c, at), codeNotInGo, "generated Go does not enforce %s", what)
}

// spanIn returns the place of a part of a rule in its marker.
func spanIn(r rule.Rule, c *rule.CEL, at expr.Span) source.Span {
	switch {
	case c.RuleSpan.IsZero():
		return r.Span
	case at.End <= at.Start:
		return c.RuleSpan
	}
	return c.RuleSpan.Sub(at.Start, at.End)
}

// names names what conditions refer to where nothing is written.
type names struct{}

func (names) Ident(_, name string) string { return "pkg." + name }

func (names) Type(t *model.Ref) string { return t.String() }
