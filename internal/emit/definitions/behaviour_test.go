package definitions_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/kindsmith/kindsmith/internal/testing/crdtest"
)

// load emits one package and loads its one definition as a server would.
func load(t *testing.T, dir string) *crdtest.CRD {
	t.Helper()
	files := emitted(t, "./testdata/"+dir)
	if len(files) != 1 {
		t.Fatalf("got %d files, want 1", len(files))
	}
	for name, text := range files {
		crd, err := crdtest.Load(text)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return crd
	}
	return nil
}

func object(t *testing.T, text string) map[string]any {
	t.Helper()
	if text == "" {
		return nil
	}
	var o map[string]any
	if err := utiljson.Unmarshal([]byte(text), &o); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return o
}

// TestDeclarative checks verdicts on objects: "" is accepted, else the kind and
// the place of each error.
func TestDeclarative(t *testing.T) {
	crd := load(t, "declarative")
	for _, c := range []struct {
		name, spec, old, want string
	}{
		{"valid", `{"engine":"Postgres","file":{"path":"/x"}}`, "", ""},
		{"enum by concatenation", `{"engine":"MySQL","file":{"path":"/x"}}`, "", ""},
		{"enum", `{"engine":"Oracle","file":{"path":"/x"}}`, "", "Unsupported value spec.engine"},
		{"required", `{"file":{"path":"/x"}}`, "", "Required value spec.engine"},
		{"required nested", `{"engine":"MySQL","file":{}}`, "", "Required value spec.file.path"},
		{"type's minLength", `{"engine":"MySQL","file":{"path":"/x"},"name":"a"}`, "", "Invalid value spec.name"},
		{"type's minLength, at the bound", `{"engine":"MySQL","file":{"path":"/x"},"name":"ab"}`, "", ""},
		{"type's maxLength is tighter than the field's", `{"engine":"MySQL","file":{"path":"/x"},"name":"abcdefghijk"}`, "", "Too long spec.name"},
		{"field's maxLength is tighter than the type's", `{"engine":"MySQL","file":{"path":"/x"},"tight":"abcdef"}`, "", "Too long spec.tight"},
		{"minimum", `{"engine":"MySQL","file":{"path":"/x"},"replicas":0}`, "", "Invalid value spec.replicas"},
		{"maximum, at the bound", `{"engine":"MySQL","file":{"path":"/x"},"replicas":10}`, "", ""},
		{"duplicate key", `{"engine":"MySQL","file":{"path":"/x"},"users":[{"name":"a","home":"b"},{"name":"a","home":"c"}]}`, "", "Duplicate value spec.users[1]"},
		{"eachVal", `{"engine":"MySQL","file":{"path":"/x"},"tags":["abcd","abcde"]}`, "", "Too long spec.tags[1]"},
		{"union of none", `{"engine":"MySQL"}`, "", "Invalid value spec"},
		{"union of two", `{"engine":"MySQL","file":{"path":"/x"},"host":{"name":"h"}}`, "", "Invalid value spec"},
		{"generic", `{"engine":"MySQL","file":{"path":"/x"},"wrapped":{"content":{"name":"h"},"more":[{}]}}`, "", "Required value spec.wrapped.more[0].name"},
		{"generic of a builtin", `{"engine":"MySQL","file":{"path":"/x"},"bare":{"content":"1"}}`, "", "Invalid value spec.bare.content"},
		{"immutable, unchanged", `{"engine":"MySQL","file":{"path":"/x"}}`, `{"engine":"MySQL","file":{"path":"/y"}}`, ""},
		{"immutable, changed", `{"engine":"MySQL","file":{"path":"/x"}}`, `{"engine":"Postgres","file":{"path":"/x"}}`, "Invalid value spec.engine"},
		{"immutable in a keyed item", `{"engine":"MySQL","file":{"path":"/x"},"users":[{"name":"b","home":"b"},{"name":"a","home":"c"}]}`,
			`{"engine":"MySQL","file":{"path":"/x"},"users":[{"name":"a","home":"b"}]}`, "Invalid value spec.users[1].home"},
		{"immutable in a map value", `{"engine":"MySQL","file":{"path":"/x"},"limits":{"a":{"value":"1"},"b":{"value":"2"}}}`,
			`{"engine":"MySQL","file":{"path":"/x"},"limits":{"b":{"value":"1"}}}`, "Invalid value spec.limits[b].value"},
	} {
		t.Run(c.name, func(t *testing.T) { verdict(t, crd, c.spec, c.old, c.want) })
	}
}

// verdict compares what a server says of an object with the kind and the place of
// each error, "" for none.
func verdict(t *testing.T, crd *crdtest.CRD, spec, oldSpec, want string) {
	t.Helper()
	var old map[string]any
	if oldSpec != "" {
		old = object(t, `{"spec":`+oldSpec+`}`)
	}
	var got []string
	for _, e := range crd.Validate("v1", object(t, `{"spec":`+spec+`}`), old) {
		if !strings.Contains(e.Error(), "some validation rules were not checked") {
			got = append(got, e.Type.String()+" "+e.Field)
		}
	}
	slices.Sort(got)
	if text := strings.Join(got, ", "); text != want {
		t.Errorf("got %q, want %q", text, want)
	}
}

// TestMeasures checks that the rules on durations and quantities fit a server's limits
// on cost, also below lists and maps, and what they say of text that is neither.
func TestMeasures(t *testing.T) {
	crd := load(t, "measures")
	for _, c := range []struct{ name, spec, want string }{
		{"valid", `{"periods":["1s","1h"],"groups":[{"limits":{"a":"16Gi","b":5}}],"own":"30s","ownSize":"1073741824"}`, ""},
		{"invalid", `{"periods":["1s","1ms"],"groups":[{"limits":{"a":"17Gi"}},{"limits":{"a":17179869185}}],"own":"2h","ownSize":"1Mi"}`,
			"Invalid value spec.groups[0].limits[a], Invalid value spec.groups[1].limits[a], Invalid value spec.own, Invalid value spec.ownSize, Invalid value spec.periods[1]"},
		{"a type's own bound", `{"own":"1ms"}`, "Invalid value spec.own"},
		{"no duration", `{"periods":["soon"]}`, "Invalid value spec.periods[0]"},
		{"no quantity by the pattern", `{"groups":[{"limits":{"a":"much"}}]}`, "Invalid value spec.groups[0].limits.a, Invalid value spec.groups[0].limits[a]"},
		{"no quantity, although the pattern takes it", `{"groups":[{"limits":{"a":"1e1.5"}}]}`, "Invalid value spec.groups[0].limits[a]"},
	} {
		t.Run(c.name, func(t *testing.T) { verdict(t, crd, c.spec, "", c.want) })
	}
}

// TestDefaults checks what a server makes of an object, or the error.
func TestDefaults(t *testing.T) {
	crd := load(t, "defaults")
	for _, c := range []struct{ name, in, want string }{
		{"constants", `{"scalar":{}}`, `{"scalar":{"name":"default-name","defaulted":0,"limit":7,"enabled":true}}`},
		{"a default that would not be valid is none", `{"demanding":{"explicit":{}}}`, "Required value demanding.inner, Required value demanding.outer"},
		{"what an author demands is not made up", `{"demanding":{"inner":{"name":"x"},"outer":{"inner":{"name":"y"}}}}`, "Required value demanding.explicit"},
		{"omitzero is absent", `{"demanding":{"inner":{"name":"x"},"outer":{"inner":{"name":"y"}},"explicit":{}}}`,
			`{"demanding":{"inner":{"name":"x"},"outer":{"inner":{"name":"y"}},"explicit":{"name":"default-name","number":0}}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := object(t, c.in)
			if errs := crd.Validate("v1", in, nil); len(errs) > 0 {
				var got []string
				for _, e := range errs {
					if !strings.Contains(e.Error(), "some validation rules were not checked") {
						got = append(got, e.Type.String()+" "+e.Field)
					}
				}
				if text := strings.Join(got, ", "); text != c.want {
					t.Errorf("got %q, want %q", text, c.want)
				}
				return
			}
			got, errs := crd.Admit("v1", in)
			if len(errs) > 0 {
				t.Fatal(errs)
			}
			for _, key := range []string{"apiVersion", "kind", "metadata"} {
				delete(got, key)
			}
			if diff := cmp.Diff(object(t, c.want), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestTemplateMetadata checks that what an author writes of a pod template's
// metadata is kept.
func TestTemplateMetadata(t *testing.T) {
	crd := load(t, "kubebuilder")
	in := object(t, `{"spec":{"pod":{"metadata":{"labels":{"a":"b"},"annotations":{"c":"d"},"name":"x","unknown":1},"spec":{"containers":[]}}}}`)
	got, errs := crd.Admit("v1", in)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	want := object(t, `{"labels":{"a":"b"},"annotations":{"c":"d"},"name":"x"}`)
	pod := got["spec"].(map[string]any)["pod"].(map[string]any)
	if diff := cmp.Diff(want, pod["metadata"]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestMetadata checks that the server runs the rules on a kind's name.
func TestMetadata(t *testing.T) {
	crd := load(t, "metadata")
	for name, want := range map[string]string{"a-name": "", "a.name": "metadata.name", "much-too-long": "metadata.name"} {
		got := ""
		for _, err := range crd.Validate("v1", object(t, `{"metadata":{"name":"`+name+`"}}`), nil) {
			got = err.Field
		}
		if got != want {
			t.Errorf("%s: got an error at %q, want %q", name, got, want)
		}
	}
}
