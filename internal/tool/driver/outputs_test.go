package driver_test

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

// noNetwork makes the go command work on the module of a test only.
func noNetwork(t *testing.T) {
	t.Helper()
	for name, value := range map[string]string{"GOFLAGS": "", "GOWORK": "off", "GOPROXY": "off", "GOENV": "off"} {
		t.Setenv(name, value)
	}
}

// tempModule returns a folder with files.
func tempModule(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	apply(t, dir, files)
	return dir
}

// generate makes a run, writes its files if nothing is wrong, and returns what it
// reported.
func generate(t *testing.T, cfg driver.Config) string {
	t.Helper()
	bag := &diag.Bag{}
	out, err := driver.Generate(cfg, bag)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := driver.Write(out.Files); err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := diag.Render(&text, diag.Text, bag.All(), diag.Options{}); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// generated returns the content of the files of a folder that kindsmith writes.
func generated(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, pattern := range []string{"*/zz_*.go", "*/*/zz_*.go", "config/crd/bases/*.yaml"} {
		names, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			content, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			rel, _ := filepath.Rel(dir, name)
			found[filepath.ToSlash(rel)] = string(content)
		}
	}
	return found
}

// halves returns the content up to the first occurrence of a text, and from there.
func halves(content, at string) (before, after string) {
	i := max(0, strings.Index(content, at))
	return content[:i], content[i:]
}

// TestDamagedOutputs damages what a run has written. The next run does not complain,
// does not take any of it for hand-written, and writes the same again.
func TestDamagedOutputs(t *testing.T) {
	noNetwork(t)
	for name, damage := range map[string]func(content string) string{
		"empty":                    func(string) string { return "" },
		"white space":              func(string) string { return "\n\n" },
		"cut off in the header":    func(s string) string { before, _ := halves(s, "kindsmith"); return before },
		"cut off after the header": func(s string) string { before, _ := halves(s, "\npackage "); return before },
		"cut off in the clause":    func(s string) string { before, _ := halves(s, "ckage "); return before },
		"cut off in a declaration": func(s string) string { return s[:len(s)*2/3] },
		"cut off before the end":   func(s string) string { return s[:len(s)-2] },
		"zeros":                    func(s string) string { return s[:len(s)/2] + strings.Repeat("\x00", len(s)/2) },
		"another package":          func(s string) string { return strings.Replace(s, "\npackage v1", "\npackage other", 1) },
		"an import that is gone": func(s string) string {
			return strings.Replace(s, "package v1", "package v1; import _ \"example.com/shop/gone\"; ", 1)
		},
		"an import cycle": func(s string) string {
			return strings.Replace(s, "package v1", "package v1; import _ \"example.com/shop/user\"; ", 1)
		},
		"declared twice": func(s string) string { _, after := halves(s, "func "); return s + "\n" + after },
		"types that are gone": func(s string) string {
			return s + "\nvar _ Gone\ntype Bad struct { Gone }\nfunc (in *Gone) DeepCopy() {}\n"
		},
		"a conflict around it": func(s string) string { return "<<<<<<< HEAD\n" + s + "=======\n" + s + ">>>>>>> other\n" },
		"a conflict at the start": func(s string) string {
			before, after := halves(s, "package ")
			return "<<<<<<< HEAD\n=======\n" + before + ">>>>>>> other\n" + after
		},
		"a conflict in the header": func(s string) string {
			before, after := halves(s, "package ")
			return before + "<<<<<<< HEAD\n" + after + "=======\n" + after + ">>>>>>> other\n"
		},
		"a conflict in declarations": func(s string) string {
			before, after := halves(s, "func ")
			return before + "<<<<<<< HEAD\n=======\n" + after + ">>>>>>> other\n"
		},
	} {
		t.Run(name, func(t *testing.T) {
			files := maps.Clone(module)
			files["user/user.go"] = "package user\n\nimport \"example.com/shop/api/v1\"\n\ntype U struct{ A v1.OrderSpec }\n"
			dir := tempModule(t, files)
			cfg := driver.Config{ModelConfig: driver.ModelConfig{Dir: dir, Patterns: []string{"./..."}}, CRDDir: "config/crd/bases"}
			if text := generate(t, cfg); strings.Contains(text, "error") {
				t.Fatal(text)
			}
			said := generate(t, cfg)
			want := generated(t, dir)
			if len(want) < 6 {
				t.Fatalf("only %d files", len(want))
			}
			all := map[string]string{}
			for name, content := range want {
				all[name] = damage(content)
				if strings.HasSuffix(name, "types.go") {
					check(t, cfg, map[string]string{name: damage(content)}, said, want)
				}
			}
			check(t, cfg, all, said, want)
		})
	}
}

func check(t *testing.T, cfg driver.Config, damaged map[string]string, said string, want map[string]string) {
	t.Helper()
	for name, content := range damaged {
		if err := os.WriteFile(filepath.Join(cfg.Dir, filepath.FromSlash(name)), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got := generate(t, cfg)
	if diff := cmp.Diff(said, got); diff != "" {
		t.Errorf("%d damaged: the run reports:\n%s", len(damaged), diff)
	}
	if diff := cmp.Diff(want, generated(t, cfg.Dir)); diff != "" {
		t.Errorf("%d damaged: the run writes:\n%s", len(damaged), diff)
	}
}

// TestAll runs for "all", which also matches the standard library and packages that are missing and that
// only generated files import.
func TestAll(t *testing.T) {
	noNetwork(t)
	cfg := driver.Config{ModelConfig: driver.ModelConfig{Dir: tempModule(t, module), Patterns: []string{"all"}}, CRDDir: "crd"}
	for range 2 {
		if text := generate(t, cfg); strings.Contains(text, "error") {
			t.Fatal(text)
		}
	}
}

// TestStaleOutputs adds hand-written code that declares what is in generated files. The
// run after that gives what one without those files gives.
func TestStaleOutputs(t *testing.T) {
	noNetwork(t)
	const imports = "import v1 \"example.com/shop/api/v1\"\n\n"
	for name, code := range map[string]string{
		"a method":              "package v1\n\nfunc (in *Line) DeepCopyInto(out *Line) { *out = *in }\n",
		"a function":            "package v1\n\nfunc Validate_OrderSpec() {}\n",
		"a conversion":          "package v1beta1\n\n" + imports + "func Convert_v1beta1_Line_To_v1_Line(in *Line, out *v1.Line, s any) error { return nil }\n",
		"a type":                "package v1beta1\n\ntype Line struct{ Other *string }\n",
		"all types":             "package v1beta1\n\ntype Line struct{ Other *string }\n\ntype OrderSpec struct{ Lines []Line }\n",
		"the name of a package": "package v1beta1\n\nconst lib = 1\n",
	} {
		t.Run(name, func(t *testing.T) {
			for _, file := range []string{"hand.go", "zzz_hand.go"} {
				dir := tempModule(t, module)
				cfg := driver.Config{ModelConfig: driver.ModelConfig{Dir: dir, Patterns: []string{"./..."}}, CRDDir: "config/crd/bases"}
				if text := generate(t, cfg); strings.Contains(text, "error") {
					t.Fatal(text)
				}
				clause, _, _ := strings.Cut(strings.TrimPrefix(code, "package "), "\n")
				apply(t, dir, map[string]string{"api/" + clause + "/" + file: code})
				got := generate(t, cfg)
				with := generated(t, dir)
				for name := range with {
					apply(t, dir, map[string]string{name: ""})
				}
				want := generate(t, cfg)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s: the run reports:\n%s", file, diff)
				}
				if strings.Contains(want, "error") {
					continue // nothing is written
				}
				if diff := cmp.Diff(generated(t, dir), with); diff != "" {
					t.Errorf("%s: the run writes:\n%s", file, diff)
				}
			}
		})
	}
}
