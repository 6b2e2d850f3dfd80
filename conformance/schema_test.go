package conformance_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/kindsmith/kindsmith/conformance/corpus"
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/emit/definitions"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
	"github.com/kindsmith/kindsmith/internal/testing/crdtest"
	"github.com/kindsmith/kindsmith/internal/testing/goldentest"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

// schemas are the definitions of a case's types, and the diagnostics of generating
// them.
type schemas struct {
	text  []byte
	found []*diag.Diagnostic
	// refused are the errors that prevent a definition.
	refused []*diag.Diagnostic
	crds    map[string]*crdtest.CRD
}

// schemaOf returns the schemas of a case for API servers that enable the given options. They
// enforce rules of level beta.
func schemaOf(t *testing.T, c *loadedCase, options []string) *schemas {
	t.Helper()
	key := fmt.Sprintf("%q", options)
	if c.schemas[key] == nil {
		c.schemas[key] = published(t, c, options)
	}
	return c.schemas[key]
}

// published publishes a case's types.
func published(t *testing.T, c *loadedCase, options []string) *schemas {
	t.Helper()
	return publishedWith(t, c, emit.Options{Projection: rule.Projection{Options: options}})
}

func publishedWith(t *testing.T, c *loadedCase, options emit.Options) *schemas {
	t.Helper()
	w := load(t)
	bag := &diag.Bag{}
	s := &schemas{crds: map[string]*crdtest.CRD{}}
	var files []emit.File
	err := definitions.Emitter().Run(
		emit.Context{Model: w.model, Tags: driver.Tags(), Rules: tag.Programs(w.model, driver.Tags()), Diags: bag, Options: options},
		func(e *emit.Context) bool { return e.Package.Path == modulePath+"/"+c.Name+"/kinds/v1" },
		func(_ *emit.Context, f emit.File) { files = append(files, f) })
	if err != nil {
		t.Fatal(err)
	}
	s.found = bag.All()
	for _, d := range s.found {
		if d.Severity == diag.Error {
			s.refused = append(s.refused, d)
		}
	}
	if len(s.refused) > 0 {
		return s
	}
	slices.SortFunc(files, func(a, b emit.File) int { return strings.Compare(a.Name, b.Name) })
	for _, f := range files {
		s.text = append(s.text, f.Content...)
		crd, err := crdtest.Load(f.Content)
		if err != nil {
			t.Fatal(err)
		}
		s.crds[strings.TrimPrefix(crd.Definition.Spec.Names.Kind, corpus.Judged)] = crd
	}
	return s
}

func (s *schemas) golden(t *testing.T, c *loadedCase) {
	t.Helper()
	if c.Path == "" { // derived
		for _, d := range s.found {
			if d.Code.String() != "crd/not-projected" {
				t.Errorf("%s: %s", d.Span, d.Message)
			}
		}
		return
	}
	if c.keeps(corpus.Schema) {
		goldentest.CheckSection(t, c.Path, c.Archive, corpus.Schema, specOf(s.text))
	}
	goldentest.CheckSection(t, c.Path, c.Archive, corpus.SchemaDiagnostics, c.text(s.found))
}

// specOf extracts the schemas of the specs from a definition: the rest is the same for
// all cases.
func specOf(text []byte) []byte {
	var out bytes.Buffer
	for _, doc := range bytes.Split(text, []byte("---\n")) {
		var kind string
		inside := false
		for line := range strings.Lines(string(doc)) {
			switch rest, deep := strings.CutPrefix(line, schemaIndent); {
			case strings.HasPrefix(line, "    kind: Judged"):
				kind = strings.TrimSpace(strings.TrimPrefix(line, "    kind: Judged"))
			case line == schemaIndent+"spec:\n":
				inside = true
				out.WriteString("# " + kind + "\n")
			case deep && inside && strings.HasPrefix(rest, "  "):
				out.WriteString(strings.TrimPrefix(rest, "  "))
			default:
				inside = false
			}
		}
	}
	return out.Bytes()
}

// schemaIndent is the indentation of the properties of a version's schema.
const schemaIndent = "          "

// compare validates one object and reports differences to the expected errors of Go.
func (s *schemas) compare(t *testing.T, c *loadedCase, o *corpus.Object, differences *corpus.Differences) {
	crd := s.crds[o.Type]
	if crd == nil {
		t.Fatalf("no schema for %s", o.Type)
	}
	if found := differences.Compare(c.Case, o, crd.Validate("v1", wrapped(t, o.Object), wrapped(t, o.Old))); found != "" {
		t.Error(found)
	}
}

// wrapped wraps an object in the kind for its type.
func wrapped(t *testing.T, object map[string]any) map[string]any {
	if object == nil {
		return nil
	}
	// The server modifies the object.
	text, err := utiljson.Marshal(map[string]any{"spec": object})
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := utiljson.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}
