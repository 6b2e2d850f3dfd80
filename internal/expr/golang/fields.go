package golang

import (
	"strings"

	"github.com/kindsmith/kindsmith/internal/expr"
	"github.com/kindsmith/kindsmith/internal/expr/modeltype"
	"github.com/kindsmith/kindsmith/internal/model"
)

// goValue returns the value that a Go expression has in CEL. With pointer, the
// expression is a pointer to a value of the type, not nil. The type is what rules
// see of the Go type.
func (p *printer) goValue(code string, t *model.Ref, pointer bool, typ *expr.Type) value {
	a := alternative{when: constant(true), code: code, goType: t, pointer: pointer, typ: typ}
	if typ == nil || typ.Kind == expr.UnknownKind {
		a.kind = expr.UnknownKind
		return value{a}
	}
	if u := p.Model.Underlying(t); u.Kind == model.KindPointer {
		if pointer {
			code = "(*" + code + ")"
		}
		set := compared(code, "!=", "nil")
		v := p.goValue(code, u.Elem, true, typ).under(set)
		if typ.Nullable {
			v = append(v, alternative{when: not(set), kind: expr.NullKind})
		}
		return v
	}
	switch t.ID() {
	case modeltype.Time, modeltype.MicroTime:
		a.kind, a.code, a.goType, a.pointer = expr.TimestampKind, code+".Time", nil, false
		a.when = not(holds(code + ".IsZero()")) // null
		return value{a}
	case model.Name{Package: "time", Name: "Time"}:
		a.kind, a.code, a.goType, a.pointer = expr.TimestampKind, a.scalar(), nil, false
		return value{a}
	case modeltype.Duration:
		a.kind, a.text, a.code, a.goType, a.pointer = expr.StringKind, expr.DurationKind, code+".Duration", nil, false
		return value{a}
	case modeltype.Quantity:
		a.kind, a.text, a.code, a.goType, a.pointer = expr.StringKind, expr.QuantityKind, a.scalar(), nil, false
		return value{a}
	case modeltype.IntOrString:
		isInt := compared(code+".Type", "==", p.ident(modeltype.IntOrString.Package, "Int"))
		return value{
			{when: isInt, kind: expr.IntKind, code: code + ".IntVal", goType: model.Builtin("int32"), bits: 31},
			{when: not(isInt), kind: expr.StringKind, code: code + ".StrVal"},
		}
	}
	resolved, chain := p.Model.Resolve(t)
	for _, named := range chain {
		if named.Methods["MarshalJSON"] != nil || named.Methods["MarshalText"] != nil {
			a.kind = expr.UnknownKind
			return value{a}
		}
	}
	switch {
	case resolved.Kind == model.KindStruct && len(chain) > 0:
		a.kind = expr.ObjectKind
		if modeltype.Known(t.ID()) != nil {
			a.kind = expr.UnknownKind
		}
		a.goType = model.Named(chain[len(chain)-1].Package, chain[len(chain)-1].Name)
	case resolved.IsBytes():
		a.kind = expr.BytesKind
	case resolved.Kind == model.KindSlice, resolved.Kind == model.KindArray:
		a.kind = expr.ListKind
		a.list = &list{code: a.scalarOperand(), goType: t, elem: resolved.Elem, typ: typ.Elem}
	case resolved.Kind == model.KindMap:
		a.kind = expr.MapKind
		a.list = &list{code: a.scalarOperand(), goType: t, elem: resolved.Key, keys: true, typ: expr.StringType()}
	case resolved.IsString():
		a.kind = expr.StringKind
		if typ.Kind != expr.StringKind {
			a.kind = expr.UnknownKind // a format that API servers parse
		}
	case resolved.IsBool():
		a.kind = expr.BoolKind
	case resolved.IsInteger():
		a.kind, a.bits = expr.IntKind, integerBits[resolved.Name]
		if a.bits > 63 {
			a.when, a.bits = compared(a.scalar(), "<=", "1<<63-1"), 63 // CEL has no such integers
		}
	case resolved.IsFloat():
		a.kind = expr.DoubleKind
	default:
		a.kind = expr.UnknownKind
	}
	return value{a}
}

// scalarOperand is scalar in a place where operators bind tighter.
func (a alternative) scalarOperand() string {
	if a.pointer {
		return "(*" + a.code + ")"
	}
	return a.code
}

// field is the way to a property: the fields of Go to go through.
func (p *printer) field(t *model.Type, property string) []*model.Field {
	for _, f := range t.Fields {
		if f.JSON == property && !f.Inline && !f.Skipped {
			return []*model.Field{f}
		}
	}
	for _, f := range t.Fields {
		if s := p.Model.Struct(f.Type); f.Inline && s != nil && s != t {
			if rest := p.field(s, property); rest != nil {
				return append([]*model.Field{f}, rest...)
			}
		}
	}
	return nil
}

// property returns a property of a struct: its value, and the conditions under
// which JSON has it and does not.
func (p *printer) property(a alternative, e *expr.Select) (v value, present, absent cond) {
	name, ok := e.Property()
	t := p.Model.Type(a.goType.ID())
	var way []*model.Field
	if ok && t != nil {
		way = p.field(t, name)
	}
	if way == nil {
		p.refuse(e, "the field %s", name)
	}
	code := a.code
	var guards []cond
	for _, f := range way[:len(way)-1] {
		code += "." + f.Name
		if p.Model.Underlying(f.Type).Kind == model.KindPointer {
			guards = append(guards, compared(code, "!=", "nil"))
		}
	}
	f := way[len(way)-1]
	code += "." + f.Name
	set := p.set(f, code)
	guard := and(guards...)
	v = p.goValue(code, f.Type, false, p.fieldType(a, f, name))
	return v, and(guard, set), or(not(guard), not(set))
}

// fieldType returns what rules see of a field.
func (p *printer) fieldType(a alternative, f *model.Field, name string) *expr.Type {
	if t := p.Types.Objects[a.typ.Name][name]; a.typ.Kind == expr.ObjectKind && t != nil {
		return t
	}
	return p.Types.Of(f.Type)
}

// set is the condition under which a field's value is in the JSON of its struct,
// and not null.
func (p *printer) set(f *model.Field, code string) cond {
	u := p.Model.Underlying(f.Type)
	omit := f.OmitEmpty || f.OmitZero
	switch {
	case u.Kind == model.KindPointer, u.Kind == model.KindInterface:
		return compared(code, "!=", "nil")
	case f.Type.ID() == modeltype.Time || f.Type.ID() == modeltype.MicroTime:
		return not(holds(code + ".IsZero()"))
	case f.Type.ID() == modeltype.RawExtension:
		return compared(code+".Raw", "!=", "nil")
	case u.Kind == model.KindSlice, u.Kind == model.KindMap:
		if f.OmitEmpty {
			return compared("len("+code+")", "!=", "0")
		}
		return compared(code, "!=", "nil")
	case u.IsString() && omit:
		return compared(code, "!=", `""`)
	case (u.IsInteger() || u.IsFloat()) && omit:
		return compared(code, "!=", "0")
	case u.IsBool() && omit:
		return holds(code)
	case u.Kind == model.KindArray && f.OmitEmpty && u.Len == 0:
		return constant(false)
	case u.Kind == model.KindStruct && f.OmitZero:
		if p.hasIsZero(f.Type) {
			return not(holds(code + ".IsZero()"))
		}
		return not(holds(p.call1("IsZero", "&"+code)))
	}
	return constant(true)
}

// hasIsZero reports whether a type says itself what its zero values are, which
// the option omitzero of JSON respects.
func (p *printer) hasIsZero(t *model.Ref) bool {
	if t.ID() == modeltype.Quantity {
		return true
	}
	decl := p.Model.Type(t.ID())
	return decl != nil && decl.Methods["IsZero"] != nil
}

func (p *printer) runtime(name string) string { return p.ident(Runtime, name) }

func (p *printer) call1(name string, args ...string) string {
	return p.runtime(name) + "(" + strings.Join(args, ", ") + ")"
}

// has prints has(x.f).
func (p *printer) has(e *expr.Select) tri {
	var yes, no []cond
	for _, a := range p.value(e.Operand) {
		if a.kind == expr.OptionalKind {
			p.refuse(e, "has() of an optional value")
		}
		_, present, absent := p.entry(a, e)
		yes, no = append(yes, and(a.when, present)), append(no, and(a.when, absent))
	}
	return tri{or(yes...), or(no...)}
}

// entry selects from one alternative: the value, and the conditions under which
// it is set and unset. Neither holds when nothing can be selected.
func (p *printer) entry(a alternative, e *expr.Select) (v value, present, absent cond) {
	switch a.kind {
	case expr.ObjectKind:
		return p.property(a, e)
	case expr.MapKind:
		return p.mapEntry(a, constantOf(e.Word()), e)
	case expr.UnknownKind, expr.BytesKind:
		p.refuse(e, "a field of unknown data")
	}
	return nil, constant(false), constant(false)
}

func (p *printer) mapEntry(a alternative, key alternative, e expr.Expr) (v value, present, absent cond) {
	u := p.Model.Underlying(a.list.goType)
	if k := p.Model.Underlying(u.Key); !k.IsString() {
		p.refuse(e, "a map whose keys are no strings in Go")
	}
	k := p.in(key, u.Key)
	set := holds(p.call1("HasKey", a.list.code, k))
	return p.goValue(a.list.code+"["+k+"]", u.Elem, false, a.typ.Elem), set, not(set)
}

// in returns code for a value in a Go type; constants need no conversion.
func (p *printer) in(a alternative, t *model.Ref) string {
	if a.constant != nil || a.goType != nil && a.goType.Equal(t) {
		return a.scalar()
	}
	if t.Kind == model.KindBuiltin {
		return p.plain(a)
	}
	return p.typeText(t) + "(" + a.scalar() + ")"
}

// selection prints x.f and x.?f.
func (p *printer) selection(e *expr.Select) value {
	var out value
	for _, a := range p.value(e.Operand) {
		out = append(out, p.selectFrom(a, e)...)
	}
	return out
}

func (p *printer) selectFrom(a alternative, e *expr.Select) value {
	if a.kind == expr.OptionalKind {
		// A field of an optional value is one itself.
		if a.some == nil {
			return value{a}
		}
		inner := *e
		inner.Optional = true
		var out value
		for _, s := range a.some {
			s.when = and(a.when, s.when)
			out = append(out, p.selectFrom(s, &inner)...)
		}
		return out
	}
	v, present, absent := p.entry(a, e)
	if !e.Optional {
		return v.under(and(a.when, present))
	}
	return maybe(v, a.when, present, absent)
}

// maybe is an optional value.
func maybe(v value, when, present, absent cond) value {
	return value{
		{when: and(when, present), kind: expr.OptionalKind, some: v},
		{when: and(when, absent), kind: expr.OptionalKind},
	}
}

// index prints x[k] and x[?k].
func (p *printer) index(e *expr.Call) value {
	var out value
	for _, a := range p.value(e.Args[0]) {
		for _, k := range p.value(e.Args[1]) {
			out = append(out, p.elementOf(a, k, e, e.Func == expr.OpOptIndex)...)
		}
	}
	return out
}

// elementOf prints the item or entry of one alternative, as an optional value or
// not; that of an optional value is one itself.
func (p *printer) elementOf(a, k alternative, e *expr.Call, optional bool) value {
	when := and(a.when, k.when)
	var v value
	var present, absent cond
	switch {
	case a.kind == expr.OptionalKind && a.some == nil:
		return value{a}.under(k.when)
	case a.kind == expr.OptionalKind:
		var out value
		for _, s := range a.some {
			s.when = and(a.when, s.when)
			out = append(out, p.elementOf(s, k, e, true)...)
		}
		return out
	case a.kind == expr.MapKind && k.kind == expr.StringKind && k.text == "":
		v, present, absent = p.mapEntry(a, k, e)
	case a.kind == expr.ListKind && k.kind == expr.IntKind:
		v, present = p.item(a.list, k, e)
		absent = not(present)
	case a.kind == expr.ListKind || a.kind == expr.MapKind:
		return nil // an index of another type fails
	default:
		p.refuse(e, "an index of %s", a.kind)
	}
	if optional {
		return maybe(v, when, present, absent)
	}
	return v.under(and(when, present))
}

func (p *printer) item(l *list, k alternative, e expr.Expr) (value, cond) {
	i, isConstant := k.constant.(int64)
	if l.literal && len(l.steps) == 0 && isConstant {
		if i < 0 || i >= int64(len(l.items)) {
			return nil, constant(false)
		}
		return l.items[i], constant(true)
	}
	if l.literal || len(l.steps) > 0 || l.keys {
		p.refuse(e, "an index of a list that is no field")
	}
	size := "len(" + l.code + ")"
	var inRange cond
	if isConstant {
		if i < 0 {
			return nil, constant(false)
		}
		inRange = compared(size, ">", k.code)
	} else {
		code := p.plain(k)
		inRange = and(compared(code, ">=", "0"), compared(code, "<", "int64("+size+")"))
	}
	return p.goValue(l.code+"["+k.scalar()+"]", l.elem, false, l.typ), inRange
}
