package upstream_test

import (
	"regexp"
	"testing"

	upstream "k8s.io/apimachinery/pkg/api/validate"
	"k8s.io/apimachinery/pkg/util/validation/field"

	. "github.com/kindsmith/kindsmith/runtime/gen/validate"
)

func TestNEQ(t *testing.T) {
	for _, value := range []text{"", "a", "b", "é"} {
		same(t, create, upstream.NEQ(ctx, create, where, &value, nil, "a"),
			func(r *Run, at *Path) bool { return NEQ(r, at, value, "a") })
		same(t, create, upstream.NEQ(ctx, create, where, &value, nil, ""),
			func(r *Run, at *Path) bool { return NEQ(r, at, value, "") })
	}
	for _, value := range []bool{false, true} {
		same(t, create, upstream.NEQ(ctx, create, where, &value, nil, true),
			func(r *Run, at *Path) bool { return NEQ(r, at, value, true) })
	}
}

func TestPattern(t *testing.T) {
	for _, tc := range []struct {
		pattern string
		value   text
		ok      bool
	}{
		{"b+", "abc", true}, // anywhere
		{"^b+$", "abc", false},
		{"^b+$", "bbb", true},
		{"^$", "", true},
		{"x", "", false},
		{"^.$", "é", true}, // a character
		{"^.$", "\n", false},
		{`^\d\\$`, `1\`, true},
		{`^\d\\$`, `é`, false},
	} {
		var want field.ErrorList
		if !tc.ok {
			want = field.ErrorList{field.Invalid(where, tc.value, "must match the regular expression `"+tc.pattern+"`").WithOrigin("pattern")}
		}
		re := regexp.MustCompile(tc.pattern)
		same(t, create, want, func(r *Run, at *Path) bool { return Pattern(r, at, tc.value, re) })
	}
}
