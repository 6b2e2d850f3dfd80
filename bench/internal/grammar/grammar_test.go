// Package grammar compares the tag grammar with that of k8s.io/gengo/v2/codetags.
package grammar

import (
	"go/ast"
	"go/parser"
	"go/token"
	"math/big"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/gengo/v2/codetags"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/front/marker"
)

// inputs returns the texts of codetags' own test tables: the string literals in
// their fields called input.
func inputs(t testing.TB) []string {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "k8s.io/gengo/v2").Output()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), "codetags", "*_test.go"))
	if err != nil || len(files) < 4 {
		t.Fatalf("%d test files, error %v", len(files), err)
	}
	var list []string
	for _, file := range files {
		syntax, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(syntax, func(n ast.Node) bool {
			field, ok := n.(*ast.KeyValueExpr)
			if !ok {
				return true
			}
			key, _ := field.Key.(*ast.Ident)
			value, _ := field.Value.(*ast.BasicLit)
			if key == nil || value == nil || value.Kind != token.STRING || key.Name != "input" {
				return true
			}
			text, err := strconv.Unquote(value.Value)
			if err != nil {
				t.Fatal(err)
			}
			if text != "" { // which is no marker
				list = append(list, text)
			}
			return true
		})
	}
	return list
}

// tag is a tag as both parsers see it.
type tag struct {
	Name    string
	Args    []arg
	Payload *value
}

type arg struct {
	Name  string
	Value value
}

type value struct {
	Kind, Text string
	Tag        *tag
}

// theirs parses with codetags, which takes strings without quotes as strings.
func theirs(text string) (*tag, bool) {
	parsed, err := codetags.Parse(text, codetags.RawValues(false))
	if err != nil {
		return nil, false
	}
	return fromCodetags(&parsed), true
}

func fromCodetags(in *codetags.Tag) *tag {
	out := &tag{Name: in.Name}
	for _, a := range in.Args {
		out.Args = append(out.Args, arg{a.Name, value{Kind: string(a.Type), Text: digits(string(a.Type), a.Value)}})
	}
	switch in.ValueType {
	case codetags.ValueTypeNone:
	case codetags.ValueTypeTag:
		out.Payload = &value{Kind: "tag", Tag: fromCodetags(in.ValueTag)}
	default:
		out.Payload = &value{Kind: string(in.ValueType), Text: digits(string(in.ValueType), in.Value)}
	}
	return out
}

// digits returns an integer as kindsmith has it: in decimal, without a plus.
func digits(kind, text string) string {
	if n, ok := new(big.Int).SetString(text, 0); ok && kind == "int" {
		return n.String()
	}
	return text
}

// ours parses with package marker.
func ours(text string) (*tag, bool) {
	comment := "// +" + text
	list := marker.Scan(source.NewFile("x.go", []byte(comment)).Span(0, len(comment)))
	if len(list) != 1 {
		return nil, false
	}
	bag := &diag.Bag{}
	parsed := marker.Parse(list[0], bag)
	if parsed == nil || bag.HasErrors() {
		return nil, false
	}
	return fromMarker(parsed), true
}

func fromMarker(in *marker.Tag) *tag {
	out := &tag{Name: in.Name}
	for _, a := range in.Args {
		out.Args = append(out.Args, arg{a.Name, fromValue(&a.Value)})
	}
	if in.Payload != nil {
		v := fromValue(in.Payload)
		out.Payload = &v
	}
	return out
}

func fromValue(in *marker.Value) value {
	switch in.Kind {
	case marker.Chain:
		return value{Kind: "tag", Tag: fromMarker(in.Tag)}
	case marker.String, marker.Ident:
		return value{Kind: "string", Text: in.Text}
	case marker.Int:
		return value{Kind: "int", Text: in.Text}
	case marker.Bool:
		return value{Kind: "bool", Text: in.Text}
	}
	return value{Kind: in.Kind.String(), Text: in.Text}
}

// TestCodetags parses every text of codetags' tests with both parsers: what codetags
// accepts has the same meaning here.
func TestCodetags(t *testing.T) {
	list := inputs(t)
	accepted := 0
	for _, text := range list {
		want, ok := theirs(text)
		if !ok {
			continue
		}
		accepted++
		got, ok := ours(text)
		if !ok {
			t.Errorf("%q is refused", text)
			continue
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-codetags +kindsmith):\n%s", text, diff)
		}
	}
	if accepted < 60 {
		t.Errorf("only %d of %d texts were compared", accepted, len(list))
	}
}
