package value

import (
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/core/model"
)

// Expr returns a value that fits a type as the constant that equals it in the
// rules of a CustomResourceDefinition. Times are timestamps and []byte is bytes
// there; quantities and durations are the strings that they are in JSON. It
// returns false for what CEL has no constant for: numbers beyond an int and a
// double.
func Expr(m *model.Model, r *model.Ref, v *Value) (e expr.Expr, ok bool) {
	c := constants{m: m, ok: true}
	e = c.of(r, v)
	return e, c.ok
}

type constants struct {
	m  *model.Model
	ok bool
}

// of returns v as a constant; r is nil for JSON without a Go type.
func (c *constants) of(r *model.Ref, v *Value) expr.Expr {
	u := &model.Ref{}
	if r != nil {
		if r = Pointee(c.m, r); r != nil && !HasOwnJSON(c.m, r) {
			u = Underlying(c.m, r)
		}
	}
	switch v.Kind {
	case Bool:
		return expr.Bool(v.Text == "true")
	case Number:
		return c.number(v.Text, u.IsFloat())
	case String:
		return text(r, u, v.Text)
	case Array:
		items := make([]expr.Expr, len(v.Items))
		for i, item := range v.Items {
			items[i] = c.of(u.Elem, item)
		}
		return expr.ListOf(items...)
	case Object:
		return c.object(r, u, v)
	}
	return expr.Null()
}

func (c *constants) object(r, u *model.Ref, v *Value) expr.Expr {
	fields := map[string]Field{}
	if u.Kind == model.KindStruct {
		fields = Fields(c.m, r)
	}
	entries := make([]expr.Entry, len(v.Members))
	for i, member := range v.Members {
		typ := u.Elem
		if f, ok := fields[member.Key]; ok {
			typ = f.Type
		}
		entries[i] = expr.Entry{Key: expr.Str(member.Key), Value: c.of(typ, member.Value)}
	}
	return expr.MapOf(entries...)
}

func text(r, u *model.Ref, s string) expr.Expr {
	if u.Kind != "" && u.IsBytes() {
		data, _ := base64.StdEncoding.DecodeString(s)
		return expr.Bytes(data)
	}
	if r != nil && (r.ID() == model.Time || r.ID() == model.MicroTime || r.ID() == model.GoTime) {
		return expr.Timestamp(expr.Str(s))
	}
	return expr.Str(s)
}

// number returns an int if the digits are one, else a double.
func (c *constants) number(text string, float bool) expr.Expr {
	if !float && !strings.ContainsAny(text, ".eE") {
		i, err := strconv.ParseInt(text, 10, 64)
		c.ok = c.ok && err == nil
		return expr.Int(i)
	}
	f, err := strconv.ParseFloat(text, 64)
	c.ok = c.ok && err == nil
	return expr.Double(f)
}
