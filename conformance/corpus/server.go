package corpus

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Additional errors of API servers without a path: for a violated part of an allOf, and for an integer beyond int64.
const (
	allOfEcho   = "must validate all the schemas (allOf)"
	integerEcho = "Checked value must be of type integer with format int64 in "
)

// Compare returns how the errors of an API server for an object differ from the expected ones, unless the difference is
// listed; "" if they do not.
func (d *Differences) Compare(c *Case, o *Object, errs field.ErrorList) string {
	got, complete, texts := PathsOf(errs)
	var want []string
	for _, e := range o.Errors {
		if e.Level != "alpha" { // API servers do not enforce alpha rules
			want = append(want, e.Field)
		}
	}
	want = Paths(want)
	same := slices.Equal(want, got)
	if !complete {
		// The server did not run CEL rules, so it reports only some of the errors.
		same = len(got) > 0 && !slices.ContainsFunc(got, func(path string) bool { return !slices.Contains(want, path) })
	}
	listed := d.Expected(c.Name, o.Name)
	switch {
	case same && listed != nil:
		return fmt.Sprintf("the difference is listed (%s), but does not exist", listed.Reason)
	case !same && listed == nil:
		return fmt.Sprintf("Go %s, and the schema %s%s", describe(want), describe(got), texts)
	}
	return ""
}

// PathsOf returns the paths of a server's errors below the spec, and the errors as text. If the server did not run CEL rules,
// the errors are not complete.
func PathsOf(errs field.ErrorList) (paths []string, complete bool, text string) {
	complete = true
	for _, err := range errs {
		if strings.Contains(err.Detail, "some validation rules were not checked") {
			complete = false
			continue
		}
		if strings.HasSuffix(err.Detail, allOfEcho) || strings.Contains(err.Detail, allOfEcho+".") || strings.Contains(err.Detail, integerEcho) {
			continue
		}
		paths = append(paths, strings.TrimPrefix(err.Field, "spec"))
		text += "\n\t" + err.Error()
	}
	return Paths(paths), complete, text
}

// Paths returns the distinct paths of errors, in a form in which Go and the server agree: the server writes map keys like
// fields.
func Paths(paths []string) []string {
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
