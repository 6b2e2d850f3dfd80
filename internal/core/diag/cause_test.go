package diag_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
)

var (
	causeCodes = diag.Protect(diag.Everything)

	codeA = causeCodes.New("cause/a", "A.")
	codeB = causeCodes.New("cause/b", "B.")
)

// TestCauses has the diagnostics of a run, and those that remain: one for each cause.
func TestCauses(t *testing.T) {
	file := source.NewFile("types.go", []byte("0123456789abcdef"))
	span, fact := file.Span, diag.About("group", "v1")
	for name, test := range map[string]struct {
		add  func(bag *diag.Bag)
		want string
	}{
		"an error in the text that another rests on": {
			add: func(bag *diag.Bag) {
				bag.Errorf(span(3, 5), codeA, "cause")
				bag.Errorf(span(8, 9), codeB, "consequence").RestsOn(diag.Meaning(span(2, 6)))
				bag.Warnf(span(8, 9), codeB, "warning").RestsOn(diag.Meaning(span(2, 6)))
			},
			want: "cause",
		},
		"an error around the text that another rests on": {
			add: func(bag *diag.Bag) {
				bag.Errorf(span(1, 9), codeA, "error")
				bag.Errorf(span(10, 12), codeB, "other").RestsOn(diag.Meaning(span(2, 6)))
			},
			want: "error, other",
		},
		"the same text in another file": {
			add: func(bag *diag.Bag) {
				bag.Errorf(source.NewFile("other.go", []byte("0123456789")).Span(3, 5), codeA, "error")
				bag.Errorf(span(8, 9), codeB, "other").RestsOn(diag.Meaning(span(2, 6)))
			},
			want: "other, error",
		},
		"a warning in the text that another rests on": {
			add: func(bag *diag.Bag) {
				bag.Warnf(span(3, 5), codeA, "warning")
				bag.Errorf(span(8, 9), codeB, "error").RestsOn(diag.Meaning(span(2, 6)))
				bag.Warnf(span(8, 9), codeB, "other").RestsOn(diag.Meaning(span(2, 6)))
			},
			want: "warning, error, other",
		},
		"a void text": {
			add: func(bag *diag.Bag) {
				bag.Errorf(span(0, 1), codeA, "cause").Voids(diag.Meaning(span(2, 6)))
				bag.Errorf(span(3, 5), codeB, "within")
				bag.Errorf(span(3, 7), codeB, "beyond")
				bag.Hintf(span(2, 6), codeB, "hint")
			},
			want: "cause, beyond",
		},
		"a void fact": {
			add: func(bag *diag.Bag) {
				bag.Errorf(span(8, 9), codeB, "consequence").RestsOn(fact)
				bag.Errorf(span(9, 10), codeB, "other").RestsOn(diag.About("group", "v2"))
				bag.Errorf(span(0, 1), codeA, "cause").Voids(fact)
			},
			want: "cause, other",
		},
		"a fact that a warning voids": {
			add: func(bag *diag.Bag) {
				bag.Warnf(span(0, 1), codeA, "cause").Voids(fact)
				bag.Errorf(span(8, 9), codeB, "error").RestsOn(fact)
				bag.Warnf(span(9, 10), codeB, "warning").RestsOn(fact)
			},
			want: "cause, error",
		},
		"a warning at the text of an error": {
			add: func(bag *diag.Bag) {
				bag.Errorf(span(3, 5), codeA, "error")
				bag.Warnf(span(3, 5), codeB, "warning")
			},
			want: "error, warning",
		},
		"diagnostics without text": {
			add: func(bag *diag.Bag) {
				bag.Errorf(source.Span{}, codeA, "error")
				bag.Warnf(source.Span{}, codeB, "warning").RestsOn(diag.Meaning(source.Span{}))
			},
			want: "error, warning",
		},
		"causes of each other": {
			add: func(bag *diag.Bag) {
				bag.Errorf(span(8, 9), codeA, "first").RestsOn(fact).Voids(fact)
				bag.Errorf(span(3, 5), codeA, "second").RestsOn(fact).Voids(fact)
				bag.Errorf(span(4, 5), codeA, "third").RestsOn(fact).Voids(fact)
			},
			want: "first",
		},
		"a chain of causes": {
			add: func(bag *diag.Bag) {
				bag.Errorf(span(8, 9), codeB, "last").RestsOn(diag.About("versions", "v1"))
				bag.Errorf(span(3, 5), codeB, "middle").RestsOn(fact).Voids(diag.About("versions", "v1"))
				bag.Errorf(span(0, 1), codeA, "cause").Voids(fact)
			},
			want: "cause",
		},
		"one diagnostic twice": {
			add: func(bag *diag.Bag) {
				bag.Errorf(span(3, 5), codeA, "same").RestsOn(diag.Meaning(span(3, 5)))
				bag.Errorf(span(3, 5), codeA, "same").RestsOn(diag.Meaning(span(3, 5)))
			},
			want: "same",
		},
	} {
		t.Run(name, func(t *testing.T) {
			bag := &diag.Bag{}
			test.add(bag)
			var got []string
			for _, d := range bag.All() {
				got = append(got, d.Message)
			}
			want := strings.Split(test.want, ", ")
			slices.Sort(want)
			slices.Sort(got)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
