package validate_test

import (
	"context"
	"reflect"
	"testing"

	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	. "github.com/kindsmith/kindsmith/runtime/gen/validate"
	"github.com/kindsmith/kindsmith/runtime/internal/skew"
)

type (
	text   string
	number int32
)

var (
	ctx    = context.Background()
	create = withOptions(operation.Create)
	update = withOptions(operation.Update)
	base   = field.NewPath("object")
	where  = base.Child("spec").Child("list").Index(3).Key("a.b/c").Child("field") // where same checks
)

func withOptions(verb operation.Type) operation.Operation {
	op := operation.Operation{Type: verb}
	skew.SetOptions(&op.Options, map[string]bool{"on": true, "off": false})
	return op
}

func ptr[T any](v T) *T { return &v }

// same runs a check and compares its result and errors with those that are
// expected at the path where.
func same(t *testing.T, op operation.Operation, want field.ErrorList, check func(r *Run, at *Path) bool) {
	t.Helper()
	var root Path
	spec := root.Child("spec")
	list := spec.Child("list")
	item := list.Index(3)
	value := item.Key("a.b/c")
	at := value.Child("field")
	r := NewRun(ctx, op, base)
	if ok := check(&r, &at); ok != (len(want) == 0) {
		t.Errorf("the check returns %v, want %v", ok, want)
	}
	sameErrors(t, r.Errors(), want)
}

// sameErrors compares all fields of the errors.
func sameErrors(t *testing.T, got, want field.ErrorList) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("got  %v\nwant %v", got, want)
		return
	}
	for i := range got {
		if !reflect.DeepEqual(got[i], want[i]) || !sameMarks(got[i], want[i]) {
			t.Errorf("error %d:\ngot  %#v\nwant %#v", i, got[i], want[i])
		}
	}
}

// sameMarks compares what errors of some versions of apimachinery have no fields for.
func sameMarks(a, b *field.Error) bool {
	for mark := skew.Alpha; mark <= skew.ShortCircuitedInDeclarative; mark <<= 1 {
		if skew.Has(a, mark) != skew.Has(b, mark) {
			return false
		}
	}
	return true
}
