package validate_test

import (
	"fmt"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	. "github.com/kindsmith/kindsmith/runtime/gen/validate"
	"github.com/kindsmith/kindsmith/runtime/internal/skew"
)

func TestRun(t *testing.T) {
	r := NewRun(ctx, update, base)
	if !r.IsUpdate() || r.Context != ctx || r.Errors() != nil {
		t.Errorf("a new run: %+v", r)
	}
	if !r.Report(nil) || !r.Report(field.ErrorList{}) || r.Errors() != nil {
		t.Error("reporting no error reports something")
	}
	want := field.ErrorList{field.Required(base, "x"), field.Forbidden(base, "y")}
	if r.Report(want) {
		t.Error("reporting errors returns true")
	}
	sameErrors(t, r.Errors(), want)
	r = NewRun(ctx, create, nil)
	if r.IsUpdate() {
		t.Error("a create is an update")
	}
}

// A list of errors ends with the number of those that it lacks.
func TestErrorsAreBounded(t *testing.T) {
	for _, n := range []int{MaxErrors - 1, MaxErrors, MaxErrors + 1, 5 * MaxErrors} {
		r := NewRun(ctx, create, base)
		for range n {
			r.Report(field.ErrorList{field.Required(base, "x")})
		}
		got := r.Errors()
		if len(got) != min(n, MaxErrors+1) || len(r.Since(1)) != n-1 {
			t.Errorf("%d errors: %d are listed", n, len(got))
		}
		want := field.Invalid(base, field.OmitValueType{}, fmt.Sprintf("%d more errors are not listed", n-MaxErrors))
		if n > MaxErrors {
			sameErrors(t, got[MaxErrors:], field.ErrorList{want})
		}
	}
}

func TestMarks(t *testing.T) {
	r := NewRun(ctx, create, nil)
	report := func(detail string) int {
		mark := r.Mark()
		r.Report(field.ErrorList{field.Required(base, detail), field.Required(base, detail)})
		return mark
	}
	Alpha(&r, r.Mark(), false) // of no errors
	report("stable")
	Alpha(&r, report("alpha"), false)
	Beta(&r, report("beta"), false)
	ShortCircuit(&r, report("short"), false)
	both := report("both")
	ShortCircuit(&r, both, Beta(&r, both, false))
	taken := report("taken")
	ShortCircuit(&r, taken, false)
	r.UnmarkShortCircuit(taken)
	passed := report("passed")
	if !ShortCircuit(&r, passed, true) || !Alpha(&r, passed, true) || !Beta(&r, passed, true) {
		t.Error("a rule that holds fails")
	}

	list := func(detail string) field.ErrorList {
		return field.ErrorList{field.Required(base, detail), field.Required(base, detail)}
	}
	var want field.ErrorList
	want = append(want, list("stable")...)
	want = append(want, marked(list("alpha"), skew.Alpha)...)
	want = append(want, marked(list("beta"), skew.Beta)...)
	want = append(want, marked(list("short"), skew.ShortCircuit)...)
	want = append(want, marked(list("both"), skew.Beta, skew.ShortCircuit)...)
	want = append(want, list("taken")...)
	want = append(want, list("passed")...)
	sameErrors(t, r.Errors(), want)
}

func marked(errs field.ErrorList, marks ...skew.Mark) field.ErrorList {
	for _, err := range errs {
		for _, mark := range marks {
			skew.Set(err, mark)
		}
	}
	return errs
}

func TestLevels(t *testing.T) {
	r := NewRun(ctx, create, base)
	var root Path
	at := root.Child("a")
	Minimum(&r, &at, 1, 2)
	if Alpha(&r, r.Mark(), Minimum(&r, &at, 1, 2)) || Beta(&r, r.Mark(), Minimum(&r, &at, 1, 2)) {
		t.Error("a broken rule passes")
	}
	if !Alpha(&r, r.Mark(), Minimum(&r, &at, 2, 2)) || !Beta(&r, r.Mark(), Minimum(&r, &at, 2, 2)) {
		t.Error("a rule that holds fails")
	}
	one := func() field.ErrorList {
		single := NewRun(ctx, create, base)
		Minimum(&single, &at, 1, 2)
		return single.Errors()
	}
	want := append(one(), marked(one(), skew.Alpha)...)
	sameErrors(t, r.Errors(), append(want, marked(one(), skew.Beta)...))
}
