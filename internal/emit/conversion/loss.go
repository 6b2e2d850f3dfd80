package conversion

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kindsmith/kindsmith/internal/gofile"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/plan"
	"github.com/kindsmith/kindsmith/internal/value"
	"github.com/kindsmith/kindsmith/runtime/wire"
)

// Objects whose conversion loses nothing that is tracked need no tracking, and that is most of them. Functions find out
// by comparing the values that can be lost, field by field, before runtime/wire encodes the object. They may report a
// loss where there is none, but never the reverse: runtime/wire decides on the JSON what is tracked.

// losing returns the types of which values are tracked in a direction, at any depth.
func (w *writer) losing(way plan.Way) map[*plan.Type]bool {
	losing := map[*plan.Type]bool{}
	for again := true; again; {
		again = false
		for _, t := range w.plan.Types {
			if !losing[t] && !t.ByHand(way) && w.losesParts(t, way, losing) {
				losing[t], again = true, true
			}
		}
	}
	return losing
}

func (w *writer) losesParts(t *plan.Type, way plan.Way, losing map[*plan.Type]bool) bool {
	return t.Enum != nil && t.Enum.At(way) != "" || w.losesValue(t.Value, losing) ||
		slices.ContainsFunc(t.Fields, func(op *plan.Op) bool {
			return op.At(way) != "" || op.Parents.At(way) != "" || w.losesValue(op.Value, losing)
		}) ||
		slices.ContainsFunc(t.Hooks, func(h *plan.Hook) bool { return h.At(way) != "" })
}

// losesValue reports whether a value has parts of types that lose values.
func (w *writer) losesValue(v *plan.Value, losing map[*plan.Type]bool) bool {
	if v == nil {
		return false
	}
	if v.Kind == plan.Pair {
		return losing[w.plan.Of(v.Older.ID(), v.Hub.ID())]
	}
	return w.losesValue(v.Key, losing) || w.losesValue(v.Elem, losing) || w.losesValue(v.Direct, losing)
}

// tracks prints the rest of the conversion of a kind that tracks values.
func (w *writer) tracks(t *plan.Type, way plan.Way) {
	name, track := w.function(t, way), "Upgrade"
	if way == plan.Down {
		track = "Downgrade"
	}
	w.f.P("err := auto", name, "(in, out, s)")
	w.f.P("if err == nil && !", w.lossName(t, way), "(in, out) {")
	w.f.P("return nil")
	w.f.P("}")
	w.f.P("return ", w.f.Ident(gofile.RuntimeWire, track), "(", trackingVar, ", ", strconv.Quote(t.Older.Name), ", in, out, err)")
}

func (w *writer) lossName(t *plan.Type, way plan.Way) string {
	return "loses" + strings.TrimPrefix(w.function(t, way), "Convert")
}

// losses prints the functions that compare objects of kinds that track values.
func (w *writer) losses() {
	scope := w.scope
	w.scope, w.comparing = "nil", true
	defer func() { w.scope, w.comparing = scope, false }()
	for _, way := range plan.Ways {
		l := &losses{writer: w, way: way, losing: w.losing(way)}
		used := map[*plan.Type]bool{}
		var use func(t *plan.Type)
		use = func(t *plan.Type) {
			if used[t] {
				return
			}
			used[t] = true
			if t.Value != nil || !l.always(t) {
				w.plan.Paired(t, func(part *plan.Type, _ bool) {
					if l.losing[part] {
						use(part)
					}
				})
			}
		}
		for _, t := range w.plan.Types {
			if t.Completes() && !t.ByHand(way) {
				use(t)
			}
		}
		for _, t := range w.plan.Types {
			if used[t] && t.Value == nil {
				l.compare(t)
			}
		}
	}
}

// losses prints what compares values in one direction.
type losses struct {
	*writer
	way    plan.Way
	losing map[*plan.Type]bool
	// conditions are those of losses that are not printed yet.
	conditions []string
}

func (l *losses) compare(t *plan.Type) {
	from, to := t.Ends(l.way)
	name := l.lossName(t, l.way)
	if t.Kind {
		l.f.Doc(name + " reports whether values may be tracked: those of in that out lacks, or earlier ones.")
	}
	l.f.P("func ", name, "(in *", l.typeName(from), ", out *", l.typeName(to), ") bool {")
	if l.always(t) {
		l.f.P("return true")
	} else {
		l.body(t)
	}
	l.f.P("}")
	l.f.P()
}

// always reports whether the function of a type always reports a loss.
func (l *losses) always(t *plan.Type) bool {
	f := l.f
	l.f = gofile.New(l.older.Path, l.older.Name) // discarded, with its imports
	defer func() { l.f = f }()
	return !l.body(t)
}

// body prints the body of a function, and returns false for one that always reports a loss.
func (l *losses) body(t *plan.Type) bool {
	l.conditions = nil
	if t.Restores && !l.restores(t) || t.Store != plan.Untracked && !l.stored(t) {
		return false
	}
	wholly := len(t.Hooks) > 0 && l.losing[t] || slices.ContainsFunc(t.Fields, func(op *plan.Op) bool {
		return op.Kind == plan.Move && (op.At(l.way) != "" || op.Parents.At(l.way) != "")
	})
	for _, op := range t.Fields {
		switch {
		case op.Kind == plan.Move:
			if l.losesValue(op.Value, l.losing) {
				_, conditions := l.creates(op.Path(l.way, true))
				l.reports(strings.Join(conditions, " && "))
			}
		case op.Kind == plan.Keep && op.At(l.way) != "":
			if !l.compared(op, wholly) {
				return false
			}
		case op.Kind == plan.Keep && l.losesValue(op.Value, l.losing):
			from, to := op.Older, op.Hub
			if l.way == plan.Down {
				from, to = to, from
			}
			if to.OmitZero && l.plan.FillsZero(op.Value, !l.way) { // what is filled in is lost if Go leaves out the struct
				source, dest := op.Value.Ends(l.way)
				l.reports(l.isZero(dest, l.out(to)) + " && !" + l.isZero(source, l.in(from)))
			}
			l.below(op.Value, l.in(from), l.out(to), "back"+op.Hub.Go, at{span: op.Span})
		case op.Kind != plan.Keep && op.At(l.way) != "":
			if !l.dropped(op, wholly) {
				return false
			}
		}
	}
	switch {
	case wholly:
		l.wholly(t)
	case len(l.conditions) > 0:
		l.f.P("return ", l.condition())
	default:
		l.f.P("return false")
	}
	return true
}

// reports notes that a loss is reported under a condition.
func (l *losses) reports(condition string) { l.conditions = append(l.conditions, condition) }

// condition returns the conditions noted so far as one.
func (l *losses) condition() string {
	condition := strings.Join(l.conditions, " || ")
	if len(condition) > 110 {
		condition = strings.Join(l.conditions, " ||\n")
	}
	l.conditions = nil
	return condition
}

// flush prints that a loss is reported under the conditions noted so far.
func (l *losses) flush() {
	if len(l.conditions) > 0 {
		l.f.P("if ", l.condition(), " {")
		l.f.P("return true")
		l.f.P("}")
	}
}

// block prints a block, whose conditions are its own.
func (l *losses) block(head string, body func()) {
	l.flush()
	l.f.P(head, " {")
	body()
	l.flush()
	l.f.P("}")
}

// restores prints whether an object has annotations in which earlier conversions have stored objects. It returns false if that
// is not known.
func (l *losses) restores(t *plan.Type) bool {
	end, _ := t.Ends(l.way)
	metadata := l.m.Type(end).FieldByJSON("metadata")
	if metadata == nil || metadata.Type.Kind != model.KindNamed {
		return false
	}
	for i, r := range l.plan.Restores {
		name := "restores"
		if i > 0 {
			name += strconv.Itoa(i + 1)
		}
		l.f.P("_, ", name, " := in.", metadata.Name, ".Annotations[", strconv.Quote(r.Annotation), "]")
		l.reports(name)
	}
	return true
}

// stored prints whether an object has tracked values. It returns false if that is not known.
func (l *losses) stored(t *plan.Type) bool {
	end, _ := t.Ends(l.way)
	from := l.m.Type(end)
	if t.Store == plan.AnnotationStore {
		metadata := from.FieldByJSON("metadata")
		if metadata == nil || metadata.Type.Kind != model.KindNamed {
			return false
		}
		l.f.P("_, tracked := in.", metadata.Name, ".Annotations[", strconv.Quote(wire.TrackingAnnotation(l.plan.Group)), "]")
		l.reports("tracked")
		return true
	}
	status := from.FieldByJSON("status")
	if status == nil || l.m.Struct(status.Type) == nil {
		return false
	}
	values := l.m.Struct(status.Type).FieldByJSON("changedValues")
	if values == nil || values.Type.Kind != model.KindPointer {
		return false
	}
	in := "in." + status.Name
	condition := in + "." + values.Name + " != nil"
	if status.Type.Kind == model.KindPointer {
		condition = in + " != nil && " + condition
	}
	l.reports(condition)
	return true
}

// compared prints a comparison of a value with what the opposite conversion makes of the converted one. JSON omits empty
// values, which do not convert back; only these are compared if the struct is as a whole. It returns false if a loss is
// always reported.
func (l *losses) compared(op *plan.Op, wholly bool) bool {
	from, to := op.Older, op.Hub
	if l.way == plan.Down {
		from, to = to, from
	}
	in, out, back := l.in(from), l.out(to), "back"+op.Hub.Go
	source, dest := op.Value.Ends(l.way)
	present, absent := l.isSet(source, in, from.OmitEmpty), l.isUnset(dest, out, to)
	if absent == "" && !from.OmitEmpty {
		present = "" // null, too, is shown as a value
	}
	switch {
	case !l.exact(dest) || l.losesValue(op.Value, l.losing):
		if present != "" {
			l.reports(present)
		}
		return present != ""
	case wholly && present != "" && absent != "":
		l.reports(present + " && " + absent)
	case present != "": // the block begins with it
	case absent != "" && from.Zero != "": // both may be unset
		l.reports(absent + " && " + l.isNonZero(source, in))
	case absent != "":
		l.reports(absent)
	}
	if wholly {
		return true
	}
	compare := func() {
		l.flush()
		l.f.P("var ", back, " ", l.f.Type(source))
		l.fieldValue(op.Value.At(!l.way), op.Hub, !l.way, out, back, at{span: op.Span, isNew: true})
		l.reports(l.differs(source, back, in, from.OmitEmpty, present != ""))
	}
	switch {
	case present != "":
		l.block("if "+present, func() {
			if absent != "" {
				l.reports(absent)
			}
			compare()
		})
	case absent != "" && from.Zero != "":
		l.block("if "+cmp.Or(l.isSet(dest, out, to.OmitEmpty), l.nonZero(out)), compare)
	default:
		compare()
	}
	return true
}

// isUnset returns the condition that JSON omits the value of a field; "" if it never does.
func (l *losses) isUnset(r *model.Ref, v string, f *plan.Field) string {
	switch u := l.m.Underlying(r); {
	case f.OmitZero:
		return l.isZero(r, v)
	case u.Kind == model.KindPointer && f.OmitEmpty && value.HasIsZero(u.Elem):
		return "(" + v + " == nil || " + v + ".IsZero())"
	case u.Kind == model.KindPointer, u.Kind == model.KindInterface:
		return v + " == nil"
	case u.Kind == model.KindSlice, u.Kind == model.KindMap:
		if f.OmitEmpty {
			return "len(" + v + ") == 0"
		}
		return v + " == nil"
	case f.OmitEmpty && u.IsScalar():
		return l.unset(r, v)
	}
	return ""
}

// dropped prints whether a field that the destination lacks is lost. It returns false if a loss is always reported.
func (l *losses) dropped(op *plan.Op, wholly bool) bool {
	f := op.Older
	if op.Kind == plan.Add {
		f = op.Hub
	}
	in := l.in(f)
	switch {
	case f.Inline, value.HasOwnJSON(l.m, op.Type) && !value.IsKnown(op.Type):
		return false // some of its JSON may be lost
	case op.Fill == nil || op.Kind == plan.Drop:
		condition := l.isNonZero(op.Type, in)
		if l.m.Underlying(op.Type).Kind == model.KindSlice || l.m.Underlying(op.Type).Kind == model.KindMap {
			condition = l.isSet(op.Type, in, f.OmitEmpty)
		}
		l.reports(condition)
		return true
	case op.Fill.Func == nil && op.Fill.Value == nil:
		if v, _ := value.Parse(op.Fill.JSON); v == nil || !l.writes(op.Type, v) {
			return false // Go writes other JSON for the default, which is tracked
		}
	}
	if absent := l.isUnset(op.Type, in, f); absent != "" { // it comes back with the default
		l.reports(absent)
	}
	if !wholly {
		l.flush()
		filled := "back" + f.Go
		l.f.P("var ", filled, " ", l.f.Type(op.Type))
		l.fillIn(op, filled, at{span: op.Span, isNew: true})
		l.reports(l.differs(op.Type, filled, in, f.OmitEmpty, true))
	}
	return true
}

// writes reports whether a JSON value is what Go writes for the value of a type that it decodes to.
func (l *losses) writes(r *model.Ref, v *value.Value) bool {
	switch r.ID() {
	case model.Duration:
		d, err := time.ParseDuration(v.Text)
		return err == nil && d.String() == v.Text
	case model.Quantity:
		q, err := resource.ParseQuantity(v.Text)
		return err == nil && v.Kind == value.String && q.String() == v.Text
	}
	u, t := l.m.Underlying(r), l.m.Struct(r)
	switch {
	case value.HasOwnJSON(l.m, r) || u.IsBytes():
		return false
	case u.IsScalar():
		return v.Kind != value.Null && (v.Kind != value.Number || writesNumber(v.Text))
	case u.Kind == model.KindPointer:
		return v.Kind == value.Null || l.writes(u.Elem, v)
	case u.Kind == model.KindSlice || u.Kind == model.KindMap:
		each := func(v *value.Value) bool { return l.writes(u.Elem, v) }
		return !slices.ContainsFunc(v.Items, func(v *value.Value) bool { return !each(v) }) &&
			!slices.ContainsFunc(v.Members, func(m value.Member) bool { return !each(m.Value) })
	case t == nil || r.Kind == model.KindPointer:
		return false
	}
	for _, f := range t.Fields {
		i := slices.IndexFunc(v.Members, func(m value.Member) bool { return m.Key == f.JSON })
		kind := l.m.Underlying(f.Type).Kind
		omits := f.OmitZero || f.OmitEmpty && kind != model.KindStruct && kind != model.KindArray
		switch {
		case f.Skipped:
		case f.Inline, i < 0 && !omits:
			return false
		case i >= 0 && (omits && l.isEmpty(f.Type, v.Members[i].Value) || !l.writes(f.Type, v.Members[i].Value)):
			return false
		}
	}
	return true
}

// writesNumber reports whether Go spells a number like that.
func writesNumber(text string) bool {
	if _, err := strconv.ParseInt(text, 10, 64); err == nil {
		return text != "-0"
	}
	number, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return false
	}
	written, err := json.Marshal(number)
	return err == nil && string(written) == text
}

// isEmpty reports whether Go leaves out a value of a field with omitempty.
func (l *losses) isEmpty(r *model.Ref, v *value.Value) bool {
	switch l.m.Underlying(r).Kind {
	case model.KindSlice, model.KindMap:
		return len(v.Items)+len(v.Members) == 0
	}
	return value.IsZero(l.m, r, v)
}

// below prints comparisons of the parts of a value. in and out are addressable.
func (l *losses) below(v *plan.Value, in, out, back string, here at) {
	switch v.Kind {
	case plan.Pair:
		t := l.plan.Of(v.Older.ID(), v.Hub.ID())
		switch {
		case t.Value == nil:
			l.reports(l.lossName(t, l.way) + "(" + address(in) + ", " + address(out) + ")")
		case t.Enum != nil && t.Enum.At(l.way) != "":
			from, _ := v.Ends(l.way)
			l.flush()
			l.f.P("var ", back, " ", l.f.Type(from))
			l.value(v, !l.way, out, back, here.inNew())
			l.reports(back + " != " + in)
		default:
			if t.Value.Kind == plan.Pair && l.m.Struct(t.Value.Hub) != nil { // declared from a struct
				from, to := t.Value.Ends(l.way)
				in, out = "*(*"+l.f.Type(from)+")("+address(in)+")", "*(*"+l.f.Type(to)+")("+address(out)+")"
			}
			l.below(t.Value, in, out, back, here)
		}
	case plan.Pointer:
		if l.isStruct(v.Elem) {
			l.reports(in + " != nil && (" + out + " == nil || " + l.lossName(l.plan.Of(v.Elem.Older.ID(), v.Elem.Hub.ID()), l.way) + "(" + in + ", " + out + "))")
			return
		}
		l.block("if "+in+" != nil", func() {
			l.reports(out + " == nil")
			l.below(v.Elem, "*"+in, "*"+out, back, here)
		})
	case plan.List, plan.Array:
		if v.Kind == plan.List {
			l.reports("len(" + out + ") != len(" + in + ")")
		}
		i := index(l.depth)
		l.block("for "+i+" := range "+in, func() {
			l.nested(func() { l.below(v.Elem, operand(in)+"["+i+"]", operand(out)+"["+i+"]", back, here) })
		})
	case plan.Map:
		k, item := keyName(l.depth), valueName(l.depth)
		key, ok := l.expression(v.Key, l.way, k)
		if !ok || l.losesValue(v.Key, l.losing) {
			l.reports("len(" + in + ") > 0")
			return
		}
		l.block("for "+k+", "+item+" := range "+in, func() {
			converted := "new" + strings.ToUpper(item[:1]) + item[1:]
			l.f.P(converted, ", ok := ", operand(out), "[", key, "]")
			l.reports("!ok")
			l.nested(func() { l.below(v.Elem, item, converted, back, here) })
		})
	}
}

// wholly prints a comparison of a struct with what the opposite conversion makes of the converted one.
func (l *losses) wholly(t *plan.Type) {
	from, _ := t.Ends(l.way)
	l.flush()
	l.f.P("var back ", l.typeName(from))
	l.reports(l.back(t) + "(" + l.given(t, !l.way, "out") + ", &back, nil) != nil")
	if t.Kind {
		l.flush()
		l.f.P("back.TypeMeta = in.TypeMeta")
	}
	l.reports("!" + l.f.Ident("reflect", "DeepEqual") + "(&back, in)")
	l.f.P("return ", l.condition())
}

// back returns the name of the function that converts back, without tracking.
func (l *losses) back(t *plan.Type) string {
	name := l.function(t, !l.way)
	if t.Completes() && !t.ByHand(!l.way) {
		name = "auto" + name
	}
	return name
}

// isStruct reports whether a function compares a value.
func (l *losses) isStruct(v *plan.Value) bool {
	return v.Kind == plan.Pair && l.plan.Of(v.Older.ID(), v.Hub.ID()).Value == nil
}

// isZero returns the condition that omitzero leaves out an addressable value of a struct or an array.
func (w *writer) isZero(r *model.Ref, v string) string {
	if value.HasIsZero(r) {
		return operand(v) + ".IsZero()"
	}
	return w.f.Ident("reflect", "ValueOf") + "(" + address(v) + ").Elem().IsZero()"
}

func (w *writer) nonZero(v string) string {
	return "!" + w.f.Ident("reflect", "ValueOf") + "(" + v + ").IsZero()"
}

// isNonZero returns a condition that a value is not the zero value.
func (w *writer) isNonZero(r *model.Ref, v string) string {
	switch u := w.m.Underlying(r); {
	case u.IsScalar():
		return w.isSet(r, v, true)
	case u.Kind == model.KindPointer, u.Kind == model.KindInterface, u.Kind == model.KindSlice, u.Kind == model.KindMap:
		return v + " != nil"
	}
	return w.nonZero(v)
}

// differs returns a condition that two values differ. isSet means that the second is no nil pointer.
func (w *writer) differs(r *model.Ref, a, b string, omitEmpty, isSet bool) string {
	switch {
	case w.flat(r):
		return a + " != " + b
	case r.Kind == model.KindPointer && w.flat(r.Elem) && isSet:
		return a + " == nil || *" + a + " != *" + b
	case r.Kind == model.KindSlice && w.flat(r.Elem) && omitEmpty:
		return "!" + w.f.Ident("slices", "Equal") + "(" + a + ", " + b + ")"
	}
	return "!" + w.f.Ident("reflect", "DeepEqual") + "(" + a + ", " + b + ")"
}

// exact reports whether the JSON of values of a type has all that the values have.
func (w *writer) exact(r *model.Ref) bool {
	switch r.Kind {
	case model.KindBuiltin:
		return r.IsScalar()
	case model.KindPointer, model.KindSlice, model.KindArray:
		return w.exact(r.Elem)
	case model.KindMap:
		return w.exact(r.Key) && w.exact(r.Elem)
	case model.KindNamed:
		if r.ID() == model.Duration || r.ID() == model.Quantity || r.ID() == model.IntOrString {
			return true
		}
		return !w.inexact.Ask(r.ID(), func() bool {
			t := w.m.Type(r.ID())
			switch {
			case t == nil || t.Generic || value.HasOwnJSON(w.m, r):
				return true
			case !t.IsStruct():
				return !w.exact(t.Def)
			}
			return slices.ContainsFunc(t.Fields, func(f *model.Field) bool { return f.Skipped || !w.exact(f.Type) })
		})
	}
	return false
}
