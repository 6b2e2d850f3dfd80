package marker_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/front/marker"
	"github.com/kindsmith/kindsmith/internal/testing/goldentest"
)

// Shorthands for the tables below.
func tag(name string, payload *marker.Value, args ...marker.Arg) *marker.Tag {
	return &marker.Tag{Name: name, Args: args, Payload: payload}
}

func val(kind marker.Kind, text string) *marker.Value { return &marker.Value{Kind: kind, Text: text} }

func chain(t *marker.Tag) *marker.Value { return &marker.Value{Kind: marker.Chain, Tag: t} }

func arg(name string, kind marker.Kind, text string) marker.Arg {
	return marker.Arg{Name: name, Value: *val(kind, text)}
}

// TestParse tests everything that is valid.
func TestParse(t *testing.T) {
	type tc struct {
		text string
		want *marker.Tag
	}
	groups := map[string][]tc{
		"names": {
			{"a", tag("a", nil)},
			{"k8s:required", tag("k8s:required", nil)},
			{"_a-b.c:d_1", tag("_a-b.c:d_1", nil)},
			{"größe:é", tag("größe:é", nil)},
		},
		"comments": {
			{"a # why", tag("a", nil)},
			{"a#why", tag("a", nil)},
			{"a(b) # why", tag("a", nil, arg("", marker.Ident, "b"))},
			{"a(b)#why", tag("a", nil, arg("", marker.Ident, "b"))},
			{"a=5 # why", tag("a", val(marker.Int, "5"))},
			{"a=b#why", tag("a", val(marker.Ident, "b"))},
			{`a="b # c" # why`, tag("a", val(marker.String, "b # c"))},
			{`a={"b": "# c"} # why`, tag("a", val(marker.JSON, `{"b": "# c"}`))},
			{"a=x,y # why", tag("a", val(marker.Raw, "x,y"))},
			{"a=#fff # why", tag("a", val(marker.Raw, "#fff"))},
			{"a=+b # why", tag("a", chain(tag("b", nil)))},
		},
		"arguments": {
			{"a()", tag("a", nil)},
			{"a( )", tag("a", nil)},
			{"a(b)", tag("a", nil, arg("", marker.Ident, "b"))},
			{`a( "b" )`, tag("a", nil, arg("", marker.String, "b"))},
			{"a(-1)", tag("a", nil, arg("", marker.Int, "-1"))},
			{"a(true)", tag("a", nil, arg("", marker.Bool, "true"))},
			{"a(`b`,)", tag("a", nil, arg("", marker.String, "b"))},
			{"a(b:c)", tag("a", nil, arg("b", marker.Ident, "c"))},
			{`a( b : "c)" , d :1, e:false, f: g/h.i-j )`, tag("a", nil,
				arg("b", marker.String, "c)"), arg("d", marker.Int, "1"), arg("e", marker.Bool, "false"), arg("f", marker.Ident, "g/h.i-j"))},
			{"a(b: c, )", tag("a", nil, arg("b", marker.Ident, "c"))},
		},
		"strings": {
			{`a=""`, tag("a", val(marker.String, ""))},
			{`a="\a\b\f\n\r\t\v\\\'\"\/"`, tag("a", val(marker.String, "\a\b\f\n\r\t\v\\'\"/"))},
			{`a="\x41\101\u00e9\U0001F389\ud83c\udf89"`, tag("a", val(marker.String, "AAé🎉🎉"))},
			{"a=`\\d\\`", tag("a", val(marker.String, `\d\`))},
			{"a=``", tag("a", val(marker.String, ""))},
		},
		"numbers": {
			{"a=0", tag("a", val(marker.Int, "0"))},
			{"a=+5", tag("a", val(marker.Int, "5"))},
			{"a=-0", tag("a", val(marker.Int, "0"))},
			{"a=0x1F", tag("a", val(marker.Int, "31"))},
			{"a=-0b101", tag("a", val(marker.Int, "-5"))},
			{"a=0o17", tag("a", val(marker.Int, "15"))},
			{"a=18446744073709551616", tag("a", val(marker.Int, "18446744073709551616"))},
			{"a=1.5", tag("a", val(marker.JSON, "1.5"))},
			{"a=-1e3", tag("a", val(marker.JSON, "-1e3"))},
		},
		"payloads": {
			{"a=true", tag("a", val(marker.Bool, "true"))},
			{"a=null", tag("a", val(marker.JSON, "null"))},
			{"a=k8s-short-name", tag("a", val(marker.Ident, "k8s-short-name"))},
			{"a=k8s.io/api/core/v1", tag("a", val(marker.Ident, "k8s.io/api/core/v1"))},
			{"a=[]", tag("a", val(marker.JSON, "[]"))},
			{`a={"b": ["}", "\"]"]}`, tag("a", val(marker.JSON, `{"b": ["}", "\"]"]}`))},
			{"a=*", tag("a", val(marker.Raw, "*"))},
			{"a=package,register", tag("a", val(marker.Raw, "package,register"))},
			{"a=ref(pkg/path.Name)", tag("a", val(marker.Raw, "ref(pkg/path.Name)"))},
			{"a=10Mi", tag("a", val(marker.Raw, "10Mi"))},
			{"a=2006-01-02", tag("a", val(marker.Raw, "2006-01-02"))},
			{"a=<50% of it", tag("a", val(marker.Raw, "<50% of it"))},
			{"a='tis", tag("a", val(marker.Raw, "'tis"))},
			{"a=../x y", tag("a", val(marker.Raw, "../x y"))},
		},
		"chains": {
			{"a=+b", tag("a", chain(tag("b", nil)))},
			{`a(x)=+b("y")=+c(z: 1)=5`, tag("a",
				chain(tag("b",
					chain(tag("c", val(marker.Int, "5"), arg("z", marker.Int, "1"))),
					arg("", marker.String, "y"))),
				arg("", marker.Ident, "x"))},
		},
	}
	for name, cases := range groups {
		t.Run(name, func(t *testing.T) {
			for _, c := range cases {
				got, list := parseLine(c.text)
				sameTag(t, c.text, c.want, got)
				if len(list) > 0 {
					t.Errorf("%s: unexpected diagnostics:\n%s", c.text, rendered(list))
				}
			}
		})
	}
}

// TestParseMistakes runs the archives in testdata/parse. "input" has comments; the
// expected outputs are the readable tags, the diagnostics, and the comments after
// applying all fixes. The fixes must not cause further diagnostics.
func TestParseMistakes(t *testing.T) {
	paths, err := filepath.Glob("testdata/parse/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive := goldentest.Archive(t, path)
			input, _ := goldentest.Section(archive, "input")
			tags, list := parseAll(t, string(input))
			contents, _, left := diag.ApplyFixes(list)
			fixed := string(input)
			for _, content := range contents {
				fixed = string(content)
			}
			goldentest.CheckSection(t, path, archive, "tags", []byte(tags))
			goldentest.CheckSection(t, path, archive, "diagnostics", []byte(rendered(list)))
			goldentest.CheckSection(t, path, archive, "fixed", []byte(fixed))

			unfixed := len(left)
			for _, d := range list {
				if d.Fix == nil {
					unfixed++
				}
			}
			if _, again := parseAll(t, fixed); len(again) > unfixed {
				t.Errorf("after the fixes there are %d diagnostics, want at most %d:\n%s", len(again), unfixed, rendered(again))
			}
		})
	}
}

// parseAll parses all markers of a text, and prints the tags one a line.
func parseAll(t *testing.T, text string) (string, []*diag.Diagnostic) {
	t.Helper()
	file := source.NewFile("types.go", []byte(text))
	var bag diag.Bag
	var out strings.Builder
	for _, m := range marker.Scan(file.Span(0, len(text))) {
		if parsed := marker.Parse(m, &bag); parsed == nil {
			out.WriteString("nil\n")
		} else {
			fmt.Fprintf(&out, "%s\t%s\n", parsed, kinds(parsed))
		}
	}
	return out.String(), bag.All()
}

// kinds lists the kinds of a tag's values.
func kinds(tag *marker.Tag) string {
	var list []string
	for _, a := range tag.Args {
		list = append(list, a.Value.Kind.String())
	}
	out := "(" + strings.Join(list, ", ") + ")"
	if tag.Payload != nil {
		out += " = " + tag.Payload.Kind.String()
	}
	if chained := tag.Chained(); chained != nil {
		out += " " + kinds(chained)
	}
	return out
}

// A marker need not come from Scan.
func TestParseNoName(t *testing.T) {
	for _, text := range []string{"+", "+5", "+=a", "+(b)"} {
		file := source.NewFile("types.go", []byte(text))
		var bag diag.Bag
		if got := marker.Parse(marker.Marker{Text: text[1:], Span: file.Span(0, len(text))}, &bag); got != nil {
			t.Errorf("%s: parsed as %s", text, got)
		}
		if list := bag.All(); len(list) != 1 || list[0].Code.String() != "marker/no-name" {
			t.Errorf("%s: diagnostics:\n%s", text, rendered(list))
		}
	}
}

// Every node has the span of its text in the file.
func TestParseSpans(t *testing.T) {
	const text = `k8s:a(x: "1", y: z)=+k8s:b("q")=[1, 2]`
	got, _ := parseLine(text + "  # why")
	inner := got.Chained()
	for want, span := range map[string]source.Span{
		"+" + text:           got.Span,
		"k8s:a":              got.NameSpan,
		"x":                  got.Args[0].NameSpan,
		`"1"`:                got.Args[0].Value.Span,
		"y":                  got.Args[1].NameSpan,
		"z":                  got.Args[1].Value.Span,
		`+k8s:b("q")=[1, 2]`: inner.Span,
		"k8s:b":              inner.NameSpan,
		`"q"`:                inner.Args[0].Value.Span,
		"[1, 2]":             inner.Payload.Span,
	} {
		if span.Text() != want {
			t.Errorf("span of %q is %q", want, span.Text())
		}
	}
	if got.Payload.Span != inner.Span {
		t.Errorf("the payload's span is %q, the chained tag's %q", got.Payload.Span.Text(), inner.Span.Text())
	}
}
