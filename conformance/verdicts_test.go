package conformance_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindsmith/kindsmith/conformance/corpus"
	"github.com/kindsmith/kindsmith/conformance/runner"
)

// TestGo compares what the generated validators find: the errors, in order.
func TestGo(t *testing.T) {
	each(t, func(t *testing.T, _ *loadedCase, o *corpus.Object, j *judgement) {
		want, got := lines(o.Errors), found(o.Errors, j.now.Errors)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("errors (-want +got):\n%s", diff)
		}
	})
}

// TestOldObjects holds updates to begin with an object that is valid, or that
// is said not to be.
func TestOldObjects(t *testing.T) {
	each(t, func(t *testing.T, _ *loadedCase, o *corpus.Object, j *judgement) {
		switch valid := len(j.old.Errors) == 0; {
		case !o.IsUpdate():
		case j.old.Failure != "":
			t.Error(j.old.Failure)
		case valid && o.OldInvalid:
			t.Error("the old object is said to be invalid, and is valid")
		case !valid && !o.OldInvalid:
			t.Errorf("the old object is invalid; say oldInvalid: true if that is meant: %v", j.old.Errors)
		}
	})
}

// allocating are the cases with validators that cannot do without, and why.
var allocating = map[string]string{
	"customvalidation/rules": "the functions are handed a field.Path, which is on the heap",
}

// TestAllocations holds validating a valid object to no allocation at all, and
// an update that changes nothing, too.
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
			t.Errorf("%s is listed to allocate, and does not", name)
		}
	}
}

// each runs f on every object that was judged. It reports whether none was left
// out by the -run flag.
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

// found spells errors as lines does. Of an error's text and its mark, only what
// is expected of the one in its place counts.
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
