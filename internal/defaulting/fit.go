package defaulting

import (
	"encoding/base64"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/model"
)

// Problem is a part of a default that does not fit its type.
type Problem struct {
	// Start and End are byte offsets in the default's JSON text.
	Start, End int
	// Code is the code to report the problem with.
	Code diag.Code
	// Message says what is wrong and what to write instead.
	Message string
}

// Fit returns everything in a default that values of type r cannot hold.
func Fit(m *model.Model, r *model.Ref, v *Value) []Problem {
	f := &fitter{m: m}
	f.fit(r, v, "")
	return f.problems
}

type fitter struct {
	m        *model.Model
	problems []Problem
}

func (f *fitter) add(v *Value, code diag.Code, at, format string, args ...any) {
	message := fmt.Sprintf(format, args...)
	if at != "" {
		message = at + ": " + message
	}
	f.problems = append(f.problems, Problem{v.Start, v.End, code, message})
}

// fit checks v against r; at is the path to v in the default.
func (f *fitter) fit(r *model.Ref, v *Value, at string) {
	if l, ok := literals[r.ID()]; ok {
		if message := l.check(v); message != "" {
			f.add(v, codeBadValue, at, "%s", message)
		}
		return
	}
	if CustomJSON(f.m, r) {
		if v.Kind != Null {
			f.add(v, CodeNoLiteral, at, "%s has JSON of its own, which cannot be turned into Go when generating; set it in a SetDefaults_ function", shortName(r))
		}
		return
	}
	u := f.m.Underlying(r)
	switch {
	case u.Kind == model.KindPointer:
		switch elem := pointee(f.m, u); {
		case v.Kind == Null:
		case elem == nil:
			f.add(v, codeWrongType, at, "%s points to nothing but itself, so it cannot have a default", shortName(r))
		default:
			f.fit(elem, v, at)
		}
	case u.IsScalar():
		f.scalar(r, u, v, at)
	case u.IsBytes():
		f.bytes(v, at)
	case u.Kind == model.KindSlice, u.Kind == model.KindArray:
		f.list(r, u, v, at)
	case u.Kind == model.KindMap:
		f.mapping(r, u, v, at)
	case u.Kind == model.KindStruct:
		f.object(r, v, at)
	case u.Kind == model.KindInterface && v.Kind == Null:
	case u.Kind == model.KindInvalid: // reported where it was loaded
	default:
		f.add(v, codeWrongType, at, "%s cannot have a default", shortName(r))
	}
}

// pointee returns what a pointer, or a pointer to pointers, leads to; nil for
// one that leads to itself.
func pointee(m *model.Model, r *model.Ref) *model.Ref {
	for range 64 {
		u := m.Underlying(r)
		if u.Kind != model.KindPointer {
			return r
		}
		r = u.Elem
	}
	return nil
}

// wants reports a value that is not of the kind that the type takes.
func (f *fitter) wants(kind ValueKind, r *model.Ref, v *Value, at string) bool {
	if v.Kind == kind {
		return true
	}
	f.add(v, codeWrongType, at, "%s takes %s, not %s", shortName(r), kind, v.Kind)
	return false
}

func (f *fitter) scalar(r, u *model.Ref, v *Value, at string) {
	switch {
	case u.IsString():
		f.wants(String, r, v, at)
	case u.IsBool():
		f.wants(Bool, r, v, at)
	case u.IsFloat():
		if !f.wants(Number, r, v, at) {
			return
		}
		bits := 64
		if u.Name == "float32" {
			bits = 32
		}
		if _, err := strconv.ParseFloat(v.Text, bits); err != nil {
			f.add(v, codeOutOfRange, at, "%s is out of the range of %s", v.Text, shortName(r))
		}
	default:
		if !f.wants(Number, r, v, at) {
			return
		}
		n, ok := new(big.Int).SetString(v.Text, 10)
		if !ok {
			f.add(v, codeWrongType, at, "%s takes a whole number without fraction or exponent, not %s", shortName(r), v.Text)
			return
		}
		lo, hi, _ := u.IntRange()
		if n.Cmp(bigInt(lo)) < 0 || n.Cmp(bigInt(hi)) > 0 {
			f.add(v, codeOutOfRange, at, "%s is out of the range of %s, which is %s to %s", v.Text, shortName(r), lo, hi)
		}
	}
}

func bigInt(text string) *big.Int {
	n, _ := new(big.Int).SetString(text, 10)
	return n
}

func (f *fitter) bytes(v *Value, at string) {
	switch v.Kind {
	case Null:
	case String:
		if _, err := base64.StdEncoding.DecodeString(v.Text); err != nil {
			f.add(v, codeBadValue, at, "[]byte takes base64 text: %v", err)
		}
	default:
		f.add(v, codeWrongType, at, "[]byte takes a string of base64, not %s", v.Kind)
	}
}

func (f *fitter) list(r, u *model.Ref, v *Value, at string) {
	if v.Kind == Null && u.Kind == model.KindSlice || !f.wants(Array, r, v, at) {
		return
	}
	if u.Kind == model.KindArray && int64(len(v.Items)) != u.Len {
		f.add(v, codeWrongType, at, "%s takes exactly %d items, not %d", shortName(r), u.Len, len(v.Items))
	}
	for i, item := range v.Items {
		f.fit(u.Elem, item, fmt.Sprintf("%s[%d]", at, i))
	}
}

func (f *fitter) mapping(r, u *model.Ref, v *Value, at string) {
	if v.Kind == Null || !f.wants(Object, r, v, at) {
		return
	}
	f.keys(v)
	key := f.m.Underlying(u.Key)
	for _, member := range v.Members {
		if key.IsInteger() {
			lo, hi, _ := key.IntRange()
			n, ok := new(big.Int).SetString(member.Key, 10)
			if !ok || n.Cmp(bigInt(lo)) < 0 || n.Cmp(bigInt(hi)) > 0 {
				f.problems = append(f.problems, Problem{member.Start, member.End, codeOutOfRange,
					fmt.Sprintf("%q is not a key of %s", member.Key, shortName(r))})
			}
		}
		f.fit(u.Elem, member.Value, join(at, member.Key))
	}
}

func (f *fitter) object(r *model.Ref, v *Value, at string) {
	if !f.wants(Object, r, v, at) {
		return
	}
	f.keys(v)
	t := f.m.Struct(r)
	if t == nil {
		if len(v.Members) > 0 {
			f.add(v, codeWrongType, at, "%s has no fields", shortName(r))
		}
		return
	}
	fields := Fields(f.m, t)
	for _, member := range v.Members {
		field, ok := fields[member.Key]
		if !ok {
			message := fmt.Sprintf("%s has no field %q", t.Name, member.Key)
			for name := range fields {
				if strings.EqualFold(name, member.Key) {
					message += fmt.Sprintf("; it is spelt %q", name)
				}
			}
			f.problems = append(f.problems, Problem{member.Start, member.End, codeUnknownField, message})
			continue
		}
		if member.Value.Kind != Null { // Go leaves a field alone that is null
			f.fit(field.Type, member.Value, join(at, member.Key))
		}
	}
}

func (f *fitter) keys(v *Value) {
	seen := map[string]bool{}
	for _, member := range v.Members {
		if seen[member.Key] {
			f.problems = append(f.problems, Problem{member.Start, member.End, codeDuplicateKey, fmt.Sprintf("the key %q is given twice; keep one", member.Key)})
		}
		seen[member.Key] = true
	}
}

func join(at, key string) string {
	if at == "" {
		return key
	}
	return at + "." + key
}

// Fields returns a struct's fields on the wire by JSON name, those of inlined
// structs included. The field nearer to the struct hides one further down.
func Fields(m *model.Model, t *model.Type) map[string]*model.Field {
	all := map[string]*model.Field{}
	level := []*model.Type{t}
	for depth := 0; len(level) > 0 && depth < 16; depth++ {
		var next []*model.Type
		for _, t := range level {
			for _, f := range t.Fields {
				if f.Inline {
					if inner := m.Struct(f.Type); inner != nil {
						next = append(next, inner)
					}
				} else if _, hidden := all[f.JSON]; !f.Skipped && !hidden {
					all[f.JSON] = f
				}
			}
		}
		level = next
	}
	return all
}

// shortName returns a type as a package author would write it.
func shortName(r *model.Ref) string {
	switch r.Kind {
	case model.KindNamed:
		return r.Name
	case model.KindPointer:
		return "*" + shortName(r.Elem)
	case model.KindSlice:
		return "[]" + shortName(r.Elem)
	case model.KindArray:
		return fmt.Sprintf("[%d]%s", r.Len, shortName(r.Elem))
	case model.KindMap:
		return "map[" + shortName(r.Key) + "]" + shortName(r.Elem)
	case model.KindInterface:
		return "an interface"
	}
	return r.String()
}
