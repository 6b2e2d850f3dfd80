package validation

import (
	"regexp"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// values writes the loop over the values of a list or map, for the rules that
// are about each of them and for what their type says.
func (b *body) values(p place, rules []tag.Rule) { b.loop(p, rest(rules), true) }

// loop writes one loop for all rules that hold always, and one each for those
// that hold on a condition, which is then looked at once and not for each value.
// withType asks for what the types of the values say.
func (b *body) loop(p place, rules []tag.Rule, withType bool) {
	var always []tag.Rule
	for _, r := range rules {
		if r.Each != nil && r.If == nil {
			always = append(always, r)
		}
	}
	b.each(p, always, withType)
	e := b.exprs(p)
	for _, r := range rules {
		if r.Each != nil && r.If != nil {
			b.p("if ", r.If(e), " {")
			b.each(p, []tag.Rule{r}, false)
			b.p("}")
		}
	}
}

// each writes a loop for rules about values and keys, and for what their types
// say, where there is anything to write.
func (b *body) each(p place, rules []tag.Rule, withType bool) {
	var keys, vals []tag.Rule
	for _, r := range rules {
		if r.Each.Keys {
			keys = append(keys, r.Each.Rules...)
		} else {
			vals = append(vals, r.Each.Rules...)
		}
	}
	slices.SortStableFunc(keys, byTag)
	slices.SortStableFunc(vals, byTag)
	switch u := p.node.Underlying(); u.Kind {
	case model.KindSlice:
		elem := p.node.Elem()
		if below := withType && b.g.needs.below(elem); below || len(vals) > 0 {
			b.list(p, elem, vals, below)
		}
	case model.KindMap:
		if !stringKeys(b.g.c.Model, u) {
			return
		}
		elem := p.node.Elem()
		belowKeys, below := withType && b.g.needs.below(p.node.Key()), withType && b.g.needs.below(elem)
		if below || belowKeys || len(vals) > 0 || len(keys) > 0 {
			b.mapping(p, elem, keys, belowKeys, vals, below)
		}
	}
}

// list writes a loop over a list. Items are paired with old ones by key in a
// list of type map, by value in a set, and not at all in an atomic list.
func (b *body) list(p place, node *tag.Node, rules []tag.Rule, below bool) {
	b.depth++
	defer func() { b.depth-- }()
	pointers := node.IsPointer()
	i, item, cursor := b.name("i"), b.name("item"), b.name("cursor")
	value := b.deref(p)

	paired := pairs(p)
	if paired {
		b.p(cursor, " := 0")
	}
	outermost := len(b.paths) == 0
	if at := b.name("itemAt"); !slices.Contains(b.paths, at) {
		b.paths = append(b.paths, at)
	}
	loop := b.g.file.Capture(func() {
		b.p("for ", i, " := range ", value, " {")
		turn := b.g.file.Capture(func() { b.turn(p, node, rules, below) })
		// Some rules are about there being an item, whatever it is.
		if regexp.MustCompile(`(^|[^".\w])` + item + `\b`).MatchString(turn) {
			address := "&"
			if pointers {
				address = ""
			}
			b.p(item, " := ", address, paren(value), "[", i, "]")
		}
		b.p(turn)
		b.p("}")
	})
	if outermost {
		b.p("var ", strings.Join(b.paths, ", "), " ", b.g.file.Ident(validatePkg, "Path"))
		b.paths = nil
	}
	b.p(loop)
}

// turn writes what a loop does with one item. One that is nil is reported, if at
// all, by the field that the list is in.
func (b *body) turn(p place, node *tag.Node, rules []tag.Rule, below bool) {
	i, item, old, cursor, at := b.name("i"), b.name("item"), b.name("old"), b.name("cursor"), b.name("itemAt")
	pointers, kind := node.IsPointer(), p.node.Semantics()
	if pointers && !p.noNils {
		b.p("if ", item, " == nil {")
		b.p("continue")
		b.p("}")
	}
	inner := place{node: node, value: item, addr: item, at: "&" + at, noNils: p.noNils}
	if !pointers {
		inner.value = "*" + item
	}
	if pairs(p) {
		lookup := "Lookup"
		if pointers {
			lookup = "LookupPtr"
		}
		same := b.g.items.same(p.node)
		b.p("var ", old, " *", b.g.file.Type(node.Value()))
		b.p("if ", p.hasOld, " {")
		b.p(old, " = ", b.g.file.Ident(validatePkg, lookup), "(", b.derefOld(p), ", &", cursor, ", ", item, ", ", same, ")")
		b.p("}")
		if kind == "set" {
			b.p("if ", old, " != nil {")
		} else {
			b.p("if ", old, " != nil && ", b.g.equals.expr(node.Value(), "*"+item, "*"+old), " {")
		}
		b.p("continue")
		b.p("}")
		inner.hasOld, inner.old, inner.oldAddr = old+" != nil", "*"+old, old
	}
	b.p(at, " = ", b.parent(p), ".Index(", i, ")")
	b.item(inner, rules, below, pointers)
}

// pairs reports whether the items of a list are paired with old ones.
func pairs(p place) bool {
	kind := p.node.Semantics()
	return p.hasOld != "" && (kind == "map" && len(p.node.ListMapKeys()) > 0 || kind == "set")
}

// item writes the rules of a list's or map's value. A pointer was found not to
// be nil before.
func (b *body) item(p place, rules []tag.Rule, below, pointer bool) {
	if pointer {
		// The rules see the value that the pointer points to.
		n := *p.node
		n.Type = p.node.Value()
		p.node, p.value = &n, "*"+p.value
	}
	b.rules(p, rules, below)
}

// mapping writes a loop over a map. Errors of keys are at the map's own path.
func (b *body) mapping(p place, node *tag.Node, keyRules []tag.Rule, belowKeys bool, valueRules []tag.Rule, belowValues bool) {
	b.depth++
	defer func() { b.depth-- }()
	key, value, old, found := b.name("key"), b.name("value"), b.name("old"), b.name("found")
	wantKeys, wantValues := len(keyRules) > 0 || belowKeys, len(valueRules) > 0 || belowValues
	paths := b.paths
	b.paths = nil // the loop's body is a function

	entries := b.g.file.Ident(validatePkg, "Entries") + "(r, " + b.deref(p) + ")"
	if wantValues {
		b.p("for ", key, ", ", value, " := range ", entries, " {")
	} else {
		b.p("for ", key, " := range ", entries, " {")
	}
	if p.hasOld != "" {
		oldType := b.g.file.Type(node.Type)
		if wantValues {
			b.p("var ", old, " ", oldType)
		}
		b.p(found, " := false")
		b.p("if ", p.hasOld, " {")
		if wantValues {
			b.p(old, ", ", found, " = ", paren(b.derefOld(p)), "[", key, "]")
		} else {
			b.p("_, ", found, " = ", paren(b.derefOld(p)), "[", key, "]")
		}
		b.p("}")
	}
	if wantKeys {
		k := place{node: p.node.Key(), value: key, addr: "&" + key, at: p.at}
		if p.hasOld != "" {
			b.p("if !", found, " {")
		}
		b.rules(k, keyRules, belowKeys)
		if p.hasOld != "" {
			b.p("}")
		}
	}
	if wantValues {
		v := place{node: node, value: value, addr: "&" + value, at: "&at", noNils: p.noNils}
		if node.IsPointer() {
			v.addr = value
		}
		if p.hasOld != "" {
			b.p("if ", found, " && ", b.g.equals.expr(node.Type, value, old), " {")
			b.p("continue")
			b.p("}")
			v.hasOld, v.old, v.oldAddr, v.oldVar = found, old, "&"+old, b.name("oldValue")
			if node.IsPointer() {
				v.oldAddr = old
			}
		}
		if belowValues && b.g.needs.reaches(node, b.owner) {
			b.entry(p, v, key, valueRules)
		} else {
			b.p("at := ", b.parent(p), ".Key(string(", key, "))")
			b.rules(v, valueRules, belowValues)
		}
	}
	b.p("}")
	b.paths = paths
}

// entry writes the call of a function that validates one value of a map, by
// whose type the function that is being written may be called again. What is
// declared in the body of such a loop and handed to the function around it would
// go to the heap. An argument of another function does not, unless that function
// is inlined.
func (b *body) entry(p, v place, key string, rules []tag.Rule) {
	name := "validateEntryOf" + typeWord(b.g, model.Named(b.owner.Package, b.owner.Name))
	if p.node.Field != nil {
		name += p.node.Field.Name
	}
	name = b.g.unique(name)
	typ := b.g.file.Type(v.node.Type)
	args, params := v.value, "value "+typ
	inner := place{node: v.node, value: "value", addr: "&value", at: "&at", noNils: v.noNils}
	if v.node.IsPointer() {
		inner.addr = "value"
	}
	if v.hasOld != "" {
		args, params = args+", "+v.old+", "+v.hasOld, "value, old "+typ+", found bool"
		inner.hasOld, inner.old, inner.oldAddr, inner.oldVar = "found", "old", "&old", "oldValue"
		if v.node.IsPointer() {
			inner.oldAddr = "old"
		}
	}
	b.p(name, "(r, ", p.at, ", string(", key, "), ", args, ")")
	b.g.later = append(b.g.later, func() {
		f := b.g.file
		f.P("// ", name, " validates one entry of a map whose values can hold such a map again.")
		f.P("//")
		f.P("//go:noinline")
		f.P("func ", name, "(r *", f.Ident(validatePkg, "Run"), ", parent *", f.Ident(validatePkg, "Path"), ", key string, ", params, ") {")
		f.P("at := parent.Key(key)")
		inside := &body{g: b.g, owner: b.owner, depth: 1}
		inside.rules(inner, rules, true)
		f.P("}")
		f.P()
	})
}

// parent is the path expression that a loop's paths are made from.
func (b *body) parent(p place) string {
	return strings.TrimPrefix(p.at, "&")
}

func (b *body) deref(p place) string {
	if p.node.IsPointer() {
		return "*" + p.value
	}
	return p.value
}

func (b *body) derefOld(p place) string {
	if p.hasOld != "" && p.node.IsPointer() {
		return "*" + p.old
	}
	return p.old
}

// paren wraps an expression so that it can be indexed.
func paren(x string) string {
	if x != "" && x[0] == '*' {
		return "(" + x + ")"
	}
	return x
}
