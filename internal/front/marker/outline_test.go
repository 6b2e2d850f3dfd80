package marker

import (
	"fmt"
	"strings"
	"testing"
)

// show prints an outline with brackets around tokens.
func show(o *Outline) string {
	token := func(t Token) string {
		s := "[" + t.Text
		if t.Open {
			s += "…"
		}
		return s + "]"
	}
	s := token(o.Name)
	if o.Open >= 0 {
		var args []string
		for _, a := range o.Args {
			text := token(a.Value)
			if a.Name != nil {
				text = token(*a.Name) + ":" + text
			}
			args = append(args, text)
		}
		s += "(" + strings.Join(args, ",")
		if o.Close >= 0 {
			s += ")"
		}
	}
	switch {
	case o.Inner != nil:
		s += "=" + show(o.Inner)
	case o.Payload != nil:
		s += "=" + token(*o.Payload)
	}
	return s
}

func TestOutline(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "[]",
		"k8s:":                          "[k8s:]",
		"k8s:maxLength=63":              "[k8s:maxLength]=[63]",
		"k8s:maxLength=":                "[k8s:maxLength]=[]",
		"k8s:eachVal=+":                 "[k8s:eachVal]=[]",
		"k8s:eachVal=+k8s:maxLength=63": "[k8s:eachVal]=[k8s:maxLength]=[63]",
		"k8s:subfield(":                 "[k8s:subfield]([]",
		"k8s:subfield()":                "[k8s:subfield]([])",
		"k8s:subfield(na":               "[k8s:subfield]([na]",
		"k8s:subfield(na=+k8s:opt":      "[k8s:subfield]([na]=[k8s:opt]",
		`a(b: "x`:                       `[a]([b]:[x…]`,
		`a(b: "x, c: 1)`:                `[a]([b]:[x…],[c]:[1])`,
		`a(b: "x, y", c:)=z # comment`:  `[a]([b]:[x, y],[c]:[])=[z]`,
		"a(b: , c)":                     "[a]([b]:[],[c])",
		"a(b,":                          "[a]([b],[]",
		"a=`x":                          "[a]=[x…]",
		`a={"b": [1, 2]}`:               `[a]=[{"b": [1, 2]}]`,
		`a(b ?? c)=d`:                   `[a]([b])=[d]`,
		"a=+5":                          "[a]=[+5]",
	} {
		if got := show(ReadOutline(text, 0)); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

// FuzzOutline checks that tokens are in the text and in order, whatever it is.
func FuzzOutline(f *testing.F) {
	for _, text := range []string{"a(b: \"x, c: 1)", "k8s:eachVal=+k8s:maxLength=63", "a(b,", "a=`x", "é(ü: \xff)=", "a(=+b(=+c("} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		last := 0
		check := func(name string, tok Token) {
			if tok.Start < last || tok.End < tok.Start || tok.End > len(text) {
				t.Fatalf("%s is at %d-%d of %d, after %d", name, tok.Start, tok.End, len(text), last)
			}
			last = tok.End
		}
		for o := ReadOutline(text, 0); o != nil; o = o.Inner {
			check("the name", o.Name)
			for i, a := range o.Args {
				if a.Name != nil {
					check(fmt.Sprintf("name %d", i), *a.Name)
				}
				check(fmt.Sprintf("value %d", i), a.Value)
			}
			if o.Payload != nil {
				check("the value", *o.Payload)
			}
		}
	})
}
