package conversion

import "github.com/kindsmith/kindsmith/internal/model"

// mapping maps a constant to its value in the other version.
type mapping struct {
	from []string
	to   string
}

// renamed returns the constants of an enum whose values differ in the version to
// convert to, in order of declaration.
func (w *writer) renamed(p pair, d way) []mapping {
	hub := map[string]*model.Const{}
	for _, c := range p.hub.Consts {
		hub[c.Name] = c
	}
	var list []mapping
	for _, c := range p.older.Consts {
		origin := hub[c.Origin]
		changed := origin != nil && origin.Value != c.Value
		if d == up {
			if changed {
				list = append(list, mapping{[]string{c.Name}, origin.Name})
			}
			continue
		}
		m := mapping{to: c.Name}
		if changed {
			m.from = append(m.from, origin.Name)
		}
		for _, f := range p.older.Fallbacks {
			if f.To == c.Name {
				m.from = append(m.from, f.Hub)
			}
		}
		if len(m.from) > 0 {
			list = append(list, m)
		}
	}
	return list
}

// enumBody prints the conversion of an enum. Values without a constant are not
// changed.
func (w *writer) enumBody(p pair, d way) {
	from, to := p.ends(d)
	w.f.P("switch *in {")
	for _, m := range w.renamed(p, d) {
		line := "case "
		for i, name := range m.from {
			if i > 0 {
				line += ", "
			}
			line += w.f.Ident(from.Package, name)
		}
		w.f.P(line, ":")
		w.f.P("*out = ", w.f.Ident(to.Package, m.to))
	}
	w.f.P("default:")
	w.f.P("*out = ", w.typeName(to), "(*in)")
	w.f.P("}")
}
