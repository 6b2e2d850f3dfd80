package english_test

import (
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/english"
)

func TestA(t *testing.T) {
	for _, want := range []string{
		"an Order", "a Ship", "an array", "an int32", "a uint32", "a *int32", "a []string", "a Unit", "a Union", "an Update", "an Umbrella",
		"a User", "a URL", "an HTTPRoute", "a Handler", "an NFSShare", "a Node", "an S3Bucket", "a Server", "an XRD", "an EKSConfig", "a ",
	} {
		name := want[2:]
		if want[1] == 'n' {
			name = want[3:]
		}
		if got := english.A(name); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestLists(t *testing.T) {
	for _, c := range []struct {
		words   []string
		and, or string
	}{
		{nil, "", ""},
		{[]string{"a"}, "a", "a"},
		{[]string{"a", "b"}, "a and b", "a or b"},
		{[]string{"a", "b", "c"}, "a, b and c", "a, b or c"},
	} {
		if got := english.And(c.words); got != c.and {
			t.Errorf("And(%q) = %q, want %q", c.words, got, c.and)
		}
		if got := english.Or(c.words); got != c.or {
			t.Errorf("Or(%q) = %q, want %q", c.words, got, c.or)
		}
	}
}
