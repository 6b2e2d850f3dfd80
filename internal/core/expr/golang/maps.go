package golang

import (
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/core/goexpr"
	"github.com/kindsmith/kindsmith/internal/core/model"
)

// mapping prints a map that is written out. A map of constants is a package variable, so that rules use it like any other map.
func (p *printer) mapping(e *expr.Map) value {
	l := &list{literal: true, keys: true, typ: expr.StringType(), values: []value{}}
	var ok []goexpr.Expr
	for _, x := range e.Entries {
		if x.Optional {
			p.refuse(x.Value, "optional entries")
		}
		key := p.value(x.Key)
		if len(key) != 1 || key[0].kind == expr.DoubleKind || plainTypes[key[0].kind] == "" || key[0].text != "" {
			p.refuse(x.Key, "a key that is not a constant")
		}
		v := p.value(x.Value)
		ok = append(ok, key[0].when, v.ok())
		key[0].when = goexpr.True
		if i := slices.IndexFunc(l.items, func(other value) bool { return key[0].constant != nil && other[0].constant == key[0].constant }); i >= 0 {
			l.values[i] = v // the last entry with a key counts
			continue
		}
		l.items, l.values = append(l.items, key), append(l.values, v)
		l.mayRepeat = len(l.items) > 1 && (l.mayRepeat || key[0].constant == nil || l.items[0][0].constant == nil)
	}
	a := alternative{when: goexpr.And(ok...), kind: expr.MapKind, list: l}
	if kind := l.constants(); kind != "" {
		elem := model.Builtin(plainTypes[kind])
		a.goType = &model.Ref{Kind: model.KindMap, Key: model.Builtin("string"), Elem: elem}
		a.typ = expr.MapType(&expr.Type{Kind: kind})
		a.code = p.declare("table", goexpr.Raw("map[string]"+elem.Name+p.table(l)))
		a.list = &list{code: a.code, goType: a.goType, elem: a.goType.Key, keys: true, typ: expr.StringType(), items: l.items, values: l.values}
	}
	return value{a}
}

// constants returns the kind of the values of a map that is written out, if they are constants of one kind, and the keys are
// strings; "" for others.
func (l *list) constants() expr.Kind {
	kind := expr.Kind("")
	for i, v := range l.values {
		key := l.items[i][0]
		if len(v) != 1 || v[0].constant == nil || plainTypes[v[0].kind] == "" || i > 0 && v[0].kind != kind || key.kind != expr.StringKind || key.constant == nil {
			return ""
		}
		kind = v[0].kind
	}
	return kind
}

// table returns the entries of a map of constants in Go.
func (p *printer) table(l *list) string {
	entries := make([]string, len(l.items))
	for i, key := range l.items {
		entries[i] = goexpr.Preview(key[0].code) + ": " + goexpr.Preview(p.plain(l.values[i][0]))
	}
	return "{" + strings.Join(entries, ", ") + "}"
}

// later are the conditions that an entry does not have the key of later ones, if the keys of a map may repeat.
func later(l *list, not []goexpr.Expr) []goexpr.Expr {
	if !l.mayRepeat {
		return nil
	}
	return not
}

// mapEntry selects an entry of a map: the value, and the conditions under which the map has the key and lacks it.
func (p *printer) mapEntry(a, key alternative, e expr.Expr) (v value, present, absent goexpr.Expr) {
	if a.list.literal {
		var is, not []goexpr.Expr
		for i, k := range slices.Backward(a.list.items) {
			t := p.equal(key, k[0], e)
			v = append(v, a.list.values[i].under(goexpr.And(append([]goexpr.Expr{t.yes}, later(a.list, not)...)...))...)
			is, not = append(is, t.yes), append(not, t.no)
		}
		return v, goexpr.Or(is...), goexpr.And(not...)
	}
	u := p.Model.Underlying(a.list.goType)
	if k := p.Model.Underlying(u.Key); !k.IsString() {
		p.refuse(e, "a map whose keys are no strings in Go")
	}
	k := p.in(key, u.Key)
	set := p.call1("HasKey", a.list.code, k)
	return p.goValue(goexpr.Entry(a.list.code, k), u.Elem, a.typ.Elem), set, goexpr.Not(set)
}
