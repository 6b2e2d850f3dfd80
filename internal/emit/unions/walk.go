package unions

import (
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/gofile"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/rule/unions"
)

// value writes the normalisation of a value. x and old are addressable expressions of the node's
// type; exists is the condition that old can be evaluated, "" if it is known.
func (g *generator) value(n *unions.Node, place, at, x, old, exists string) {
	u := g.m.Underlying(n.Type)
	if exists != "" && u.Kind != model.KindStruct {
		before := g.local("old")
		g.file.P("var ", before, " ", g.file.Type(n.Type))
		g.file.Block("if "+exists+" {", func() {
			g.file.P(before, " = ", old)
		})
		old, exists = before, ""
	}
	switch u.Kind {
	case model.KindStruct:
		g.pointer(n, place, at, "&"+x, "&"+old, exists)
	case model.KindPointer:
		if g.m.Underlying(u.Elem).Kind == model.KindStruct {
			g.pointed(n, u.Elem, place, at, x, old)
			return
		}
		g.file.Block("if "+x+" != nil && "+old+" != nil {", func() {
			elem := *n
			elem.Type = u.Elem
			g.value(&elem, place, at, "(*"+x+")", "(*"+old+")", "")
		})
	case model.KindSlice:
		g.list(n, u, place, at, x, old)
	case model.KindMap:
		g.mapping(n, u, place, at, x, old)
	}
}

// pointer writes the normalisation of a struct by pointers that are not nil; exists is the condition
// that the old one can be evaluated.
func (g *generator) pointer(n *unions.Node, place, at, x, old, exists string) {
	if exists != "" {
		before := g.local("was")
		g.file.P("var ", before, " *", g.file.Type(n.Type))
		g.file.Block("if "+exists+" {", func() {
			g.file.P(before, " = ", old)
		})
		old, exists = before, before+" != nil"
	}
	if n.Struct != nil {
		g.file.P(g.callee(n.Struct), "(r, ", at, ", ", g.converted(n, n.Type, x), ", ", g.converted(n, n.Type, old), ")")
	}
	g.structure(n, place, at, address(x), address(old), exists)
}

// address returns an expression of which fields can be selected.
func address(x string) string { return strings.TrimPrefix(x, "&") }

// pointed writes the normalisation of a struct that both pointers point to, if they are not nil.
func (g *generator) pointed(n *unions.Node, elem *model.Ref, place, at, x, old string) {
	if n.Struct != nil {
		g.file.P(g.callee(n.Struct), "(r, ", at, ", ", g.converted(n, elem, x), ", ", g.converted(n, elem, old), ")")
	}
	if len(n.Unions)+len(n.Fields) == 0 {
		return
	}
	exists := old + " != nil"
	conditions := []string{x + " != nil"}
	if !g.isEarly(&unions.Node{Unions: n.Unions, Fields: n.Fields}) {
		conditions, exists = append(conditions, exists), ""
	}
	g.open(conditions)
	g.structure(n, place, at, x, old, exists)
	g.file.P("}")
}

// converted returns a pointer as one to the node's struct, if its type is declared from that.
func (g *generator) converted(n *unions.Node, elem *model.Ref, x string) string {
	if elem.ID() == n.Struct.ID() {
		return x
	}
	return "(*" + g.file.Ident(n.Struct.Package, n.Struct.Name) + ")(" + x + ")"
}

func (g *generator) list(n *unions.Node, u *model.Ref, place, at, x, old string) {
	g.depth++
	defer func() { g.depth-- }()
	i, item, cursor, each, before := g.local("i"), g.local("item"), g.local("cursor"), g.local("each"), g.local("before")
	elem, pointer := g.m.Deref(u.Elem)
	hash, same := g.identity(elem, n.Keys)
	lookup, address := "Lookup", "&"
	if pointer {
		lookup, address = "LookupPtr", ""
	}
	g.file.P("var ", cursor, " ", g.file.Ident(gofile.RuntimeValidate, "Cursor"))
	g.file.P("var ", each, " ", g.file.Ident(gofile.RuntimeValidate, "Path"))
	g.file.P("for ", i, " := range ", x, " {")
	g.file.P(item, " := ", address, x, "[", i, "]")
	if pointer {
		g.file.Block("if "+item+" == nil {", func() {
			g.file.P("continue")
		})
	}
	g.file.P(each, " = ", strings.TrimPrefix(at, "&"), ".Index(", i, ")")
	g.file.P(before, " := ", g.file.Ident(gofile.RuntimeValidate, lookup), "(", old, ", &", cursor, ", ", item, ", ", hash, ", ", same, ")")
	nodes := n.Items
	if n.Elem != nil {
		nodes = append([]unions.Item{{Node: n.Elem}}, nodes...)
	}
	for _, in := range nodes {
		node := *in.Node
		node.Type = model.PointerTo(elem)
		if len(in.Keys) == 0 {
			g.value(&node, place, "&"+each, item, before, "")
			continue
		}
		var conditions []string
		for _, k := range in.Keys {
			conditions = append(conditions, g.keyIs(item, k)...)
		}
		g.open(conditions)
		g.value(&node, place, "&"+each, item, before, "")
		g.file.P("}")
	}
	g.file.P("}")
	g.file.P(cursor, ".Free()")
}

// keyIs returns the conditions that an item's key has a value.
func (g *generator) keyIs(item string, k rule.KeyValue) []string {
	field, there := g.selector(item, k.Key)
	value := k.Value.Text
	if k.Value.Kind == model.StringValue {
		value = strconv.Quote(value)
	}
	if _, pointer := g.m.Deref(k.Key.Type); pointer {
		return append(there, field+" != nil", "*"+field+" == "+value)
	}
	return append(there, field+" == "+value)
}

func (g *generator) mapping(n *unions.Node, u *model.Ref, place, at, x, old string) {
	g.depth++
	defer func() { g.depth-- }()
	key, value, before, found, each := g.local("key"), g.local("value"), g.local("old"), g.local("found"), g.local("each")
	exists := found
	early := g.isEarly(n.Elem)
	g.file.P("var ", each, " ", g.file.Ident(gofile.RuntimeValidate, "Path"))
	g.file.Block("for "+key+", "+value+" := range "+x+" {", func() {
		if early {
			g.file.P(before, ", ", found, " := ", old, "[", key, "]")
		} else {
			g.file.P("if ", before, ", ", found, " := ", old, "[", key, "]; ", found, " {")
			exists = ""
		}
		g.file.P(each, " = ", strings.TrimPrefix(at, "&"), ".Key(", g.text(u.Key, key), ")")
		g.value(n.Elem, place, "&"+each, value, before, exists)
		if g.m.Underlying(u.Elem).Kind == model.KindStruct {
			g.file.P(x, "[", key, "] = ", value)
		}
		if !early {
			g.file.P("}")
		}
	})
}

// text returns a map's key as a string.
func (g *generator) text(r *model.Ref, key string) string {
	if r.Kind == model.KindNamed {
		return "string(" + key + ")"
	}
	return key
}

// identity returns the functions that hash and compare the keys of list items.
func (g *generator) identity(item *model.Ref, keys []rule.FieldPath) (hash, same string) {
	t := item.ID()
	suffix := "Union" + t.Name
	if t.Package != g.c.Package.Path {
		suffix = "Union" + strings.ToUpper(g.file.Import(t.Package)[:1]) + g.file.Import(t.Package)[1:] + t.Name
	}
	var hashes, parts []string
	for _, k := range keys {
		key, _ := g.selector("", k) // package check rejects inlined pointers
		suffix += strings.ReplaceAll(key, ".", "")
		if _, pointer := g.m.Deref(k.Type); pointer {
			hashes = append(hashes, g.file.Ident(gofile.RuntimeValidate, "HashMeaning")+"(h, &item"+key+")")
			parts = append(parts, g.file.Ident(gofile.RuntimeEquality, "PtrComparable")+"(a"+key+", b"+key+")")
			continue
		}
		hashes = append(hashes, g.file.Ident(gofile.RuntimeValidate, "HashComparable")+"(h, item"+key+")")
		parts = append(parts, "a"+key+" == b"+key)
	}
	hash, same = "hash"+suffix, "same"+suffix
	if g.declared[hash] {
		return hash, same
	}
	g.declared[hash] = true
	typ := g.file.Type(item)
	g.decls = append(g.decls,
		"func "+hash+"(item *"+typ+") uint64 {\nh := uint64(0)\nh = "+strings.Join(hashes, "\nh = ")+"\nreturn h\n}",
		"func "+same+"(a, b *"+typ+") bool { return "+strings.Join(parts, " && ")+" }")
	return hash, same
}

// local returns a local name that does not shadow that of an outer loop.
func (g *generator) local(base string) string {
	if g.depth <= 1 {
		return base
	}
	return base + strconv.Itoa(g.depth)
}
