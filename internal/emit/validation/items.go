package validation

import (
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/goexpr"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
)

// itemFuncs are the functions that identify list items: hashX and sameX.
type itemFuncs struct {
	g       *generator
	sources map[string]string // function name → source
}

// same returns the function that compares the items of the list at a place: by
// the keys of a list of type map, by whole items otherwise.
func (f *itemFuncs) same(p *rule.Place) string {
	return f.sameBy(f.parts(p))
}

func (f *itemFuncs) sameBy(elem *model.Ref, keys []rule.FieldPath) string {
	name := "same" + f.suffix(elem, keys)
	if _, ok := f.sources[name]; ok {
		return name
	}
	var same []goexpr.Expr
	for _, k := range keys {
		same = append(same, f.g.equals.expr(k.Type, f.key(goexpr.Raw("a"), k), f.key(goexpr.Raw("b"), k)))
	}
	if keys == nil {
		same = []goexpr.Expr{f.g.equals.expr(elem, goexpr.Star(goexpr.Raw("a")), goexpr.Star(goexpr.Raw("b")))}
	}
	f.sources[name] = "func " + name + "(a, b *" + f.g.file.Type(elem) + ") bool { return " + goexpr.String(goexpr.And(same...)) + " }\n"
	return name
}

// hash returns the function that hashes the values that same compares.
func (f *itemFuncs) hash(p *rule.Place) string {
	return f.hashBy(f.parts(p))
}

func (f *itemFuncs) hashBy(elem *model.Ref, keys []rule.FieldPath) string {
	name := "hash" + f.suffix(elem, keys)
	if _, ok := f.sources[name]; ok {
		return name
	}
	var b strings.Builder
	line := func(parts ...string) { b.WriteString(strings.Join(parts, "") + "\n") }
	line("func ", name, "(item *", f.g.file.Type(elem), ") uint64 {")
	line("h := uint64(0)")
	if keys == nil {
		f.add(line, elem, goexpr.Star(item))
	}
	for _, k := range keys {
		f.add(line, k.Type, f.key(item, k))
	}
	line("return h")
	line("}")
	f.sources[name] = b.String()
	return name
}

// keyed returns the functions that hash and compare items by some of their members.
func (f *itemFuncs) keyed(elem *model.Ref, members []*model.Member) (hash, same goexpr.Expr) {
	keys := make([]rule.FieldPath, len(members))
	for i, m := range members {
		keys[i] = rule.FieldPath{Struct: elem.ID(), Through: m.Path[:len(m.Path)-1], Name: m.Field.Name, JSON: m.Name, Type: m.Type, Unset: m.Unset}
	}
	return goexpr.Raw(f.hashBy(elem, keys)), goexpr.Raw(f.sameBy(elem, keys))
}

// match returns the function that matches the item with certain keys.
func (f *itemFuncs) match(p *rule.Place, keys []rule.KeyValue) string {
	elem, _ := f.parts(p)
	name := "is" + typeWord(f.g, elem)
	var tests []goexpr.Expr
	for _, k := range keys {
		x, value := f.key(item, k.Key), constant(k.Value)
		name += word(k.Key) + wordOf(string(value))
		if _, pointer := f.g.m.Deref(k.Key.Type); pointer {
			tests = append(tests, goexpr.Ne(x, goexpr.Nil))
			x = goexpr.Star(x)
		}
		tests = append(tests, goexpr.Eq(x, value))
	}
	source := "func " + name + "(item *" + f.g.file.Type(elem) + ") bool { return " + goexpr.String(goexpr.And(tests...)) + " }\n"
	for other := f.sources[name]; other != "" && other != source; other = f.sources[name] {
		source = strings.Replace(source, name+"(", name+"_(", 1)
		name += "_"
	}
	f.sources[name] = source
	return name
}

// wordOf returns a constant as a part of a Go identifier.
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

func (f *itemFuncs) parts(p *rule.Place) (elem *model.Ref, keys []rule.FieldPath) {
	elem, _ = f.g.m.Deref(p.Underlying(f.g.m).Elem)
	if p.List.Identity == rule.Map {
		keys = p.List.Keys
	}
	return elem, keys
}

func (f *itemFuncs) suffix(elem *model.Ref, keys []rule.FieldPath) string {
	s := typeWord(f.g, elem)
	for i, k := range keys {
		if i == 0 {
			s += "By"
		} else {
			s += "And"
		}
		s += word(k)
	}
	return s
}

// item is the parameter of functions over items.
const item = goexpr.Raw("item")

// key is a key of an item. Package check rejects pointers on its path.
func (f *itemFuncs) key(item goexpr.Expr, k rule.FieldPath) goexpr.Expr {
	x, _ := f.g.selected(item, k)
	return x
}

// word returns a key of items as a part of a function's name.
func word(k rule.FieldPath) string { return strings.Join(k.Through, "") + k.Name }

// add writes statements that add a value to the hash h.
func (f *itemFuncs) add(line func(...string), t *model.Ref, x goexpr.Expr) {
	m := f.g.m
	add := func(function string, x goexpr.Expr) {
		line("h = ", goexpr.String(goexpr.Call(f.g.runtime(function), goexpr.Raw("h"), x)))
	}
	switch u := m.Underlying(t); {
	case u.IsString():
		add("HashString", x)
	case u.IsInteger():
		add("HashInt", x)
	case u.IsBool():
		add("HashBool", goexpr.Call("bool", x))
	case f.g.equals.comparable(t):
		add("HashComparable", x)
	default:
		add("HashMeaning", goexpr.Addr(x))
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

// typeWord returns a type as a part of a function's name.
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
