package foreign_test

import (
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/foreign"
)

func TestWithoutComment(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"kubebuilder:validation:MaxLength=3 # why", "kubebuilder:validation:MaxLength=3"},
		{"kubebuilder:validation:MaxLength=3\t# why", "kubebuilder:validation:MaxLength=3"},
		{"kubebuilder:validation:Pattern=`a #b` # why", "kubebuilder:validation:Pattern=`a #b`"},
		{`kubebuilder:default="a \" #b" # why`, `kubebuilder:default="a \" #b"`},
		{"kubebuilder:default=a#b", "kubebuilder:default=a#b"},
		{"kubebuilder:pruning:PreserveUnknownFields  ", "kubebuilder:pruning:PreserveUnknownFields"},
	} {
		if got := foreign.WithoutComment(c.in); got != c.want {
			t.Errorf("foreign.WithoutComment(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}
