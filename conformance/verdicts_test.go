package conformance_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindsmith/kindsmith/conformance/corpus"
	"github.com/kindsmith/kindsmith/conformance/runner"
)

// TestGo compares the errors of the generated validators, in order.
func TestGo(t *testing.T) {
	each(t, func(t *testing.T, _ *loadedCase, o *corpus.Object, j *judgement) {
		want, got := lines(o.Errors), found(o.Errors, j.now.Errors)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("errors (-want +got):\n%s", diff)
		}
	})
}

// TestOldObjects checks that the old objects of updates are valid, unless they are
// set.
func TestOldObjects(t *testing.T) {
	each(t, func(t *testing.T, _ *loadedCase, o *corpus.Object, j *judgement) {
		switch valid := len(j.old.Errors) == 0; {
		case !o.IsUpdate():
		case j.old.Failure != "":
			t.Error(j.old.Failure)
		case valid && o.InvalidOld != nil:
			t.Error("the old object is valid; write old instead of invalidOld")
		case !valid && o.InvalidOld == nil:
			t.Errorf("the old object is invalid; write invalidOld if this is intended: %v", j.old.Errors)
		}
	})
}

// allocating lists the cases whose validators have to allocate, with reasons.
var allocating = map[string]string{
	"customvalidation/rules": "the functions take a field.Path, which is on the heap",
}

// TestAllocations checks that validating a valid object does not allocate, and neither
// does an update that changes nothing.
func TestAllocations(t *testing.T) {
	needed := map[string]bool{}
	all := each(t, func(t *testing.T, c *loadedCase, _ *corpus.Object, j *judgement) {
		if j.now.Unchanged != 0 {
			t.Errorf("an update that changes nothing made %v allocations", j.now.Unchanged)
		}
		if _, ok := allocating[c.Name]; ok {
			needed[c.Name] = needed[c.Name] || j.now.Allocs > 0
		} else if j.now.Allocs != 0 {
			t.Errorf("validation made %v allocations", j.now.Allocs)
		}
	})
	for name := range allocating {
		if all && !needed[name] {
			t.Errorf("%s is listed as allocating, but does not allocate", name)
		}
	}
}

// each runs f on every validated object. It returns false if the -run flag skipped
// some.
func each(t *testing.T, f func(*testing.T, *loadedCase, *corpus.Object, *judgement)) (all bool) {
	want, ran := 0, 0
	judgements, err := goVerdicts()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range load(t).cases {
		if !c.ok() {
			continue
		}
		for _, o := range c.Objects {
			want++
			t.Run(c.Name+"/"+o.Name, func(t *testing.T) {
				ran++
				j := judgements[o]
				if j.now.Failure != "" {
					t.Fatal(j.now.Failure)
				}
				f(t, c, o, j)
			})
		}
	}
	return want == ran
}

func lines(errs []corpus.Error) []string {
	out := make([]string, len(errs))
	for i, e := range errs {
		out[i] = e.String()
	}
	return out
}

// found formats errors like lines. It includes the message and the mark only if the
// expected error at the same position does.
func found(want []corpus.Error, got []runner.Error) []string {
	out := make([]string, len(got))
	for i, g := range got {
		e := corpus.Error{Type: g.Type, Field: g.Field, Origin: g.Origin, Level: g.Level}
		if i < len(want) && want[i].Short != nil {
			e.Short = &g.Short
		}
		if i < len(want) && want[i].Detail != "" {
			e.Detail = g.Text
			if strings.Contains(g.Text, want[i].Detail) {
				e.Detail = want[i].Detail
			}
		}
		out[i] = e.String()
	}
	return out
}
