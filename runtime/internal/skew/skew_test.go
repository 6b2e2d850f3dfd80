package skew

import (
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Both types of options, whichever the version of apimachinery has.
func TestOptions(t *testing.T) {
	given := map[string]bool{"on": true, "also": true, "off": false}
	var list []string
	var set map[string]bool
	SetOptions(&list, given)
	SetOptions(&set, given)
	if !slices.Equal(list, []string{"also", "on"}) || !maps.Equal(set, given) {
		t.Errorf("the options are %v and %v", list, set)
	}
	if !maps.Equal(Map(list), map[string]bool{"also": true, "on": true}) || !maps.Equal(Map(set), given) {
		t.Errorf("as maps, the options are %v and %v", Map(list), Map(set))
	}
	for name, want := range map[string][4]bool{ // enabled and defined in the list, and in the map
		"on":      {true, true, true, true},
		"off":     {false, true, false, true},
		"no such": {false, true, false, false},
	} {
		var got [4]bool
		got[0], got[1] = Option(list, name)
		got[2], got[3] = Option(set, name)
		if got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	SetOptions(&list, nil)
	if len(list) != 0 {
		t.Errorf("without options there are %v", list)
	}

	var op operation.Operation
	SetOptions(&op.Options, given)
	if !maps.Equal(Map(op.Options), given) && !maps.Equal(Map(op.Options), Map([]string{"on", "also"})) {
		t.Errorf("the operation has the options %v", op.Options)
	}
	if n := testing.AllocsPerRun(100, func() { Option(op.Options, "on"); Option(list, "on") }); n > 0 {
		t.Errorf("looking at an option allocates %v times", n)
	}
}

func TestMarks(t *testing.T) {
	err := field.Required(nil, "")
	has := func(want Mark) {
		t.Helper()
		for mark := Alpha; mark <= ShortCircuitedInDeclarative; mark <<= 1 {
			if Has(err, mark) != (want&mark != 0) {
				t.Errorf("mark %b: %v", mark, Has(err, mark))
			}
		}
	}
	has(0)
	Set(err, Alpha)
	has(Alpha)
	Set(err, Beta)
	has(Beta)
	Set(err, ShortCircuit)
	Set(err, FromImperative)
	Set(err, ShortCircuitedInDeclarative)
	has(Beta | ShortCircuit | FromImperative | ShortCircuitedInDeclarative)
	Clear(err, ShortCircuit)
	Clear(err, ShortCircuit)
	has(Beta | FromImperative | ShortCircuitedInDeclarative)
	if other := field.Required(nil, ""); Has(other, Beta) || Has(other, FromImperative) {
		t.Error("an equal error has the marks too")
	}
	runtime.KeepAlive(err)
}

// What is remembered of an error goes with it.
func TestMemory(t *testing.T) {
	for range 1000 {
		remember(field.Required(nil, ""), Alpha)
	}
	left := 0
	for range 100 {
		runtime.GC()
		left = 0
		memory.Range(func(any, any) bool { left++; return true })
		if left < 10 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d of 1000 errors are remembered", left)
}

// An error of each type can be printed.
func TestTypes(t *testing.T) {
	for _, of := range []field.ErrorType{TooFew, TooShort} {
		err := field.Error{Type: of, Field: "a", BadValue: "b", Detail: "c"}
		if got := err.Error(); !strings.HasPrefix(got, "a: "+of.String()) || !strings.HasSuffix(got, ": c") || strings.Contains(got, "unknown") {
			t.Error(got)
		}
	}
}
