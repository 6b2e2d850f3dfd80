package evolve

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// readFieldTypes resolves the fromTypes of a field and checks that every change of type can be
// converted in both directions.
func (h *evolver) readFieldTypes(t *model.Type, f *model.Field) {
	hs := h.histories[f]
	to := f.Type
	for _, s := range slices.Backward(hs.steps) {
		if s.changed == nil || s.changed.FromType.Or("") == "" && !s.changed.Wraps {
			continue
		}
		from, ok := h.fromType(t, hs, f, s.changed, to)
		if !ok {
			return
		}
		if model.SameGo(from, to) {
			h.bag.Errorf(s.changed.FromType.Span, codeNoChange, "%s already has the type %s; fromType is the type before %s", hs.label, h.spell(from), s.changed.Since)
			continue
		}
		s.changed.From = from
		if s.changed.Transform != nil && s.changed.FromType != nil {
			if s.changed.Wraps {
				to = h.m.Underlying(to).Elem
			}
			h.checkTransform(hs, s.changed, from, to)
		}
		if s.changed.Wraps || s.changed.Transform != nil {
			to = from
			continue
		}
		if from.HasParams() || to.HasParams() {
			h.bag.Errorf(s.changed.Span, codeGeneric, "no function converts %s to %s for every type argument of %s; declare a struct for each instance, with its fields", h.withArticle(from), h.withArticle(to), t.Name)
			to = from
			continue
		}
		h.checkKey(hs, s.changed, from, to)
		upgrade := h.checkDirection(t, f, s.changed, up, from, to)
		downgrade := h.checkDirection(t, f, s.changed, down, to, from)
		h.missingFunctions(hs, s.changed, from, to, upgrade, downgrade)
		to = from
	}
}

// fromType returns the type before a change; not ok if it is reported.
func (h *evolver) fromType(t *model.Type, hs *history, f *model.Field, c *model.Changed, to *model.Ref) (from *model.Ref, ok bool) {
	if c.FromType != nil {
		parsed, err := h.parseType(c.FromType.Text, t)
		if err != nil {
			h.bag.Errorf(c.FromType.Span, codeFromType, "fromType: %v", err)
			return nil, false
		}
		from = parsed
	}
	if !c.Wraps {
		return from, true
	}
	list := h.m.Underlying(to)
	if list.Kind != model.KindSlice || list.IsBytes() {
		h.bag.Errorf(c.Span, codeWrapped, "%s is %s, not a list; +%s is for a single value that became a list", hs.label, h.withArticle(to), c.Tag.Name)
		return nil, false
	}
	switch {
	case c.Transform != nil && from != nil:
		return from, true
	case from == nil && f.OmitEmpty && (h.m.Underlying(list.Elem).Kind == model.KindStruct || list.Elem.Kind == model.KindParam):
		return model.PointerTo(list.Elem), true // JSON always has a struct
	case from == nil:
		return list.Elem, true
	case model.SameGo(from, list.Elem) || from.Kind == model.KindPointer && model.SameGo(from.Elem, list.Elem):
		return from, true
	}
	h.bag.Errorf(c.FromType.Span, codeWrapped, "%s is a list of %s; the previous type is %[2]s or *%[2]s", hs.label, h.spell(list.Elem))
	return nil, false
}

// typeAt returns a field's type in a version, as written in the newest version's package.
func (h *evolver) typeAt(f *model.Field, v int) *model.Ref {
	for _, s := range h.of(f).after(v) {
		if s.changed != nil && s.changed.From != nil {
			return s.changed.From
		}
	}
	return f.Type
}

// checkKey reports a change of a map's key type.
func (h *evolver) checkKey(hs *history, s *model.Changed, from, to *model.Ref) {
	a, b := h.m.Underlying(from), h.m.Underlying(to)
	if a.Kind == model.KindMap && b.Kind == model.KindMap && !model.SameGo(a.Key, b.Key) {
		h.bag.Errorf(s.FromType.Span, codeMapKey, "the key type of a map cannot change: %s had keys of type %s and has %s; add a new field instead",
			hs.label, h.spell(a.Key), h.spell(b.Key))
	}
}

// direction is one direction of a change of type.
type direction struct {
	arg  string // the marker's argument
	of   func(c *model.Changed) *model.Value
	verb string // the convention for names of its functions
}

var (
	up   = direction{"upgradeWith", func(c *model.Changed) *model.Value { return c.UpgradeWith }, "Upgrade"}
	down = direction{"downgradeWith", func(c *model.Changed) *model.Value { return c.DowngradeWith }, "Downgrade"}
)

// checkDirection checks one direction of a change of type: its function, or that it needs none. It returns the name for
// a function that is missing.
func (h *evolver) checkDirection(t *model.Type, f *model.Field, s *model.Changed, d direction, from, to *model.Ref) (missing string) {
	function := d.of(s)
	switch {
	case function.Or("") != "":
		if h.checkFunction(function, d.arg, from, to) {
			h.checkResult(function, from, to)
		}
	case function != nil:
		h.bag.Errorf(function.Span, codeBadArgument, "%s names a function of package %s", d.arg, h.pkg.Name)
	case !h.m.Lossless(from, to):
		missing = d.verb + t.Name + f.Name
		if h.retypes(f) > 1 {
			missing += upperFirst(s.Since)
		}
	}
	return missing
}

// missingFunctions reports a change of type without the functions that it needs, by the names that these may have. It
// names the transforms that convert the value without functions.
func (h *evolver) missingFunctions(hs *history, s *model.Changed, from, to *model.Ref, upgrade, downgrade string) {
	if upgrade == "" && downgrade == "" {
		return
	}
	var add []string
	for _, d := range []struct{ arg, name string }{{up.arg, upgrade}, {down.arg, downgrade}} {
		if d.name != "" {
			add = append(add, fmt.Sprintf("%s: %q", d.arg, d.name))
		}
	}
	functions := strings.Join(add, " and ")
	message := fmt.Sprintf("%s was %s before %s: add ", hs.label, h.withArticle(from), s.Since)
	if len(add) == 1 {
		a, b := from, to
		if upgrade == "" {
			a, b = to, from
		}
		message = fmt.Sprintf("%s: Go cannot convert %s to %s without loss; add ", hs.label, h.withArticle(a), h.withArticle(b))
	} else if names := h.transforms(from, to); len(names) == 1 {
		message += fmt.Sprintf("transform: %q, which converts between %s, or ", names[0], jsonconvert.Forms[names[0]].Doc)
	} else if len(names) > 1 {
		message += fmt.Sprintf("transform: with one of %s, or ", strings.Join(names, ", "))
	}
	d := h.bag.Errorf(s.Span, codeMissingFunction, "%s%s", message, functions).RestsOn(tag.ArgumentsOf(s.Span))
	if upgrade != "" {
		d.Note(s.Span, "its signature is: %s", h.signature(upgrade, from, to))
	}
	if downgrade != "" {
		d.Note(s.Span, "its signature is: %s", h.signature(downgrade, to, from))
	}
}

// checkFunction reports a function that does not exist, or that generated code
// in another package cannot call.
func (h *evolver) checkFunction(function *model.Value, arg string, from, to *model.Ref) bool {
	name, span := function.Text, function.Span
	switch {
	case !token.IsIdentifier(name):
		h.bag.Errorf(span, codeBadArgument, "%s must name a function of package %s; %q is not a name", arg, h.pkg.Name, name)
	case h.pkg.Funcs[name] == nil:
		h.bag.Errorf(span, codeMissingFunction, "%s", h.noFunction(name)).
			Note(span, "its signature is: %s", h.signature(upperFirst(name), from, to))
	case !token.IsExported(name):
		h.bag.Errorf(span, codeUnexportedFunction, "%s is called from the packages of older versions; name it %s", name, upperFirst(name)).
			Note(h.pkg.Funcs[name].Span, "declared here")
	default:
		return true
	}
	return false
}

// noFunction says that a function does not exist, and which name it must have.
func (h *evolver) noFunction(name string) string {
	text := fmt.Sprintf("package %s has no function %s", h.pkg.Name, name)
	if !token.IsExported(name) {
		text += "; name it " + upperFirst(name) + ", since it is called from the packages of older versions"
	}
	return text
}

func (h *evolver) checkResult(function *model.Value, from, to *model.Ref) {
	name := function.Text
	fn := h.pkg.Funcs[name]
	if len(fn.Params) == 1 && model.SameGo(fn.Params[0], from) && returns(fn, to) {
		return
	}
	h.bag.Errorf(function.Span, codeSignature, "%s must take %s and return %s, or %[3]s and an error", name, h.withArticle(from), h.withArticle(to)).
		Note(fn.Span, "write: %s", h.signature(name, from, to))
}

// returns reports whether a function's results are the type, or the type and an error.
func returns(fn *model.Func, to *model.Ref) bool {
	switch len(fn.Results) {
	case 1:
		return model.SameGo(fn.Results[0], to)
	case 2:
		return model.SameGo(fn.Results[0], to) && isError(fn.Results[1])
	}
	return false
}

// isError reports whether a type is the predeclared error.
func isError(r *model.Ref) bool {
	return r.Name == "error" && (r.Kind == model.KindInterface || r.Kind == model.KindBuiltin)
}

// retypes counts the changes of a field's type.
func (h *evolver) retypes(f *model.Field) int {
	n := 0
	for _, s := range h.histories[f].steps {
		if s.changed != nil && s.changed.FromType.Or("") != "" {
			n++
		}
	}
	return n
}

// signature returns the signature of a conversion function. A conversion may fail.
func (h *evolver) signature(name string, from, to *model.Ref) string {
	return "func " + name + "(in " + h.spell(from) + ") (" + h.spell(to) + ", error)"
}
