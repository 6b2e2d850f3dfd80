package value

import (
	"encoding/base64"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/model"
)

// CEL writes a value that fits a type as the CEL literal that equals it in the
// rules of a CustomResourceDefinition. Times are timestamps and []byte is bytes
// there; quantities and durations are the strings that they are in JSON. It
// returns false for what CEL has no literal for: an integer beyond 64 bits with
// sign.
func CEL(m *model.Model, r *model.Ref, v *Value) (expr string, ok bool) {
	p := celPrinter{m: m, ok: true}
	p.value(r, v)
	return p.b.String(), p.ok
}

type celPrinter struct {
	m  *model.Model
	b  strings.Builder
	ok bool
}

// value writes v; r is nil for JSON without a Go type.
func (p *celPrinter) value(r *model.Ref, v *Value) {
	var u, elem *model.Ref
	if r != nil {
		r = Pointee(p.m, r)
	}
	known := r != nil && IsKnown(r)
	if r != nil && !HasOwnJSON(p.m, r) {
		u = Underlying(p.m, r)
		elem = u.Elem
	}
	switch {
	case v.Kind == Null:
		p.b.WriteString("null")
	case v.Kind == Bool:
		p.b.WriteString(v.Text)
	case v.Kind == Number:
		p.number(v.Text, u != nil && u.IsFloat())
	case v.Kind == String && known && (r.ID() == Time || r.ID() == MicroTime || r.ID() == GoTime):
		p.b.WriteString("timestamp(" + CELString(v.Text) + ")")
	case v.Kind == String && u != nil && u.IsBytes():
		p.bytes(v.Text)
	case v.Kind == String:
		p.b.WriteString(CELString(v.Text))
	case v.Kind == Array:
		p.b.WriteByte('[')
		for i, item := range v.Items {
			p.comma(i)
			p.value(elem, item)
		}
		p.b.WriteByte(']')
	case v.Kind == Object:
		var fields map[string]Field
		if u != nil && u.Kind == model.KindStruct {
			fields = Fields(p.m, r)
		}
		p.b.WriteByte('{')
		for i, member := range v.Members {
			p.comma(i)
			p.b.WriteString(CELString(member.Key) + ": ")
			typ := elem
			if f, ok := fields[member.Key]; ok {
				typ = f.Type
			}
			p.value(typ, member.Value)
		}
		p.b.WriteByte('}')
	}
}

func (p *celPrinter) comma(i int) {
	if i > 0 {
		p.b.WriteString(", ")
	}
}

// number writes an int if the digits are one, else a double.
func (p *celPrinter) number(text string, float bool) {
	if !float && !strings.ContainsAny(text, ".eE") {
		_, _, fits := inRange(text, strconv.FormatInt(math.MinInt64, 10), strconv.FormatInt(math.MaxInt64, 10))
		p.ok = p.ok && fits
		p.b.WriteString(goInteger(text))
		return
	}
	f, err := strconv.ParseFloat(text, 64)
	p.ok = p.ok && err == nil
	text = strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	p.b.WriteString(text)
}

func (p *celPrinter) bytes(text string) {
	data, _ := base64.StdEncoding.DecodeString(text)
	p.b.WriteString("b'")
	for _, c := range data {
		fmt.Fprintf(&p.b, `\x%02x`, c)
	}
	p.b.WriteByte('\'')
}

// CELString quotes a string for CEL.
func CELString(s string) string {
	b := new(strings.Builder)
	b.WriteByte('\'')
	for _, r := range s {
		switch {
		case r == '\'' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('\'')
	return b.String()
}
