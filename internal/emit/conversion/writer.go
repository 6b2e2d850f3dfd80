package conversion

import (
	"slices"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/fixpoint"
	"github.com/kindsmith/kindsmith/internal/gofile"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/plan"
	"github.com/kindsmith/kindsmith/internal/value"
)

// writer prints the conversions of one plan.
type writer struct {
	c           *emit.Context
	f           *gofile.File
	m           *model.Model
	copyMethods *emit.Copies
	plan        *plan.Plan
	// older is the package to write; hub is the newest version's package.
	older, hub *model.Package
	// scope is the conversion scope that functions are called with.
	scope string
	// depth is the number of enclosing loops.
	depth int
	// sharing is set between the steps of a conversion, which may share memory: the
	// first or the last step copies.
	sharing bool
	// owned is set where the functions of authors may change what is converted.
	owned bool
	// comparing is set in functions that report whether values are lost: errors are losses.
	comparing bool
	// copyTypes are the structs of the hub's package, and the instances, that are copied.
	copyTypes *[]*model.Type
	// proven are the types whose layout the file relies on. unproven is set where it must not: functions convert
	// there, beside the proof.
	proven   *[]*plan.Type
	unproven bool
	// deep and inexact have the answers of flat and exact, inverted.
	deep, inexact *fixpoint.Question[model.Name]
}

func newWriter(c *emit.Context, f *gofile.File, p *plan.Plan) *writer {
	return &writer{deep: new(fixpoint.Question[model.Name]), inexact: new(fixpoint.Question[model.Name]), copyTypes: new([]*model.Type), proven: new([]*plan.Type), c: c, f: f, m: p.Model, copyMethods: emit.NewCopies(p.Model), plan: p, scope: "s", older: p.Model.Package(p.Older.Package), hub: p.Model.Package(p.Hub.Package)}
}

// packages returns the source and the destination package of a conversion.
func (w *writer) packages(way plan.Way) (from, to *model.Package) {
	if way == plan.Up {
		return w.older, w.hub
	}
	return w.hub, w.older
}

// function returns the name of the function that converts a type.
func (w *writer) function(t *plan.Type, way plan.Way) string {
	from, to := w.packages(way)
	in, out := t.Ends(way)
	return model.ConversionFunc(from, in.Name, to, out.Name)
}

// hasFunction reports whether a function converts the type: for all structs, and
// for types that no Go expression converts.
func (w *writer) hasFunction(t *plan.Type, way plan.Way) bool {
	switch {
	case w.m.Type(t.Older).Alias || w.m.Type(t.Hub).Alias:
		return false
	case t.Value == nil || t.ByHand(way) || len(t.Enum.Cases(way)) > 0:
		return true
	}
	return !w.converts(t.Value, way)
}

// of returns an addressable expression of a field of a struct, which is x or what x points to.
func (w *writer) of(x string, isPointer bool, f *plan.Field) string {
	switch {
	case f.Accessor == "":
		return operand(x) + "." + f.Go
	case !isPointer:
		x = address(x)
	}
	return "*" + w.f.Ident(w.hub.Path, f.Accessor) + "(" + x + ")"
}

func (w *writer) in(f *plan.Field) string  { return w.of("in", true, f) }
func (w *writer) out(f *plan.Field) string { return w.of("out", true, f) }

// typeName returns the name of a declared type in the file.
func (w *writer) typeName(n model.Name) string { return w.f.Type(w.ref(n)) }

// ref returns a reference to a type of the model.
func (w *writer) ref(n model.Name) *model.Ref {
	if t := w.m.Type(n); t != nil {
		return t.Ref()
	}
	return model.Named(n.Package, n.Name)
}

// trackingVar is the variable that kinds with tracked values share.
const trackingVar = "tracking"

// tracks reports whether conversions of kinds of a version are completed on their JSON.
func tracks(p *plan.Plan) bool {
	return slices.ContainsFunc(p.Types, (*plan.Type).Completes)
}

// functions prints the conversions of every type.
func (w *writer) functions() {
	if tracks(w.plan) {
		w.f.P("// ", trackingVar, " restores and stores the values that a version cannot represent.")
		w.f.P("var ", trackingVar, " = ", w.f.Ident(gofile.RuntimeWire, "Tracking"), "{Hub: ", strconv.Quote(w.hub.Path), ", Older: ", strconv.Quote(w.older.Name), "}")
		w.f.P()
	}
	for _, t := range w.plan.Types {
		for _, way := range plan.Ways {
			if w.hasFunction(t, way) {
				w.convert(t, way)
			}
		}
	}
	w.losses()
	w.hooks()
	w.completions()
	w.copyFunctions()
	w.proofs()
}

// convert prints the functions of one type in one direction.
func (w *writer) convert(t *plan.Type, way plan.Way) {
	name := w.function(t, way)
	from, to := t.Ends(way)
	if t.Skip {
		if !t.ByHand(way) {
			span := t.Span
			if hub := w.m.Type(t.Hub); hub != nil {
				for _, tag := range model.Find(hub.Tags, model.RoleSkip) {
					span = tag.Span
				}
			}
			w.c.Diags.Errorf(span, codeSkipped, "+%[2]s disables the generated %[1]s, and no hand-written one exists; write it in package %[3]s: func %s(in *%s, out *%s, s conversion.Scope) error",
				name, w.c.Tags.WithRole(model.RoleSkip), w.older.Path, name, w.typeName(from), w.typeName(to))
		}
		return
	}
	head := "(in *" + w.typeName(from) + ", out *" + w.typeName(to) + ", s " + w.f.Ident(machineryConversion, "Scope") + ") error {"
	w.f.P("func auto", name, head)
	w.body(t, way)
	w.f.P("return nil")
	w.f.P("}")
	w.f.P()
	if t.ByHand(way) {
		return
	}
	fromPackage, toPackage := w.packages(way)
	in, out := w.ref(from), w.ref(to)
	doc := name + " converts " + withArticle(value.TypeName(in)) + " from " + fromPackage.Name + " to " + toPackage.Name + "."
	if value.TypeName(in) != value.TypeName(out) {
		doc = name + " converts " + withArticle(value.TypeName(in)) + " of " + fromPackage.Name + " to " + withArticle(value.TypeName(out)) + " of " + toPackage.Name + "."
	}
	w.f.Doc(doc)
	w.f.P("func ", name, head)
	if !t.Completes() {
		w.f.P("return auto", name, "(in, out, s)")
	} else {
		w.tracks(t, way)
	}
	w.f.P("}")
	w.f.P()
}

func (w *writer) body(t *plan.Type, way plan.Way) {
	switch {
	case t.Value == nil:
		w.structBody(t, way)
	case len(t.Enum.Cases(way)) > 0:
		w.enumBody(t, way)
	case t.Value.Kind == plan.Same && t.Value.Hub.IsScalar():
		_, to := t.Ends(way)
		w.f.P("*out = ", w.typeName(to), "(*in)")
	default:
		in, out := "*in", "*out"
		if t.Value.Kind == plan.Pair { // declared as another type of the versions
			from, to := t.Value.Ends(way)
			in, out = "*(*"+w.f.Type(from)+")(in)", "*(*"+w.f.Type(to)+")(out)"
		}
		w.value(t.Value, way, in, out, at{span: t.Span})
	}
}

func withArticle(name string) string {
	if strings.ContainsRune("AEIO", rune(name[0])) {
		return "an " + name
	}
	return "a " + name
}
