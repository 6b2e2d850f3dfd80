package convert_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/runtime/gen/convert"
)

func TestAt(t *testing.T) {
	spec, items := field.NewPath("spec"), field.NewPath("items")
	var here *field.Path
	for _, test := range []struct {
		err  error
		want string
	}{
		{convert.At(spec, io.EOF), "spec: EOF"},
		{convert.At(spec, convert.At(items.Index(2), io.EOF)), "spec.items[2]: EOF"},
		{convert.At(items, convert.At(here.Index(1), convert.At(field.NewPath("size"), io.EOF))), "items[1].size: EOF"},
		{convert.At(items.Key("a.b"), io.EOF), "items[a.b]: EOF"},
		{convert.At(nil, io.EOF), "EOF"},
	} {
		if got := test.err.Error(); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
		if !errors.Is(test.err, io.EOF) {
			t.Errorf("%v does not lead to its cause", test.err)
		}
	}
	if err := convert.At(spec, nil); err != nil {
		t.Errorf("no error became %v", err)
	}
}

// A hand-written conversion may wrap what the generated one returned.
func TestAtKeepsWrapped(t *testing.T) {
	err := convert.At(field.NewPath("spec"), fmt.Errorf("by hand: %w", io.EOF))
	if got, want := err.Error(), "spec: by hand: EOF"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	inner := convert.At(field.NewPath("size"), io.EOF)
	err = convert.At(field.NewPath("spec"), fmt.Errorf("by hand: %w", inner))
	if got, want := err.Error(), "spec: by hand: size: EOF"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
