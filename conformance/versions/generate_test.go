package versions_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// api writes a random API: the hand-written package of its newest version.
type api struct {
	r *rand.Rand
	// versions are the declared versions, oldest first.
	versions []string
	// n numbers declarations, so that no name is used twice.
	n int
	// declarations are the texts of types and functions, by their names.
	declarations map[string]string
	// structs may have several fields of their type, and specs several kinds.
	structs, specs []*structure
	// generics are the generic structs.
	generics []*structure
	// byHand are the older versions whose generated types become hand-written ones.
	byHand []string
	// unsorted means that the versions are not in the order of their names.
	unsorted bool
	enums    []*enum
	// asked are the names of all forms that the API could have.
	asked map[string]bool
	// gone is set in structs of removed fields.
	gone bool
}

// structure is a struct type of the newest version.
type structure struct {
	name   string
	fields []*field
	// since is the position of the version that adds the type.
	since int
	// single means that the type can have only one use, and hooked that it has a hook.
	single, hooked bool
}

// field is a field of a struct, in all versions.
type field struct {
	// states are the names and types by the position of the version; "" before the field is added, and after it is removed.
	states []state
	// required means that the newest version requires the field.
	required bool
}

type state struct{ name, typ string }

// enum is a type with constants.
type enum struct {
	name string
	// values are the constants, by the position of the version; "" where one does not exist.
	values [][]string
}

func newAPI(seed uint64) *api {
	r := rand.New(rand.NewPCG(seed, 9))
	versions := []string{"v1alpha1", "v1alpha2", "v1beta1", "v1beta2", "v1"}
	a := &api{r: r, versions: versions[5-(3+r.IntN(3)):], declarations: map[string]string{}, asked: map[string]bool{}}
	older := a.versions[:a.newest()]
	if a.unsorted = a.form("unsorted versions", 4); a.unsorted {
		older[r.IntN(len(older))] = "v2"
		r.Shuffle(len(older), func(i, k int) { older[i], older[k] = older[k], older[i] })
	}
	for _, v := range older {
		if a.form("hand-written older versions", 4) {
			a.byHand = append(a.byHand, v)
		}
	}
	return a
}

// chance returns true once in n times.
func (a *api) chance(n int) bool { return a.r.IntN(n) == 0 }

// form returns true once in n times, but never for a form of the flag -without.
func (a *api) form(name string, n int) bool {
	a.asked[name] = true
	return a.chance(n) && !slices.Contains(strings.Split(*without, ","), name)
}

func (a *api) name(prefix string) string {
	a.n++
	return fmt.Sprintf("%s%d", prefix, a.n)
}

// anyName returns the name of a declaration that may be unexported.
func (a *api) anyName(prefix string) string {
	name := a.name(prefix)
	if a.n%3 == 0 {
		name = strings.ToLower(name)
	}
	return name
}

func pick[T any](a *api, of ...T) T { return of[a.r.IntN(len(of))] }

// later returns the position of a version after one, up to another.
func (a *api) later(since, last int) int { return since + 1 + a.r.IntN(last-since) }

// newest is the position of the newest version.
func (a *api) newest() int { return len(a.versions) - 1 }

// file returns the package of the newest version with some kinds.
func (a *api) file(group string, kinds int) string {
	stores, tracked := []string{"// +versioned:tracking(store: \"annotation\")\n", ""}, false
	if a.form("tracking in the status", 2) {
		stores, tracked = []string{"// +versioned:tracking(store: \"status\")\n", ""}, true
	}
	for range kinds {
		a.kind(tracked)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "// Package v1 is made at random.\n//\n// +groupName=%s\n", group)
	if a.unsorted {
		b.WriteString("// +versioned:allowUnsorted\n")
	}
	for _, v := range a.versions {
		fmt.Fprintf(&b, "// +versioned:version(name: %q)\n", v)
	}
	b.WriteString(pick(a, stores...))
	b.WriteString(header)
	names := make([]string, 0, len(a.declarations))
	for name := range a.declarations {
		names = append(names, name)
	}
	slices.Sort(names)
	a.renamed(names)
	for _, name := range names {
		b.WriteString("\n" + a.declarations[name])
	}
	return b.String()
}

// renameable are the names of types that can have other names in older versions.
var renameable = regexp.MustCompile(`^([SEIMR][0-9]+|Kind[0-9]+(Spec|Status))$`)

// renamed gives types other names in older versions: new ones, and those of each other.
func (a *api) renamed(names []string) {
	var types []string
	was := map[string]string{}
	for _, name := range names {
		if renameable.MatchString(name) {
			types, was[name] = append(types, name), name
		}
	}
	for at := a.newest(); at > 0; at-- {
		a.r.Shuffle(len(types), func(i, k int) { types[i], types[k] = types[k], types[i] })
		some := types[:min(len(types), a.r.IntN(5))]
		before := map[string]string{}
		for i, name := range some {
			if before[name] = was[some[(i+1)%len(some)]]; i == 0 && a.chance(2) || len(some) == 1 {
				before[name] = fmt.Sprintf("%sAt%d", name, at)
			}
		}
		for _, name := range some {
			was[name] = before[name]
			head := "type " + name + " "
			a.declarations[name] = strings.Replace(a.declarations[name], head, fmt.Sprintf("// +versioned:changed(since: %q, fromName: %q)\n", a.versions[at], was[name])+head, 1)
		}
	}
}

const header = `package v1

import (
	"encoding/json"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kindsmith/kindsmith/runtime/convert"
)

var (
	_ = json.Marshal
	_ = strconv.Itoa
	_ = strings.Join
	_ resource.Quantity
	_ convert.ChangedValues
)
`

// kind declares a kind, whose status can have tracked values.
func (a *api) kind(tracked bool) {
	name, markers, since := a.name("Kind"), "", 0
	if a.chance(6) {
		since = a.later(0, a.newest())
		markers = fmt.Sprintf("// +versioned:added(since: %q)\n", a.versions[since])
	}
	if a.chance(8) {
		markers += "// +versioned:skip(roundTrip)\n"
	}
	var spec *structure
	if len(a.specs) > 0 && a.form("kinds with one spec", 4) {
		spec = pick(a, a.specs...)
	} else if spec = a.structure(name+"Spec", 0, since); !spec.single {
		a.specs = append(a.specs, spec)
	}
	status := a.structure(name+"Status", 2, since)
	if tracked {
		a.declarations[status.name] = strings.TrimSuffix(a.declarations[status.name], "}\n") + "\t// +optional\n\tChangedValues *convert.ChangedValues `json:\"changedValues,omitempty\"`\n}\n"
		status.fields = append(status.fields, &field{states: slices.Repeat([]state{{"changedValues", ""}}, len(a.versions))})
	}
	omit := pick(a, "", ",omitempty")
	if a.form("omitzero on structs", 3) {
		omit = ",omitzero"
	}
	statusOmit := pick(a, "", ",omitempty", ",omitempty")
	if a.form("omitzero on structs", 4) {
		statusOmit = ",omitzero"
	}
	a.declarations[name] = fmt.Sprintf("// %[1]s is made at random.\n//\n// +kubebuilder:object:root=true\n// +kubebuilder:subresource:status\n%[4]stype %[1]s struct {\n\tmetav1.TypeMeta `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n\tSpec %[2]s `json:\"spec%[5]s\"`\n\tStatus %[3]s `json:\"status%[6]s\"`\n}\n",
		name, spec.name, pick(a, "", "", "*")+status.name, markers, omit, statusOmit)
}

// structure declares a struct with fields at random. It exists since a version.
func (a *api) structure(name string, depth, since int) *structure {
	s := &structure{name: name, since: since}
	var fields, markers strings.Builder
	for range 2 + a.r.IntN(5) {
		switch {
		case since == a.newest():
			a.field(s, &fields, depth)
		case a.chance(6):
			a.removed(s, &markers)
		case depth < 3 && a.form("moved", 8):
			a.moved(s, &fields)
		case depth < 3 && a.chance(10):
			a.inlined(s, &fields, depth)
		case a.form("split", 8):
			a.split(s, &fields, &markers)
		case depth == 0 && a.form("labels and annotations", 6):
			a.entry(s, &fields, &markers)
		case !s.hooked && a.form("hooks", 12):
			a.hook(s, &fields, &markers)
		default:
			a.field(s, &fields, depth)
		}
	}
	a.declarations[name] = fmt.Sprintf("// %[1]s is made at random.\n//\n%[2]stype %[1]s struct {\n%[3]s}\n", name, markers.String(), fields.String())
	return s
}

// typeOf returns a type for a new field, and the markers that it needs.
func (a *api) typeOf(depth, since int) (typ, markers string) {
	if depth < 3 && a.chance(2) {
		s := a.anyStructure(depth, since)
		return a.around(s.name, a.key(s))
	}
	if a.chance(4) {
		e := a.enum()
		return pick(a, e.name, e.name, "*"+e.name, "[]"+e.name, "map[string]"+e.name), ""
	}
	if a.form("generic types", 16) {
		a.declarations["Box"] = "type Box[T any] struct {\n\tValue T `json:\"value\"`\n\tMore []T `json:\"more,omitempty\"`\n}\n\nfunc (in *Box[T]) DeepCopyInto(out *Box[T]) {\n\ttext, _ := json.Marshal(in)\n\t*out = Box[T]{}\n\t_ = json.Unmarshal(text, out)\n}\n"
		a.declarations["Fixed"] = "type Fixed struct {\n\tText string `json:\"text\"`\n\tNumbers []int64 `json:\"numbers,omitempty\"`\n}\n"
		return pick(a, "Box[string]", "*Box[Fixed]", "[]Box[int64]", "map[string]Box[*Fixed]"), ""
	}
	if depth < 3 && a.form("generic types that change", 8) {
		return a.around(a.generic()+"["+a.argument(depth, since)+"]", "")
	}
	if typ = a.scalar(); typ == "[]string" {
		markers = pick(a, "", "// +listType=set\n", "// +listType=atomic\n")
	}
	return typ, markers
}

// generic returns the name of a generic struct that changes: a new one, or one that has other uses.
func (a *api) generic() string {
	if len(a.generics) > 0 && a.chance(2) {
		return pick(a, a.generics...).name
	}
	s := &structure{name: a.anyName("G")}
	var fields, markers strings.Builder
	for range 1 + a.r.IntN(4) {
		switch {
		case a.chance(5):
			a.removed(s, &markers)
		case a.form("split", 8):
			a.split(s, &fields, &markers)
		default:
			a.field(s, &fields, 3)
		}
	}
	for _, typ := range []string{"T", "*T", "[]T", "map[string]T", "[]*T"} {
		if a.chance(3) {
			continue
		}
		name, at := a.name("t"), a.versions[a.later(0, a.newest())]
		marker := pick(a, "", "// +versioned:added(since: %[1]q)\n", "// +versioned:changed(since: %[1]q, fromName: %[2]q)\n")
		if typ == "[]T" && a.chance(2) {
			marker = "// +versioned:wrapped(since: %[1]q)\n"
		}
		if marker != "" {
			marker = fmt.Sprintf(strings.ReplaceAll(marker, "%[2]q", strconv.Quote(name+"Was")), at)
		}
		fmt.Fprintf(&fields, "// +optional\n%s%s %s `json:\"%s,omitempty\"`\n", marker, goName(name), typ, name)
	}
	a.declarations[s.name] = fmt.Sprintf("// %[1]s is made at random.\n//\n%[2]stype %[1]s[T any] struct {\n%[3]s}\n", s.name, markers.String(), fields.String())
	a.generics = append(a.generics, s)
	return s.name
}

// argument returns a type argument that exists in a version.
func (a *api) argument(depth, since int) string {
	switch a.r.IntN(4) {
	case 0:
		return pick(a, "string", "int64", "bool", "[]string", "map[string]int32")
	case 1:
		return a.enum().name
	}
	return a.anyStructure(depth+1, since).name
}

// scalar returns a type that is not of the API.
func (a *api) scalar() string {
	return pick(a, "string", "string", "*string", "int32", "int64", "*int64", "bool", "*bool", "float64", "[]string", "[]string", "map[string]string", "metav1.Duration", "*metav1.Duration", "*resource.Quantity", "[]byte", "[]int64", "[][]string")
}

// around returns a type that has structs of a type.
func (a *api) around(name, key string) (typ, markers string) {
	switch pick(a, 0, 0, 1, 2, 3, 4, 5, 6, 7) {
	case 0:
		return name, ""
	case 1:
		return "*" + name, ""
	case 2:
		if key == "" {
			return "[]" + name, ""
		}
		return "[]" + name, "// +listType=map\n// +listMapKey=" + key + "\n"
	case 3:
		return "[]" + name, "// +listType=atomic\n"
	case 4:
		return "map[string]" + name, ""
	case 5:
		return "map[string]*" + name, ""
	case 6:
		return "map[string][]" + name, ""
	}
	return "[]*" + name, ""
}

// anyStructure returns a struct that exists in a version: a new one, or one that has other uses.
func (a *api) anyStructure(depth, since int) *structure {
	if len(a.structs) > 0 && a.chance(3) {
		return pick(a, a.structs...)
	}
	s := a.structure(a.anyName("S"), depth+1, since)
	a.structs = append(a.structs, s)
	return s
}

// key returns the newest names of the fields of a struct that are the keys of a list: strings, numbers and enums that all
// versions have, "" for none.
func (a *api) key(s *structure) string {
	var keys []string
	for _, f := range s.fields {
		if f.required && len(keys) < 2 && !slices.ContainsFunc(f.states, func(s state) bool { return !a.isKey(s.typ) }) {
			keys = append(keys, f.states[len(f.states)-1].name)
		}
	}
	return strings.Join(keys, "\n// +listMapKey=")
}

// isKey reports whether values of a type stay different in all versions: those of enums do unless constants are added.
func (a *api) isKey(typ string) bool {
	return typ == "string" || typ == "int32" || typ == "int64" || typ == "metav1.Duration" ||
		slices.ContainsFunc(a.enums, func(e *enum) bool {
			return e.name == typ && !slices.ContainsFunc(e.values, func(values []string) bool { return values[0] == "" })
		})
}

// field adds a field with changes at random.
func (a *api) field(s *structure, out *strings.Builder, depth int) {
	typ, markers := a.typeOf(depth, s.since)
	name := a.name("f")
	f, text := a.history(name, typ, s.since, a.newest(), "")
	s.fields = append(s.fields, f)
	last := f.states[a.newest()]
	omit := pick(a, "", ",omitempty", ",omitempty", ",omitzero")
	if slices.ContainsFunc(a.structs, func(s *structure) bool { return s.name == last.typ }) && omit == ",omitzero" && !a.form("omitzero on structs", 1) {
		omit = ",omitempty"
	}
	if f.states[0].name == "" && omit == "" && !strings.Contains(text, "default:") {
		omit = ",omitempty" // required fields are not added without a default
	}
	optional := "// +optional\n"
	if f.required = omit == ""; f.required {
		optional = ""
	}
	fmt.Fprintf(out, "%s%s%s%s %s `json:\"%s%s\"`\n", text, markers, optional, goName(last.name), last.typ, last.name, omit)
}

func goName(name string) string { return strings.ToUpper(name[:1]) + name[1:] }

// history makes up the changes of a field up to the version at position last. Markers on a removed field name it.
func (a *api) history(name, typ string, since, last int, removed string) (*field, string) {
	f := &field{states: make([]state, len(a.versions))}
	var markers []string
	mark := func(at int, marker, args string) {
		markers = append(markers, fmt.Sprintf("// +versioned:%s(since: %q%s%s)\n", marker, a.versions[at], args, removed))
	}
	now := state{name, typ}
	if last > since && a.chance(8) {
		at := a.later(since, last)
		now.name = "deprecated" + goName(now.name)
		for i := at; i <= last; i++ {
			f.states[i] = now
		}
		now.name = name
		mark(at, "deprecated", "")
		last = at - 1
	}
	retyped := false
	for at := last; at >= 0; at-- {
		f.states[at] = now
		if at <= since || !a.chance(3) {
			continue
		}
		if a.chance(4) { // it begins here
			args := ""
			if value := a.value(now.typ, at); value != "" && !retyped && a.chance(2) {
				args = ", default: " + fmt.Sprintf("%q", value)
			}
			mark(at, "added", args)
			break
		}
		before, marker, args := now, "changed", ""
		if !retyped && a.chance(2) {
			if from, m, how := a.retype(now.typ); from != "" {
				before.typ, marker, args, retyped = from, m, how, true
			}
		}
		if args == "" || a.chance(2) {
			before.name = fmt.Sprintf("%sAt%d", name, at)
			args += fmt.Sprintf(", fromName: %q", before.name)
		}
		now = before
		mark(at, marker, args)
	}
	return f, strings.Join(markers, "")
}

// retype returns a type before a change, the marker and its arguments: "" for types that do not change.
func (a *api) retype(typ string) (from, marker, args string) {
	with := func(from, up, down string) (string, string, string) {
		name := a.name("F")
		a.declarations[name] = fmt.Sprintf("func Up%[1]s(in %[2]s) %[3]s {\n%[4]s\n}\n\nfunc Down%[1]s(in %[3]s) %[2]s {\n%[5]s\n}\n", name, from, typ, up, down)
		args := fmt.Sprintf(", fromType: %q, downgradeWith: \"Down%s\"", from, name)
		if up == "" {
			a.declarations[name] = fmt.Sprintf("func Down%[1]s(in %[3]s) %[2]s {\n%[4]s\n}\n", name, from, typ, down)
		} else {
			args += fmt.Sprintf(", upgradeWith: \"Up%s\"", name)
		}
		return from, "changed", args
	}
	by := func(from, transform string) (string, string, string) {
		return from, "changed", fmt.Sprintf(", fromType: %q, transform: %q", from, transform)
	}
	switch typ {
	case "string":
		switch a.r.IntN(4) {
		case 1:
			return with("[]string", `return strings.Join(in, ",")`, "if in == \"\" {\nreturn nil\n}\nreturn strings.Split(in, \",\")")
		case 2:
			return by(pick(a, "int64", "int32"), "integer")
		case 3:
			return by("bool", "bool")
		}
		return with("int32", "return strconv.Itoa(int(in))", "n, _ := strconv.ParseInt(in, 10, 32)\nreturn int32(n)")
	case "int32":
		return with("int8", "", "return int8(in)")
	case "int64":
		switch a.r.IntN(4) {
		case 0:
			return by("string", "integer")
		case 1:
			return by(pick(a, "metav1.Duration", "string"), pick(a, "seconds", "milliseconds"))
		case 2:
			return by(pick(a, "resource.Quantity", "string"), pick(a, "quantity", "quantity(Mi)"))
		}
		return with("int32", "", "return int32(in)")
	case "*int64":
		return by(pick(a, "*string", "*metav1.Duration"), "seconds")
	case "bool", "*bool":
		return by(strings.Replace(typ, "bool", "string", 1), "bool")
	case "[]string":
		return pick(a, "string", "*string"), "wrapped", ""
	}
	return "", "", ""
}

// value returns a JSON value of a type at a version, or "" for types without any here.
func (a *api) value(typ string, at int) string {
	switch typ {
	case "string", "*string":
		return pick(a, `"x"`, `""`, `"quo\"te"`)
	case "int32", "int64", "*int64":
		return pick(a, "0", "7")
	case "bool", "*bool":
		return pick(a, "true", "false")
	case "[]string":
		return pick(a, "[]", `["x"]`)
	case "map[string]string":
		return pick(a, "{}", `{"a": "x"}`)
	case "metav1.Duration", "*metav1.Duration":
		return `"90m"`
	}
	for _, e := range a.enums {
		if typ != e.name && typ != "*"+e.name {
			continue
		}
		for _, values := range e.values {
			if values[at] != "" {
				return quote(values[at])
			}
		}
	}
	for _, s := range a.structs {
		if !a.form("defaults with structs", 1) {
			break
		}
		object := map[string]json.RawMessage{}
		for _, f := range s.fields {
			if value := ""; f.states[at].name != "" && typ != s.name && strings.HasSuffix(typ, s.name) && !strings.HasSuffix(f.states[at].typ, s.name) && f.states[at].typ == f.states[a.newest()].typ {
				if value = a.value(f.states[at].typ, at); value != "" {
					object[f.states[at].name] = json.RawMessage(value)
				}
			}
		}
		text, _ := json.Marshal(object)
		switch typ {
		case "*" + s.name, s.name:
			return string(text)
		case "[]" + s.name:
			return "[" + string(text) + "]"
		case "map[string]" + s.name, "map[string]*" + s.name:
			return `{"a": ` + string(text) + "}"
		}
	}
	return ""
}

func quote(s string) string {
	text, _ := json.Marshal(s)
	return string(text)
}

// enum declares an enum.
func (a *api) enum() *enum {
	if len(a.enums) > 0 && a.chance(2) {
		return pick(a, a.enums...)
	}
	e := &enum{name: a.anyName("E")}
	a.enums = append(a.enums, e)
	closed := ""
	if a.chance(2) {
		closed = "//\n// +k8s:enum\n"
	}
	var b strings.Builder
	for i := range 2 + a.r.IntN(4) {
		name := a.anyName("C")
		values := make([]string, len(a.versions))
		now := name
		var markers string
		for at := a.newest(); at >= 0; at-- {
			values[at] = now
			if at == 0 || !a.chance(4) {
				continue
			}
			if i > 0 && a.chance(2) {
				markers += fmt.Sprintf("// +versioned:added(since: %q, downgradeTo: %q)\n", a.versions[at], e.values[0][a.newest()])
				break
			}
			now = fmt.Sprintf("%sAt%d", name, at)
			markers += fmt.Sprintf("// +versioned:changed(since: %q, fromName: %q)\n", a.versions[at], now)
		}
		e.values = append(e.values, values)
		fmt.Fprintf(&b, "%s%s%s %s = %q\n", markers, e.name, name, e.name, name)
	}
	a.declarations[e.name] = fmt.Sprintf("// %[1]s is made at random.\n%[2]stype %[1]s string\n\nconst (\n%[3]s)\n", e.name, closed, b.String())
	return e
}
