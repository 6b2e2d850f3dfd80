package conversion

import (
	"strings"
	"unicode"

	"github.com/kindsmith/kindsmith/internal/gofile"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/source"
)

// field prints the conversion of a field that both versions have.
func (w *writer) field(hubField, olderField *model.Field, d way) {
	steps := retypes(olderField.Origin.Steps)
	if d == up {
		here := at{name: wireName(olderField), span: hubField.Span}
		if len(steps) == 0 {
			w.value(olderField.Type, hubField.Type, "in."+olderField.Name, "out."+hubField.Name, here)
			return
		}
		if len(steps) == 1 && steps[0].UpgradeWith.Or("") == "" && w.widens(olderField.Type, hubField.Type) {
			w.value(olderField.Type, hubField.Type, "in."+olderField.Name, "out."+hubField.Name, here)
			return
		}
		v := w.cross(olderField.Type, steps[0].From, "in."+olderField.Name, local(hubField, w.older.Name), here)
		w.f.P("out.", hubField.Name, " = ", w.climb(hubField, steps, v, here))
		return
	}
	here := at{name: wireName(hubField), span: hubField.Span}
	if len(steps) == 0 {
		w.value(hubField.Type, olderField.Type, "in."+hubField.Name, "out."+olderField.Name, here)
		return
	}
	v := w.descend(hubField, steps, "in."+hubField.Name, here)
	if strings.Contains(v, "(") && !w.converts(steps[0].From, olderField.Type) {
		name := local(hubField, w.older.Name) // function results are not addressable
		w.f.P(name, " := ", v)
		v = name
	}
	w.value(steps[0].From, olderField.Type, v, "out."+olderField.Name, here)
}

// widens reports whether a value converts directly from the older version's type to
// the newest, without an intermediate type of the newest package: scalars, and
// pointers, lists and maps of them.
func (w *writer) widens(from, to *model.Ref) bool {
	if from.Kind == to.Kind && from.Elem != nil && from.Kind != model.KindNamed {
		return (from.Key == nil || from.Key.Equal(to.Key)) && w.widens(from.Elem, to.Elem)
	}
	return from.Kind == model.KindBuiltin && to.Kind == model.KindBuiltin
}

// retypes returns the steps that change a type.
func retypes(steps []model.Change) []*model.Changed {
	var changes []*model.Changed
	for _, s := range steps {
		if c, ok := s.(*model.Changed); ok && c.From != nil {
			changes = append(changes, c)
		}
	}
	return changes
}

// cross returns the value as an expression of the newest version's package. The
// value is converted in the expression or in a new variable.
func (w *writer) cross(from, to *model.Ref, in, name string, here at) string {
	if e, ok := w.expression(from, to, in); ok {
		return e
	}
	w.f.P("var ", name, " ", w.f.Type(to))
	w.value(from, to, in, name, here.inNew())
	return name
}

// climb prints the steps of a value from its first type to the newest, and
// returns the expression that it ends in.
func (w *writer) climb(f *model.Field, steps []*model.Changed, v string, here at) string {
	for i, s := range steps {
		to := f.Type
		if i+1 < len(steps) {
			to = steps[i+1].From
		}
		v = w.step(s.From, to, s.UpgradeWith.Or(""), v, local(f, s.Since), here)
	}
	return v
}

// descend prints the steps back, and returns the expression that they end in.
func (w *writer) descend(f *model.Field, steps []*model.Changed, v string, here at) string {
	for i := len(steps) - 1; i >= 0; i-- {
		from := f.Type
		name := w.older.Name
		if i+1 < len(steps) {
			from = steps[i+1].From
		}
		if i > 0 {
			name = steps[i-1].Since
		}
		v = w.step(from, steps[i].From, steps[i].DowngradeWith.Or(""), v, local(f, name), here)
	}
	return v
}

// step prints one step between two types of the newest version's package. It uses
// the author's function or a lossless Go conversion.
func (w *writer) step(from, to *model.Ref, function, v, name string, here at) string {
	if function == "" {
		w.sharing = true
		defer func() { w.sharing = false }()
		return w.cross(from, to, v, name, here)
	}
	call := w.f.Ident(w.hub.Path, function) + "(" + v + ")"
	fn := w.hub.Funcs[function]
	if fn == nil || len(fn.Results) < 2 {
		return call
	}
	w.f.P(name, ", err := ", call)
	w.f.P("if err != nil {")
	w.f.P("return ", w.wrap(here, "err"))
	w.f.P("}")
	return name
}

// local returns the name of a variable for a field's value in a version:
// portsV1beta1. The upper-case letter avoids conflicts with imports.
func local(f *model.Field, version string) string {
	name, v := []rune(f.Name), []rune(version)
	n := 0
	for n < len(name) && unicode.IsUpper(name[n]) {
		n++
	}
	if n > 1 && n < len(name) {
		n--
	}
	for i := range n {
		name[i] = unicode.ToLower(name[i])
	}
	v[0] = unicode.ToUpper(v[0])
	return string(name) + string(v)
}

// at is the path of a value that is converted, for errors.
type at struct {
	// name is the field's JSON name; empty for the argument of a function.
	name string
	// below is the rest of the path: .Index(i).Key(key).
	below string
	span  source.Span
	// isNew means that the destination is a zero value.
	isNew bool
}

func (a at) inNew() at { a.isNew = true; return a }

func (a at) index(i string) at { a.below += ".Index(" + i + ")"; return a }
func (a at) key(k string) at   { a.below += ".Key(" + k + ")"; return a }

// wrap returns an expression that adds the path to err.
func (w *writer) wrap(here at, err string) string {
	if here.name == "" && here.below == "" {
		return err
	}
	path := "(*" + w.f.Ident(machineryField, "Path") + ")(nil)"
	if here.name != "" {
		path = w.f.Ident(machineryField, "NewPath") + `("` + here.name + `")`
	}
	return w.f.Ident(gofile.RuntimeConvert, "At") + "(" + path + here.below + ", " + err + ")"
}
