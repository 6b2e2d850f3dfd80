package defaults_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// shape is a random Go type, with the JSON of its values.
type shape struct {
	// source is the type as Go writes it.
	source string
	kind   kind
	elem   *shape
	fields []*property
	// zero is the JSON of the zero value; values are others.
	zero   any
	values []any
	// declares is set for a scalar type with a default of its own.
	declares bool
	// demands is set for a struct with a required field.
	demands bool
}

type kind int

const (
	scalar kind = iota
	object
	list
	mapping
	pointer
)

type property struct {
	// name is the JSON name, which is unique in its package; "" for an inlined struct.
	name  string
	shape *shape
}

// scalars are the types of scalars, with their defaults as markers write them.
var scalars = []struct {
	source   string
	zero     any
	values   []any
	defaults []string
}{
	{"string", "", []any{"a", "other"}, []string{`"a"`, `"x y"`, `ref(Text)`}},
	{"int32", int64(0), []any{int64(1), int64(-7)}, []string{`1`, `-3`, `ref(Number)`}},
	{"int64", int64(0), []any{int64(5)}, []string{`5`}},
	{"bool", false, []any{true}, []string{`true`}},
	{"float64", float64(0), []any{1.5}, []string{`1.5`}},
}

// author writes a random package.
type author struct {
	*rand.Rand
	decls   strings.Builder
	structs []*shape
	named   map[string]*shape
	names   int
	// automatic is set in a package with +k8s:automaticDefaults.
	automatic bool
	// absent is set in a package with structs that are absent if they are zero. Validators require
	// optional fields with a default, also in such a struct.
	absent bool
}

func (a *author) chance(percent int) bool { return a.IntN(100) < percent }

func pick[T any](a *author, list []T) T { return list[a.IntN(len(list))] }

// write returns the source of a package with a struct Root, and its structs by name.
func write(r *rand.Rand, name string) (source string, structs map[string]*shape) {
	a := &author{Rand: r, named: map[string]*shape{}, automatic: r.IntN(2) == 0, absent: r.IntN(2) == 0}
	for range 3 {
		a.structs = append(a.structs, a.structure(fmt.Sprintf("Part%d", len(a.structs))))
	}
	a.structure("Root")
	automatic := ""
	if a.automatic {
		automatic = "// +k8s:automaticDefaults\n"
	}
	return automatic + "package " + name + "\n\nconst (\n\tText = \"from constant\"\n\tNumber = 9\n)\n" + a.decls.String(), a.named
}

// structure declares a struct of random fields. It may contain those that are declared before.
func (a *author) structure(name string) *shape {
	s := &shape{source: name, kind: object}
	a.named[name] = s
	var b strings.Builder
	marker := ""
	if name == "Root" {
		marker = "// +k8s:defaulter-gen=true\n"
	}
	fmt.Fprintf(&b, "\n%stype %s struct {\n", marker, name)
	if len(a.structs) > 0 && a.chance(30) {
		// Each struct is inlined at most once, since JSON names are unique.
		inlined := a.structure(fmt.Sprintf("%sInlined", name))
		s.fields = append(s.fields, &property{shape: inlined})
		star := ""
		if a.chance(40) {
			star = "*"
		}
		s.demands = inlined.demands
		fmt.Fprintf(&b, "\t%s%s `json:\",inline\"`\n", star, inlined.source)
	}
	for range 2 + a.IntN(6) {
		f := &property{name: fmt.Sprintf("f%d", a.names), shape: a.shape(2)}
		a.names++
		s.fields = append(s.fields, f)
		markers, option := a.markers(f.shape)
		s.demands = s.demands || a.demands(f.shape, markers, option)
		for _, m := range markers {
			fmt.Fprintf(&b, "\t// +%s\n", m)
		}
		fmt.Fprintf(&b, "\tF%s %s `json:\"%s%s\"`\n", f.name[1:], f.shape.source, f.name, option)
	}
	b.WriteString("}\n")
	a.decls.WriteString(b.String())
	return s
}

// demands reports whether a field is required.
func (a *author) demands(s *shape, markers []string, option string) bool {
	if option != "" || slices.Contains(markers, "optional") || slices.Contains(markers, "k8s:optional") {
		return false
	}
	if slices.ContainsFunc(markers, func(m string) bool { return strings.HasPrefix(m, "kubebuilder:default=") }) {
		return true
	}
	return !a.automatic || s.kind != scalar && (s.kind != object || s.demands)
}

// shape returns a random type, declaring named ones.
func (a *author) shape(depth int) *shape {
	switch n := a.IntN(10); {
	case depth == 0 || n < 4:
		return a.scalar()
	case n < 6 && len(a.structs) > 0:
		return pick(a, a.structs)
	case n < 8:
		elem := a.shape(depth - 1)
		if elem.kind == pointer {
			return elem
		}
		return a.declared(&shape{source: "*" + elem.source, kind: pointer, elem: elem})
	case n < 9:
		elem := a.element(depth)
		return a.declared(&shape{source: "[]" + elem.source, kind: list, elem: elem})
	default:
		elem := a.element(depth)
		return a.declared(&shape{source: "map[string]" + elem.source, kind: mapping, elem: elem})
	}
}

// element returns the type of a list item or map value.
func (a *author) element(depth int) *shape { return a.shape(depth - 1) }

func (a *author) scalar() *shape {
	of := pick(a, scalars)
	s := &shape{source: of.source, kind: scalar, zero: of.zero, values: of.values}
	if a.chance(70) {
		return s
	}
	s.source = fmt.Sprintf("Scalar%d", a.names)
	a.names++
	if a.chance(70) {
		s.declares = true
		fmt.Fprintf(&a.decls, "\n// +default=%s\n", pick(a, of.defaults))
	}
	fmt.Fprintf(&a.decls, "type %s %s\n", s.source, of.source)
	return a.renamed(s)
}

// renamed declares another type from a declared one, or an alias of it, or neither.
func (a *author) renamed(s *shape) *shape {
	out := *s
	switch a.IntN(4) {
	case 0:
		out.source += "Renamed"
		fmt.Fprintf(&a.decls, "\ntype %s %s\n", out.source, s.source)
	case 1:
		out.source += "Alias"
		fmt.Fprintf(&a.decls, "\ntype %s = %s\n", out.source, s.source)
	}
	return &out
}

// declared declares a list, map or pointer type, maybe with a default, or returns it.
func (a *author) declared(s *shape) *shape {
	if a.chance(60) {
		return s
	}
	out := *s
	out.source = fmt.Sprintf("Composite%d", a.names)
	a.names++
	if text := a.constant(s); text != "" && a.chance(50) {
		fmt.Fprintf(&a.decls, "\n// +default=%s\n", text)
	}
	fmt.Fprintf(&a.decls, "type %s %s\n", out.source, s.source)
	return a.renamed(&out)
}

// markers returns the markers and the options of the json tag of a field.
func (a *author) markers(s *shape) (markers []string, option string) {
	option = pick(a, []string{",omitempty", ",omitempty", ""})
	if s.kind == scalar && s.declares || s.kind == object && a.absent && a.chance(30) {
		option = pick(a, []string{",omitempty", ",omitzero"})
	}
	spelling := pick(a, []string{"default", "default", "k8s:default", "kubebuilder:default"})
	value := ""
	if a.chance(60) {
		switch s.kind {
		case scalar:
			value = a.text(s)
			if option == "" && value != "" {
				option = ",omitempty"
			}
		default:
			value = a.text(s)
		}
	}
	if spelling == "kubebuilder:default" {
		switch {
		case strings.HasPrefix(value, "ref("), strings.Contains(strings.TrimPrefix(value, "["), "["):
			spelling = "default"
		case strings.HasPrefix(value, "["): // controller-gen's lists
			value = "{" + value[1:len(value)-1] + "}"
		case value == `"a"`:
			value = "a"
		}
	}
	if value != "" {
		markers = append(markers, spelling+"="+value)
	}
	switch a.IntN(6) {
	case 0, 1:
		markers = append(markers, "optional")
	case 2:
		if s.kind != object && !a.absent {
			markers = append(markers, "k8s:optional")
		}
	case 3:
		if s.kind == pointer {
			markers = append(markers, "nullable")
		}
	}
	return markers, option
}

// text returns a default of a type as a marker writes it, "" if there is none.
func (a *author) text(s *shape) string {
	switch s.kind {
	case scalar:
		for _, of := range scalars {
			if fmt.Sprint(of.zero) == fmt.Sprint(s.zero) && fmt.Sprintf("%T", of.zero) == fmt.Sprintf("%T", s.zero) && of.values[0] == s.values[0] {
				return pick(a, of.defaults)
			}
		}
	case object:
		if !s.demands {
			return "{}"
		}
	case list:
		if item := a.constant(s.elem); item != "" {
			return pick(a, []string{"[]", "[" + item + "]"})
		}
		return "[]"
	case mapping:
		if item := a.constant(s.elem); item != "" {
			return pick(a, []string{"{}", `{"k":` + item + "}"})
		}
		return "{}"
	case pointer:
		return a.text(s.elem)
	}
	return ""
}

// constant is text without references, which JSON cannot contain.
func (a *author) constant(s *shape) string {
	if text := a.text(s); !strings.HasPrefix(text, "ref(") {
		return text
	}
	return ""
}

// value returns a random value of a type: mostly complete objects, with absent fields, nulls and
// zero values.
func value(r *rand.Rand, s *shape) any {
	if r.IntN(12) == 0 {
		return nil
	}
	switch s.kind {
	case scalar:
		if r.IntN(4) == 0 {
			return s.zero
		}
		return s.values[r.IntN(len(s.values))]
	case pointer:
		return value(r, s.elem)
	case list:
		out := []any{}
		for range r.IntN(3) {
			out = append(out, value(r, s.elem))
		}
		return out
	case mapping:
		out := map[string]any{}
		for i := range r.IntN(3) {
			// Go keeps the key of a null that has no default, and servers remove it.
			if v := value(r, s.elem); v != nil || s.elem.declares {
				out[string(rune('a'+i))] = v
			}
		}
		return out
	}
	out := map[string]any{}
	fill(r, s, out)
	return out
}

func fill(r *rand.Rand, s *shape, out map[string]any) {
	for _, f := range s.fields {
		switch {
		case f.name == "":
			if r.IntN(3) > 0 {
				fill(r, f.shape, out)
			}
		case r.IntN(2) == 0:
			out[f.name] = value(r, f.shape)
		}
	}
}
