package versions_test

import (
	"fmt"
	"strings"
)

// removed describes a field that only older versions have.
func (a *api) removed(s *structure, markers *strings.Builder) {
	at := a.later(s.since, a.newest())
	typ := a.scalar()
	if !a.gone && s.since < at-1 && a.form("structs that only older versions have", 2) { // a struct that only older versions have
		a.gone = true
		typ, _ = a.around(a.structure(a.name("R"), 3, s.since).name, "")
		a.gone = false
	}
	name := a.name("r")
	f, text := a.history(name, typ, s.since, at-1, fmt.Sprintf(", field: %q", name))
	last := f.states[at-1]
	text = strings.ReplaceAll(text, fmt.Sprintf("field: %q", name), fmt.Sprintf("field: %q", last.name))
	s.fields = append(s.fields, f)
	required := ""
	if f.states[0].name != "" && a.chance(4) {
		required = ", required: true"
	}
	fmt.Fprintf(markers, "// +versioned:removed(since: %q, name: %q, type: %q%s)\n%s", a.versions[at], last.name, last.typ, required, text)
}

// moved adds a struct that no other field has as its type, and a field that moved out of it or into it.
func (a *api) moved(s *structure, out *strings.Builder) {
	at, parent, name := a.later(s.since, a.newest()), a.name("p"), a.name("m")
	typ := pick(a, "string", "int32", "*int64", "[]string", "metav1.Duration")
	field := func(from string) string {
		return fmt.Sprintf("// +versioned:moved(since: %q, fromPath: %q)\n// +optional\n%s %s `json:\"%s,omitempty\"`\n", a.versions[at], from, goName(name), typ, name)
	}
	inner := a.structure(a.name("M"), 3, s.since)
	if a.chance(2) {
		out.WriteString(field("." + parent + "." + name + "Old"))
	} else {
		// The path begins in the struct that has the field, so another such struct is below.
		other := a.name("M")
		a.declarations[other] = fmt.Sprintf("type %s struct {\n%s%s %s `json:\"in%s,omitempty\"`\n}\n", other, field("."+"in"+parent+".x"), goName("in"+parent), pick(a, "", "*")+inner.name, parent)
		inner = &structure{name: other}
	}
	fmt.Fprintf(out, "// +optional\n%s %s `json:\"%s,omitempty\"`\n", goName(parent), pick(a, "", "*")+inner.name, parent)
}

// inlined embeds a struct.
func (a *api) inlined(s *structure, out *strings.Builder, depth int) {
	inner := a.structure(a.name("I"), depth+1, s.since)
	s.fields = append(s.fields, inner.fields...)
	fmt.Fprintf(out, "%s `json:\",inline\"`\n", inner.name)
}

// split describes a string that became several fields.
func (a *api) split(s *structure, out, markers *strings.Builder) {
	at := a.later(s.since, a.newest())
	host, port, name := a.name("h"), a.name("p"), a.name("a")
	fmt.Fprintf(markers, "// +versioned:split(since: %q, name: %q, parts: \"{%s}[:{%s}]\")\n", a.versions[at], name, host, port)
	fmt.Fprintf(out, "%s string `json:\"%s,omitempty\"`\n%s %s `json:\"%s,omitempty\"`\n", goName(host), host, goName(port), pick(a, "string", "*int32"), port)
}

// entry adds a field that was a label or an annotation, or describes one that became one.
func (a *api) entry(s *structure, out, markers *strings.Builder) {
	s.single = true
	at, name := a.later(s.since, a.newest()), a.name("e")
	path := fmt.Sprintf("metadata.%s['example.com/%s']", pick(a, "annotations", "labels"), name)
	typ := pick(a, "string", "*string", "int32", "*int64", "bool", "*bool")
	became := a.chance(2)
	since, last, removed := at, a.newest(), ""
	if became {
		since, last, removed = s.since, at-1, fmt.Sprintf(", field: %q", name)
	}
	f, text := a.history(name, typ, since, last, removed)
	now := f.states[at]
	if became {
		now = f.states[last]
	}
	transform := ""
	switch strings.TrimPrefix(now.typ, "*") {
	case "int8", "int32", "int64":
		transform = ", transform: \"integer\""
	case "bool":
		transform = ", transform: \"bool\""
	case "string":
	default:
		return // no string converts to it
	}
	if became {
		text = strings.ReplaceAll(text, fmt.Sprintf("field: %q", name), fmt.Sprintf("field: %q", now.name))
		fmt.Fprintf(markers, "// +versioned:removed(since: %q, name: %q, type: %q, toPath: %q%s)\n%s", a.versions[at], now.name, now.typ, path, transform, text)
	} else {
		clear(f.states[:at])
		end := f.states[a.newest()]
		fmt.Fprintf(out, "%s// +versioned:moved(since: %q, fromPath: %q%s)\n// +optional\n%s %s `json:\"%s%s\"`\n", text, a.versions[at], path, transform, goName(end.name), end.typ, end.name, pick(a, ",omitempty", ",omitempty", ""))
	}
	s.fields = append(s.fields, f)
}

// hook adds two fields that were one, which functions convert.
func (a *api) hook(s *structure, out, markers *strings.Builder) {
	s.hooked = true
	since, one, left, right := a.versions[a.later(s.since, a.newest())], a.name("h"), a.name("h"), a.name("h")
	fmt.Fprintf(markers, "// +versioned:removed(since: %[1]q, name: %[2]q, type: \"string\")\n// +versioned:hook(since: %[1]q, upgrade: \"Split%[3]s\", downgrade: \"Join%[3]s\")\n", since, one, s.name)
	for _, name := range []string{left, right} {
		fmt.Fprintf(out, "// +versioned:added(since: %q)\n// +optional\n%s string `json:\"%s,omitempty\"`\n", since, goName(name), name)
	}
	a.declarations["Split"+s.name] = fmt.Sprintf("type %[1]sBefore struct {\n\t%[2]s string `json:\"%[3]s\"`\n}\n\nfunc Split%[1]s(in *%[1]sBefore, out *%[1]s) error {\nout.%[4]s, out.%[5]s, _ = strings.Cut(in.%[2]s, \"/\")\nreturn nil\n}\n\nfunc Join%[1]s(in *%[1]s, out *%[1]sBefore) error {\nif out.%[2]s = in.%[4]s; in.%[5]s != \"\" {\nout.%[2]s += \"/\" + in.%[5]s\n}\nreturn nil\n}\n",
		s.name, goName(one), one, goName(left), goName(right))
}
