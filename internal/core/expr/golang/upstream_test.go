package golang_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/core/expr/exprtest"
	"github.com/kindsmith/kindsmith/internal/core/expr/golang"
	"github.com/kindsmith/kindsmith/internal/core/expr/modeltype"
	"github.com/kindsmith/kindsmith/internal/core/expr/typed"
	"github.com/kindsmith/kindsmith/internal/core/goexpr"
	"github.com/kindsmith/kindsmith/internal/core/gofile"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/testing/emittest"
)

// goTypes writes Go types for the objects of a schema, and renames the objects
// to them.
type goTypes struct {
	pkg     string
	objects expr.Types
	out     bytes.Buffer
	names   map[string]string
}

var number = regexp.MustCompile(`\d+ bytes`)

var notWord = regexp.MustCompile(`[^A-Za-z0-9]+`)

func (g *goTypes) rename(t *expr.Type) {
	if t == nil {
		return
	}
	if t.Kind == expr.ObjectKind && !strings.HasPrefix(t.Name, g.pkg) {
		if g.names[t.Name] == "" {
			g.names[t.Name] = notWord.ReplaceAllString(t.Name, "_") + strconv.Itoa(len(g.names))
		}
		t.Name = g.pkg + "." + g.names[t.Name]
	}
	g.rename(t.Elem)
}

// goType returns the Go type of values. With field, it is that of a field, which may be unset.
func (g *goTypes) goType(t *expr.Type, field bool) string {
	pointer := ""
	if field || t.Nullable {
		pointer = "*"
	}
	switch t.Kind {
	case expr.ObjectKind:
		return pointer + strings.TrimPrefix(t.Name, g.pkg+".")
	case expr.ListKind:
		return "[]" + g.goType(t.Elem, false)
	case expr.MapKind:
		return "map[string]" + g.goType(t.Elem, false)
	case expr.IntOrStringKind:
		return pointer + "intstr.IntOrString"
	case expr.TimestampKind:
		if t.Format != expr.DateFormat {
			return pointer + "metav1.Time"
		}
	case expr.IntKind:
		return pointer + "int64"
	case expr.DoubleKind:
		return pointer + "float64"
	case expr.BoolKind:
		return pointer + "bool"
	case expr.UnknownKind:
		return "any"
	}
	return pointer + "string"
}

func (g *goTypes) write() {
	for _, fields := range g.objects {
		for _, t := range fields {
			g.rename(t)
		}
	}
	for old, fields := range maps.Clone(g.objects) {
		if name := g.names[old]; name != "" {
			g.objects[g.pkg+"."+name] = fields
			delete(g.objects, old)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(g.objects)) {
		fmt.Fprintf(&g.out, "type %s struct {\n", strings.TrimPrefix(name, g.pkg+"."))
		for i, field := range slices.Sorted(maps.Keys(g.objects[name])) {
			t := g.objects[name][field]
			omit := ",omitempty"
			if t.Kind == expr.ListKind || t.Kind == expr.MapKind {
				omit = "" // nil is null, which is unset
			}
			fmt.Fprintf(&g.out, "\tF%d %s `json:%s`\n", i, g.goType(t, true), strconv.Quote(field+omit))
		}
		g.out.WriteString("}\n\n")
	}
}

// notPrinted are the unsupported functions and operations in rules of the tables, with reasons. An unused entry fails the
// test.
var notPrinted = map[string]string{
	"+ on values of type list":            "lists are not built",
	"/ on values of type double":          "by the constant zero, which Go refuses to compile",
	"a literal of type []uint8":           "API servers read bytes with another alphabet than Go writes",
	"bytes":                               "see literals of bytes",
	"size of unknown":                     "of bytes",
	"string of unknown":                   "of bytes, and of strings with a format",
	"type of unknown":                     "of bytes, and of strings with a format",
	"the comparison of unknown data":      "of bytes, and of strings with a format",
	"exists_one with two variables":       "rare",
	"findAll":                             "with a limit",
	"split":                               "with a limit",
	"replace":                             "with a limit",
	"getQuery":                            "a map of lists",
	"google":                              "names of types of protocol buffers",
	"net":                                 "names of opaque types",
	"indexOf":                             "of literals, and of substrings from an offset",
	"lastIndexOf":                         "of literals, and of substrings from an offset",
	"indexOf of a list of such items":     "items that are no scalars in Go",
	"lastIndexOf of a list of such items": "items that are no scalars in Go",
	"isSorted":                            "doubles may be no numbers",
	"min":                                 "doubles may be no numbers",
	"max":                                 "doubles may be no numbers",
	"sum":                                 "doubles add up in another order",
	"isSorted of a list of such items":    "items that are no scalars in Go",
	"min of a list of such items":         "items that are no scalars in Go",
	"max of a list of such items":         "items that are no scalars in Go",
	"sum of a list of such items":         "items that are no scalars in Go",
	"optional entries":                    "rare",
	"sortBy":                              "lists are not built",
	"transformList":                       "lists are not built",
	"transformMap":                        "maps are not built",
	"transformMapEntry":                   "maps are not built",
	"string":                              "texts of doubles, durations and times",
	"the comparison of int and list":      "fails for some types only",
	"the comparison of values of type object: the JSON of self.fieldOfUnknownType has no schema": "Go does not keep it as it is",
	"the comparison of values of type list: Go does not find the items of self by their keys":    "of keys whose names API servers escape",
	"the comparison of a list of type map with a list that is no field":                          "lists are not built",
	"getDate of unknown":         "of a string with a format",
	"getFullYear of unknown":     "of a string with a format",
	"getHours of unknown":        "of a string with a format",
	"getMilliseconds of unknown": "of a string with a format",
	"getMinutes of unknown":      "of a string with a format",
	"getMonth of unknown":        "of a string with a format",
	"getSeconds of unknown":      "of a string with a format",
	"getDate":                    "with a time zone",
	"getFullYear":                "with a time zone",
	"getHours":                   "with a time zone",
	"getMilliseconds":            "with a time zone",
	"getMinutes":                 "with a time zone",
	"getMonth":                   "with a time zone",
	"getSeconds":                 "with a time zone",
	"type":                       "of types",
	"optional_type":              "names of types",
	"a list that is no field":    "lists are not built",
	"the comparison of lists that are no fields": "lists are not built",
	"< between bools":  "rare",
	"<= between bools": "rare",
	"> between bools":  "rare",
	">= between bools": "rare",
	"matches with a pattern that is no constant":           "patterns are compiled once",
	"an index of a list that is no field":                  "lists are not built",
	"exists with two variables on a list that is no field": "rare",
	"all with two variables on a list that is no field":    "rare",
	"getDayOfWeek":              "with a time zone",
	"getDayOfMonth":             "with a time zone",
	"getDayOfYear":              "with a time zone",
	"a literal of type uint64":  "no Go field is a uint in rules",
	"uint":                      "no Go field is a uint in rules",
	"timestamp":                 "of data that may be anything",
	"optional.ofNonZeroValue":   "rare",
	"an index that is a double": "rare",
	"optional items":            "lists are not built",
	"format without a list of values in the rule": "rare",
	"a condition of n bytes":                      "values with many alternatives",
	"the number of keys that may be equal":        "rare",
	"has() of an optional value":                  "rare",
	"strings.quote":                               "rare",
}

// TestUpstreamRules prints the rules of an API server's test table, and those of the CEL specification's tests, for Go types
// that correspond to the schemas. It compiles the conditions and compares their results with CEL's.
func TestUpstreamRules(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program")
	}
	specified, _ := exprtest.Specification(t, func(source string) (expr.Expr, bool) {
		tree, problems := typed.Parse(source)
		return tree, len(problems) == 0
	})
	cases := append(exprtest.Cases(t, exprtest.Expressions), specified...)
	dir, err := os.MkdirTemp("testdata", "upstream")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	pkg := "github.com/kindsmith/kindsmith/internal/core/expr/golang/testdata/" + filepath.Base(dir)
	types := &goTypes{pkg: pkg, objects: expr.Types{}, names: map[string]string{}}
	selves := make([]*expr.Type, len(cases))
	for i, c := range cases {
		selves[i] = exprtest.TypeOf(exprtest.Structural(t, c.Schema), c.IsRoot, "Case"+strconv.Itoa(i), types.objects)
		types.rename(selves[i])
	}
	types.write()
	source := "package " + filepath.Base(dir) + "\n\nimport (\n\tmetav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\t\"k8s.io/apimachinery/pkg/util/intstr\"\n)\n\ntype (\n\t_ metav1.Time\n\t_ intstr.IntOrString\n)\n\n" + types.out.String()
	if err := os.WriteFile(filepath.Join(dir, "types.go"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	m, _ := emittest.Model(t, "./"+dir)

	file := gofile.New("example.com/check", "main")
	file.Reserve("obj", "old")
	comparing := comparison(&modeltype.Builder{Model: m, Objects: types.objects}, file)
	var variables []string
	type rule struct {
		env     *typed.Env
		source  string
		code    string
		program *typed.Program
	}
	perCase := make([][]rule, len(cases))
	reasons := map[string]int{}
	total, translated := 0, 0
	for i, c := range cases {
		if selves[i].Kind != expr.ObjectKind {
			continue
		}
		env, err := typed.NewEnv(types.objects, selves[i], false)
		if err != nil {
			t.Fatal(err)
		}
		self := model.Named(pkg, strings.TrimPrefix(selves[i].Name, pkg+"."))
		context := golang.Context{
			Model: m, File: file, Types: &modeltype.Builder{Model: m, Objects: types.objects}, SelfType: selves[i],
			Self: golang.Operand{Code: goexpr.Star(goexpr.Raw("obj")), Type: self}, OldSelf: golang.Operand{Code: goexpr.Star(goexpr.Raw("old")), Type: self},
			Declare: func(hint, value string) string {
				name := hint + strconv.Itoa(len(variables))
				variables = append(variables, name+" = "+value)
				return name
			},
			Equal: comparing.Equal,
		}
		for _, s := range append(append([]string{}, c.Valid...), c.Errors...) {
			checked, problems := env.Read(s)
			if len(problems) > 0 || checked.TypeOf(checked.Tree).Kind != expr.BoolKind {
				continue
			}
			program, err := checked.Program()
			if err != nil || program.UsesOldSelf() && c.OldObj == nil {
				continue
			}
			total++
			code, not := golang.Print(checked.Tree, context)
			if len(not) > 0 {
				for _, r := range not {
					reasons[number.ReplaceAllString(r.What, "n bytes")]++
				}
				continue
			}
			translated++
			perCase[i] = append(perCase[i], rule{env, s, goexpr.String(code), program})
		}
	}
	if translated*2 < total {
		t.Errorf("%d of %d rules are printed", translated, total)
	}
	for what := range reasons {
		if notPrinted[what] == "" {
			t.Errorf("%q is not printed, without a reason", what)
		}
	}
	for what := range notPrinted {
		if reasons[what] == 0 {
			t.Errorf("%q: no rule has it any more, or it is printed", what)
		}
	}
	t.Logf("%d of %d rules are printed", translated, total)
	for _, what := range slices.SortedFunc(maps.Keys(reasons), func(a, b string) int { return reasons[b] - reasons[a] }) {
		t.Logf("%5d %s", reasons[what], what)
	}

	for _, v := range variables {
		file.P("var ", v)
	}
	functions(file, comparing)
	file.P("var _ = ", file.Ident("fmt", "Sprint"))
	file.P("var _ ", file.Ident("os", "FileMode"))
	file.P("func main() {\nin, out := ", file.Ident("encoding/json", "NewDecoder"), "(os.Stdin), json.NewEncoder(os.Stdout)")
	var input bytes.Buffer
	for i, c := range cases {
		if len(perCase[i]) == 0 {
			continue
		}
		name := file.Ident(pkg, strings.TrimPrefix(selves[i].Name, pkg+"."))
		file.P("{\nvar p struct { Obj, Old *", name, " }\nerr := in.Decode(&p)\nobj, old := p.Obj, p.Old\n_, _ = obj, old\nresults := []string{}\nif err == nil {")
		for _, r := range perCase[i] {
			file.P("results = append(results, fmt.Sprint(", r.code, "))")
		}
		file.P("}\nout.Encode(map[string]any{\"Obj\": p.Obj, \"Old\": p.Old, \"Results\": results})\n}")
		data, err := json.Marshal(map[string]any{"Obj": c.Obj, "Old": c.OldObj})
		if err != nil {
			t.Fatal(err)
		}
		input.Write(append(data, '\n'))
	}
	file.P("}")
	program, err := file.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(runProgram(t, program, &input))
	dec.UseNumber()
	compared := 0
	for i, c := range cases {
		if len(perCase[i]) == 0 {
			continue
		}
		var got struct {
			Obj, Old any
			Results  []string
		}
		if err := dec.Decode(&got); err != nil {
			t.Fatal(err)
		}
		obj, old := exprtest.Numbers(c.Obj), exprtest.Numbers(c.OldObj)
		if len(got.Results) == 0 || !reflect.DeepEqual(dropNulls(exprtest.Numbers(got.Obj)), dropNulls(obj)) || !reflect.DeepEqual(dropNulls(exprtest.Numbers(got.Old)), dropNulls(old)) {
			continue // Go's types cannot represent the object
		}
		for j, r := range perCase[i] {
			compared++
			want, err := r.program.Bool(obj, old)
			if got.Results[j] != strconv.FormatBool(want) {
				t.Errorf("%s: %s\nis printed as\n%s\nGo says %s, CEL %v %v", c.Name, r.source, r.code, got.Results[j], want, err)
			}
		}
	}
	if compared*4 < total {
		t.Errorf("%d of %d rules are compared", compared, total)
	}
	t.Logf("%d rules are compared", compared)
}
