package defaults_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/expr/exprtest"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/emit/defaults"
	"github.com/kindsmith/kindsmith/internal/emit/definitions"
	"github.com/kindsmith/kindsmith/internal/rules/check"
	"github.com/kindsmith/kindsmith/internal/rules/eval"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
	"github.com/kindsmith/kindsmith/internal/testing/workspacetest"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
	"github.com/kindsmith/kindsmith/runtime/structural"
)

var (
	packages = flag.Int("packages", 20, "random packages of TestAgree")
	objects  = flag.Int("objects", 60, "random objects of TestAgree for each package")
	seed     = flag.Uint64("seed", 1, "seed of the packages and objects of TestAgree")
)

const randomModule = "random.example.com"

// random is a package with its results.
type random struct {
	name   string
	source string
	// structs are those of the package, by name.
	structs map[string]*shape
	// schema is the published schema, theirs the server's form and ours the runtime module's.
	theirs *structuralschema.Structural
	ours   *structural.Schema
	// reported are the fields with a diagnostic.
	reported map[string]bool
	hasGo    bool
}

// unlike are the codes of diagnostics about defaults that Go and servers apply differently.
var unlike = map[string]bool{
	"default/zero-element": true, "default/needs-omitempty": true, "default/struct": true,
	"crd/null-default": true, "crd/embedded-default": true, "crd/zero-struct": true, "crd/nested-default": true,
}

// result is what Go makes of an object: what a client sends, and that with defaults.
type result struct{ Sent, Defaulted json.RawMessage }

// TestAgree compares generated Go, the evaluator, the API server's code and package structural on
// random objects of random packages. Go and the server may disagree only on fields with a
// diagnostic.
func TestAgree(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := workspacetest.Use(dir, t.Setenv); err != nil {
		t.Fatal(err)
	}
	for name, text := range workspacetest.Files(randomModule) {
		put(t, dir, name, text)
	}
	r := rand.New(rand.NewPCG(*seed, 0))
	var all []*random
	for i := range *packages {
		p := &random{name: fmt.Sprintf("p%d", i), reported: map[string]bool{}}
		p.source, p.structs = write(r, p.name)
		put(t, dir, p.name+"/types.go", p.source)
		automatic := ""
		if strings.HasPrefix(p.source, "// +k8s:automaticDefaults") {
			automatic = "// +k8s:automaticDefaults\n"
		}
		put(t, dir, p.name+"/kinds/v1/kinds.go", fmt.Sprintf(`// +groupName=%[1]s.example.com
%[3]spackage v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	types "%[2]s/%[1]s"
)

// +kubebuilder:object:root=true
type Kind struct {
	metav1.TypeMeta   `+"`json:\",inline\"`"+`
	metav1.ObjectMeta `+"`json:\"metadata,omitempty\"`"+`

	Spec types.Root `+"`json:\"spec\"`"+`
}
`, p.name, randomModule, automatic))
		all = append(all, p)
	}
	bag := &diag.Bag{}
	m, err := driver.Model(driver.ModelConfig{Dir: dir, Patterns: []string{"./..."}}, bag)
	if err != nil {
		t.Fatal(err)
	}
	check.Check(m, driver.Tags(), bag)
	generate(t, dir, m, all, bag)
	if t.Failed() {
		return
	}
	binary := program(t, dir, all)
	set := eval.New(tag.Programs(m, driver.Tags()))
	compared, differing, changed := 0, 0, 0
	for _, p := range all {
		var inputs []map[string]any
		for range *objects {
			if o, ok := value(r, p.structs["Root"]).(map[string]any); ok {
				inputs = append(inputs, o)
			}
		}
		shown := 0
		for i, res := range ask(t, binary, p, inputs) {
			compared++
			if string(res.Sent) != string(res.Defaulted) {
				changed++
			}
			difference, allowed := p.compare(t, binary, set, inputs[i], res)
			if allowed {
				differing++
			}
			if difference != "" {
				if shown++; shown <= 2 {
					t.Errorf("%s: %s\n%s", p.name, text(t, inputs[i]), difference)
				}
			}
		}
		if shown > 0 {
			t.Logf("%s", p.source)
		}
	}
	t.Logf("%d objects, %d with defaults to set; %d on which Go and the server differ in a field with a diagnostic", compared, changed, differing)
	if compared < *packages**objects*3/4 || changed < compared/2 || differing > compared/2 {
		t.Error("these objects compare too little")
	}
}

func put(t *testing.T, dir, name, content string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// generate writes the defaulters and reads the schemas of the packages.
func generate(t *testing.T, dir string, m *model.Model, all []*random, bag *diag.Bag) {
	t.Helper()
	byPath := map[string]*random{}
	for _, p := range all {
		byPath[randomModule+"/"+p.name] = p
		byPath[randomModule+"/"+p.name+"/kinds/v1"] = p
	}
	base := emit.Context{Model: m, Tags: driver.Tags(), Rules: tag.Programs(m, driver.Tags()), Diags: bag}
	types := func(c *emit.Context) bool { return !strings.HasSuffix(c.Package.Path, "/v1") }
	err := defaults.Emitter().Run(base, types, func(c *emit.Context, f emit.File) {
		p := byPath[c.Package.Path]
		p.hasGo = bytes.Contains(f.Content, []byte("func SetObjectDefaults_Root("))
		put(t, dir, p.name+"/"+f.Name, string(f.Content))
	})
	if err != nil {
		t.Fatal(err)
	}
	err = definitions.Emitter().Run(base, nil, func(c *emit.Context, f emit.File) {
		p := byPath[c.Package.Path]
		var definition apiextensionsv1.CustomResourceDefinition
		if err := yaml.UnmarshalStrict(f.Content, &definition); err != nil {
			t.Fatal(err)
		}
		raw := json.RawMessage(text(t, definition.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"]))
		p.theirs = exprtest.Structural(t, raw)
		if p.ours, err = structural.Parse(raw); err != nil {
			t.Fatal(err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range bag.All() {
		name := filepath.Base(filepath.Dir(d.Span.File.Path))
		i := slices.IndexFunc(all, func(p *random) bool { return p.name == name })
		if d.Severity == diag.Error || i < 0 {
			t.Errorf("%s: %s [%s]\n%s", d.Span, d.Message, d.Code, d.Span.File.Line(d.Span.Position().Line+1))
			continue
		}
		if !unlike[d.Code.String()] {
			continue
		}
		// The field is the next line with a json tag.
		for line := d.Span.Position().Line; ; line++ {
			before, rest, ok := strings.Cut(d.Span.File.Line(line), "`json:\"")
			if !ok {
				continue
			}
			if name, _, _ := strings.Cut(rest, ","); name != "" {
				all[i].reported[strings.Trim(name, "\"`")] = true
				break
			}
			all[i].report(all[i].structs[strings.Trim(before, "*\t ")])
			break
		}
	}
	for _, p := range all {
		if p.theirs == nil && !t.Failed() {
			t.Errorf("%s has no schema:\n%s", p.name, p.source)
		}
	}
}

// report notes a diagnostic about all fields of an inlined struct.
func (p *random) report(s *shape) {
	for _, f := range s.fields {
		if p.reported[f.name] = true; f.name == "" {
			p.report(f.shape)
		}
	}
}

// program builds a program that decodes, defaults and encodes.
func program(t *testing.T, dir string, all []*random) string {
	t.Helper()
	var imports, table strings.Builder
	for _, p := range all {
		fmt.Fprintf(&imports, "\t%q\n", randomModule+"/"+p.name)
		set := "func(*" + p.name + ".Root) {}"
		if p.hasGo {
			set = p.name + ".SetObjectDefaults_Root"
		}
		fmt.Fprintf(&table, "\t%q: of(%s),\n", p.name, set)
	}
	put(t, dir, "program/main.go", `package main

import (
	"bufio"
	"encoding/json"
	"os"

`+imports.String()+`)

type result struct{ Sent, Defaulted json.RawMessage }

func of[T any](set func(*T)) func([]byte) result {
	return func(in []byte) (r result) {
		var v T
		must(json.Unmarshal(in, &v))
		r.Sent = encode(v)
		set(&v)
		r.Defaulted = encode(v)
		return r
	}
}

func encode(v any) []byte {
	out, err := json.Marshal(v)
	must(err)
	return out
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

var table = map[string]func([]byte) result{
`+table.String()+`}

func main() {
	run := table[os.Args[1]]
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	out := json.NewEncoder(os.Stdout)
	for in.Scan() {
		must(out.Encode(run(in.Bytes())))
	}
}
`)
	binary := filepath.Join(dir, "program", "program")
	cmd := exec.Command("go", "build", "-o", binary, "./program")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return binary
}

// ask runs the generated code of a package on objects.
func ask(t *testing.T, binary string, p *random, inputs []map[string]any) []result {
	t.Helper()
	var in, out, stderr bytes.Buffer
	for _, o := range inputs {
		in.WriteString(text(t, o) + "\n")
	}
	cmd := exec.Command(binary, p.name)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &in, &out, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", p.name, err, stderr.String())
	}
	var results []result
	for dec := json.NewDecoder(&out); dec.More(); {
		var r result
		if err := dec.Decode(&r); err != nil {
			t.Fatal(err)
		}
		results = append(results, r)
	}
	if len(results) != len(inputs) {
		t.Fatalf("%s: %d results of %d objects", p.name, len(results), len(inputs))
	}
	return results
}

// compare returns an unexpected difference, and whether there is one in a reported field.
func (p *random) compare(t *testing.T, binary string, set *eval.Set, in map[string]any, res result) (difference string, allowed bool) {
	t.Helper()
	object, err := eval.Decode([]byte(text(t, in)))
	if err != nil {
		t.Fatal(err)
	}
	evaluated, _, err := set.Default(eval.TypeName{Package: randomModule + "/" + p.name, Name: "Root"}, object)
	if err != nil {
		t.Fatal(err)
	}
	server := func(text []byte, set func(any)) map[string]any {
		var v map[string]any
		if err := utiljson.Unmarshal(text, &v); err != nil {
			t.Fatal(err)
		}
		set(v)
		return v
	}
	theirs := func(v any) {
		defaulting.PruneNonNullableNullsWithoutDefaults(v, p.theirs)
		defaulting.Default(v, p.theirs)
	}
	raw := []byte(text(t, in))
	if a, b := server(raw, theirs), server(raw, p.ours.Default); !reflect.DeepEqual(a, b) {
		return fmt.Sprintf("server     %s\nstructural %s", text(t, a), text(t, b)), false
	}
	sent := server(res.Sent, func(any) {})
	again := ask(t, binary, p, []map[string]any{evaluated, sent, server(res.Sent, theirs)})
	if got := again[0].Sent; string(got) != string(res.Defaulted) {
		return fmt.Sprintf("Go   %s\neval %s", res.Defaulted, got), false
	}
	var inGo, onServer any
	if err := json.Unmarshal(again[1].Defaulted, &inGo); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(again[2].Sent, &onServer); err != nil {
		t.Fatal(err)
	}
	if paths := p.differences(inGo, onServer, ""); len(paths) > 0 {
		return fmt.Sprintf("Go and the server differ at %v, and no diagnostic reports it\nsent   %s\nGo     %s\nserver %s", paths, res.Sent, again[1].Defaulted, again[2].Sent), false
	}
	return "", !reflect.DeepEqual(inGo, onServer)
}

// differences returns the paths of differences that are not in reported fields.
func (p *random) differences(a, b any, path string) (paths []string) {
	x, isObject := a.(map[string]any)
	y, also := b.(map[string]any)
	if isObject && also {
		keys := sorted(x)
		for _, key := range sorted(y) {
			if _, ok := x[key]; !ok {
				keys = append(keys, key)
			}
		}
		for _, key := range keys {
			if !p.reported[key] {
				paths = append(paths, p.differences(x[key], y[key], path+"."+key)...)
			}
		}
		return paths
	}
	l, isList := a.([]any)
	n, also := b.([]any)
	if isList && also && len(l) == len(n) {
		for i := range l {
			paths = append(paths, p.differences(l[i], n[i], fmt.Sprintf("%s[%d]", path, i))...)
		}
		return paths
	}
	if !reflect.DeepEqual(a, b) {
		paths = append(paths, path)
	}
	return paths
}
