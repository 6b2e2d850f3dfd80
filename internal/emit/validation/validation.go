// Package validation emits zz_generated.validations.go: validators that compare first and build
// paths only for errors.
//
// [Emitter] is called for each package. Mistakes of users are diagnostics.
//
// Every type with rules gets two functions. Validate_T has the signature of k8s.io/code-generator's
// validators. ValidateAt_T does the work; validators of other types and packages call it with a
// path on the stack.
//
// Expressions are trees of goexpr. Before it writes code, the emitter excludes rules Go cannot enforce
// (enforceable) and warns about those in the package's own types.
package validation

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/expr/golang"
	"github.com/kindsmith/kindsmith/internal/core/goexpr"
	"github.com/kindsmith/kindsmith/internal/core/gofile"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/rule/order"
)

// FileName is the name of the file in each package.
const FileName = "zz_generated.validations.go"

const (
	contextPkg   = "context"
	operationPkg = "k8s.io/apimachinery/pkg/api/operation"
	fieldPkg     = "k8s.io/apimachinery/pkg/util/validation/field"
)

// Diagnostic codes.
var (
	codes = diag.Firm(diag.Validation)

	codeUnknownFixture  = codes.New("validation/unknown-fixture", "The marker `+k8s:validation-gen-test-fixture` has only the value `validateFalse`.")
	codeNoSchemeBuilder = codes.New("validation/no-scheme-builder", "The test of `+k8s:validation-gen-test-fixture` needs the package's localSchemeBuilder. Declare it with a Test method, like testscheme in k8s.io/code-generator.")
	codeNotInGo         = codes.New("validation/cel-not-in-go", "Rules in CEL are compiled to Go, so that generated validators enforce them as API servers do. Go does not have the function or operation that the message names, or the expression does not fit the Go type. Generated validators omit that part of the rule, or report the message of rules without a message; API servers enforce the rule on custom resources.")
)

// Emitter returns the emitter.
func Emitter() *emit.Emitter {
	return &emit.Emitter{
		Name:    "validation",
		Part:    diag.Validation,
		Summary: "zz_generated.validations.go, the validators",
		Files:   []string{FileName, FixtureName},
		Codes:   codes.All(),
		Emit:    run,
	}
}

func run(c *emit.Context) ([]emit.File, error) {
	controls := emit.ReadControls(c.Model, c.Package)
	if controls.Off {
		return nil, nil
	}
	g := newGenerator(c)
	for _, t := range controls.Roots {
		if g.order.Needed(t) {
			g.enqueue(order.Use{Type: t})
		}
	}
	if len(g.queue) == 0 {
		return nil, nil
	}
	g.register(controls)
	for len(g.queue) > 0 {
		t := g.queue[0]
		g.queue = g.queue[1:]
		g.typ(t)
	}
	g.support()
	content, err := g.file.Bytes()
	if err != nil {
		return nil, err
	}
	tests, err := fixture(c)
	if err != nil {
		return nil, err
	}
	return append([]emit.File{{Name: FileName, Content: content}}, tests...), nil
}

// generator writes the validators of one package.
type generator struct {
	c     *emit.Context
	m     *model.Model
	rules *rule.Programs
	file  *gofile.File
	order *order.Set

	queue  []order.Use
	queued map[string]bool

	// homes are the packages with the validators of other packages' types.
	homes map[model.Name]string

	// declared are package-level variables for rules, by name.
	declared     map[string]string
	declaredList []string
	// equals and items are the functions for comparing and hashing, inJSON those that compare like API servers.
	equals *equals
	items  *itemFuncs
	inJSON *golang.Comparison
	// later writes functions that the current one calls; named are their names.
	later []func()
	named map[string]bool
}

func newGenerator(c *emit.Context) *generator {
	rules := enforceable(c)
	g := &generator{
		c: c, m: c.Model, rules: rules, file: c.NewFile(), order: order.New(rules, c.Scope()),
		queued: map[string]bool{}, declared: map[string]string{}, named: map[string]bool{},
	}
	g.file.Reserve("r", "at", "obj", "oldObj", "old", "item", "key", "value", "ctx", "op", "fldPath", "scheme", "i", "cursor", "before", "prior", "message", "mark", "a", "b", "h", "list", "ok")
	g.equals = &equals{g: g, done: map[string]bool{}, open: map[model.Name]bool{}}
	g.items = &itemFuncs{g: g, sources: map[string]string{}}
	g.inJSON = &golang.Comparison{
		Model: g.m, Types: rules.Types(), File: g.file, Semantic: g.equals.expr, Keys: g.items.keyed, Word: func(t *model.Ref) string { return typeWord(g, t) },
	}
	return g
}

// enqueue queues the validator of a type, once.
func (g *generator) enqueue(use order.Use) {
	if id := use.ID().String() + use.Suffix(); !g.queued[id] {
		g.queued[id] = true
		g.queue = append(g.queue, use)
	}
}

// own reports whether this package has a type's exported validators: the type is declared here, or
// in a package that +k8s:validation-gen-input names.
func (g *generator) own(t *model.Type) bool {
	return t.Package == g.c.Package.Path || slices.Contains(g.c.Package.Inputs, t.Package)
}

// partPrefix is the prefix of functions that validate values in larger objects.
const partPrefix = "ValidateAt_"

// callee returns the function that validates values of a declared type at a path: that of the
// package with the type's validators, else one in this file.
func (g *generator) callee(t *model.Type) string { return g.calleeOf(order.Use{Type: t}) }

// calleeOf is callee for a type at one place. If fields are hidden there, the function is in this file.
func (g *generator) calleeOf(use order.Use) string {
	t := use.Type
	if len(use.Less) > 0 {
		g.enqueue(use)
		if t.Package == g.c.Package.Path {
			return "validate_" + t.Name + use.Suffix()
		}
		return "validate_" + g.file.Import(t.Package) + "_" + t.Name + use.Suffix()
	}
	if g.own(t) {
		g.enqueue(use)
		return partPrefix + t.Name
	}
	if home := g.home(t); home != "" {
		return g.file.Ident(home, partPrefix+t.Name)
	}
	g.enqueue(use)
	return "validate_" + g.file.Import(t.Package) + "_" + t.Name
}

// home returns the other package that has a type's validators, from this run or an earlier one, or
// "".
func (g *generator) home(t *model.Type) string {
	if g.homes == nil {
		g.homes = map[model.Name]string{}
		for _, p := range g.c.Model.Packages {
			g.generatedBefore(p)
		}
		for _, p := range g.c.Model.Packages {
			g.generatedNow(p)
		}
	}
	return g.homes[t.ID()]
}

// generatedBefore records the existing validators of a package that this run does not generate.
func (g *generator) generatedBefore(p *model.Package) {
	if len(p.GeneratedFuncs) == 0 {
		return
	}
	for _, path := range append([]string{p.Path}, p.Inputs...) {
		for _, t := range g.c.Model.Package(path).Types {
			if p.GeneratedFuncs[partPrefix+t.Name] {
				g.homes[t.ID()] = p.Path
			}
		}
	}
}

// generatedNow records the validators that this run generates in another package.
func (g *generator) generatedNow(p *model.Package) {
	if !p.Root || p == g.c.Package {
		return
	}
	ctl := emit.ReadControls(g.c.Model, p)
	if ctl.Off {
		return
	}
	for _, root := range ctl.Roots {
		g.homes[root.ID()] = p.Path
	}
}

// typ writes the functions of one type.
func (g *generator) typ(use order.Use) {
	t := use.Type
	name := g.file.Ident(t.Package, t.Name)
	function := g.calleeOf(use)
	switch {
	case len(use.Less) > 0:
		g.file.P("// ", function, " validates a ", name, " without the fields that others hide.")
	case g.own(t):
		g.file.P("// Validate_", t.Name, " validates obj; on an update, oldObj is the object before it.")
		g.file.Block("func Validate_"+t.Name+"(ctx "+g.file.Ident(contextPkg, "Context")+", op "+g.file.Ident(operationPkg, "Operation")+", fldPath *"+g.file.Ident(fieldPkg, "Path")+", obj, oldObj *"+name+") "+g.file.Ident(fieldPkg, "ErrorList")+" {", func() {
			g.file.P("r := ", g.file.Ident(gofile.RuntimeValidate, "NewRun"), "(ctx, op, fldPath)")
			g.file.Block("if !r.IsUpdate() {", func() {
				g.file.P("oldObj = nil")
			})
			g.file.P(function, "(&r, nil, obj, oldObj)")
			g.file.P("return r.Errors()")
		})
		g.file.P()
		g.file.P("// ", function, " is Validate_", t.Name, " as part of the run of a larger object. oldObj is nil when there is nothing to compare with.")
	default:
		g.file.P("// ", function, " validates a ", name, " by the tags on its type.")
	}
	g.file.Block("func "+function+"(r *"+g.file.Ident(gofile.RuntimeValidate, "Run")+", at *"+g.file.Ident(gofile.RuntimeValidate, "Path")+", obj, oldObj *"+name+") {", func() {
		b := &body{g: g, owner: t}
		b.typ(use)
	})
	g.file.P()
	for len(g.later) > 0 {
		write := g.later[0]
		g.later = g.later[1:]
		write()
	}
}

// unique returns an unused name for a function.
func (g *generator) unique(name string) string {
	for g.named[name] || g.c.Package.Decls[name] {
		name += "_"
	}
	g.named[name] = true
	return name
}

// declare adds a package-level variable at the end of the file.
func (g *generator) declare(name, value string) string {
	for n := name; ; n += "_" {
		if g.c.Package.Decls[n] {
			continue
		}
		if old, ok := g.declared[n]; ok && old != value {
			continue
		} else if !ok {
			g.declared[n] = value
			g.declaredList = append(g.declaredList, n)
		}
		return n
	}
}

// support writes the declarations that validators use: variables, keys, equality.
func (g *generator) support() {
	slices.Sort(g.declaredList)
	for _, name := range g.declaredList {
		g.file.P("var ", name, " = ", g.declared[name])
		g.file.P()
	}
	for _, f := range g.inJSON.Functions() {
		g.file.P(f.Signature, " { return ", goexpr.String(f.Result), " }")
		g.file.P()
	}
	g.items.write()
	g.equals.write()
}
