package validation

import (
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// itemFuncs are the functions that tell items of lists apart: hashX and sameX.
type itemFuncs struct {
	g       *generator
	sources map[string]string // function name → source
}

// same returns the function that compares the items of the list at a place: by
// the keys of a list of type map, by whole items otherwise.
func (f *itemFuncs) same(n *tag.Node) string {
	elem, keys := f.parts(n)
	name := "same" + f.suffix(elem, keys)
	if _, ok := f.sources[name]; ok {
		return name
	}
	var same []string
	for _, k := range keys {
		same = append(same, f.g.equals.expr(k.Type, f.key("a", elem, k), f.key("b", elem, k)))
	}
	if keys == nil {
		same = []string{f.g.equals.expr(elem, "*a", "*b")}
	}
	f.sources[name] = "func " + name + "(a, b *" + f.g.file.Type(elem) + ") bool { return " + strings.Join(same, " && ") + " }\n"
	return name
}

// hash returns the function that hashes what same compares.
func (f *itemFuncs) hash(n *tag.Node) string {
	elem, keys := f.parts(n)
	name := "hash" + f.suffix(elem, keys)
	if _, ok := f.sources[name]; ok {
		return name
	}
	var b strings.Builder
	line := func(parts ...string) { b.WriteString(strings.Join(parts, "") + "\n") }
	line("func ", name, "(item *", f.g.file.Type(elem), ") uint64 {")
	line("h := uint64(0)")
	if keys == nil {
		f.add(line, elem, "*item")
	}
	for _, k := range keys {
		f.add(line, k.Type, f.key("item", elem, k))
	}
	line("return h")
	line("}")
	f.sources[name] = b.String()
	return name
}

// match returns the function that recognises the item with certain keys.
func (f *itemFuncs) match(n *tag.Node, keys []tag.KeyValue) string {
	elem, _ := f.parts(n)
	name := "is" + typeWord(f.g, elem)
	var tests []string
	for _, k := range keys {
		x := f.key("item", elem, k.Field)
		name += f.word(elem, k.Field) + wordOf(k.Value)
		if _, pointer := f.g.c.Model.Deref(k.Field.Type); pointer {
			tests = append(tests, x+" != nil && *"+x+" == "+k.Value)
			continue
		}
		tests = append(tests, x+" == "+k.Value)
	}
	source := "func " + name + "(item *" + f.g.file.Type(elem) + ") bool { return " + strings.Join(tests, " && ") + " }\n"
	for other := f.sources[name]; other != "" && other != source; other = f.sources[name] {
		source = strings.Replace(source, name+"(", name+"_(", 1)
		name += "_"
	}
	f.sources[name] = source
	return name
}

// wordOf makes a Go identifier's part of a constant.
func wordOf(constant string) string {
	var b strings.Builder
	upper := true
	for _, r := range constant {
		switch {
		case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9':
			if upper {
				b.WriteString(strings.ToUpper(string(r)))
			} else {
				b.WriteRune(r)
			}
			upper = false
		default:
			upper = true
		}
	}
	return b.String()
}

func (f *itemFuncs) parts(n *tag.Node) (elem *model.Ref, keys []*model.Field) {
	elem, _ = f.g.c.Model.Deref(n.Underlying().Elem)
	if n.Semantics() == "map" {
		keys = n.ListMapKeys()
	}
	return elem, keys
}

func (f *itemFuncs) suffix(elem *model.Ref, keys []*model.Field) string {
	s := typeWord(f.g, elem)
	for i, k := range keys {
		if i == 0 {
			s += "By"
		} else {
			s += "And"
		}
		s += f.word(elem, k)
	}
	return s
}

// key spells a key of an item.
func (f *itemFuncs) key(item string, elem *model.Ref, k *model.Field) string {
	m := f.g.c.Model
	x, _ := tag.Select(item, tag.Through(m, m.Struct(elem), k), k) // no pointers, as checking makes sure
	return x
}

// word names a key of items inside of a function's name.
func (f *itemFuncs) word(elem *model.Ref, k *model.Field) string {
	return strings.ReplaceAll(f.key("", elem, k), ".", "")
}

// add writes statements that add a value to the hash h. What cannot be hashed
// cheaply is left out: equal items still have equal hashes.
func (f *itemFuncs) add(line func(...string), t *model.Ref, x string) {
	m := f.g.c.Model
	validate := func(name string) string { return f.g.file.Ident(validatePkg, name) }
	switch u := m.Underlying(t); {
	case u.IsString():
		line("h = ", validate("HashString"), "(h, ", x, ")")
	case u.IsInteger():
		line("h = ", validate("HashInt"), "(h, ", x, ")")
	case u.IsBool():
		line("h = ", validate("HashBool"), "(h, bool(", x, "))")
	case m.Comparable(t):
		line("h = ", validate("HashComparable"), "(h, ", x, ")")
	case u.Kind == model.KindPointer && m.Comparable(u.Elem):
		line("if ", x, " != nil {")
		f.add(line, u.Elem, "*"+x)
		line("}")
	case u.Kind == model.KindSlice && m.Comparable(u.Elem):
		line("for i := range ", x, " {")
		f.add(line, u.Elem, paren(x)+"[i]")
		line("}")
	case u.Kind == model.KindStruct:
		if st := m.Struct(t); st != nil {
			for _, field := range st.Fields {
				if reachable(field, st, f.g.c.Package) && m.Comparable(field.Type) {
					f.add(line, field.Type, paren(x)+"."+field.Name)
				}
			}
		}
	}
}

func (f *itemFuncs) write() {
	names := make([]string, 0, len(f.sources))
	for n := range f.sources {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		f.g.file.P(f.sources[n])
	}
}

// typeWord names a type inside of a function's name.
func typeWord(g *generator, r *model.Ref) string {
	switch r.Kind {
	case model.KindNamed:
		if r.Package == g.c.Package.Path {
			return title(r.Name)
		}
		return title(g.file.Import(r.Package)) + r.Name
	case model.KindPointer:
		return "Pointer" + typeWord(g, r.Elem)
	case model.KindSlice, model.KindArray:
		return "ListOf" + typeWord(g, r.Elem)
	case model.KindMap:
		return "MapOf" + typeWord(g, r.Elem)
	default:
		return title(r.Name)
	}
}

func title(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
