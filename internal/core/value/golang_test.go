package value_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kjson "k8s.io/apimachinery/pkg/runtime/serializer/json"

	"github.com/kindsmith/kindsmith/internal/core/gofile"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/value"
	"github.com/kindsmith/kindsmith/internal/core/value/goliteral"
	"github.com/kindsmith/kindsmith/internal/core/value/testdata/golang"
	"github.com/kindsmith/kindsmith/internal/core/value/testdata/shapes"
	"github.com/kindsmith/kindsmith/internal/testing/goldentest"
)

// object is an API object with the shapes.
type object struct {
	Spec shapes.Spec `json:"spec"`
}

func (*object) GetObjectKind() schema.ObjectKind { return schema.EmptyObjectKind }
func (o *object) DeepCopyObject() runtime.Object { return o }

// decode decodes a value of a field as API servers do with strict validation.
func decode(field, text string) (*object, error) {
	scheme := runtime.NewScheme()
	decoder := kjson.NewSerializerWithOptions(kjson.DefaultMetaFactory, scheme, scheme, kjson.SerializerOptions{Strict: true})
	o := &object{}
	_, _, err := decoder.Decode(fmt.Appendf(nil, `{"spec":{%q:%s}}`, field, text), nil, o)
	return o, err
}

// encoded returns what Go writes for a field of a Spec, nil if it leaves it out.
func encoded(t *testing.T, spec shapes.Spec, field string) *value.Value {
	t.Helper()
	data, err := json.Marshal(spec)
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, string(data)).Member(field)
}

// stricter reports whether a problem is one that decoders of Go types let pass.
func stricter(text string, p value.Problem) bool {
	switch at := text[p.Start:p.End]; {
	case at == "null": // decoders leave the Go value alone, and schemas refuse it
	case p.What == value.NoLiteral:
	case strings.Contains(p.Message, "takes exactly"): // items of arrays are dropped or zero
	case strings.Contains(p.Message, "an interface"):
	case strings.Contains(p.Message, "base64 string, not an array"): // schemas say that it is a string
	case p.What == value.DuplicateKey: // in JSON that is kept as it is, or spelled otherwise
	case p.What == value.BadValue && (strings.ContainsAny(at, "eE:") || len(at) > 18): // amounts and years that Go could not write again
	default:
		return false
	}
	return true
}

var hugeExponent = regexp.MustCompile(`[eE][+-]?0*[1-9][0-9]{3}`)

// holds compares the problems of a value with decoding: a value that fits is decoded to an equal
// value, and other values are rejected.
func holds(t *testing.T, m *model.Model, fields map[string]value.Field, field, text string) {
	t.Helper()
	found := problems(m, fields[field].Type, text)
	if hugeExponent.MatchString(text) && slices.Contains([]string{"quantity", "quantities", "struct", "structs"}, field) {
		return // it keeps the decoder of quantities busy forever
	}
	o, err := decode(field, text)
	switch {
	case len(found) == 0 && err != nil:
		t.Errorf("%s: %s fits, and is refused: %v", field, text, err)
	case len(found) == 0:
		v := parse(t, text)
		if got := encoded(t, o.Spec, field); !value.Equal(m, fields[field].Type, v, got) {
			t.Errorf("%s: %s comes back as %v", field, text, got)
		}
	case err == nil && slices.ContainsFunc(found, func(p value.Problem) bool { return !stricter(text, p) }):
		t.Errorf("%s: %s is taken, though %v", field, text, found)
	}
}

func TestFitHolds(t *testing.T) {
	m, fields := shapesOf(t)
	for name, list := range judged {
		for _, c := range list {
			holds(t, m, fields, name, c.json)
		}
	}
}

// FuzzFit tries every value on every shape.
func FuzzFit(f *testing.F) {
	m, fields := shapesOf(f)
	names := slices.Sorted(maps.Keys(fields))
	for i, name := range names {
		for _, c := range judged[name] {
			f.Add(c.json, uint8(i))
			f.Add(c.json, uint8(i+len(c.json)))
		}
	}
	f.Fuzz(func(t *testing.T, text string, i uint8) {
		if v, _ := value.Parse(text); v == nil {
			return
		}
		holds(t, m, fields, names[int(i)%len(names)], text)
	})
}

// TestGo writes every value that fits as Go, into a package that this test is
// compiled with, and compares what the Go makes with what decoding makes.
func TestGo(t *testing.T) {
	m, fields := shapesOf(t)
	f := gofile.New(shapesPkg+"/golang", "golang")
	f.SetDoc("Package golang has the values that fit, as Go.")
	f.P("// Values are the values, by their field and JSON.")
	f.P("var Values = map[string]func() ", f.Ident(shapesPkg, "Spec"), "{")
	for _, name := range slices.Sorted(maps.Keys(judged)) {
		for _, c := range judged[name] {
			if c.what == "" && c.json != "null" {
				goValue(f, m, fields[name], c.json)
			}
		}
	}
	f.P("}")
	content, err := f.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	goldentest.Check(t, "testdata/golang/zz_generated.values.go", content)
	for key, spec := range golang.Values {
		field, text, _ := strings.Cut(key, " ")
		o, err := decode(field, text)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := encoded(t, spec(), field), encoded(t, o.Spec, field); (got == nil) != (want == nil) || got != nil && !value.Same(got, want) {
			t.Errorf("%s: %s in Go is %v, want %v", field, text, got, want)
		}
	}
}

// goValue writes a function that returns a Spec with one field.
func goValue(f *gofile.File, m *model.Model, field value.Field, text string) {
	vars := 0
	f.P(fmt.Sprintf("%q", field.JSON+" "+text), ": func() ", f.Ident(shapesPkg, "Spec"), " {")
	printer := goliteral.Printer{
		Model: m, File: f, Width: 80,
		Const: func(_ *model.Ref, v *value.Value) (goliteral.Const, bool) {
			name := map[string]string{"Fast": "ModeFast", "Slow": "ModeSlow"}[v.Text]
			return goliteral.Const{Package: shapesPkg, Name: name, Type: model.Name{Package: shapesPkg, Name: "Mode"}}, name != ""
		},
		Var: func(name, expr string) string {
			vars++
			name = fmt.Sprintf("v%s%d", name, vars)
			f.P(name, " := ", expr)
			return name
		},
	}
	v, _ := value.Parse(text)
	expr := printer.Expr(field.Type, v, field.Name)
	f.P("return ", f.Ident(shapesPkg, "Spec"), "{", field.Name, ": ", expr, "}")
	f.P("},")
}

func TestQuote(t *testing.T) {
	for s, want := range map[string]string{`a`: `"a"`, `a"b`: "`a\"b`", "a`\"": `"a` + "`" + `\""`, "\r\"": `"\r\""`} {
		if got := goliteral.Quote(s); got != want {
			t.Errorf("%q is %s", s, got)
		}
	}
}

func TestUnset(t *testing.T) {
	m, fields := shapesOf(t)
	f := gofile.New("example.com/p", "p")
	printer := goliteral.Printer{Model: m, File: f}
	var got bytes.Buffer
	for _, name := range []string{"string", "bool", "int", "mode", "pointer", "list", "any"} {
		fmt.Fprintln(&got, printer.Unset(fields[name].Type, "x"))
	}
	for _, name := range []model.Name{model.Quantity, model.Duration, model.IntOrString, model.RawJSON} {
		fmt.Fprintln(&got, printer.Unset(model.Named(name.Package, name.Name), "x"))
	}
	const want = `x == ""
!x
x == 0
x == ""
x == nil
x == nil
x == nil
x.IsZero()
x.Duration == 0
x == (intstr.IntOrString{})
x.Raw == nil
`
	if got.String() != want {
		t.Errorf("got:\n%s", &got)
	}
}
