package evolve

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/spell"
	"github.com/kindsmith/kindsmith/internal/core/value"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// readTransform reads a transform; nil if it is wrong. Of one that does not exist it names those that fit two types, or
// all.
func (h *evolver) readTransform(v *model.Value, fit ...*model.Ref) *jsonconvert.Transform {
	fail := func(format string, args ...any) *jsonconvert.Transform {
		h.bag.Errorf(v.Span, codeTransform, format, args...)
		return nil
	}
	name, rest, hasArgs := strings.Cut(v.Text, "(")
	form := jsonconvert.Forms[name]
	if form == nil {
		all := slices.Sorted(maps.Keys(jsonconvert.Forms))
		d := h.bag.Errorf(v.Span, codeTransform, "%q is not a transform", name)
		if near := spell.DidYouMean(name, all); near != "" {
			d.Message += near
		} else if fit != nil {
			d.Message += fmt.Sprintf("; those between %s and %s are: %s", h.spell(fit[0]), h.spell(fit[1]), strings.Join(h.transforms(fit[0], fit[1]), ", "))
			if len(h.transforms(fit[0], fit[1])) == 0 {
				d.Message = fmt.Sprintf("%q is not a transform, and none is between %s and %s; write functions: upgradeWith and downgradeWith", name, h.spell(fit[0]), h.spell(fit[1]))
			}
		} else {
			d.Message += "; the transforms are " + strings.Join(all, ", ")
		}
		return nil
	}
	t := &jsonconvert.Transform{Name: name}
	if hasArgs {
		args, closed := strings.CutSuffix(rest, ")")
		each := strings.SplitSeq(args, ",")
		if form.Whole {
			each = slices.Values([]string{args})
		}
		for arg := range each {
			if arg = strings.TrimSpace(arg); arg != "" {
				t.Args = append(t.Args, arg)
			}
		}
		if !closed || len(t.Args) > len(form.Args) {
			return fail("%s takes %s", name, arguments(form))
		}
	}
	if form.Check == nil && len(form.Args) > 0 && len(t.Args) == 0 {
		return fail("%s takes %s", name, arguments(form))
	}
	if form.Check != nil {
		if err := form.Check(t.Args); err != nil {
			return fail("%v", err)
		}
	}
	return t
}

// checkTransform reads the transform of a change of type.
func (h *evolver) checkTransform(hs *history, c *model.Changed, from, to *model.Ref) {
	t := h.readTransform(c.Transform, from, to)
	if t == nil {
		return
	}
	for _, d := range []direction{up, down} {
		if function := d.of(c); function != nil {
			h.bag.Errorf(function.Span, codeTransform, "%s and transform: %q both convert the value; remove one", d.arg, c.Transform.Text)
			return
		}
	}
	form := jsonconvert.Forms[t.Name]
	switch {
	case h.hasShape(from, form.First, t, to) && h.hasShape(to, form.Second, t, from):
	case h.hasShape(to, form.First, t, from) && h.hasShape(from, form.Second, t, to):
		t.Inverted = true
	default:
		h.bag.Errorf(c.Transform.Span, codeTransform, "%s converts between %s; %s has type %s before %s, and then %s", t.Name, form.Doc, hs.label, h.spell(from), c.Since, h.spell(to))
		return
	}
	if form.First == jsonconvert.EnumShape && !h.readValues(c, t, from, to) {
		return
	}
	c.Form = (*model.Transform)(t)
}

// transforms returns the transforms that convert between two types. Those with arguments that the types alone do not
// decide are not among them.
func (h *evolver) transforms(from, to *model.Ref) []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(jsonconvert.Forms)) {
		form := jsonconvert.Forms[name]
		if slices.Contains([]jsonconvert.Shape{form.First, form.Second}, jsonconvert.AnyShape) || slices.ContainsFunc([]jsonconvert.Shape{form.First, form.Second}, needsArgs) {
			continue
		}
		t := &jsonconvert.Transform{Name: name}
		if h.hasShape(from, form.First, t, to) && h.hasShape(to, form.Second, t, from) || h.hasShape(to, form.First, t, from) && h.hasShape(from, form.Second, t, to) {
			names = append(names, name)
		}
	}
	return names
}

// needsArgs reports whether the arguments of a transform say which values have the shape.
func needsArgs(s jsonconvert.Shape) bool {
	return s == jsonconvert.ObjectShape || s == jsonconvert.PartsShape || s == jsonconvert.ListShape || s == jsonconvert.EnumShape
}

func arguments(form *jsonconvert.Form) string {
	if len(form.Args) == 0 {
		return "no arguments"
	}
	return fmt.Sprintf("at most %d arguments in parentheses: %s", len(form.Args), strings.Join(form.Args, ", "))
}

// hasShape reports whether a type has the shape of a representation. other is that of the other
// version.
func (h *evolver) hasShape(r *model.Ref, shape jsonconvert.Shape, t *jsonconvert.Transform, other *model.Ref) bool {
	r, other = single(r), single(other)
	u := h.m.Underlying(r)
	switch shape {
	case jsonconvert.StringShape:
		return u.IsString()
	case jsonconvert.EnumShape:
		named := h.m.Type(r.ID())
		return u.IsString() && named != nil && len(named.Consts) > 0
	case jsonconvert.DurationShape:
		return u.IsString() || r.ID() == model.Duration
	case jsonconvert.QuantityShape:
		return u.IsString() || r.ID() == model.Quantity
	case jsonconvert.BoolShape:
		return u.IsBool()
	case jsonconvert.IntegerShape:
		bits, unsigned := u.IntSize()
		if bits == 0 {
			return false
		}
		t.Bits, t.Unsigned = bits, unsigned
		return true
	case jsonconvert.ObjectShape:
		s := h.m.Struct(r)
		if s == nil || len(s.Fields) != 1 || s.Fields[0].JSON != t.Args[0] || !model.SameGo(single(s.Fields[0].Type), other) {
			return false
		}
		f := s.Fields[0]
		zero := value.Zero(h.m, f.Type)
		if f.OmitZero && f.Type.Kind == model.KindPointer && value.HasIsZero(f.Type.Elem) {
			zero = value.Zero(h.m, f.Type.Elem)
		}
		t.Zero, t.Omits = zero.JSON(), value.Omitted(h.m, single(f.Type), zero, f.OmitEmpty && f.Type.Kind != model.KindPointer, f.OmitZero)
		return true
	case jsonconvert.MapShape:
		return u.Kind == model.KindMap && h.m.Underlying(u.Key).IsString()
	case jsonconvert.PartsShape:
		return h.isParts(r, t)
	case jsonconvert.ListShape:
		return h.isKeyed(u, t, h.m.Underlying(other))
	}
	return shape == jsonconvert.AnyShape
}

// isParts reports whether a type is a struct of the parts of a string alone.
func (h *evolver) isParts(r *model.Ref, t *jsonconvert.Transform) bool {
	s := h.m.Struct(r)
	parts, err := jsonconvert.ParsePattern(t.Args[0])
	if s == nil || err != nil {
		return false
	}
	t.Values = nil
	for _, p := range parts {
		if p.Key == "" {
			continue
		}
		f := s.FieldByJSON(p.Key)
		if f == nil || !h.isScalar(f.Type) {
			return false
		}
		typ, zero := h.m.Underlying(single(f.Type)).Name, ""
		switch {
		case f.Type.Kind == model.KindPointer:
			typ = "*" + typ
			if !f.OmitEmpty {
				zero = "null"
			}
		case !f.OmitEmpty && !f.OmitZero:
			zero = value.Zero(h.m, f.Type).JSON()
		}
		t.Values = append(t.Values, [2]string{typ, zero})
	}
	return len(s.Fields) == len(t.Values)
}

// isKeyed reports whether a list has the values of a map, with their keys in a field.
func (h *evolver) isKeyed(list *model.Ref, t *jsonconvert.Transform, m *model.Ref) bool {
	if list.Kind != model.KindSlice || m.Kind != model.KindMap {
		return false
	}
	item := h.m.Struct(list.Elem)
	if item == nil {
		return false
	}
	key := item.FieldByJSON(t.Args[0])
	if key == nil || !h.m.Underlying(key.Type).IsString() {
		return false
	}
	if len(t.Args) > 1 {
		f := item.FieldByJSON(t.Args[1])
		if f == nil || len(item.Fields) != 2 || !model.SameGo(f.Type, m.Elem) {
			return false
		}
		t.Zero = value.Zero(h.m, m.Elem).JSON()
		t.Omits = f.OmitEmpty && h.m.Underlying(m.Elem).IsScalar()
		return true
	}
	was := h.m.Struct(m.Elem)
	if was == nil {
		return false
	}
	same := func(a, b *model.Type) bool {
		return !slices.ContainsFunc(a.Fields, func(f *model.Field) bool {
			g := b.FieldByJSON(f.JSON)
			return f.JSON != t.Args[0] && (g == nil || !model.SameGo(f.Type, g.Type))
		})
	}
	return same(item, was) && same(was, item)
}

// single returns what a pointer points to.
func single(r *model.Ref) *model.Ref {
	if r.Kind == model.KindPointer {
		return r.Elem
	}
	return r
}
