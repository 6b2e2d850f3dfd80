package golang_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/core/expr/golang"
	"github.com/kindsmith/kindsmith/internal/core/expr/modeltype"
	"github.com/kindsmith/kindsmith/internal/core/expr/typed"
	"github.com/kindsmith/kindsmith/internal/core/goexpr"
	"github.com/kindsmith/kindsmith/internal/core/gofile"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/testing/emittest"
)

const shop = "github.com/kindsmith/kindsmith/internal/core/expr/golang/testdata/shop"

var loaded struct {
	sync.Once
	model *model.Model
}

// shopModel loads the types once for all tests.
func shopModel(t *testing.T) *model.Model {
	t.Helper()
	loaded.Do(func() { loaded.model, _ = emittest.Model(t, "./testdata/shop") })
	return loaded.model
}

// fixture prints conditions on a Widget.
type fixture struct {
	env     *typed.Env
	context golang.Context
	file    *gofile.File
	// variables are the declared package variables: name and value.
	variables []string
	compared  *golang.Comparison
}

// lists are the fields whose lists API servers compare without their order, with the keys.
var lists = map[string][]string{"Set": nil, "Keyed": {"key"}, "Whole.Keyed": {"name", "port"}}

func newFixture(t testing.TB, m *model.Model, optionalOld bool) *fixture {
	t.Helper()
	widget := model.Named(shop, "Widget")
	types := &modeltype.Builder{Model: m, Field: func(owner *model.Type, f *model.Field, t *expr.Type) {
		keys, is := lists[f.Name]
		if of, ok := lists[owner.Name+"."+f.Name]; ok {
			keys = of
		}
		if is {
			t.ListType, t.ListKeys = map[bool]string{true: "map", false: "set"}[keys != nil], keys
		}
	}}
	env, err := typed.NewEnv(types.Objects, types.Of(widget), optionalOld)
	if err == nil {
		env, err = typed.NewEnv(types.Objects, types.Of(widget), optionalOld)
	}
	if err != nil {
		t.Fatal(err)
	}
	f := &fixture{env: env, file: gofile.New("example.com/check", "main")}
	f.file.Reserve("obj", "old")
	f.context = golang.Context{
		Model: m, Types: types, File: f.file, OldOptional: optionalOld,
		Self:    golang.Operand{Code: goexpr.Star(goexpr.Raw("obj")), Type: widget},
		OldSelf: golang.Operand{Code: goexpr.Star(goexpr.Raw("old")), Type: widget},
		Declare: func(hint, value string) string {
			name := hint + strconv.Itoa(len(f.variables)+1)
			f.variables = append(f.variables, name+" = "+value)
			return name
		},
	}
	f.compared = comparison(types, f.file)
	f.context.Equal = f.compared.Equal
	return f
}

// comparison compares values by reflection where that is what API servers do.
func comparison(types *modeltype.Builder, file *gofile.File) *golang.Comparison {
	return &golang.Comparison{
		Model: types.Model, Types: types, File: file, Word: func(t *model.Ref) string { return t.Name },
		Semantic: func(_ *model.Ref, x, y goexpr.Expr) goexpr.Expr {
			semantic := file.Ident("k8s.io/apimachinery/pkg/api/equality", "Semantic")
			return goexpr.Method(goexpr.Raw(semantic), "DeepEqual", goexpr.Addr(x), goexpr.Addr(y))
		},
		Keys: func(elem *model.Ref, keys []*model.Member) (hash, same goexpr.Expr) {
			var equal []goexpr.Expr
			for _, k := range keys {
				x, y := goexpr.Sel(goexpr.Raw("a"), k.Field.Name), goexpr.Sel(goexpr.Raw("b"), k.Field.Name)
				if k.Type.Kind == model.KindPointer {
					equal = append(equal, goexpr.Call(file.Ident("github.com/kindsmith/kindsmith/runtime/gen/equality", "PtrComparable"), x, y))
				} else {
					equal = append(equal, goexpr.Eq(x, y))
				}
			}
			pointer := "*" + file.Type(elem)
			return goexpr.Raw("func(" + pointer + ") uint64 { return 0 }"), goexpr.Literal{Signature: "func(a, b " + pointer + ") bool", Result: goexpr.And(equal...)}
		},
	}
}

// functions writes the functions that comparisons need.
func functions(file *gofile.File, c *golang.Comparison) {
	for _, f := range c.Functions() {
		file.P(f.Signature, " { return ", goexpr.String(f.Result), " }")
	}
}

func (f *fixture) print(t testing.TB, rule string) (*typed.Checked, string, []golang.Reason) {
	t.Helper()
	c, problems := f.env.Read(rule)
	if len(problems) > 0 {
		t.Fatalf("%s: %v", rule, problems)
	}
	code, reasons := golang.Print(c.Tree, f.context)
	return c, goexpr.String(code), reasons
}

func TestPrint(t *testing.T) {
	m := shopModel(t)
	f := newFixture(t, m, false)
	optional := newFixture(t, m, true)
	for _, x := range []struct{ rule, want string }{
		{"self.small > 3", "obj.Small > 3"},
		{"self.small > 3000000000", "int64(obj.Small) > 3000000000"},
		{"!has(self.replicas) || self.replicas > 0", "obj.Replicas == nil || *obj.Replicas > 0"},
		{"has(self.replicas) && self.replicas > 0", "obj.Replicas != nil && *obj.Replicas > 0"},
		{"self.replicas > 0", "obj.Replicas != nil && *obj.Replicas > 0"},
		{"!(self.replicas > 0)", "obj.Replicas != nil && *obj.Replicas <= 0"},
		{"self.mode == 'a' ? has(self.spare) : true", `obj.Mode == "a" && obj.Spare != nil || obj.Mode != "" && obj.Mode != "a"`},
		{"self.name.startsWith('x-')", `strings.HasPrefix(obj.Name, "x-")`},
		{"self.name.matches('^a+$')", "pattern1.MatchString(obj.Name)"},
		{"self.parts.all(p, p.count > 0)", "len(obj.Parts) != 0 && cel.Every(obj.Parts, func(p *shop.Part) bool { return p.Count > 0 })"},
		{"self.name in ['a', 'b']", `obj.Name == "a" || obj.Name == "b"`},
		{"'a' in self.tags", `len(obj.Tags) != 0 && slices.Contains(obj.Tags, "a")`},
		{"self.small + 1 > 5", "int64(obj.Small) + 1 > 5"},
		{"self.big + 1 > 5", "obj.Big != 0 && cel.AddFits(obj.Big, 1) && obj.Big + 1 > 5"},
		{"self.?replicas.orValue(1) > 0", "obj.Replicas != nil && *obj.Replicas > 0 || obj.Replicas == nil"},
		{"self.spare.next.key == 'x'", `obj.Spare != nil && obj.Spare.Next != nil && obj.Spare.Next.Key == "x"`},
		{"quantity(self.memory).isLessThan(quantity('1Gi'))", "cel.QuantityLess(obj.Memory, quantity2)"},
		{"self.hint == 'x'", `obj.Extra != nil && obj.Extra.Hint == "x"`},
		{"self.small >= oldSelf.small", "obj.Small >= old.Small"},
		{"self.small + self.byte - (self.small - 1) > 0", "obj.Byte != 0 && int64(obj.Small) + int64(obj.Byte) - (int64(obj.Small) - 1) > 0"},
		{"(self.small + 1) * 2 / 3 > -(-self.small)", "(int64(obj.Small) + 1) * 2 / 3 > 0 - (0 - int64(obj.Small))"},
		{"(has(self.note) ? 1 : 0) + (has(self.spare) ? 1 : 0) == 1", "cel.If(obj.Note != nil, 1, 0) + cel.If(obj.Spare != nil, 1, 0) == 1"},
	} {
		if _, got, reasons := f.print(t, x.rule); got != x.want || len(reasons) > 0 {
			t.Errorf("%s\ngot  %s %v\nwant %s", x.rule, got, reasons, x.want)
		}
	}
	rule, want := "oldSelf.hasValue() ? self.name == oldSelf.value().name : true", "old != nil && obj.Name == old.Name || old == nil"
	if _, got, reasons := optional.print(t, rule); got != want || len(reasons) > 0 {
		t.Errorf("%s\ngot  %s %v\nwant %s", rule, got, reasons, want)
	}
}

func TestNotTranslatable(t *testing.T) {
	m := shopModel(t)
	f := newFixture(t, m, false)
	for rule, want := range map[string]string{
		"self.tags.slice(0, 1) == ['a']":                             "true|slice",
		"self.small > 1 && self.name.format(['x']) == 'x'":           "obj.Small > 1|format without a list of values in the rule",
		"self.small > 1 && self.tags.distinct() == ['a'] && self.on": "obj.Small > 1 && obj.On|distinct",
		"string(self.memory) == '1'":                                 "true|the text of a quantity",
		"{self.memory: 1}.size() == 1":                               "true|a key that is not a constant",
		"self.byName == {'a': dyn(1)}":                               "true|the comparison of object and int",
	} {
		_, got, reasons := f.print(t, rule)
		for _, r := range reasons {
			got += "|" + r.What
			if r.Span.End == 0 {
				t.Errorf("%s: the reason has no place", rule)
			}
		}
		if got != want {
			t.Errorf("%s\ngot  %s\nwant %s", rule, got, want)
		}
	}
}

// objects returns random objects, in JSON.
func (f *fixture) objects(n int) []string {
	g := rand.New(rand.NewPCG(1, 2))
	var out []string
	for range n {
		data, err := json.Marshal(f.random(g, f.env.Self(), "", 0))
		if err != nil {
			panic(err)
		}
		out = append(out, string(data))
	}
	return out
}

var words = []string{"", "a", "b", "abc", "x-1", "é", "10", "-3", "1.5", "true", "1h30m", "10Mi", "1Gi", "10.0.0.1", "10.0.0.0/8", "::1", "2001:db8::/32",
	"https://example.com:80/a?b=c", "2024-01-02T03:04:05Z", "2024-01-02", "dns-name", "Not_A.Name", "123e4567-e89b-12d3-a456-426614174000", "YWJj", "5%", "a,b,c"}

var integers = []int64{0, 1, 2, 3, 5, 10, -1, -2, 100, 255, math.MaxInt32, math.MinInt32, math.MaxInt64, math.MinInt64}

// random returns a value of a type that Go decodes.
func (f *fixture) random(g *rand.Rand, t *expr.Type, field string, depth int) any {
	switch t.Kind {
	case expr.StringKind:
		if field == "timeout" || field == "grace" {
			return []string{"0s", "1h0m0s", "30s", "-5s"}[g.IntN(4)]
		}
		return words[g.IntN(len(words))]
	case expr.IntKind:
		i := integers[g.IntN(len(integers))]
		switch field {
		case "byte":
			return i & 0xff
		case "wide":
			return uint64(i)
		case "big", "other":
			return i
		}
		return int32(i)
	case expr.DoubleKind:
		return []float64{0, 1, 0.5, -2, 1e300, 10}[g.IntN(6)]
	case expr.BoolKind:
		return g.IntN(2) == 0
	case expr.IntOrStringKind:
		if field == "memory" || field == "limit" || field == "extent" {
			return []string{"0", "10Mi", "1Gi", "1500m", "-1"}[g.IntN(5)]
		}
		if g.IntN(2) == 0 {
			return int32(integers[g.IntN(len(integers))])
		}
		return words[g.IntN(len(words))]
	case expr.TimestampKind:
		return []string{"2024-01-02T03:04:05Z", "1999-12-31T23:59:59Z", "2030-06-01T00:00:00Z"}[g.IntN(3)]
	case expr.ListKind:
		out := []any{}
		for range g.IntN(4) {
			if field == "refs" && g.IntN(8) == 0 {
				out = append(out, nil)
				continue
			}
			out = append(out, f.random(g, t.Elem, field+"[]", depth+1))
		}
		return out
	case expr.MapKind:
		out := map[string]any{}
		for range g.IntN(3) {
			out[words[g.IntN(5)]] = f.random(g, t.Elem, field+"{}", depth+1)
		}
		return out
	case expr.ObjectKind:
		out := map[string]any{}
		for name, ft := range f.env.Types()[t.Name] {
			if g.IntN(3) > 0 {
				out[name] = f.random(g, ft, name, depth+1)
			}
		}
		return out
	}
	return nil
}

// TestAgainstCEL compiles the printed conditions of many rules, and compares them
// on random objects with the interpreter.
func TestAgainstCEL(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program")
	}
	m := shopModel(t)
	type rule struct {
		source    string
		optional  bool
		noAllocs  bool
		program   *typed.Program
		code      string
		trueCount int
		failCount int
	}
	var rules []*rule
	plain, optional := newFixture(t, m, false), newFixture(t, m, true)
	optional.file, optional.context.File, optional.context.Equal = plain.file, plain.file, plain.context.Equal
	optional.context.Declare = plain.context.Declare
	var body bytes.Buffer
	add := func(source string, isOptional, noAllocs bool) {
		f := plain
		if isOptional {
			f = optional
		}
		c, code, reasons := f.print(t, source)
		if len(reasons) > 0 {
			if !strings.HasPrefix(reasons[0].What, "a condition of") {
				t.Errorf("%s: not translatable: %v", source, reasons)
			}
			return
		}
		p, err := c.Program()
		if err != nil {
			t.Fatalf("%s: %v", source, err)
		}
		rules = append(rules, &rule{source: source, optional: isOptional, noAllocs: noAllocs, program: p, code: code})
		fmt.Fprintf(&body, "// %s\nfunc(obj, old *%s) bool { return %s },\n", strings.ReplaceAll(source, "\n", " "), plain.file.Ident(shop, "Widget"), code)
	}
	for _, s := range commonRules {
		add(s, false, true)
	}
	for _, s := range otherRules {
		add(s, false, false)
	}
	for _, s := range optionalRules {
		add(s, true, false)
	}
	for _, s := range randomRules(120, 1) {
		add(s, false, false)
	}
	if t.Failed() {
		return
	}

	file := plain.file
	for _, v := range plain.variables {
		file.P("var ", v)
	}
	functions(file, plain.compared)
	widget := file.Ident(shop, "Widget")
	file.P("var rules = []func(obj, old *", widget, ") bool {\n", body.String(), "}")
	file.P(`
type pair struct{ Obj, Old *`, widget, ` }

func run(rule func(obj, old *`, widget, `) bool, p pair) (result string) {
	defer func() {
		if e := recover(); e != nil {
			result = `, file.Ident("fmt", "Sprint"), `("panic: ", e)
		}
	}()
	return fmt.Sprint(rule(p.Obj, p.Old))
}

func main() {
	in := `, file.Ident("encoding/json", "NewDecoder"), `(`, file.Ident("os", "Stdin"), `)
	out := json.NewEncoder(os.Stdout)
	for in.More() {
		var p pair
		if err := in.Decode(&p); err != nil {
			panic(err)
		}
		var results []string
		var allocs []float64
		for _, r := range rules {
			results = append(results, run(r, p))
			allocs = append(allocs, `, file.Ident("testing", "AllocsPerRun"), `(1, func() { run2(r, p) }))
		}
		if err := out.Encode(map[string]any{"Obj": p.Obj, "Old": p.Old, "Results": results, "Allocs": allocs}); err != nil {
			panic(err)
		}
	}
}

func run2(rule func(obj, old *`, widget, `) bool, p pair) {
	defer func() { recover() }()
	rule(p.Obj, p.Old)
}`)
	source, err := file.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	input := &bytes.Buffer{}
	list := plain.objects(450)
	for i, obj := range list {
		old := "null"
		if i%3 > 0 {
			old = list[(i*7+1)%len(list)]
		}
		switch i % 9 {
		case 1:
			old = obj
		case 2, 5, 7:
			old = similar(rand.New(rand.NewPCG(3, uint64(i))), obj)
		}
		fmt.Fprintf(input, `{"Obj":%s,"Old":%s}`+"\n", obj, old)
	}
	output := runProgram(t, source, input)
	dec := json.NewDecoder(bufio.NewReader(output))
	dec.UseNumber()
	reported := map[int]int{}
	for dec.More() {
		var got struct {
			Obj, Old any
			Results  []string
			Allocs   []float64
		}
		if err := dec.Decode(&got); err != nil {
			t.Fatal(err)
		}
		for i, r := range rules {
			old := got.Old
			switch {
			case old == nil && r.optional:
				old = typed.Missing
			case old == nil && r.program.UsesOldSelf():
				continue
			}
			want, err := r.program.Bool(dropNulls(got.Obj), dropNulls(old))
			if err != nil {
				r.failCount++
			} else if want {
				r.trueCount++
			}
			if got.Results[i] != strconv.FormatBool(want) {
				if reported[i]++; reported[i] > 1 {
					continue
				}
				data, _ := json.Marshal(got.Obj)
				oldData, _ := json.Marshal(got.Old)
				t.Errorf("%s\nis printed as\n%s\nGo says %s, CEL %v %v\nof %s\nold %s", r.source, r.code, got.Results[i], want, err, data, oldData)
			}
			if r.noAllocs && want && got.Allocs[i] > 0 {
				if reported[i]++; reported[i] == 1 {
					t.Errorf("%s\nis printed as\n%s\nwhich allocates", r.source, r.code)
				}
			}
		}
	}
	for _, r := range rules {
		if r.trueCount == 0 || r.trueCount == len(list) {
			t.Logf("%s is true %d times of %d, fails %d times", r.source, r.trueCount, len(list), r.failCount)
		}
	}
}

// similar returns an object that differs little from another one: in the order of lists, and in what is empty.
func similar(g *rand.Rand, object string) string {
	var v any
	dec := json.NewDecoder(strings.NewReader(object))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		panic(err)
	}
	var change func(v any) any
	change = func(v any) any {
		switch v := v.(type) {
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(v)) {
				if list, ok := v[name].([]any); ok && len(list) == 0 && g.IntN(4) == 0 {
					delete(v, name)
					continue
				}
				v[name] = change(v[name])
			}
		case []any:
			for i := range v {
				v[i] = change(v[i])
			}
			switch n := g.IntN(40); {
			case n < 20:
				g.Shuffle(len(v), func(i, j int) { v[i], v[j] = v[j], v[i] })
			case n == 20 && len(v) > 1:
				v[0] = v[1]
			case n == 21:
				return v[:len(v)/2]
			}
		}
		return v
	}
	data, err := json.Marshal(change(v))
	if err != nil {
		panic(err)
	}
	return string(data)
}

// dropNulls removes fields that are null, as an API server does.
func dropNulls(v any) any {
	if m, ok := v.(map[string]any); ok {
		out := map[string]any{}
		for k, x := range m {
			if x != nil {
				out[k] = dropNulls(x)
			}
		}
		return out
	}
	if l, ok := v.([]any); ok {
		out := make([]any, len(l))
		for i, x := range l {
			out[i] = dropNulls(x)
		}
		return out
	}
	return v
}

// TestOperands prints rules on values that are not structs.
func TestOperands(t *testing.T) {
	m := shopModel(t)
	slice := func(r *model.Ref) *model.Ref { return &model.Ref{Kind: model.KindSlice, Elem: r} }
	for _, x := range []struct {
		self       golang.Operand
		rule, want string
	}{
		{golang.Operand{Code: goexpr.Raw("obj.Name"), Type: model.Builtin("string")}, "self.startsWith('a') && self != oldSelf", `strings.HasPrefix(obj.Name, "a") && obj.Name != obj.Name`},
		{golang.Operand{Code: goexpr.Star(goexpr.Raw("at")), Type: model.Named(shop, "Mode")}, "self == 'a'", `*at == "a"`},
		{golang.Operand{Code: goexpr.Star(goexpr.Raw("at")), Type: model.Builtin("int32")}, "self + 1 < 5", "int64(*at) + 1 < 5"},
		{golang.Operand{Code: goexpr.Raw("obj.Parts"), Type: slice(model.Named(shop, "Part"))}, "self.all(obj, obj.key != '')", `cel.Every(obj.Parts, func(obj2 *shop.Part) bool { return obj2.Key != "" })`},
		{golang.Operand{Code: goexpr.Star(goexpr.Raw("list")), Type: slice(model.Named(shop, "Part"))}, "self.all(cel, self.exists(shop, cel.key == shop.key))",
			"cel.Every(*list, func(cel2 *shop.Part) bool { return cel.Some(*list, func(shop2 *shop.Part) bool { return cel2.Key == shop2.Key }) })"},
		{golang.Operand{Code: goexpr.Raw("x"), Type: slice(model.Builtin("string"))}, "self.all(range, range.matches('^a'))", "cel.Every(x, func(range2 *string) bool { return pattern1.MatchString(*range2) })"},
		{golang.Operand{Code: goexpr.Star(goexpr.Raw("obj")), Type: model.Named(shop, "Widget")}, "self.counts.min() > 3 && size(self.counts) > 2", "len(obj.Counts) != 0 && slices.Min(obj.Counts) > 3 && len(obj.Counts) > 2"},
	} {
		f := newFixture(t, m, false)
		f.context.Self, f.context.OldSelf = x.self, x.self
		env, err := typed.NewEnv(f.context.Types.Objects, f.context.Types.Of(x.self.Type), false)
		if err != nil {
			t.Fatal(err)
		}
		f.env = env
		if _, got, reasons := f.print(t, x.rule); got != x.want || len(reasons) > 0 {
			t.Errorf("%s\ngot  %s %v\nwant %s", x.rule, got, reasons, x.want)
		}
	}
}

func TestText(t *testing.T) {
	f := newFixture(t, shopModel(t), false)
	for rule, want := range map[string]string{
		"'must be ' + string(self.small)": `true: "must be " + cel.IntText(int64(obj.Small))`,
		"self.note":                       "obj.Note != nil: *obj.Note",
		"self.on ? 'a' : self.name":       `obj.On: "a" | !obj.On: obj.Name`,
		"type(self.port) == int ? string(self.port) : 'x' + self.port": `obj.Port.Type == intstr.Int: cel.IntText(int64(obj.Port.IntVal)) | obj.Port.Type != intstr.Int: "x" + obj.Port.StrVal`,
		"self.memory":                 "the text of a quantity",
		"'%s!'.format([self.name])":   `true: obj.Name + "!"`,
		"'%e'.format([self.ratio])":   "format of a double with %e",
		"self.text.format([self.on])": "format without a list of values in the rule",
	} {
		c, problems := f.env.Read(rule)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		cases, reason := golang.Text(c.Tree, f.context)
		var got []string
		for _, x := range cases {
			got = append(got, goexpr.String(x.When)+": "+goexpr.String(x.Value))
		}
		if reason != nil {
			got = append(got, reason.What)
		}
		if text := strings.Join(got, " | "); text != want {
			t.Errorf("%s\ngot  %s\nwant %s", rule, text, want)
		}
	}
}
