package evolve

import (
	"go/token"
	"slices"

	"github.com/kindsmith/kindsmith/internal/model"
)

// readFieldTypes resolves the fromTypes of a field and checks that every step
// between two types can be converted in both directions.
func (h *hub) readFieldTypes(t *model.Type, f *model.Field) {
	hs := h.histories[f]
	to := f.Type
	for _, s := range slices.Backward(hs.steps) {
		text := s.Arg("fromType")
		if text == "" {
			continue
		}
		from, err := h.parseType(text)
		if err != nil {
			h.bag.Errorf(at(s.Change, "fromType"), codeFromType, "fromType: %v", err)
			continue
		}
		s.From = from
		h.checkKey(hs, s, from, to)
		h.checkDirection(t, f, s, up, from, to)
		h.checkDirection(t, f, s, down, to, from)
		to = from
	}
}

// typeAt returns a field's type as it was in a version, in terms of the newest
// version's package.
func (h *hub) typeAt(f *model.Field, v int) *model.Ref {
	for _, s := range h.of(f).after(v) {
		if s.From != nil {
			return s.From
		}
	}
	return f.Type
}

// checkKey reports a change of the type of a map's keys.
func (h *hub) checkKey(hs *history, s step, from, to *model.Ref) {
	a, b := h.m.Underlying(from), h.m.Underlying(to)
	if a.Kind == model.KindMap && b.Kind == model.KindMap && !same(a.Key, b.Key) {
		h.bag.Errorf(at(s.Change, "fromType"), codeMapKey, "the keys of a map cannot change their type: %s had keys of type %s and has %s; add a new field instead",
			hs.label, h.spell(a.Key), h.spell(b.Key))
	}
}

// direction is one way over a change of type.
type direction struct {
	arg  string // the marker's argument
	verb string // how a function is called that goes this way
}

var (
	up   = direction{"upgradeWith", "Upgrade"}
	down = direction{"downgradeWith", "Downgrade"}
)

// checkDirection checks one way over a change of type: the named function, or
// that none is needed.
func (h *hub) checkDirection(t *model.Type, f *model.Field, s step, d direction, from, to *model.Ref) {
	name := s.Arg(d.arg)
	label := h.histories[f].label
	if name == "" {
		if _, given := s.Args[d.arg]; given {
			h.bag.Errorf(at(s.Change, d.arg), codeBadArgument, "%s names a function of package %s", d.arg, h.pkg.Name)
			return
		}
		if lossless(h.m, from, to) {
			return
		}
		name = d.verb + t.Name + f.Name
		if h.retypes(f) > 1 {
			name += upperFirst(s.Since)
		}
		h.bag.Errorf(s.Span, codeMissingFunction,
			"%s: Go does not make %s of %s without loss, so a function must; say %s: %q",
			label, h.a(to), h.a(from), d.arg, name).
			Note(s.Span, "its signature is: %s", h.signature(name, from, to, true))
		return
	}
	if !h.checkFunction(s, d.arg, name, from, to) {
		return
	}
	h.checkResult(s, d.arg, name, from, to)
}

// checkFunction reports a function that does not exist, or that generated code
// in another package cannot call.
func (h *hub) checkFunction(s step, arg, name string, from, to *model.Ref) bool {
	span := at(s.Change, arg)
	switch {
	case !token.IsIdentifier(name):
		h.bag.Errorf(span, codeBadArgument, "%s names a function of package %s; %q is not a name", arg, h.pkg.Name, name)
	case h.pkg.Funcs[name] == nil:
		h.bag.Errorf(span, codeMissingFunction, "package %s has no function %s", h.pkg.Name, name).
			Note(span, "its signature is: %s", h.signature(name, from, to, true))
	case !token.IsExported(name):
		h.bag.Errorf(span, codeUnexportedFunction, "%s is called from the packages of older versions; name it %s", name, upperFirst(name)).
			Note(h.pkg.Funcs[name].Span, "declared here")
	default:
		return true
	}
	return false
}

func (h *hub) checkResult(s step, arg, name string, from, to *model.Ref) {
	fn := h.pkg.Funcs[name]
	if len(fn.Params) == 1 && same(fn.Params[0], from) && returns(fn, to) {
		return
	}
	h.bag.Errorf(at(s.Change, arg), codeSignature, "%s must take %s and return %s, or that and an error", name, h.a(from), h.a(to)).
		Note(fn.Span, "write: %s", h.signature(name, from, to, true))
}

// returns reports whether a function's results are the type, or the type and an error.
func returns(fn *model.Func, to *model.Ref) bool {
	switch len(fn.Results) {
	case 1:
		return same(fn.Results[0], to)
	case 2:
		return same(fn.Results[0], to) && isError(fn.Results[1])
	}
	return false
}

// isError reports whether a type is the predeclared error.
func isError(r *model.Ref) bool {
	return r.Name == "error" && (r.Kind == model.KindInterface || r.Kind == model.KindBuiltin)
}

// retypes counts the changes of a field's type.
func (h *hub) retypes(f *model.Field) int {
	n := 0
	for _, s := range h.histories[f].steps {
		if s.Arg("fromType") != "" {
			n++
		}
	}
	return n
}
