package versions_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/testing/workspacetest"
	"github.com/kindsmith/kindsmith/internal/versions/steptable"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// foo is the example of stackable-versioned's chapter on conversion tracking.
const foo = `// Package v1 has the example of a macro for Rust.
//
// +groupName=foo.example.com
// +versioned:version(name: "v1alpha1")
// +versioned:version(name: "v1beta1")
// +versioned:version(name: "v1", storage: true)
// +versioned:tracking(store: "status")
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kindsmith/kindsmith/runtime/convert"
)

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type Foo struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `
	Spec              FooSpec   ` + "`json:\"spec\"`" + `
	Status            FooStatus ` + "`json:\"status,omitempty\"`" + `
}

type FooSpec struct {
	// +versioned:added(since: "v1beta1")
	Bar uint32 ` + "`json:\"bar\"`" + `
	// +versioned:added(since: "v1")
	Baz bool ` + "`json:\"baz\"`" + `
}

type FooStatus struct {
	// +optional
	ChangedValues *convert.ChangedValues ` + "`json:\"changedValues,omitempty\"`" + `
}
`

// person returns a kind with versions, whose name counts the versions. Each version but the first has another change.
func person(versions ...string) string {
	var b strings.Builder
	b.WriteString("// Package is of persons.\n//\n// +groupName=person.example.com\n")
	for _, v := range versions {
		fmt.Fprintf(&b, "// +versioned:version(name: %q)\n", v)
	}
	newest := versions[len(versions)-1]
	fmt.Fprintf(&b, "package %s\n\nimport metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n", newest)
	b.WriteString(`
// +kubebuilder:object:root=true
type Person struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata,omitempty\"`" + `
	Spec PersonSpec   ` + "`json:\"spec\"`" + `
}

type PersonSpec struct {
`)
	last := "nickname"
	if newest == "v3" {
		b.WriteString("	// +versioned:changed(since: \"v3\", fromName: \"nickname\")\n")
		last = "alias"
	}
	fmt.Fprintf(&b, "	// +versioned:added(since: \"v1beta1\")\n	Nick string `json:\"%s,omitempty\"`\n", last)
	b.WriteString(`
	// +versioned:changed(since: "v2", fromName: "userName")
	Login string ` + "`json:\"login\"`" + `
	// +versioned:added(since: "v1alpha2")
	// +versioned:changed(since: "v1beta1", fromName: "first")
	FirstName string ` + "`json:\"firstName,omitempty\"`" + `
	// +versioned:added(since: "v2")
	Social *Social ` + "`json:\"social,omitempty\"`" + `
}

type Social struct {
	Email string ` + "`json:\"email,omitempty\"`" + `
	Chat  string ` + "`json:\"chat,omitempty\"`" + `
}
`)
	return b.String()
}

// converters returns the converters of packages.
func converters(t *testing.T, sources map[string]string) map[string]*jsonconvert.Converter {
	t.Helper()
	files, dir := workspacetest.Files("stored.example.com"), t.TempDir()
	for name, text := range sources {
		files[name] = text
	}
	for name, text := range files {
		if err := source.WriteFile(filepath.Join(dir, name), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := workspacetest.Use(dir, t.Setenv); err != nil {
		t.Fatal(err)
	}
	out := map[string]*jsonconvert.Converter{}
	for name := range sources {
		apis := stepsOf(t, dir, "./"+filepath.Dir(name))
		if len(apis) != 1 {
			t.Fatalf("%s has %d APIs", name, len(apis))
		}
		c, err := jsonconvert.New(steptable.New(apis[0]).API)
		if err != nil {
			t.Fatal(err)
		}
		c.Strict = true
		out[name] = c
	}
	return out
}

func to(t *testing.T, c *jsonconvert.Converter, object, version string) string {
	t.Helper()
	out, err := c.Convert(nil, []byte(object), version)
	if err != nil {
		t.Fatalf("%s to %s: %v", object, version, err)
	}
	return string(out)
}

// sameObject compares objects as JSON.
func sameObject(t *testing.T, what, got, want string) {
	t.Helper()
	var a, b any
	if err := json.Unmarshal([]byte(got), &a); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(want), &b); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(b, a); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// TestStoredEntries converts objects through several steps: each step that loses a value stores one entry, in the names of its
// newer version.
func TestStoredEntries(t *testing.T) {
	const four, five = "four/v2/types.go", "five/v3/types.go"
	c := converters(t, map[string]string{
		"foo/v1/types.go": foo,
		four:              person("v1alpha1", "v1alpha2", "v1beta1", "v2"),
		five:              person("v1alpha1", "v1alpha2", "v1beta1", "v2", "v3"),
	})
	foos := c["foo/v1/types.go"]
	const newest = `{"apiVersion":"foo.example.com/v1","kind":"Foo","spec":{"bar":42,"baz":true}}`
	oldest := to(t, foos, newest, "v1alpha1")
	sameObject(t, "Foo in v1alpha1", oldest, `{"apiVersion":"foo.example.com/v1alpha1","kind":"Foo","spec":{},"status":{"changedValues":{"format":2,"upgrades":{
		"v1beta1":[{"jsonPath":"$.spec.bar","value":42}],"v1":[{"jsonPath":"$.spec.baz","value":true}]}}}}`)
	sameObject(t, "Foo in v1beta1", to(t, foos, oldest, "v1beta1"), `{"apiVersion":"foo.example.com/v1beta1","kind":"Foo","spec":{"bar":42},"status":{"changedValues":{"format":2,
		"upgrades":{"v1":[{"jsonPath":"$.spec.baz","value":true}]}}}}`)
	sameObject(t, "Foo in v1", to(t, foos, oldest, "v1"), newest)

	const alias = `{"apiVersion":"person.example.com/v3","kind":"Person","spec":{"alias":"j","login":"jo","firstName":"Jo","social":{"email":"jo@example.com","chat":"c"}}}`
	sameObject(t, "Person in v1alpha1", stored(t, to(t, c[five], alias, "v1alpha1")), `{"format":2,"upgrades":{
		"v1alpha2":[{"jsonPath":"$.spec.first","value":"Jo"}],
		"v1beta1":[{"jsonPath":"$.spec.nickname","value":"j"}],
		"v2":[{"jsonPath":"$.spec.social","value":{"email":"jo@example.com","chat":"c"}}]}}`)

	// Whatever version an object had when the API had four versions, it is the same after a fifth is added.
	nickname := strings.NewReplacer("v3", "v2", "alias", "nickname").Replace(alias)
	for _, version := range c[four].Versions() {
		before := to(t, c[four], nickname, version)
		sameObject(t, "stored in "+version+", read as v2", to(t, c[five], before, "v2"), nickname)
		sameObject(t, "stored in "+version+", read as v3", to(t, c[five], before, "v3"), alias)
	}
}

// stored returns the stored values of an object.
func stored(t *testing.T, object string) string {
	t.Helper()
	var o struct {
		Metadata struct{ Annotations map[string]string }
	}
	if err := json.Unmarshal([]byte(object), &o); err != nil {
		t.Fatal(err)
	}
	for _, text := range o.Metadata.Annotations {
		return text
	}
	return "null"
}

// TestFormerFormat reads values that were stored with format 1.
func TestFormerFormat(t *testing.T) {
	const five = "five/v3/types.go"
	c := converters(t, map[string]string{five: person("v1alpha1", "v1alpha2", "v1beta1", "v2", "v3")})[five]
	values := `{"format":1,"upgrades":{"v1alpha2":[{"jsonPath":"$.spec.first","value":"Jo"}],"v1beta1":[{"jsonPath":"$.spec.nickname","value":"j"}],"v2":[{"jsonPath":"$.spec.social","value":{"chat":"c"}}]}}`
	text, err := json.Marshal(values)
	if err != nil {
		t.Fatal(err)
	}
	object := `{"apiVersion":"person.example.com/v1alpha1","kind":"Person","metadata":{"annotations":{"versioned.person.example.com/changed-values":` + string(text) + `}},"spec":{"userName":"jo"}}`
	sameObject(t, "in v3", to(t, c, object, "v3"), `{"apiVersion":"person.example.com/v3","kind":"Person","spec":{"login":"jo","firstName":"Jo","alias":"j","social":{"chat":"c"}}}`)
	sameObject(t, "in v1beta1", to(t, c, to(t, c, object, "v1beta1"), "v3"), to(t, c, object, "v3"))
}
