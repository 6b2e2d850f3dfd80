package manifest

import (
	"encoding/json"
	"testing"

	kyaml "sigs.k8s.io/yaml"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
)

// FuzzYAML checks that kubectl reads the same value from JSON and from its YAML.
func FuzzYAML(f *testing.F) {
	for _, text := range []string{
		"", "a", "yes", "No", "on", "y", "~", "null", "true", "1", "1.0", "0x10", "0o17", "017", "1_000", "12:30:45", "1e3", ".5", ".inf", ".nan",
		"2001-01-01", "<<", "=", "-", "- a", "a: b", "a #b", "#", "!x", "&x", "*x", "%x", "@x", "`x", "{", "[", "'", `"`, `\`, "---", "...",
		" a", "a ", "\na", "a\n", "a\n\n", "a\nb", "  a\nb", "a\n  b\n", "a\n \nb", "\n", "\t", "a\tb", "a\r\nb", "\r", "\u0085", "a\u2028b", "\ufeff", "é", "日本", "😀", "\x00", "\x7f", "a\x1bb",
		"a\nb ", "a \nb", "\n a\nb", "?", "? a", "|", ">", "a:", ":a", ":", "+1", "-1", "0b1", "1e", "TRUE", "Off", "0.1e1", "+.inf", "1__0", "190:20:30",
	} {
		f.Add(text, "1.50")
	}
	for _, number := range []string{"0", "-1", "1e3", "1E+20", "1.0", "9223372036854775807", "-0", "1e-7", "0.1"} {
		f.Add("n", number)
	}
	f.Fuzz(func(t *testing.T, text, number string) {
		if !json.Valid([]byte(number)) || number[0] != '-' && (number[0] < '0' || number[0] > '9') {
			t.Skip()
		}
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		q := string(quoted)
		in := `{` + q + `:{"list":[` + q + `,[],{},null,true,[` + q + `],{"k":` + q + `}],"number":` + number + `}}`
		want, err := kyaml.YAMLToJSON([]byte(in))
		if err != nil {
			t.Skip() // YAML lacks some characters and numbers
		}
		out, err := YAML([]byte(in))
		if err != nil {
			t.Fatalf("%s: %v", in, err)
		}
		got, err := kyaml.YAMLToJSON(out)
		if err != nil {
			t.Fatalf("%s\n%s: %v", in, out, err)
		}
		if string(got) != string(want) {
			t.Errorf("%s\n%s: got %s, want %s", in, out, got, want)
		}
	})
}

func TestText(t *testing.T) {
	for _, test := range []struct{ in, text, json string }{
		{"b: 1 # one\na: [x, {d: 1.0, c: y}]\n", "b: 1 # one\na: [x, {d: 1.0, c: y}]\n", `{"b":1,"a":["x",{"d":1,"c":true}]}`},
		{"---\r\nb: <\r\n\r\n", "b: <\n", `{"b":"<"}`},
		{"b: &x {d: 1, c: 2}\na: *x\nc: {<<: *x, a: 3}", "b: &x {d: 1, c: 2}\na: *x\nc: {<<: *x, a: 3}\n", `{"b":{"d":1,"c":2},"a":{"d":1,"c":2},"c":{"d":1,"c":2,"a":3}}`},
		{"b: 1\n...\n", "", `{"b":1}`},
		{`{"b": 1.0 , "a":2}`, `{"b": 1.0 , "a":2}` + "\n", `{"b": 1.0 , "a":2}`},
	} {
		for _, doc := range Parse(source.NewFile("in.yaml", []byte(test.in)), &diag.Bag{}) {
			if got := doc.Text(); got != test.text {
				t.Errorf("%q: text %q, want %q", test.in, got, test.text)
			}
			if got, err := doc.JSON(); err != nil || string(got) != test.json {
				t.Errorf("%q: JSON %s, %v, want %s", test.in, got, err, test.json)
			}
		}
	}
}
