package golang_test

import (
	"fmt"
	"math/rand/v2"
)

// author writes random rules about a Widget that type-check.
type author struct {
	*rand.Rand
	// vars are the variables in scope, by type: "part", "string" or "int".
	vars  map[string][]string
	count int
}

func randomRules(n int, seed uint64) []string {
	var out []string
	for i := range n {
		a := &author{Rand: rand.New(rand.NewPCG(seed, uint64(i))), vars: map[string][]string{}}
		out = append(out, a.boolean(4))
	}
	return out
}

func (a *author) pick(list ...string) string { return list[a.IntN(len(list))] }

func (a *author) boolean(depth int) string {
	if depth == 0 {
		return a.pick("self.on", "self.maybe", "self.off", "true", "has(self.replicas)", "has(self.note)", "has(self.spare)", "has(self.tags)", a.part("on"))
	}
	d := depth - 1
	switch a.IntN(16) {
	case 0, 1:
		return fmt.Sprintf("(%s && %s)", a.boolean(d), a.boolean(d))
	case 2, 3:
		return fmt.Sprintf("(%s || %s)", a.boolean(d), a.boolean(d))
	case 4, 5:
		return "!(" + a.boolean(d) + ")"
	case 6:
		return fmt.Sprintf("(%s ? %s : %s)", a.boolean(d), a.boolean(d), a.boolean(d))
	case 7, 8:
		return fmt.Sprintf("%s %s %s", a.integer(d), a.pick("==", "!=", "<", "<=", ">", ">="), a.integer(d))
	case 9:
		return fmt.Sprintf("%s %s %s", a.text(d), a.pick("==", "!=", "<", ">="), a.text(d))
	case 10:
		return fmt.Sprintf("%s.%s(%s)", a.text(d), a.pick("startsWith", "endsWith", "contains"), a.text(d))
	case 11:
		return a.loop(d, "part", a.pick("self.parts", "self.refs", "self.parts.filter(f, f.count > 1)"))
	case 12:
		return a.loop(d, "string", a.pick("self.tags", "self.modes", "self.alias", "self.labels", "self.parts.map(m, m.key)", "[self.name, self.note]"))
	case 13:
		return a.loop(d, "int", a.pick("self.counts", "[1, self.small, self.replicas]", "self.parts.map(m, m.value)", "self.parts.map(m, has(m.value), m.value)"))
	case 14:
		return fmt.Sprintf("%s in %s", a.text(d), a.pick("self.tags", "self.modes", "self.labels", "['a', 'b', self.name]"))
	}
	return fmt.Sprintf("(%s) == (%s)", a.boolean(d), a.boolean(d))
}

// part returns something of a part that may be in scope; of the object otherwise.
func (a *author) part(otherwise string) string {
	if parts := a.vars["part"]; len(parts) > 0 {
		p := parts[a.IntN(len(parts))]
		return a.pick("has("+p+".value)", "has("+p+".next)", p+".key == 'a'", p+".next.count > 1")
	}
	return "self." + otherwise
}

func (a *author) loop(depth int, of, list string) string {
	a.count++
	name := fmt.Sprintf("v%d", a.count)
	a.vars[of] = append(a.vars[of], name)
	body := a.boolean(depth)
	a.vars[of] = a.vars[of][:len(a.vars[of])-1]
	return fmt.Sprintf("%s.%s(%s, %s)", list, a.pick("all", "exists", "exists_one"), name, body)
}

func (a *author) integer(depth int) string {
	if vars := a.vars["int"]; len(vars) > 0 && a.IntN(2) == 0 {
		return vars[a.IntN(len(vars))]
	}
	if parts := a.vars["part"]; len(parts) > 0 && a.IntN(2) == 0 {
		return parts[a.IntN(len(parts))] + a.pick(".count", ".value", ".?value.orValue(2)", ".next.count")
	}
	if depth == 0 {
		return a.pick("self.small", "self.replicas", "self.big", "self.other", "self.byte", "self.inner.count", "self.spare.value", "self.counts[0]", "self.counts[1]",
			"size(self.tags)", "self.parts.size()", "size(self.name)", "0", "1", "-1", "3", "100", "9223372036854775807", "self.sizes['a']", "self.?replicas.orValue(5)", "int(self.text)", "self.wide")
	}
	d := depth - 1
	switch a.IntN(4) {
	case 0:
		return fmt.Sprintf("(%s %s %s)", a.integer(d), a.pick("+", "-", "*", "/", "%"), a.integer(d))
	case 1:
		return fmt.Sprintf("(%s ? %s : %s)", a.boolean(d), a.integer(d), a.integer(d))
	case 2:
		return "(-" + a.integer(0) + ")"
	}
	return a.integer(0)
}

func (a *author) text(depth int) string {
	if vars := a.vars["string"]; len(vars) > 0 && a.IntN(2) == 0 {
		return vars[a.IntN(len(vars))]
	}
	if depth == 0 {
		return a.pick("self.name", "self.note", "self.mode", "self.text", "self.hint", "self.kind", "'a'", "'b'", "''", "'abc'", "self.tags[0]", "self.tags[2]",
			"self.labels['a']", "self.labels.b", "self.inner.key", "self.spare.key", "self.?note.orValue('x')", "self.labels[?'b'].orValue('y')", "string(self.small)")
	}
	d := depth - 1
	switch a.IntN(4) {
	case 0:
		return fmt.Sprintf("(%s + %s)", a.text(d), a.text(d))
	case 1:
		return fmt.Sprintf("(%s ? %s : %s)", a.boolean(d), a.text(d), a.text(d))
	case 2:
		return a.text(0) + a.pick(".lowerAscii()", ".substring(1)", ".charAt(0)", ".trim()", ".replace('a', 'b')")
	}
	return a.text(0)
}
