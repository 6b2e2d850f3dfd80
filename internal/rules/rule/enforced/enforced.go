// Package enforced decides which rules generated Go enforces: all except CEL rules, or
// parts of them, that cannot be compiled to Go.
//
// [Programs] takes all programs, and returns those that Go enforces. Each rule that it leaves out is reported as a [Gap].
package enforced

import (
	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/core/expr/golang"
	"github.com/kindsmith/kindsmith/internal/core/expr/typed"
	"github.com/kindsmith/kindsmith/internal/core/goexpr"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
)

// Gap is a rule, or a part of one, that Go does not enforce.
type Gap struct {
	// Owner is the type whose declaration has the rule.
	Owner model.Name
	Span  source.Span
	// Text continues a sentence that begins with "generated Go does not".
	Text string
}

// Programs returns programs without the rules in CEL that Go does not enforce. It
// reports each gap; report may be nil.
func Programs(all *rule.Programs, report func(Gap)) *rule.Programs {
	if report == nil {
		report = func(Gap) {}
	}
	return all.Rewritten((&judge{all, report}).kept)
}

// judge compiles rules in CEL.
type judge struct {
	rules  *rule.Programs
	report func(Gap)
}

func (j *judge) kept(p *rule.Place, rules []rule.Rule) []rule.Rule {
	var kept []rule.Rule
	for _, r := range rules {
		switch must := r.Must.(type) {
		case *rule.CEL:
			if !j.compiles(p, r, must) {
				continue
			}
		case *rule.Each:
			r.Must = rule.Within(must, func(rules []rule.Rule) []rule.Rule { return j.kept(must.Place, rules) })
			if len(must.Rules) > 0 && len(rule.Below(r.Must)) == 0 {
				continue
			}
		}
		kept = append(kept, r)
	}
	return kept
}

// compiles reports whether Go can enforce a rule, or some of it.
func (j *judge) compiles(p *rule.Place, r rule.Rule, c *rule.CEL) bool {
	if t := j.rules.Model.Type(p.Owner); t != nil && t.Generic {
		return false
	}
	gap := func(source source.Span, at expr.Span, text string) {
		switch {
		case source.IsZero():
			source = r.Span
		case at.End > at.Start:
			source = source.Sub(at.Start, at.End)
		}
		j.report(Gap{p.Owner, source, text})
	}
	whole := func(at expr.Span, why string) bool {
		gap(c.RuleSpan, at, "enforce the rule: "+why)
		return false
	}
	env, err := typed.NewEnv(j.rules.Types().Objects, j.rules.Sees(p), c.OptionalOldSelf)
	if err != nil {
		return whole(expr.Span{}, err.Error())
	}
	checked, problems := env.Read(c.Rule)
	for _, problem := range problems {
		whole(problem.Span, problem.Message)
	}
	if len(problems) > 0 {
		return false
	}
	if t := checked.TypeOf(checked.Tree); t.Kind != expr.BoolKind && t.Kind != expr.DynKind {
		return whole(expr.Span{}, "its value is a "+t.String()+", not a bool")
	}
	ctx := j.context(p, c)
	code, reasons := golang.Print(checked.Tree, ctx)
	for _, reason := range reasons {
		gap(c.RuleSpan, reason.Span, "enforce this part of the rule: Go does not have "+reason.What)
	}
	if code == goexpr.Expr(goexpr.True) {
		return false
	}
	if c.MessageExpression == "" {
		return true
	}
	const message = "compute the message of the rule, and reports another: "
	checked, problems = env.Read(c.MessageExpression)
	for _, problem := range problems {
		gap(c.MessageSpan, problem.Span, message+problem.Message)
	}
	if len(problems) == 0 {
		if _, reason := golang.Text(checked.Tree, ctx); reason != nil {
			gap(c.MessageSpan, reason.Span, message+"Go does not have "+reason.What)
		}
	}
	return true
}

// context returns a context for printing conditions only to learn whether Go can express them.
func (j *judge) context(p *rule.Place, c *rule.CEL) golang.Context {
	// Of other code than self: conditions that compare the two are not true of all values.
	operand := func(name string) golang.Operand {
		return golang.Operand{Code: goexpr.Star(goexpr.Raw(name)), Type: p.Value(j.rules.Model)}
	}
	return golang.Context{
		Model: j.rules.Model, Self: operand("obj"), OldSelf: operand("old"), OldOptional: c.OptionalOldSelf, Types: j.rules.Types(), SelfType: j.rules.Sees(p),
		File: names{}, Declare: func(hint, _ string) string { return hint },
		Equal: func(t *model.Ref, sees *expr.Type, x, y goexpr.Expr) (code goexpr.Expr, reason string) {
			if reason := golang.Unequal(j.rules.Model, j.rules.Types(), t, sees); reason != "" {
				return nil, reason
			}
			return goexpr.Call("equal", x, y), ""
		},
	}
}

// names returns names for conditions that are not written to a file.
type names struct{}

func (names) Ident(_, name string) string { return "pkg." + name }

func (names) Type(t *model.Ref) string { return t.String() }
