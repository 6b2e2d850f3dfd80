package golang

import (
	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/core/expr/modeltype"
	"github.com/kindsmith/kindsmith/internal/core/goexpr"
	"github.com/kindsmith/kindsmith/internal/core/model"
)

// goValue returns the CEL value of a Go expression. The type is the CEL type of the Go type.
func (p *printer) goValue(code goexpr.Expr, t *model.Ref, typ *expr.Type) value {
	a := alternative{when: goexpr.True, code: code, goType: t, typ: typ}
	if typ == nil || typ.Kind == expr.UnknownKind {
		a.kind = expr.UnknownKind
		return value{a}
	}
	if u := p.Model.Underlying(t); u.Kind == model.KindPointer {
		set := goexpr.Ne(code, goexpr.Nil)
		v := p.goValue(goexpr.Star(code), u.Elem, typ).under(set)
		if typ.Nullable {
			v = append(v, alternative{when: goexpr.Not(set), kind: expr.NullKind})
		}
		return v
	}
	if v, ok := p.goKnown(a, t); ok {
		return v
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
		a.list = &list{code: code, goType: t, elem: resolved.Elem, typ: typ.Elem}
	case resolved.Kind == model.KindMap:
		a.kind = expr.MapKind
		a.list = &list{code: code, goType: t, elem: resolved.Key, keys: true, typ: expr.StringType()}
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
			a.when, a.bits = goexpr.Compare(code, "<=", goexpr.Raw("1<<63-1")), 63 // CEL has no such integers
		}
	case resolved.IsFloat():
		a.kind = expr.DoubleKind
	default:
		a.kind = expr.UnknownKind
	}
	return value{a}
}

// goKnown returns the CEL value of a type of Kubernetes that JSON writes as a string or a number; false for other types.
func (p *printer) goKnown(a alternative, t *model.Ref) (value, bool) {
	switch t.ID() {
	case model.Time, model.MicroTime:
		a.when = goexpr.Not(goexpr.Method(a.code, "IsZero")) // null
		a.kind, a.code, a.goType = expr.TimestampKind, goexpr.Sel(a.code, "Time"), nil
		return value{a}, true
	case model.GoTime:
		a.kind, a.goType = expr.TimestampKind, nil
		return value{a}, true
	case model.Duration:
		a.kind, a.text, a.code, a.goType = expr.StringKind, expr.DurationKind, goexpr.Sel(a.code, "Duration"), nil
		return value{a}, true
	case model.Quantity:
		a.kind, a.text, a.goType = expr.StringKind, expr.QuantityKind, nil
		return value{a}, true
	case model.IntOrString:
		isInt := goexpr.Eq(goexpr.Sel(a.code, "Type"), goexpr.Raw(p.ident(model.IntOrString.Package, "Int")))
		return value{
			{when: isInt, kind: expr.IntKind, code: goexpr.Sel(a.code, "IntVal"), goType: model.Builtin("int32"), bits: 31},
			{when: goexpr.Not(isInt), kind: expr.StringKind, code: goexpr.Sel(a.code, "StrVal")},
		}, true
	}
	return nil, false
}

// property returns a property of a struct: its value, and the conditions under
// which JSON has it and does not.
func (p *printer) property(a alternative, e *expr.Select) (v value, present, absent goexpr.Expr) {
	name, ok := e.Property()
	t := p.Model.Type(a.goType.ID())
	var member *model.Member
	if ok {
		member = p.Model.Object(t).Member(name)
	}
	if member == nil {
		p.refuse(e, "the field %s", name)
	}
	code, guard, set := p.memberOf(a.code, member)
	v = p.goValue(code, member.Type, p.fieldType(a, member.Field, name))
	return v, goexpr.And(guard, set), goexpr.Or(goexpr.Not(guard), goexpr.Not(set))
}

// memberOf returns code for a member of a struct, which JSON has if both conditions are true: that the pointers on the way to
// it are not nil, and that its value is set.
func (p *printer) memberOf(x goexpr.Expr, member *model.Member) (code, guard, set goexpr.Expr) {
	var guards []goexpr.Expr
	for _, f := range member.Through {
		x = goexpr.Sel(x, f.Name)
		if p.Model.Underlying(f.Type).Kind == model.KindPointer {
			guards = append(guards, goexpr.Ne(x, goexpr.Nil))
		}
	}
	code = goexpr.Sel(x, member.Field.Name)
	return code, goexpr.And(guards...), p.set(member, code)
}

// fieldType returns the CEL type of a field.
func (p *printer) fieldType(a alternative, f *model.Field, name string) *expr.Type {
	if t := p.Types.Objects[a.typ.Name][name]; a.typ.Kind == expr.ObjectKind && t != nil {
		return t
	}
	return p.Types.Of(f.Type)
}

// set is the condition under which a member's value is in the JSON of its struct,
// and not null.
func (p *printer) set(member *model.Member, code goexpr.Expr) goexpr.Expr {
	u := p.Model.Underlying(member.Type)
	switch member.Absent {
	case model.LackNil:
		if member.Type.ID() == model.RawExtension {
			code = goexpr.Sel(code, "Raw")
		}
		return goexpr.Ne(code, goexpr.Nil)
	case model.LackEmpty:
		return goexpr.Ne(length(code), zero)
	case model.LackZero:
		switch {
		case u.IsString():
			return goexpr.Ne(code, goexpr.Raw(`""`))
		case u.IsInteger(), u.IsFloat():
			return goexpr.Ne(code, zero)
		case u.IsBool():
			return code
		case HasIsZero(p.Model, member.Type):
			return goexpr.Not(goexpr.Method(code, "IsZero"))
		}
		return goexpr.Not(p.call1("IsZero", goexpr.Addr(code)))
	}
	return goexpr.True
}

// HasIsZero reports whether a type has a method IsZero, which omitzero uses.
func HasIsZero(m *model.Model, t *model.Ref) bool {
	switch t.ID() {
	case model.Quantity, model.Time, model.MicroTime:
		return true
	}
	decl := m.Type(t.ID())
	return decl != nil && decl.Methods["IsZero"] != nil
}

func (p *printer) runtime(name string) string { return p.ident(Runtime, name) }

func (p *printer) call1(name string, args ...goexpr.Expr) goexpr.Expr {
	return goexpr.Call(p.runtime(name), args...)
}

// convert converts to a Go type.
func convert(typ string, x goexpr.Expr) goexpr.Expr { return goexpr.Call(typ, x) }

func length(x goexpr.Expr) goexpr.Expr { return goexpr.Call("len", x) }

const zero = goexpr.Raw("0")

// has prints has(x.f).
func (p *printer) has(e *expr.Select) tri {
	var yes, no []goexpr.Expr
	for _, a := range p.value(e.Operand) {
		if a.kind == expr.OptionalKind {
			p.refuse(e, "has() of an optional value")
		}
		_, present, absent := p.entry(a, e)
		yes, no = append(yes, goexpr.And(a.when, present)), append(no, goexpr.And(a.when, absent))
	}
	return tri{goexpr.Or(yes...), goexpr.Or(no...)}
}

// entry selects from one alternative: the value, and the conditions under which
// it is set and unset. Neither is true if asking for it fails.
func (p *printer) entry(a alternative, e *expr.Select) (v value, present, absent goexpr.Expr) {
	switch a.kind {
	case expr.ObjectKind:
		return p.property(a, e)
	case expr.MapKind:
		return p.mapEntry(a, constantOf(e.Word()), e)
	case expr.UnknownKind, expr.BytesKind:
		p.refuse(e, "a field of unknown data")
	}
	return nil, goexpr.False, goexpr.Bool(a.kind != expr.ListKind) // a scalar does not have the field
}

// in returns code for a value in a Go type; constants need no conversion.
func (p *printer) in(a alternative, t *model.Ref) goexpr.Expr {
	if a.constant != nil || a.goType != nil && a.goType.Equal(t) {
		return a.code
	}
	if t.Kind == model.KindBuiltin {
		return p.plain(a)
	}
	return convert(p.typeText(t), a.code)
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
			s.when = goexpr.And(a.when, s.when)
			out = append(out, p.selectFrom(s, &inner)...)
		}
		return out
	}
	v, present, absent := p.entry(a, e)
	if !e.Optional {
		return v.under(goexpr.And(a.when, present))
	}
	return maybe(v, a.when, present, absent)
}

// maybe is an optional value.
func maybe(v value, when, present, absent goexpr.Expr) value {
	return value{
		{when: goexpr.And(when, present), kind: expr.OptionalKind, some: v},
		{when: goexpr.And(when, absent), kind: expr.OptionalKind},
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
	when := goexpr.And(a.when, k.when)
	var v value
	var present, absent goexpr.Expr
	switch {
	case a.kind == expr.OptionalKind && a.some == nil:
		return value{a}.under(k.when)
	case a.kind == expr.OptionalKind:
		var out value
		for _, s := range a.some {
			s.when = goexpr.And(a.when, s.when)
			out = append(out, p.elementOf(s, k, e, true)...)
		}
		return out
	case a.kind == expr.MapKind && (a.list.literal || k.kind == expr.StringKind && k.text == ""):
		v, present, absent = p.mapEntry(a, k, e)
	case a.kind == expr.ListKind && k.kind == expr.IntKind:
		v, present = p.item(a.list, k, e)
		absent = goexpr.Not(present)
	case a.kind == expr.ListKind && k.kind == expr.DoubleKind:
		p.refuse(e, "an index that is a double") // 1.0 is an index, 1.5 is none
	case (a.kind == expr.ListKind || a.kind == expr.MapKind) && k.kind != expr.UnknownKind && k.kind != expr.DynKind:
		return nil // an index of another type fails
	default:
		p.refuse(e, "an index of %s", a.kind)
	}
	if optional {
		return maybe(v, when, present, absent)
	}
	return v.under(goexpr.And(when, present))
}

func (p *printer) item(l *list, k alternative, e expr.Expr) (value, goexpr.Expr) {
	i, isConstant := k.constant.(int64)
	if l.literal && mapsOnly(l) && isConstant {
		if i < 0 || i >= int64(len(l.items)) {
			return nil, goexpr.False
		}
		return l.changed(l.items[i]), goexpr.True
	}
	if l.literal || len(l.steps) > 0 || l.keys {
		p.refuse(e, "an index of a list that is no field")
	}
	size := length(l.code)
	var inRange goexpr.Expr
	if isConstant {
		if i < 0 {
			return nil, goexpr.False
		}
		inRange = goexpr.Compare(size, ">", k.code)
	} else {
		code := p.plain(k)
		inRange = goexpr.And(goexpr.Compare(code, ">=", zero), goexpr.Compare(code, "<", convert("int64", size)))
	}
	return p.goValue(goexpr.Index(l.code, k.code), l.elem, l.typ), inRange
}
