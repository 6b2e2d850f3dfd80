package golang

import (
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/core/goexpr"
	"github.com/kindsmith/kindsmith/internal/core/model"
)

// mapping prints a map that is written out. One of constants is a package variable, so that rules use it like any other map.
func (p *printer) mapping(e *expr.Map) value {
	l := &list{literal: true, keys: true, typ: expr.StringType()}
	seen := map[any]bool{}
	var ok []goexpr.Expr
	for _, x := range e.Entries {
		if x.Optional {
			p.refuse(x.Value, "optional entries")
		}
		key := p.value(x.Key)
		if len(key) != 1 || key[0].constant == nil || key[0].kind == expr.DoubleKind {
			p.refuse(x.Key, "a key that is not a constant")
		}
		if seen[key[0].constant] {
			return nil // fails
		}
		seen[key[0].constant] = true
		v := p.value(x.Value)
		ok = append(ok, v.ok())
		l.items, l.values = append(l.items, key), append(l.values, v)
	}
	a := alternative{when: goexpr.And(ok...), kind: expr.MapKind, list: l}
	if kind := l.constants(); kind != "" {
		elem := model.Builtin(plainTypes[kind])
		a.goType = &model.Ref{Kind: model.KindMap, Key: model.Builtin("string"), Elem: elem}
		a.typ = expr.MapType(&expr.Type{Kind: kind})
		a.code = p.declare("table", goexpr.Raw("map[string]"+elem.Name+p.table(l)))
		a.list = &list{code: a.code, goType: a.goType, elem: a.goType.Key, keys: true, typ: expr.StringType()}
	}
	return value{a}
}

// constants returns the kind of the values of a map that is written out, if they are constants of one kind, and the keys are
// strings; "" for others.
func (l *list) constants() expr.Kind {
	kind := expr.Kind("")
	for i, v := range l.values {
		if len(v) != 1 || v[0].constant == nil || plainTypes[v[0].kind] == "" || i > 0 && v[0].kind != kind || l.items[i][0].kind != expr.StringKind {
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

// mapEntry selects an entry of a map: the value, and the conditions under which the map has the key and lacks it.
func (p *printer) mapEntry(a, key alternative, e expr.Expr) (v value, present, absent goexpr.Expr) {
	if a.list.literal {
		var is, not []goexpr.Expr
		for i, k := range a.list.items {
			t := p.equal(key, k[0], e)
			v = append(v, a.list.values[i].under(t.yes)...)
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
	return p.goValue(goexpr.Index(a.list.code, k), u.Elem, a.typ.Elem), set, goexpr.Not(set)
}
