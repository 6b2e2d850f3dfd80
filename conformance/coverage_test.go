package conformance_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/conformance/corpus"
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

// missing lists the kinds of objects that a tag does not have, with reasons.
var missing = map[string]map[corpus.Kind]string{
	"issubresource":       {corpus.Nested: "it is about whole objects"},
	"supportssubresource": {corpus.Nested: "it is about whole objects"},
	"validateerror":       without("nothing is generated where it stands"),
}

// without gives the reason why a tag has no objects.
func without(why string) map[corpus.Kind]string {
	all := map[corpus.Kind]string{}
	for _, kind := range corpus.Kinds() {
		all[kind] = why
	}
	return all
}

// TestCoverage checks that every validation tag has objects of every kind, both
// accepted and rejected ones if the kind allows that, and a case for each code of its
// definition.
func TestCoverage(t *testing.T) {
	w := load(t)
	for _, def := range driver.Tags().All() {
		if !strings.HasPrefix(def.Name, "k8s:") || def.Role == model.RoleAutomaticDefaults || def.Role == model.RoleNoDescription {
			continue // defaults, descriptions and versions are not validation
		}
		t.Run(def.Folder(), func(t *testing.T) {
			var objects []*corpus.Object
			found := map[diag.Code]bool{}
			cases := 0
			for _, c := range w.cases {
				if c.Folder != def.Folder() {
					continue
				}
				cases++
				objects = append(objects, c.Objects...)
				for _, d := range c.found {
					found[d.Code] = true
				}
			}
			if cases == 0 {
				t.Fatalf("+%s has no cases", def.Name)
			}
			for _, code := range def.Codes {
				if !found[code] {
					t.Errorf("no case has the diagnostic %s", code)
				}
			}
			for _, kind := range corpus.Kinds() {
				covers(t, def.Folder(), kind, objects)
			}
		})
	}
}

// covers checks that a tag has objects of a kind: for boundaries and updates, accepted
// and rejected ones.
func covers(t *testing.T, folder string, kind corpus.Kind, objects []*corpus.Object) {
	accepted, rejected := 0, 0
	for _, o := range objects {
		switch {
		case o.Kind() != kind:
		case len(o.Errors) == 0:
			accepted++
		default:
			rejected++
		}
	}
	_, excused := missing[folder][kind]
	both := kind == corpus.Boundary || kind == corpus.Update || kind == corpus.Nested
	complete := accepted+rejected > 0 && (!both || accepted > 0 && rejected > 0)
	switch {
	case complete && excused:
		t.Errorf("%s objects are listed as missing, but exist", kind)
	case !complete && !excused:
		t.Errorf("%d accepted and %d rejected objects of kind %s are not enough", accepted, rejected, kind)
	}
}

// TestCodes checks that a tag, convention, emitter or stage lists each code in the
// diagnostics of cases, so that it has a page.
func TestCodes(t *testing.T) {
	listed := driver.Codes()
	for _, c := range load(t).cases {
		for _, d := range c.found {
			if !slices.Contains(listed, d.Code) {
				t.Errorf("%s: nothing lists the code %s", c.Name, d.Code)
			}
		}
	}
}
