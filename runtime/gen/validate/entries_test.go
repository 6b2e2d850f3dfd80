package validate_test

import (
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	. "github.com/kindsmith/kindsmith/runtime/gen/validate"
)

func details(errs field.ErrorList) []string {
	var all []string
	for _, err := range errs {
		all = append(all, err.Detail)
	}
	return all
}

func say(r *Run, detail string) { r.Report(field.ErrorList{field.Required(base, detail)}) }

// Maps come in random order, so each test is run often enough to see several.
const orders = 50

func TestEntriesOrder(t *testing.T) {
	m := map[text]int{"b": 2, "a": 2, "": 1, "a]": 1, "a].x": 1, "A": 0, "é": 1, "z": 0, "a0": 1}
	for range orders {
		r := NewRun(ctx, create, base)
		say(&r, "before")
		for key, n := range Entries(&r, m) {
			if n > 0 {
				say(&r, string(key)+" 2nd")
			}
			if n > 1 {
				say(&r, string(key)+" 1st")
			}
		}
		say(&r, "after")
		want := []string{"before", " 2nd", "a 2nd", "a 1st", "a0 2nd", "a] 2nd", "a].x 2nd", "b 2nd", "b 1st", "é 2nd", "after"}
		if got := details(r.Errors()); !slices.Equal(got, want) {
			t.Fatalf("got %q, want %q", got, want)
		}
	}
}

func TestEntriesNested(t *testing.T) {
	m := map[string]map[string]bool{"x": {"b": true, "a": true}, "w": {"d": true, "c": false, "e": true}, "v": nil}
	for range orders {
		r := NewRun(ctx, create, base)
		for outer, inner := range Entries(&r, m) {
			say(&r, outer)
			for key, bad := range Entries(&r, inner) {
				if bad {
					say(&r, outer+key)
				}
			}
			for key := range Entries(&r, inner) { // keys alone
				say(&r, outer+key+"!")
			}
		}
		want := []string{"v", "w", "wd", "we", "wc!", "wd!", "we!", "x", "xa", "xb", "xa!", "xb!"}
		if got := details(r.Errors()); !slices.Equal(got, want) {
			t.Fatalf("got %q, want %q", got, want)
		}
	}
}

func TestEntriesLeft(t *testing.T) {
	r := NewRun(ctx, create, base)
	m := map[string]int{"a": 1, "b": 2, "c": 3}
	seen := 0
	for range Entries(&r, m) {
		seen++
		say(&r, "x")
		break
	}
	if seen != 1 || r.Mark() != 1 {
		t.Errorf("after break: %d entries, %d errors", seen, r.Mark())
	}
	func() {
		for range Entries(&r, m) {
			say(&r, "y")
			return
		}
	}()
	if r.Mark() != 2 {
		t.Errorf("after return: %d errors", r.Mark())
	}
	for range Entries(&r, map[string]int(nil)) {
		t.Error("a nil map has entries")
	}
}
