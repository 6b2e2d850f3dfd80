package value

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"

	"github.com/kindsmith/kindsmith/internal/core/model"
)

// Fit returns the parts of a value that a Go type cannot represent, by the rules of
// strict JSON decoders and API servers: integers have no fraction or exponent and
// are in range, every key is a field or a key of the map, and null is neither an
// item of a list nor a scalar. Parse reports repeated keys, except for different
// texts of the same integer key.
func Fit(m *model.Model, r *model.Ref, v *Value) []Problem {
	f := &fitter{m: m}
	f.fit(r, v, "")
	return f.problems
}

type fitter struct {
	m        *model.Model
	problems []Problem
}

func (f *fitter) add(v *Value, what What, at, format string, args ...any) {
	message := fmt.Sprintf(format, args...)
	if at != "" {
		message = at + ": " + message
	}
	f.problems = append(f.problems, Problem{v.Start, v.End, what, message})
}

func (f *fitter) addKey(m Member, what What, format string, args ...any) {
	f.problems = append(f.problems, Problem{m.Start, m.End, what, fmt.Sprintf(format, args...)})
}

// fit checks whether v fits r; at is the path to v in the whole value.
func (f *fitter) fit(r *model.Ref, v *Value, at string) {
	if k, ok := knownTypes[r.ID()]; ok {
		f.known(k, v, at)
		return
	}
	if HasOwnJSON(f.m, r) {
		if v.Kind != Null {
			f.add(v, NoLiteral, at, "%s has custom JSON, so its default cannot be written as Go", TypeName(r))
		}
		return
	}
	u := Underlying(f.m, r)
	switch {
	case u.Kind == model.KindPointer:
		switch elem := Pointee(f.m, u); {
		case v.Kind == Null:
		case elem == nil:
			f.add(v, WrongType, at, "%s is a pointer to itself, so it cannot have a default", TypeName(r))
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
		f.add(v, WrongType, at, "%s cannot have a default", TypeName(r))
	}
}

func (f *fitter) known(k known, v *Value, at string) {
	if k.check == nil {
		return
	}
	if !slices.Contains(k.kinds, v.Kind) || k.check(v.JSON()) != nil {
		f.add(v, BadValue, at, "%s", k.expects)
	}
}

// wants reports a value of a kind that the type does not accept.
func (f *fitter) wants(kind Kind, r *model.Ref, v *Value, at string) bool {
	if v.Kind == kind {
		return true
	}
	f.add(v, WrongType, at, "%s takes %s, not %s", TypeName(r), kind, v.Kind)
	return false
}

func (f *fitter) scalar(r, u *model.Ref, v *Value, at string) {
	switch {
	case u.IsString():
		f.wants(String, r, v, at)
	case u.IsBool():
		f.wants(Bool, r, v, at)
	case !f.wants(Number, r, v, at):
	case u.IsFloat():
		if _, err := strconv.ParseFloat(v.Text, FloatBits(u)); err != nil {
			f.add(v, OutOfRange, at, "%s is out of the range of %s", v.Text, TypeName(r))
		}
	default:
		lo, hi, _ := u.IntRange()
		switch _, isInt, fits := inRange(v.Text, lo, hi); {
		case !isInt:
			f.add(v, WrongType, at, "%s takes an integer without fraction or exponent, not %s", TypeName(r), v.Text)
		case !fits:
			f.add(v, OutOfRange, at, "%s is out of the range of %s, which is %s to %s", v.Text, TypeName(r), lo, hi)
		}
	}
}

// FloatBits returns the width of a floating-point type.
func FloatBits(u *model.Ref) int {
	if u.Name == "float32" {
		return 32
	}
	return 64
}

func (f *fitter) bytes(v *Value, at string) {
	switch v.Kind {
	case Null:
	case String:
		if _, err := base64.StdEncoding.DecodeString(v.Text); err != nil {
			f.add(v, BadValue, at, "[]byte takes base64: %v", err)
		}
	default:
		f.add(v, WrongType, at, "[]byte takes a base64 string, not %s", v.Kind)
	}
}

func (f *fitter) list(r, u *model.Ref, v *Value, at string) {
	if v.Kind == Null && u.Kind == model.KindSlice || !f.wants(Array, r, v, at) {
		return
	}
	if u.Kind == model.KindArray && int64(len(v.Items)) != u.Len {
		f.add(v, WrongType, at, "%s takes exactly %d items, not %d", TypeName(r), u.Len, len(v.Items))
	}
	for i, item := range v.Items {
		f.fit(u.Elem, item, fmt.Sprintf("%s[%d]", at, i))
	}
}

func (f *fitter) mapping(r, u *model.Ref, v *Value, at string) {
	if v.Kind == Null || !f.wants(Object, r, v, at) {
		return
	}
	key := Underlying(f.m, u.Key)
	if !key.IsString() && !key.IsInteger() || HasOwnJSON(f.m, u.Key) {
		f.add(v, NoLiteral, at, "the keys of %s cannot be written as Go", TypeName(r))
		return
	}
	seen := map[string]string{}
	for _, member := range v.Members {
		if key.IsInteger() {
			f.integerKey(r, key, member, seen)
		}
		f.fit(u.Elem, member.Value, join(at, member.Key))
	}
}

// integerKey checks a key of a map with integer keys. Seen has the previous keys as
// written, by their digits.
func (f *fitter) integerKey(r, key *model.Ref, member Member, seen map[string]string) {
	lo, hi, _ := key.IntRange()
	n, _, fits := inRange(member.Key, lo, hi)
	if !fits {
		f.addKey(member, OutOfRange, "%q is not a key of %s", member.Key, TypeName(r))
		return
	}
	if other, twice := seen[n.String()]; twice && other != member.Key {
		f.addKey(member, DuplicateKey, "the key %q is repeated, also as %q; keep one", member.Key, other)
	}
	seen[n.String()] = member.Key
}

func (f *fitter) object(r *model.Ref, v *Value, at string) {
	if !f.wants(Object, r, v, at) {
		return
	}
	t, _ := Struct(f.m, r)
	if t == nil {
		if len(v.Members) > 0 {
			f.add(v, WrongType, at, "%s has no fields", TypeName(r))
		}
		return
	}
	fields := Fields(f.m, r)
	for _, member := range v.Members {
		field, ok := fields[member.Key]
		switch {
		case !ok:
			message := fmt.Sprintf("%s has no field %q", t.Name, member.Key)
			if name := nearest(fields, member.Key); name != "" {
				message += fmt.Sprintf("; write %q", name)
			}
			f.addKey(member, UnknownField, "%s", message)
		case member.Value.Kind != Null: // Go does not change a field for null
			f.fit(field.Type, member.Value, join(at, member.Key))
		}
	}
}

func join(at, key string) string {
	if at == "" {
		return key
	}
	return at + "." + key
}
