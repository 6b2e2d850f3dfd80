package conformance_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/conformance/corpus"
)

// TestSchema compares what an API server says of each object by the published
// schema with what Go is to say: whether it is accepted, and at which fields
// something is wrong.
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
			s := schemaOf(t, c)
			s.golden(t, c)
			listed := differences.Expected(c.Name, "")
			if len(s.refused) > 0 {
				if listed == nil {
					t.Errorf("the API server takes no schema of this case; list it with the reason, or mend it:\n%s", c.text(s.found))
				}
				return
			}
			if listed != nil {
				t.Errorf("the case is listed without a schema (%s), and has one", listed.Reason)
			}
			for _, o := range c.Objects {
				if o.Subresource == "" { // a definition has no schema of subresources' requests
					want++
					t.Run(o.Name, func(t *testing.T) {
						ran++
						s.under(t, c, o.Enabled()).compare(t, c, o, differences)
					})
				}
			}
		})
	}
	if ran < want {
		return // what was not reached is not stale
	}
	for _, entry := range differences.Stale() {
		t.Errorf("%s lists a difference that there is not: %s", differencesFile, entry)
	}
}

const differencesFile = "expected_differences.yaml"

// fields are the distinct paths of errors, in the form in which Go and the
// server agree: the server writes map keys as if they were fields.
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
