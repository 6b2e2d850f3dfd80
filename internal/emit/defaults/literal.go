package defaults

import (
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/defaulting"
	"github.com/kindsmith/kindsmith/internal/model"
)

// lineWidth is the length from which a composite literal is spread over lines.
const lineWidth = 80

// literal writes one default as Go. What Go has no literal for, a pointer to a
// scalar, becomes a local variable: each use of the default gets memory of its
// own.
type literal struct {
	w *writer
	// text is the default's JSON; constant is set when it is a constant's value.
	text     string
	constant *defaulting.Constant
	// locals are the statements to print before.
	locals []string
	names  map[string]bool
}

// top writes the whole default for a value of type r.
func (l *literal) top(r *model.Ref, name string) string {
	v, err := defaulting.Parse(l.text)
	if err != nil {
		return "nil" // was reported: nothing is written
	}
	if elem, pointer := l.w.c.Model.Deref(r); pointer && l.needsLocal(elem) {
		return "&" + l.local(name, l.typed(elem, v, name))
	}
	return l.value(r, v, name)
}

// value writes v where Go knows that the type is r.
func (l *literal) value(r *model.Ref, v *defaulting.Value, name string) string {
	if o, ok := opaques[r.ID()]; ok {
		return o.literal(l.w.f, v, l.text[v.Start:v.End])
	}
	u := l.w.c.Model.Underlying(r)
	switch {
	case u.Kind == model.KindPointer && v.Kind != defaulting.Null:
		if l.needsLocal(u.Elem) {
			return "&" + l.local(name, l.typed(u.Elem, v, name))
		}
		return "&" + l.value(u.Elem, v, name)
	case u.IsScalar():
		return l.scalar(r, v)
	case v.Kind == defaulting.Null:
		return "nil"
	case u.IsBytes():
		data, _ := base64.StdEncoding.DecodeString(v.Text)
		return l.w.f.Type(r) + "(" + quote(string(data)) + ")"
	}
	return l.w.f.Type(r) + l.braces(r, u, v, name)
}

// scalar writes a constant, as the author's where the default names one.
func (l *literal) scalar(r *model.Ref, v *defaulting.Value) string {
	if c := l.constant; c != nil && (c.Package == l.w.c.Package.Path || exported(c.Name)) {
		ident := l.w.f.Ident(c.Package, c.Name)
		if c.Type != nil && c.Type.ID() == r.ID() {
			return ident
		}
		return l.w.f.Type(r) + "(" + ident + ")"
	}
	if v.Kind == defaulting.String {
		return quote(v.Text)
	}
	return v.Text
}

// typed writes v such that a variable made of it has type r.
func (l *literal) typed(r *model.Ref, v *defaulting.Value, name string) string {
	expr := l.value(r, v, name)
	u := l.w.c.Model.Underlying(r)
	own := l.constant != nil && (l.constant.Type != nil && l.constant.Type.ID() == r.ID() || strings.HasSuffix(expr, ")"))
	switch {
	case !u.IsScalar(), own, r.IsString(), r.IsBool(), r.Kind == model.KindBuiltin && r.Name == "int":
		return expr
	}
	return l.w.f.Type(r) + "(" + expr + ")"
}

// needsLocal reports whether Go has no &T{} for the type.
func (l *literal) needsLocal(r *model.Ref) bool {
	if _, ok := opaques[r.ID()]; ok {
		return true
	}
	switch u := l.w.c.Model.Underlying(r); u.Kind {
	case model.KindStruct, model.KindMap, model.KindArray:
		return false
	case model.KindSlice:
		return u.IsBytes()
	}
	return true
}

// local declares a variable. Its name holds a capital, so that no import is
// called the same.
func (l *literal) local(name, expr string) string {
	name = lowerCamel(name) + "Default"
	if l.names == nil {
		l.names = map[string]bool{}
	}
	unique := name
	for n := 2; l.names[unique] || l.w.c.Package.Decls[unique]; n++ {
		unique = name + strconv.Itoa(n)
	}
	l.names[unique] = true
	l.locals = append(l.locals, unique+" := "+expr)
	return unique
}

// lowerCamel returns an exported name as a local is called: FSType becomes fsType.
func lowerCamel(name string) string {
	n := 0
	for n < len(name) && exported(name[n:]) {
		n++
	}
	if n > 1 && n < len(name) && name[n] >= 'a' && name[n] <= 'z' && name[n:] != "s" {
		n-- // the last capital begins the next word
	}
	return strings.ToLower(name[:n]) + name[n:]
}

// braces writes the part of a composite literal behind its type.
func (l *literal) braces(r, u *model.Ref, v *defaulting.Value, name string) string {
	var parts []string
	switch u.Kind {
	case model.KindSlice, model.KindArray:
		for _, item := range v.Items {
			parts = append(parts, l.element(u.Elem, item, name+"Item"))
		}
	case model.KindMap:
		for _, member := range v.Members {
			key := quote(member.Key)
			if l.w.c.Model.Underlying(u.Key).IsInteger() {
				key = member.Key
			}
			parts = append(parts, key+": "+l.element(u.Elem, member.Value, name+"Value"))
		}
	case model.KindStruct:
		if t := l.w.c.Model.Struct(r); t != nil {
			parts = l.fields(t, v)
		}
	}
	line := "{" + strings.Join(parts, ", ") + "}"
	if len(line) <= lineWidth && !strings.Contains(line, "\n") || len(parts) == 0 {
		return line
	}
	return "{\n" + strings.Join(parts, ",\n") + ",\n}"
}

// element writes an item of a composite literal, which needs no type where it
// is a composite literal itself.
func (l *literal) element(r *model.Ref, v *defaulting.Value, name string) string {
	inner := r
	if r.Kind == model.KindPointer {
		inner = r.Elem
	}
	_, opaque := opaques[inner.ID()]
	u := l.w.c.Model.Underlying(inner)
	composite := u.Kind == model.KindStruct || u.Kind == model.KindMap || u.Kind == model.KindArray || u.Kind == model.KindSlice && !u.IsBytes()
	if composite && !opaque && v.Kind != defaulting.Null {
		return l.braces(inner, u, v, name)
	}
	return l.value(r, v, name)
}

// fields writes the fields of a struct that v has.
func (l *literal) fields(t *model.Type, v *defaulting.Value) []string {
	var parts []string
	for _, f := range t.Fields {
		if f.Skipped {
			continue
		}
		if f.Inline {
			if part, ok := l.inline(t, f, v); ok {
				parts = append(parts, f.Name+": "+part)
			}
			continue
		}
		if member := v.Member(f.JSON); member != nil && member.Kind != defaulting.Null {
			parts = append(parts, f.Name+": "+l.value(f.Type, member, f.Name))
		}
	}
	return parts
}

// inline writes an inlined struct, if v has any of its fields and t does not
// hide them.
func (l *literal) inline(t *model.Type, f *model.Field, v *defaulting.Value) (string, bool) {
	inner := l.w.c.Model.Struct(f.Type)
	if inner == nil {
		return "", false
	}
	own := *v
	own.Members = nil
	fields := defaulting.Fields(l.w.c.Model, inner)
	for _, member := range v.Members {
		if fields[member.Key] != nil && t.FieldByJSON(member.Key) == nil && member.Value.Kind != defaulting.Null {
			own.Members = append(own.Members, member)
		}
	}
	if len(own.Members) == 0 {
		return "", false
	}
	return l.value(f.Type, &own, f.Name), true
}

func exported(name string) bool { return name[0] >= 'A' && name[0] <= 'Z' }

// quote returns a string as Go source.
func quote(s string) string {
	if strings.ContainsAny(s, `"\`) && strconv.CanBackquote(s) {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}
