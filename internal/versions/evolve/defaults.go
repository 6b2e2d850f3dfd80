package evolve

import (
	"fmt"
	"go/token"
	"slices"
	"strconv"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/value"
)

// checkDefaults checks the default of every added field: a function of the package, or JSON that
// fits the type of the field when it was added.
func (h *evolver) checkDefaults() {
	for _, t := range h.pkg.Types {
		for _, f := range t.Fields {
			hs := h.of(f)
			if hs.addedBy == nil {
				continue
			}
			if hs.addedBy.Default != nil {
				h.checkDefault(t, f, hs.addedBy.Default)
				continue
			}
			f.Unset = hs.added > h.of(t).added && h.usedBefore(t, hs.added) && hs.addedBy.Role != model.RoleSplit && !hasHook(t, hs.addedBy.Since)
			if by := h.m.PresenceOf(t, f, model.Bare(f.Tags)); f.Unset && by.Required && by.Declared {
				h.bag.Errorf(hs.addedBy.Span, codeRequiredAdded, "%s is required since %s, but objects of older versions lack it; add default: with the value that they get, or make the field optional",
					hs.label, hs.addedBy.Since)
			}
		}
	}
}

// hasHook reports whether a struct has functions that may set a field that a version adds.
func hasHook(t *model.Type, since string) bool {
	return slices.ContainsFunc(t.Changes, func(c model.Change) bool {
		hook, ok := c.(*model.Hook)
		return ok && hook.Since == since && hook.Split == nil
	})
}

// usedBefore reports whether a version before v has a use for a struct.
func (h *evolver) usedBefore(t *model.Type, v int) bool {
	return slices.ContainsFunc(h.versions[:v], func(version *model.Version) bool {
		p := h.m.Package(version.Package)
		return p == nil || p.Hub != h.pkg.Path || slices.ContainsFunc(p.Types, func(older *model.Type) bool {
			return older.Hub != nil && *older.Hub == t.ID()
		})
	})
}

func (h *evolver) checkDefault(t *model.Type, f *model.Field, d *model.Value) {
	text, span := d.Text, d.Span
	want := h.typeAt(f, h.of(f).added)
	if !value.NamesFunction(text) {
		older, unused := h.addedAs(t, f)
		if unused {
			return
		}
		if older != nil {
			want = older
		}
		h.checkValue(f, want, value.Written{Text: text, Span: span})
		return
	}
	fn := h.pkg.Funcs[text]
	signature := fmt.Sprintf("func %s() %s", upperFirst(text), h.spell(want))
	switch {
	case fn == nil:
		d := h.bag.Errorf(span, codeMissingFunction, "%s", h.noFunction(text)).
			Note(span, "its signature is: %s", signature)
		if h.m.Underlying(want).IsString() {
			d.Note(span, "a JSON string needs its own quotes: default: %q", strconv.Quote(text))
		}
	case !token.IsExported(text):
		h.bag.Errorf(span, codeUnexportedFunction, "%s is called from the packages of older versions; name it %s", text, upperFirst(text)).
			Note(fn.Span, "declared here")
	case len(fn.Params) != 0 || len(fn.Results) != 1 || !model.SameGo(fn.Results[0], want):
		h.bag.Errorf(span, codeSignature, "%s must have no parameters and return %s", text, h.withArticle(want)).
			Note(fn.Span, "write: %s", signature)
	}
}

// addedAs returns the type of a field in the package of the version that added it; nil if that
// is the newest version. It reports whether that version has no use for the struct, so that no object gets the default.
func (h *evolver) addedAs(t *model.Type, f *model.Field) (typ *model.Ref, unused bool) {
	p := h.m.Package(h.versions[h.of(f).added].Package)
	if p == nil || p.Hub != h.pkg.Path {
		return nil, false
	}
	unused = true
	for _, older := range p.Types {
		if older.Hub == nil || *older.Hub != t.ID() {
			continue
		}
		unused = false
		for _, g := range older.Fields {
			if g.Origin != nil && g.Origin.Field == f.Name {
				return g.Type, false
			}
		}
	}
	return nil, unused
}

// checkValue checks the JSON default of an added field like +default.
func (h *evolver) checkValue(f *model.Field, want *model.Ref, w value.Written) {
	checker := value.Checker{
		Model: h.m, Bag: h.bag, Codes: addedValueCodes,
		Else: "the name of a function", NoLiteral: "write a function that returns it", GoOnly: true,
	}
	v := checker.Check(want, w)
	if v == nil {
		return
	}
	value.Walk(h.m, want, v, func(r *model.Ref, part *value.Value) {
		if enum := h.m.Type(r.ID()); enum != nil && !hasValue(enum, part) {
			h.bag.Errorf(w.At(part.Start, part.End), codeAddedViolatesRule, "the default of %s: %s is not a value of the enum %s", h.of(f).label, part.JSON(), enum.Name)
		}
	})
}

// hasValue reports whether a type is not a closed enum, or has a constant with the value.
func hasValue(enum *model.Type, v *value.Value) bool {
	return v.Kind != value.String || !enum.IsEnum() ||
		slices.ContainsFunc(enum.Consts, func(c *model.Const) bool { return c.Value == v.Text })
}
