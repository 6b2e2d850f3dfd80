package conformance_test

import (
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
