package conversion

import (
	"bytes"
	"encoding/json"
	"go/token"
	"maps"
	"slices"
	"strconv"

	"github.com/kindsmith/kindsmith/internal/model"
)

// defaultValue prints the default of a field that the older version lacks, and
// the changes of its type since it was added.
func (w *writer) defaultValue(f *model.Field, added *model.Change, text string) {
	steps := w.stepsSince(f, added.Since)
	was := f.Type
	if len(steps) > 0 {
		was = steps[0].From
	}
	var v string
	if isFunctionName(text) {
		v = w.f.Ident(w.hub.Path, text) + "()"
	} else {
		l := &literals{writer: w, name: local(f, added.Since)}
		v = l.of(was, json.RawMessage(text), len(steps) == 0)
	}
	here := at{name: wireName(f), span: f.Span}
	w.f.P("out.", f.Name, " = ", w.climb(f, steps, v, here))
}

// isFunctionName reports whether a default names a function; otherwise it is JSON.
func isFunctionName(text string) bool {
	return token.IsIdentifier(text) && text != "true" && text != "false" && text != "null"
}

// stepsSince returns the changes of a field's type after a version, oldest first.
func (w *writer) stepsSince(f *model.Field, since string) []*model.Change {
	order := map[string]int{}
	for i, v := range w.hub.Versions {
		order[v.Name] = i
	}
	order[w.hub.Version] = len(w.hub.Versions)
	var steps []*model.Change
	for _, c := range f.Changes {
		if c.From != nil && order[c.Since] > order[since] {
			steps = append(steps, c)
		}
	}
	slices.SortStableFunc(steps, func(a, b *model.Change) int { return order[a.Since] - order[b.Since] })
	return steps
}

// literals writes JSON values as Go expressions. What Go cannot take the
// address of becomes a variable first.
type literals struct {
	*writer
	name string
	n    int
}

// of returns a Go expression for a JSON value that fits the type. In a place
// that has the type already, typed, a constant needs no conversion.
func (l *literals) of(r *model.Ref, text json.RawMessage, typed bool) string {
	if elem, ok := l.m.Deref(r); ok {
		if string(text) == "null" {
			return l.convert(r, "nil", typed)
		}
		e := l.of(elem, text, false)
		if l.m.Underlying(elem).Kind == model.KindStruct {
			return "&" + e
		}
		l.n++
		name := l.name + "Value" + strconv.Itoa(l.n)
		l.f.P(name, " := ", e)
		return "&" + name
	}
	switch u := l.m.Underlying(r); u.Kind {
	case model.KindStruct:
		return l.structOf(l.m.Type(l.lastName(r)), r, text)
	case model.KindSlice, model.KindArray:
		return l.sliceOf(r, u, text, typed)
	case model.KindMap:
		return l.mapOf(r, u, text, typed)
	}
	return l.scalarOf(r, text, typed)
}

// lastName returns the declared struct that a chain of declared types ends in.
func (l *literals) lastName(r *model.Ref) model.Name {
	_, chain := l.m.Resolve(r)
	if len(chain) == 0 {
		return model.Name{}
	}
	return chain[len(chain)-1].ID()
}

func (l *literals) structOf(t *model.Type, r *model.Ref, text json.RawMessage) string {
	var object map[string]json.RawMessage
	_ = json.Unmarshal(text, &object)
	list := ""
	for _, f := range t.Fields {
		v, ok := object[f.JSON]
		if !ok || f.JSON == "" {
			continue
		}
		list = join(list, f.Name+": "+l.of(f.Type, v, true))
	}
	return l.f.Type(r) + "{" + list + "}"
}

func (l *literals) sliceOf(r, u *model.Ref, text json.RawMessage, typed bool) string {
	var values []json.RawMessage
	if json.Unmarshal(text, &values) != nil || values == nil {
		return l.convert(r, "nil", typed)
	}
	list := ""
	for _, v := range values {
		list = join(list, l.of(u.Elem, v, true))
	}
	return l.f.Type(r) + "{" + list + "}"
}

func (l *literals) mapOf(r, u *model.Ref, text json.RawMessage, typed bool) string {
	var object map[string]json.RawMessage
	if json.Unmarshal(text, &object) != nil || object == nil {
		return l.convert(r, "nil", typed)
	}
	list := ""
	for _, k := range slices.Sorted(maps.Keys(object)) {
		list = join(list, strconv.Quote(k)+": "+l.of(u.Elem, object[k], true))
	}
	return l.f.Type(r) + "{" + list + "}"
}

func (l *literals) scalarOf(r *model.Ref, text json.RawMessage, typed bool) string {
	e := string(bytes.TrimSpace(text))
	var s string
	if json.Unmarshal(text, &s) == nil && e != "null" {
		e = strconv.Quote(s)
		if t := l.m.Type(r.ID()); t != nil {
			for _, c := range t.Consts {
				if c.IsString && c.Value == s {
					return l.f.Ident(t.Package, c.Name)
				}
			}
		}
	}
	return l.convert(r, e, typed)
}

// convert types a constant, where its place does not.
func (l *literals) convert(r *model.Ref, e string, typed bool) string {
	if typed {
		return e
	}
	t := l.f.Type(r)
	if r.Kind == model.KindPointer || r.Kind == model.KindSlice || r.Kind == model.KindMap {
		t = "(" + t + ")"
	}
	return t + "(" + e + ")"
}

func join(list, e string) string {
	if list == "" {
		return e
	}
	return list + ", " + e
}
