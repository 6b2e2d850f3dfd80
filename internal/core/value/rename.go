package value

import (
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/model"
)

// Names has the names of another version of an API.
type Names interface {
	// Field returns the JSON name and the type of a field in the other version. It
	// returns false if that version does not have the field.
	Field(f *model.Field) (name string, typ *model.Ref, ok bool)
	// Constant returns the other version's text of a string constant of a type. It
	// returns other text unchanged.
	Constant(t *model.Type, text string) string
}

// Rename returns the text of a value of type r in another version. It omits the
// fields that the version does not have, and keeps all else as written.
func Rename(m *model.Model, r *model.Ref, text string, names Names) string {
	v, _ := Parse(text)
	if v == nil {
		return text
	}
	n := &renamer{m: m, names: names, text: text}
	n.value(r, v)
	n.out.WriteString(text[n.done:])
	return n.out.String()
}

// renamer copies text and replaces parts of it.
type renamer struct {
	m     *model.Model
	names Names
	text  string
	out   strings.Builder
	done  int // the length of the copied or replaced text
}

func (n *renamer) replace(start, end int, by string) {
	n.out.WriteString(n.text[n.done:start])
	n.out.WriteString(by)
	n.done = end
}

func (n *renamer) value(r *model.Ref, v *Value) {
	r = Pointee(n.m, r)
	if r == nil || HasOwnJSON(n.m, r) {
		return
	}
	if t := n.m.Type(r.ID()); t != nil && len(t.Consts) > 0 && v.Kind == String {
		if to := n.names.Constant(t, v.Text); to != v.Text {
			n.replace(v.Start, v.End, spelled("", to))
		}
		return
	}
	switch u := Underlying(n.m, r); {
	case v.Kind == Object && u.Kind == model.KindStruct:
		n.object(r, v)
	case v.Kind == Object && u.Kind == model.KindMap:
		for _, member := range v.Members {
			n.value(u.Elem, member.Value)
		}
	case v.Kind == Array && u.Elem != nil:
		for _, item := range v.Items {
			n.value(u.Elem, item)
		}
	}
}

func (n *renamer) object(r *model.Ref, v *Value) {
	fields := Fields(n.m, r)
	kept := false
	for i, member := range v.Members {
		f, known := fields[member.Key]
		if !known {
			kept = true
			continue
		}
		name, typ, ok := n.names.Field(f.Field)
		switch {
		case ok:
			if name != member.Key {
				n.replace(member.Start, member.End, spelled("", name))
			}
			if typ == f.Field.Type {
				typ = f.Type // with the type arguments of its struct
			}
			n.value(typ, member.Value)
			kept = true
		case kept: // with the comma before it
			n.replace(v.Members[i-1].Value.End, member.Value.End, "")
		case i+1 < len(v.Members): // with the comma after it
			n.replace(member.Start, v.Members[i+1].Start, "")
		default:
			n.replace(member.Start, member.Value.End, "")
		}
	}
}
