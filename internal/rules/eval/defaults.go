package eval

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/defaulting"
)

// Default sets the declared defaults of an object like generated Go. It returns the object and the
// functions that only Go can run. As in Go, the zero value of a non-pointer scalar counts as unset.
func (s *Set) Default(name TypeName, object map[string]any) (map[string]any, []NotRun, error) {
	t, err := s.goType(name)
	if err != nil {
		return nil, nil, err
	}
	d := &defaulter{set: s, evaluation: &evaluation{set: s, skipped: map[string]bool{}}}
	out, _ := d.below(t, clone(object)).(map[string]any)
	return out, d.notRun, nil
}

// defaulter sets defaults in JSON values that it may change.
type defaulter struct {
	*evaluation
	set *Set
	// depth limits recursive defaults, which package check rejects.
	depth int
}

const deepest = 200

// below sets the defaults in a value, and returns the value.
func (d *defaulter) below(t *goType, raw any) any {
	if d.depth == deepest {
		return raw
	}
	d.depth++
	defer func() { d.depth-- }()
	if t.declared && t.form != structForm {
		d.byHand(d.set.model.Type(t.ref.ID()))
	}
	switch t.form {
	case pointerForm:
		if raw != nil {
			return d.below(t.elem, raw)
		}
	case listForm:
		list, _ := raw.([]any)
		for i := range list {
			list[i] = d.element(t.elem, list[i])
		}
	case arrayForm:
		return d.array(t, raw)
	case mapForm:
		object, _ := raw.(map[string]any)
		for _, key := range sortedKeys(object) {
			object[key] = d.element(t.elem, object[key])
		}
	case structForm:
		return d.structure(t, raw)
	}
	return raw
}

// array sets the defaults of the items of an array, which Go has regardless of the length of the
// JSON list.
func (d *defaulter) array(t *goType, raw any) any {
	list, isList := raw.([]any)
	if raw != nil && !isList {
		return raw
	}
	out := make([]any, max(len(list), t.size))
	copy(out, list)
	for i := range out {
		out[i] = d.element(t.elem, out[i])
	}
	if !slices.ContainsFunc(out[len(list):], func(item any) bool { return item != nil }) {
		out = out[:len(list)]
	}
	if raw == nil && len(out) == 0 {
		return nil
	}
	return out
}

// element sets the default of a list item or map value, and the defaults in it.
func (d *defaulter) element(t *goType, raw any) any {
	if e, ok := defaulting.OfValue(d.set.model, t.ref); ok {
		raw = d.assign(t, raw, e, true)
	}
	return d.below(t, raw)
}

// structure sets the defaults of a struct's fields. A struct that is absent in JSON exists in Go:
// it becomes an object if any of its fields has a default.
func (d *defaulter) structure(t *goType, raw any) any {
	object, isObject := raw.(map[string]any)
	if raw != nil && !isObject {
		return raw
	}
	if object == nil {
		object = map[string]any{}
	}
	d.fields(t, object)
	if raw == nil && len(object) == 0 {
		return nil
	}
	return object
}

func (d *defaulter) fields(t *goType, object map[string]any) {
	decl := d.set.model.Struct(t.ref)
	if decl == nil || d.instead(decl) {
		return
	}
	if declared := d.set.model.Type(t.ref.ID()); declared != decl {
		d.byHand(declared)
	}
	d.byHand(decl)
	for _, f := range t.fields {
		switch {
		case !f.Exported():
		case f.inlined && f.typ.form != pointerForm || f.inlined && hasAny(f.typ.elem, object):
			d.fields(f.typ.pointee(), object)
		case !f.inlined:
			d.field(decl, f, object)
		}
	}
}

// hasAny reports whether an object has a key of a struct's fields, so that Go allocates the struct.
func hasAny(t *goType, object map[string]any) bool {
	return slices.ContainsFunc(t.keys(), func(k wireKey) bool {
		_, ok := object[k.name]
		return ok
	})
}

func (d *defaulter) field(decl *model.Type, f *goField, object map[string]any) {
	key := cmp.Or(f.JSON, f.Name)
	raw, given := object[key]
	after := raw
	if e, ok := defaulting.OfField(d.set.model, decl, f.Field); ok {
		after = d.assign(f.typ, raw, e, given)
	}
	if !defaulting.StaysAbsent(d.set.model, f.Field) || after != nil && !d.isZero(f.typ, after) {
		after = d.below(f.typ, after)
	}
	if given || after != nil {
		object[key] = after
	}
}

// assign returns a value or, if it is unset, its default.
func (d *defaulter) assign(t *goType, raw any, e defaulting.Effective, given bool) any {
	switch {
	case e.IsAuto():
		return raw
	case e.OnServers && given && raw != nil:
		return raw
	case !e.OnServers && !d.unset(t, raw):
		return raw
	}
	dec := json.NewDecoder(strings.NewReader(e.JSON()))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil {
		return raw
	}
	if v == nil || !e.OnServers && t.form != pointerForm && d.zero(t, v) {
		return raw // already set
	}
	return v
}

// unset reports whether a value is unset in Go.
func (d *defaulter) unset(t *goType, raw any) bool {
	if raw == nil {
		return t.form != foreignForm
	}
	switch t.form {
	case stringForm, boolForm, intForm, uintForm, floatForm, knownForm:
		return d.zero(t, raw)
	}
	return false
}

// zero reports whether a JSON value is the zero value of a scalar or of a type
// with custom JSON.
func (d *defaulter) zero(t *goType, raw any) bool {
	switch t.form {
	case stringForm, boolForm, intForm, uintForm, floatForm, knownForm:
	default:
		return false
	}
	return d.isZero(t, raw)
}

// isZero reports whether a JSON value is the zero value of its type.
func (d *defaulter) isZero(t *goType, raw any) bool {
	dec := &decoder{run: &d.run}
	v := dec.decode(t, nil, raw)
	return len(dec.malformed) == 0 && v.isZero()
}

// instead reports whether a hand-written function sets all defaults of a type.
func (d *defaulter) instead(t *model.Type) bool {
	f := d.set.function("SetObjectDefaults_"+t.Name, t)
	if covers := d.set.function("SetDefaults_"+t.Name, t); f == nil && covers != nil && covers.Covers {
		f = covers
	}
	if f != nil {
		d.needsGo(t.Package+"."+f.Name, "it is a Go function", f.Span)
	}
	return f != nil
}

// byHand records the hand-written functions that set defaults of a type.
func (d *defaulter) byHand(t *model.Type) {
	if t == nil {
		return
	}
	p := d.set.model.Package(t.Package)
	if p == nil {
		return
	}
	prefix := "SetDefaults_" + t.Name
	for _, name := range slices.Sorted(maps.Keys(p.Funcs)) {
		if f := d.set.function(name, t); f != nil && (name == prefix || strings.HasPrefix(name, prefix+"_")) {
			d.needsGo(t.Package+"."+name, "it is a Go function", f.Span)
		}
	}
}

// function returns the function func(*T) of a type's package, or nil.
func (s *Set) function(name string, t *model.Type) *model.Func {
	p := s.model.Package(t.Package)
	if p == nil {
		return nil
	}
	f := p.Funcs[name]
	if f == nil || len(f.Params) != 1 || len(f.Results) != 0 || !f.Params[0].Equal(model.PointerTo(model.Named(t.Package, t.Name))) {
		return nil
	}
	return f
}

// clone copies a JSON value.
func clone(raw any) any {
	switch raw := raw.(type) {
	case map[string]any:
		out := make(map[string]any, len(raw))
		for key, v := range raw {
			out[key] = clone(v)
		}
		return out
	case []any:
		out := make([]any, len(raw))
		for i, v := range raw {
			out[i] = clone(v)
		}
		return out
	}
	return raw
}
