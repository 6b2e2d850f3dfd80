package driver_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

// TestBrokenPackages has sources that do not compile. Each mistake is reported once, like the
// compiler reports it, without consequences in the package and its importers.
func TestBrokenPackages(t *testing.T) {
	const (
		clause = "// Package v1 is an API.\n//\n// +groupName=shop.example.com\n// +kubebuilder:object:generate=true\n" +
			"// +versioned:version(name: \"v1beta1\")\n// +versioned:version(name: \"v1\", storage: true)\npackage v1\n\n"
		spec = "// Spec is what is wanted.\ntype Spec struct {\n\t// +k8s:optional\n\t// +k8s:maxLength=3\n\tName *string `json:\"name,omitempty\"`\n}\n\n"
		// user is a package that depends on the broken declaration, with tags that need the correct
		// one.
		user = "package user\n\nimport \"example.com/m/api/v1\"\n\ntype U struct {\n\t// +k8s:optional\n\t// +k8s:maxLength=3\n\tName v1.Name `json:\"name,omitempty\"`\n\n\t// +k8s:subfield(name)=+k8s:required\n\tSpec v1.Spec `json:\"spec\"`\n}\n"
	)
	for name, test := range map[string]struct {
		files    map[string]string
		patterns []string
		want     []string
	}{
		"a missing brace": {
			files: map[string]string{"api/v1/types.go": clause + spec + "type Name string\n\ntype T struct {\n\tA Unknown `json:\"a\"`\n\nfunc (t T) F() {}\n"},
			want:  []string{"api/v1/types.go:21:1 expected '}', found 'func'"},
		},
		"a missing brace at the end": {
			files: map[string]string{"api/v1/types.go": clause + spec + "type Name string\n\ntype T struct {\n"},
			want:  []string{"api/v1/types.go:19:1 expected '}', found 'EOF'"},
		},
		"no Go": {
			files: map[string]string{"api/v1/types.go": clause + spec + "type Name string\n", "api/v1/notes.go": "notes on v1\n"},
			want:  []string{"api/v1/notes.go:1:1 expected 'package', found notes"},
		},
		"an unknown type of a field": {
			files: map[string]string{"api/v1/types.go": clause + spec + "type Name string\n\ntype T struct {\n\t// +k8s:optional\n\t// +k8s:maxLength=3\n\tA Unknown `json:\"a\"`\n\n\t// +k8s:eachVal=+k8s:maxLength=3\n\tB []Unknown `json:\"b\"`\n}\n"},
			want:  []string{"api/v1/types.go:21:4 undefined: Unknown", "api/v1/types.go:24:6 undefined: Unknown"},
		},
		"a missing import": {
			files: map[string]string{"api/v1/types.go": clause + "import \"time\"\n\n" + spec + "type Name string\n\ntype T struct {\n\t// +k8s:optional\n\tA metav1.Time `json:\"a\"`\n\tB time.Time `json:\"b\"`\n\tC metav1.Duration `json:\"c\"`\n}\n"},
			want:  []string{"api/v1/types.go:22:4 undefined: metav1"},
		},
		"an import of a package that is missing": {
			files: map[string]string{"api/v1/types.go": clause + "import \"example.com/m/nowhere\"\n\n" + spec + "type Name string\n\ntype T struct {\n\t// +k8s:optional\n\t// +k8s:maxLength=3\n\tA nowhere.T `json:\"a\"`\n}\n"},
			want:  []string{"api/v1/types.go:9:8 could not import example.com/m/nowhere (no required module provides package example.com/m/nowhere; to add it: go get example.com/m/nowhere)"},
		},
		"a cycle of imports": {
			files: map[string]string{
				"api/v1/types.go": clause + "import \"example.com/m/lib\"\n\n" + spec + "type Name string\n\ntype T struct {\n\tA lib.T `json:\"a\"`\n}\n",
				"lib/lib.go":      "package lib\n\nimport \"example.com/m/api/v1\"\n\ntype T struct{ Spec *v1.Spec }\n",
			},
			want: []string{"api/v1/types.go:9:8 import cycle not allowed: example.com/m/api/v1 imports example.com/m/lib imports example.com/m/api/v1"},
		},
		"a cycle below": {
			files: map[string]string{
				"api/v1/types.go": clause + "import \"example.com/m/lib\"\n\n" + spec + "type Name string\n\ntype T struct {\n\tA lib.T `json:\"a\"`\n}\n",
				"lib/lib.go":      "package lib\n\nimport \"example.com/m/lib/deep\"\n\ntype T struct{ A deep.T }\n",
				"lib/deep/d.go":   "package deep\n\nimport \"example.com/m/lib\"\n\ntype T struct{ A *lib.T }\n",
			},
			want: []string{"lib/lib.go:3:8 import cycle not allowed: example.com/m/lib imports example.com/m/lib/deep imports example.com/m/lib"},
		},
		"two packages in a folder": {
			files: map[string]string{"api/v1/types.go": clause + spec + "type Name string\n\ntype T struct {\n\tA *Other `json:\"a\"`\n}\n", "api/v1/zother.go": "// Package other is another.\npackage other\n\ntype Other string\n"},
			want:  []string{"api/v1/zother.go:2:1 package other, but types.go in the same folder is in package v1; a folder has one package"},
		},
		"a type that is declared twice": {
			files: map[string]string{"api/v1/types.go": clause + spec + "type Name string\n", "api/v1/zmore.go": "package v1\n\n// +k8s:maxLength=3\ntype Name struct{}\n"},
			want:  []string{"api/v1/zmore.go:4:6 Name redeclared in this block (api/v1/types.go:16:6 other declaration of Name)"},
		},
		"a field that is declared twice": {
			files: map[string]string{"api/v1/types.go": clause + spec + "type Name string\n\ntype T struct {\n\tA string `json:\"a\"`\n\tA string `json:\"a\"`\n}\n"},
			want:  []string{"api/v1/types.go:20:2 A redeclared (api/v1/types.go:19:2 other declaration of A)"},
		},
		"a type that contains itself": {
			files: map[string]string{"api/v1/types.go": clause + spec + "type Name string\n\ntype T struct {\n\tA T `json:\"a\"`\n}\n"},
			want:  []string{"api/v1/types.go:18:6 invalid recursive type: T refers to itself"},
		},
		"a syntax error in a dependency": {
			files: map[string]string{
				"api/v1/types.go": clause + "import \"example.com/m/lib\"\n\n" + spec + "type Name string\n\ntype T struct {\n\t// +k8s:optional\n\t// +k8s:maxLength=3\n\tA lib.T `json:\"a\"`\n}\n",
				"lib/lib.go":      "package lib\n\ntype T string\n\ntype U struct {\n",
			},
			patterns: []string{"./api/...", "./user"},
			want:     []string{"lib/lib.go:6:1 expected '}', found 'EOF'"},
		},
		"a type error in a dependency of one": {
			files: map[string]string{
				"api/v1/types.go": clause + "import \"example.com/m/lib\"\n\n" + spec + "type Name string\n\ntype T struct {\n\t// +k8s:optional\n\t// +k8s:maxLength=3\n\tA lib.T `json:\"a\"`\n}\n",
				"lib/lib.go":      "package lib\n\nimport \"example.com/m/lib/deep\"\n\ntype T deep.T\n",
				"lib/deep/d.go":   "package deep\n\ntype T Missing\n",
			},
			patterns: []string{"./api/..."},
			want:     []string{"lib/deep/d.go:3:8 undefined: Missing"},
		},
		"functions": {
			files: map[string]string{"api/v1/types.go": clause + "import \"example.com/m/nowhere\"\n\n" + spec + "type Name string\n\nvar size = Undefined\n\nconst n = len(list)\n\nvar list [3]int\n\nfunc f() int { return nowhere.F(g(), \"a\" + 1) }\n\nfunc (n Name) F() Missing { return undefined }\n"},
		},
		"mistakes in markers beside an unknown type": {
			files: map[string]string{"api/v1/types.go": clause + spec + "type Name string\n\ntype T struct {\n\t// +k8s:optional\n\t// +k8s:maxLenght=3\n\t// +k8s:minimum=3\n\tA *Unknown `json:\"a,omitempty\"`\n\n" +
				"\t// +k8s:optional\n\t// +k8s:minimum=3\n\tB *string `json:\"b,omitempty\"`\n\n\t// +k8s:optional\n\t// +k8s:subfield(nothing)=+k8s:required\n\tC *Spec `json:\"c,omitempty\"`\n}\n"},
			want: []string{
				"api/v1/types.go:20:6 unknown tag +k8s:maxLenght; did you mean +k8s:maxLength?",
				"api/v1/types.go:22:5 undefined: Unknown",
				"api/v1/types.go:25:6 +k8s:minimum is for integers, durations and quantities, and field B (*string) is not; for strings there is +k8s:minLength",
				`api/v1/types.go:29:19 Spec has no field with the JSON name "nothing"`,
			},
		},
		"mistakes in the markers of an importer": {
			files: map[string]string{
				"api/v1/types.go": clause + spec + "type Name string\n\ntype T struct {\n",
				"user/user.go":    strings.ReplaceAll(user, "maxLength", "maxLenght") + "\ntype V struct {\n\t// +k8s:optional\n\t// +k8s:minimum=3\n\tB *string `json:\"b,omitempty\"`\n\n\tC Unknown `json:\"c\"`\n\n\tD v1.Nothing `json:\"d\"`\n}\n",
			},
			want: []string{
				"api/v1/types.go:19:1 expected '}', found 'EOF'",
				"user/user.go:7:6 unknown tag +k8s:maxLenght; did you mean +k8s:maxLength?",
				"user/user.go:16:6 +k8s:minimum is for integers, durations and quantities, and field B (*string) is not; for strings there is +k8s:minLength",
				"user/user.go:19:4 undefined: Unknown",
			},
		},
		"a mistake in another package": {
			files: map[string]string{
				"api/v1/types.go":  clause + spec + "type Name string\n\ntype T struct {\n",
				"other/types.go":   "package other\n\ntype T struct {\n\t// +k8s:optional\n\t// +k8s:maxLenght=3\n\tA *string `json:\"a,omitempty\"`\n}\n",
				"another/types.go": "package another\n\nconst N int = \"a\"\n",
			},
			want: []string{
				"another/types.go:3:15 cannot use \"a\" (untyped string constant) as int value in constant declaration",
				"api/v1/types.go:19:1 expected '}', found 'EOF'",
				"other/types.go:5:6 unknown tag +k8s:maxLenght; did you mean +k8s:maxLength?",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			for name, value := range map[string]string{"GOFLAGS": "", "GOWORK": "off", "GOPROXY": "off", "GOENV": "off"} {
				t.Setenv(name, value)
			}
			dir, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			apply(t, dir, map[string]string{"go.mod": "module example.com/m\n\ngo 1.26\n", "user/user.go": user})
			apply(t, dir, test.files)
			if test.patterns == nil {
				test.patterns = []string{"./..."}
			}
			bag := &diag.Bag{}
			_, err = driver.Generate(driver.Config{ModelConfig: driver.ModelConfig{Dir: dir, Patterns: test.patterns}, Only: []string{"deepcopy", "validation"}}, bag)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, d := range bag.All() {
				text := filepath.ToSlash(d.Span.String()) + " " + d.Message
				for _, n := range d.Notes {
					text += " (" + strings.TrimSpace(filepath.ToSlash(n.Span.String())+" "+n.Message) + ")"
				}
				got = append(got, text)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
