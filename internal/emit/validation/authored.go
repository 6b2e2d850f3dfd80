package validation

import (
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/core/expr/golang"
	"github.com/kindsmith/kindsmith/internal/core/goexpr"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
)

// authored writes the check of a CEL rule. It does not apply to an empty field that JSON omits.
func (b *body) authored(p place, r rule.Rule, c *rule.CEL) {
	ctx := b.celContext(p)
	b.under(p, b.writtenIn(p, p.value, ctx), func() {
		if c.OptionalOldSelf && c.UsesOld() {
			b.withPrior(p, &ctx)
		}
		there := goexpr.Expr(goexpr.True)
		if r.Moment == rule.OnUpdateOfValue {
			there = b.writtenIn(p, p.old, ctx)
		}
		b.under(p, there, func() { b.authoredCall(p, r, c, ctx) })
	})
}

// authoredCall writes the condition and the report of a broken rule.
func (b *body) authoredCall(p place, r rule.Rule, c *rule.CEL, ctx golang.Context) {
	holds, _ := golang.Print(c.Tree.Expr, ctx)
	spec := goexpr.Raw("&" + b.g.declare("rule"+p.rule.Owner.Name+p.rule.Field, b.ruleValue(p, c)))
	var cases []golang.Case
	if c.MessageTree.Expr != nil {
		cases, _ = golang.Text(c.MessageTree.Expr, ctx)
	}
	if len(cases) == 0 {
		check := b.call(p, "Authored", holds, spec)
		if b.isScalar(p) {
			check = b.call(p, "AuthoredOf", b.pointed(p), holds, spec)
		}
		b.p(b.marked(r.Under, check))
		return
	}
	b.p("if ", goexpr.Not(holds), " {")
	message := goexpr.Expr(goexpr.Raw("message"))
	if len(cases) == 1 && cases[0].When == goexpr.Expr(goexpr.True) {
		message = cases[0].Value
	} else {
		b.p("message := ", quote(""))
		b.p("switch {")
		for _, one := range cases {
			b.p("case ", one.When, ":")
			b.p("message = ", one.Value)
		}
		b.p("}")
	}
	value := goexpr.Call(b.g.runtime("Omitted"))
	if b.isScalar(p) {
		value = b.pointed(p)
	}
	b.p(b.marked(r.Under, b.call(p, "NotAuthored", value, spec, message)))
	b.p("}")
}

// celContext returns the context of conditions on the value at a place.
func (b *body) celContext(p place) golang.Context {
	ctx := golang.Context{
		Model: b.g.m, Self: golang.Operand{Code: b.pointed(p), Type: p.rule.Value(b.g.m)}, Types: b.g.rules.Types(), SelfType: b.g.rules.Sees(p.rule),
		File: b.g.file, Declare: b.g.declare,
		Equal: b.g.inJSON.Equal,
	}
	if !p.never() {
		ctx.OldSelf = golang.Operand{Code: b.oldPointed(p), Type: ctx.Self.Type}
	}
	return ctx
}

// writtenIn returns the condition that JSON has the value at a place, since JSON may omit a field.
// Pointers are not nil.
func (b *body) writtenIn(p place, value goexpr.Expr, ctx golang.Context) goexpr.Expr {
	f := b.g.rules.At(p.rule)
	if f == nil || p.rule.IsPointer(b.g.m) {
		return goexpr.True
	}
	return golang.Written(f, value, ctx)
}

// withPrior declares a pointer to the old value, nil if there is none, for a rule that takes both.
func (b *body) withPrior(p place, ctx *golang.Context) {
	typ := b.g.file.Type(p.rule.Value(b.g.m))
	ctx.OldOptional = true
	ctx.OldSelf.Type = ctx.Self.Type
	if p.never() {
		ctx.OldSelf.Code = goexpr.Star(goexpr.Call("(*"+typ+")", goexpr.Nil))
		return
	}
	if hasOld := b.hasOldValue(p); goexpr.Same(hasOld, goexpr.Ne(p.oldAddr, goexpr.Nil)) && b.writtenIn(p, p.old, *ctx) == goexpr.Expr(goexpr.True) {
		ctx.OldSelf.Code = goexpr.Star(p.oldAddr)
		return
	}
	prior := "prior"
	if b.priors++; b.priors > 1 {
		prior += strconv.Itoa(b.priors)
	}
	ctx.OldSelf.Code = goexpr.Star(goexpr.Raw(prior))
	b.p("var ", prior, " *", typ)
	b.p("if ", goexpr.And(b.hasOldValue(p), b.writtenIn(p, p.old, *ctx)), " {")
	b.p(prior, " = ", p.oldAddr)
	b.p("}")
}

// isScalar reports whether errors have the value at a place: those of objects and lists do not.
func (b *body) isScalar(p place) bool {
	switch b.g.rules.Sees(p.rule).Kind {
	case expr.ListKind, expr.MapKind, expr.ObjectKind:
		return false
	}
	return true
}

// ruleValue returns the Go literal of a rule's error.
func (b *body) ruleValue(p place, c *rule.CEL) string {
	var out strings.Builder
	out.WriteString(b.g.runtime("Rule") + "{\nType: " + b.g.file.Ident(fieldPkg, "ErrorType"+c.ErrorType()) + ",\nMessage: " + quote(c.Text()) + ",\n")
	if steps := b.g.rules.Steps(p.rule, c); len(steps) > 0 {
		path := b.g.file.Ident(fieldPkg, "Path")
		out.WriteString("Path: func(at *" + path + ") *" + path + " { return at")
		for _, s := range steps {
			if s.Key {
				out.WriteString(".Key(" + quote(s.Name) + ")")
			} else {
				out.WriteString(".Child(" + quote(s.Name) + ")")
			}
		}
		out.WriteString(" },\n")
	}
	out.WriteString("}")
	return out.String()
}
