package upstream_test

import (
	"testing"

	upstream "k8s.io/apimachinery/pkg/api/validate"

	. "github.com/kindsmith/kindsmith/runtime/gen/validate"
)

func TestFixedResult(t *testing.T) {
	for _, result := range []bool{true, false} {
		same(t, create, upstream.FixedResult(ctx, create, where, "a", "", result, "why"),
			func(r *Run, at *Path) bool { return FixedResult(r, at, "a", result, "why") })
		same(t, create, upstream.FixedResult(ctx, create, where, (*int)(nil), nil, result, "why"),
			func(r *Run, at *Path) bool { return FixedResult(r, at, (*int)(nil), result, "why") })
	}
}

func TestSilently(t *testing.T) {
	r := NewRun(ctx, create, nil)
	Required(&r, nil, false)
	if Silently(&r, r.Mark(), Required(&r, nil, false)) || !Silently(&r, r.Mark(), Required(&r, nil, true)) {
		t.Error("it does not return what the check does")
	}
	if n := len(r.Errors()); n != 1 {
		t.Errorf("%d errors, not the one that was there before", n)
	}
}
