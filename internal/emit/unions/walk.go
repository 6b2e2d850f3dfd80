package unions

import (
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/gofile"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// value writes the traversal of a field. Struct fields are correlated by name, map
// values by key, items of a list of type map by their keys. Items of other lists are
// not correlated, so nothing in them is cleared.
func (g *generator) value(f *model.Field, r *model.Ref, x, old string) {
	u := g.c.Model.Underlying(r)
	switch u.Kind {
	case model.KindStruct:
		g.file.P(g.callee(g.c.Model.Struct(r)), "(&", x, ", &", old, ")")
	case model.KindPointer:
		if t := g.c.Model.Struct(u.Elem); t != nil && g.c.Model.Underlying(u.Elem).Kind == model.KindStruct {
			g.file.P(g.callee(t), "(", x, ", ", old, ")")
			return
		}
		g.file.P("if ", x, " != nil && ", old, " != nil {")
		g.value(f, u.Elem, "(*"+x+")", "(*"+old+")")
		g.file.P("}")
	case model.KindSlice:
		g.list(f, r, u, x, old)
	case model.KindMap:
		g.mapping(f, u, x, old)
	}
}

func (g *generator) list(f *model.Field, r, u *model.Ref, x, old string) {
	owner := &model.Type{Package: g.c.Package.Path}
	n := tag.FieldNode(g.c.Model, g.c.Tags, owner, f)
	n.Type = r
	keys := n.ListMapKeys()
	t := g.c.Model.Struct(u.Elem)
	if n.ListType() != "map" || len(keys) == 0 || t == nil {
		return
	}
	g.depth++
	defer func() { g.depth-- }()
	i, item, cursor := g.name("i"), g.name("item"), g.name("cursor")
	hash, same := g.identity(t, keys)
	lookup, address := "Lookup", "&"
	if g.c.Model.Underlying(u.Elem).Kind == model.KindPointer {
		lookup, address = "LookupPtr", ""
	}
	g.file.P("{")
	g.file.P("var ", cursor, " ", g.file.Ident(gofile.RuntimeValidate, "Cursor"))
	g.file.P("for ", i, " := range ", x, " {")
	g.file.P(item, " := ", address, x, "[", i, "]")
	if address == "" {
		g.file.P("if ", item, " == nil {")
		g.file.P("continue")
		g.file.P("}")
	}
	g.file.P(g.callee(t), "(", item, ", ", g.file.Ident(gofile.RuntimeValidate, lookup), "(", old, ", &", cursor, ", ", item, ", ", hash, ", ", same, "))")
	g.file.P("}")
	g.file.P(cursor, ".Free()")
	g.file.P("}")
}

func (g *generator) mapping(f *model.Field, u *model.Ref, x, old string) {
	g.depth++
	defer func() { g.depth-- }()
	key, value, before, found := g.name("key"), g.name("value"), g.name("old"), g.name("found")
	pointer := g.c.Model.Underlying(u.Elem).Kind == model.KindPointer
	g.file.P("for ", key, ", ", value, " := range ", x, " {")
	g.file.P("if ", before, ", ", found, " := ", old, "[", key, "]; ", found, " {")
	g.value(f, u.Elem, value, before)
	if !pointer && g.c.Model.Underlying(u.Elem).Kind == model.KindStruct {
		g.file.P(x, "[", key, "] = ", value)
	}
	g.file.P("}")
	g.file.P("}")
}

// identity returns the functions that hash and compare the keys of list items.
func (g *generator) identity(t *model.Type, keys []*model.Field) (hash, same string) {
	suffix := "Union" + t.Name
	if t.Package != g.c.Package.Path {
		suffix = "Union" + strings.ToUpper(g.file.Import(t.Package)[:1]) + g.file.Import(t.Package)[1:] + t.Name
	}
	var hashes, parts []string
	for _, k := range keys {
		key, _ := tag.Select("", tag.Through(g.c.Model, t, k), k) // package check rejects pointers
		suffix += strings.ReplaceAll(key, ".", "")
		if _, pointer := g.c.Model.Deref(k.Type); pointer {
			hashes = append(hashes, g.file.Ident(gofile.RuntimeValidate, "HashMeaning")+"(h, &item"+key+")")
			parts = append(parts, g.file.Ident(gofile.RuntimeEquality, "PtrComparable")+"(a"+key+", b"+key+")")
			continue
		}
		hashes = append(hashes, g.file.Ident(gofile.RuntimeValidate, "HashComparable")+"(h, item"+key+")")
		parts = append(parts, "a"+key+" == b"+key)
	}
	hash, same = "hash"+suffix, "same"+suffix
	for _, k := range g.keys {
		if k.name == same {
			return hash, same
		}
	}
	typ := g.file.Ident(t.Package, t.Name)
	g.keys = append(g.keys, keyFunc{same,
		"func " + hash + "(item *" + typ + ") uint64 {\nh := uint64(0)\nh = " + strings.Join(hashes, "\nh = ") + "\nreturn h\n}\n\n" +
			"func " + same + "(a, b *" + typ + ") bool { return " + strings.Join(parts, " && ") + " }",
	})
	return hash, same
}

func (g *generator) name(base string) string {
	if g.depth <= 1 {
		return base
	}
	return base + strconv.Itoa(g.depth)
}
