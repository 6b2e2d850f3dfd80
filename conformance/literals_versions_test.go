package conformance_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
	"github.com/kindsmith/kindsmith/internal/testing/crdtest"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

// versionArguments are the arguments with strings of tags that are not rules: those that TestVersionedLiterals uses, and
// others, with the reason.
var versionArguments = map[string]string{
	"default =": "", "versioned:added default": "", "versioned:added downgradeTo": "", "versioned:added lossy": "",
	"versioned:changed fromName": "", "versioned:changed lossy": "", "versioned:deprecated note": "", "versioned:version deprecated": "", "versioned:version doc": "",

	"versioned:added since": aVersion, "versioned:changed since": aVersion, "versioned:deprecated since": aVersion, "versioned:hook since": aVersion,
	"versioned:moved since": aVersion, "versioned:split since": aVersion, "versioned:split name": "the name of a field", "versioned:split parts": "names of fields", "versioned:split lossy": "like that of added",
	"versioned:removed since": aVersion, "versioned:wrapped since": aVersion, "versioned:version name": aVersion,
	"versioned:since ": aVersion, "versioned:until ": aVersion,
	"versioned:changed fromType": "a Go type", "versioned:changed upgradeWith": aFunction, "versioned:changed downgradeWith": aFunction,
	"versioned:hook upgrade": aFunction, "versioned:hook downgrade": aFunction,
	"versioned:version skip": "known words", "versioned:skip ": "known words", "versioned:tracking store": "known words",
	"versioned:hook lossy": "like that of added", "versioned:wrapped lossy": "like that of added",
	"versioned:wrapped fromName": "like that of changed", "versioned:wrapped fromType": "a Go type",
	"versioned:removed name": "", "versioned:removed doc": "", "versioned:removed lossy": "", "versioned:removed type": "a Go type", "versioned:removed toPath": "a path", "versioned:removed transform": "a transform", "versioned:removed goName": aGoName,
	"versioned:changed fromGoName": aGoName,
	"versioned:added field":        aRemovedField, "versioned:changed field": aRemovedField, "versioned:deprecated field": aRemovedField, "versioned:wrapped field": aRemovedField,
	"versioned:moved fromPath": "a path", "versioned:moved fromType": "a Go type", "versioned:moved transform": "a transform", "versioned:wrapped transform": "a transform", "versioned:changed transform": "a transform", "versioned:moved lossy": "like that of added", "versioned:output ": "a path",
	"versioned:restore annotation": "the key of an annotation", "versioned:restore version": aVersion, "versioned:retired name": "a former version",
}

const (
	aVersion, aFunction    = "a declared version", "a function of the package"
	aGoName, aRemovedField = "an exported Go name", "the name of a removed field"
)

// TestVersionedLiterals uses literals in the arguments of defaults and versions. It builds the generated code, and compares
// defaults and converted values with the literals.
func TestVersionedLiterals(t *testing.T) {
	unused := map[string]bool{}
	for name := range versionArguments {
		unused[name] = true
	}
	for _, a := range arguments() {
		_, listed := versionArguments[a.String()]
		if !listed && (a.tag.Role.IsAboutVersions() || a.tag.Role == model.RoleDefault) {
			t.Errorf("the test does not use %q", a)
		}
		delete(unused, a.String())
	}
	if len(unused) > 0 {
		t.Errorf("these arguments do not exist: %q", sortedKeys(unused))
	}
	w := load(t)
	types, program := versionedLiterals(t)
	for name, text := range map[string]string{"versions/v1/types.go": types, "versions/check/main.go": program} {
		if err := w.put(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	bag := &diag.Bag{}
	out, err := driver.Generate(driver.Config{ModelConfig: driver.ModelConfig{Dir: w.dir, Patterns: []string{"./versions/v1"}}}, bag)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range bag.All() {
		if d.Severity == diag.Error {
			t.Errorf("%s: %s [%s]", d.Span, d.Message, d.Code)
		}
	}
	for _, f := range out.Files {
		name, err := filepath.Rel(w.dir, f.Path)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.put(filepath.ToSlash(name), f.Content); err != nil {
			t.Fatal(err)
		}
		if filepath.Ext(name) == ".yaml" {
			schemaDefaults(t, f.Content)
		}
	}
	cmd := exec.Command("go", "run", "./versions/check")
	cmd.Dir = w.dir
	if text, err := cmd.CombinedOutput(); err != nil || len(text) > 0 {
		t.Errorf("%v\n%s", err, text)
	}
}

// schemaDefaults compares the defaults of the published schema with the literals.
func schemaDefaults(t *testing.T, definition []byte) {
	t.Helper()
	crd, err := crdtest.Load(definition)
	if err != nil {
		t.Fatal(err)
	}
	object, errs := crd.Admit("v1", map[string]any{"spec": map[string]any{}})
	if len(errs) > 0 {
		t.Fatal(errs.ToAggregate())
	}
	spec, _ := object["spec"].(map[string]any)
	for n, literal := range literals {
		if got := spec["d"+strconv.Itoa(n)]; got != literal {
			t.Errorf("the schema's default is %q, want %q", got, literal)
		}
	}
}

// versionedLiterals returns the types, and a program that prints what differs from the literals.
func versionedLiterals(t *testing.T) (types, program string) {
	t.Helper()
	var fields, renamed, added, removed, checks, warning strings.Builder
	for i, literal := range literals {
		n, text := strconv.Itoa(i), tag.Quote(literal)
		reason := text
		if strings.TrimSpace(literal) == "" {
			reason = `"x"` // a reason is not blank
		}
		if !strings.ContainsFunc(literal, func(r rune) bool { return !unicode.IsPrint(r) }) {
			warning.WriteString(literal + " ") // an API server rejects others
		}
		fields.WriteString(optionalField("D"+n, "d"+n, "*string", "default="+jsonText(t, literal)))
		fields.WriteString(optionalField("A"+n, "a"+n, "*string", `versioned:added(since: "v1", default: `+tag.Quote(jsonText(t, literal))+")"))
		fields.WriteString(optionalField("N"+n, "n"+n, "*string", `versioned:deprecated(since: "v1beta1", keepName: true, note: `+text+")"))
		fields.WriteString(optionalField("L"+n, "l"+n, "*string", `versioned:added(since: "v1", lossy: `+reason+")"))
		if slices.Contains(words, literal) && literal != "日本" { // Go does not export 日本
			fields.WriteString(optionalField("C"+n, "c"+n, "*string", `versioned:changed(since: "v1", lossy: `+reason+", fromName: "+text+")"))
			fmt.Fprintf(&checks, "field(%q, %q)\n", literal, "c"+n)
			fmt.Fprintf(&removed, "// +versioned:removed(since: \"v1\", name: %s, goName: \"Named%s\", type: \"string\", lossy: \"x\")\n", text, n)
		}
		fmt.Fprintf(&removed, "// +versioned:removed(since: \"v1\", name: \"r%[1]s\", type: \"string\", doc: %[2]s, lossy: %[3]s)\n", n, text, reason)
		if literal != "" {
			fmt.Fprintf(&renamed, "// +versioned:changed(since: \"v1\", fromName: %s)\nRenamed%s Renamed = \"c%s\"\n", text, n, n)
			fmt.Fprintf(&added, "Kept%[1]s Added = %[2]s\n// +versioned:added(since: \"v1\", downgradeTo: %[2]s)\nAdded%[1]s Added = \"added%[1]s\"\n", n, text)
			fmt.Fprintf(&checks, "if old := downgraded(v1.Spec{Added: \"added%[1]s\"}); old.Added != %[2]q {\nfmt.Println(\"downgradeTo\", %[2]q, old.Added)\n}\n", n, literal)
			fmt.Fprintf(&checks, "if new := upgraded(v1beta1.Spec{Renamed: %[1]q}); new.Renamed != \"c%[2]s\" || downgraded(new).Renamed != %[1]q {\nfmt.Println(\"renamed\", %[1]q)\n}\n", literal, n)
		}
		fmt.Fprintf(&checks, "equal(upgraded(v1beta1.Spec{}).A%[1]s, %[2]q)\nequal(defaulted.D%[1]s, %[2]q)\n", n, literal)
	}
	types = `// +groupName=versions.example.com
// +versioned:version(name: "v1beta1", doc: ` + tag.Quote(warning.String()) + `, deprecated: ` + tag.Quote(warning.String()) + `)
// +versioned:version(name: "v1")
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:object:root=true
type Root struct {
	metav1.TypeMeta ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `
	Spec Spec ` + "`json:\"spec\"`" + `
}

type Spec struct {
` + optionalField("Former", "former", "*Former") + fields.String() + optionalField("Renamed", "renamed", "Renamed") + optionalField("Added", "added", "Added") + `}

` + removed.String() + `type Former struct{}

// +k8s:enum
type Renamed string

const (
` + renamed.String() + `)

// +k8s:enum
type Added string

const (
` + added.String() + `)
`
	return types, `package main

import (
	"encoding/json"
	"fmt"

	"` + modulePath + `/versions/v1"
	"` + modulePath + `/versions/v1beta1"
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func upgraded(spec v1beta1.Spec) v1.Spec {
	var out v1.Root
	must(v1beta1.Convert_v1beta1_Root_To_v1_Root(&v1beta1.Root{Spec: spec}, &out, nil))
	return out.Spec
}

func downgraded(spec v1.Spec) v1beta1.Spec {
	var out v1beta1.Root
	must(v1beta1.Convert_v1_Root_To_v1beta1_Root(&v1.Root{Spec: spec}, &out, nil))
	return out.Spec
}

func equal(got *string, want string) {
	if got == nil || *got != want {
		fmt.Printf("want %q\n", want)
	}
}

// field sets a field by its old name, and prints it if it does not have its new name.
func field(before, after string) {
	text, err := json.Marshal(map[string]string{before: "x"})
	must(err)
	var old v1beta1.Spec
	must(json.Unmarshal(text, &old))
	text, err = json.Marshal(upgraded(old))
	must(err)
	var new map[string]any
	must(json.Unmarshal(text, &new))
	if new[after] != "x" {
		fmt.Printf("field %q: %s\n", before, text)
	}
}

func main() {
	var root v1.Root
	v1.SetObjectDefaults_Root(&root)
	defaulted := root.Spec
` + checks.String() + `}
`
}

// jsonText returns a string as JSON.
func jsonText(t *testing.T, s string) string {
	t.Helper()
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(s); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(b.String())
}
