package conformance_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/conformance/corpus"
)

// TestSchema compares the API server's validation by the published schema with the
// expected errors: whether it accepts each object, and the paths of its errors.
func TestSchema(t *testing.T) {
	differences, err := corpus.LoadDifferences(differencesFile)
	if err != nil {
		t.Fatal(err)
	}
	want, ran := 0, 0
	for _, c := range load(t).cases {
		if !c.ok() {
			continue
		}
		want++
		t.Run(c.Name, func(t *testing.T) {
			ran++
			s := schemaOf(t, c, nil)
			s.golden(t, c)
			listed := differences.Expected(c.Name, "")
			if len(s.refused) > 0 {
				if listed == nil {
					t.Errorf("the API server rejects the schema of this case; fix it, or list it with a reason:\n%s", c.text(s.found))
				}
				return
			}
			if listed != nil {
				t.Errorf("the case is listed without a schema (%s), but has one", listed.Reason)
			}
			for _, o := range c.Objects {
				if o.Subresource == "" { // definitions have no schemas for requests on subresources
					want++
					t.Run(o.Name, func(t *testing.T) {
						ran++
						schemaOf(t, c, enabled(o.Options)).compare(t, c, o, differences)
					})
				}
			}
		})
	}
	if ran < want {
		return // entries of skipped cases are not stale
	}
	for _, entry := range differences.Stale() {
		t.Errorf("%s lists a difference that does not exist: %s", differencesFile, entry)
	}
}

const differencesFile = "expected_differences.yaml"

// fields returns the distinct paths of errors, in a form in which Go and the server
// agree: the server writes map keys like fields.
func fields(paths []string) []string {
	out := []string{}
	for _, p := range paths {
		p = strings.TrimSuffix(strings.NewReplacer("[", ".", "]", "").Replace(p), ".")
		out = append(out, strings.TrimPrefix(p, "."))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func describe(paths []string) string {
	if len(paths) == 0 {
		return "accepts"
	}
	return fmt.Sprintf("rejects at %q", paths)
}
