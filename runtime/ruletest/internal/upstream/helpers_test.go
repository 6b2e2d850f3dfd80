package upstream_test

import (
	"context"
	"reflect"
	"testing"

	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	. "github.com/kindsmith/kindsmith/runtime/gen/validate"
)

type (
	text   string
	number int32
)

var (
	ctx    = context.Background()
	create = operation.Operation{Type: operation.Create, Options: map[string]bool{"on": true, "off": false}}
	update = operation.Operation{Type: operation.Update, Options: map[string]bool{"on": true, "off": false}}
	base   = field.NewPath("object")
	where  = base.Child("spec").Child("list").Index(3).Key("a.b/c").Child("field") // where same checks
)

func ptr[T any](v T) *T { return &v }

// same runs a check and compares its result and errors with those of upstream at the
// path where.
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
		t.Errorf("the check returns %v, and upstream finds %v", ok, want)
	}
	sameErrors(t, r.Errors(), want)
}

// stops is like same, for a rule that stops later checks of the same value: upstream's
// generated code marks the errors.
func stops(t *testing.T, op operation.Operation, want field.ErrorList, check func(r *Run, at *Path) bool) {
	t.Helper()
	same(t, op, want.MarkShortCircuit(), check)
}

// sameErrors compares all fields of the errors.
func sameErrors(t *testing.T, got, want field.ErrorList) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("got  %v\nwant %v", got, want)
		return
	}
	for i := range got {
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Errorf("error %d:\ngot  %#v\nwant %#v", i, got[i], want[i])
		}
	}
}
