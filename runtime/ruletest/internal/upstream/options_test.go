package upstream_test

import (
	"context"
	"testing"

	"k8s.io/apimachinery/pkg/api/operation"
	upstream "k8s.io/apimachinery/pkg/api/validate"
	"k8s.io/apimachinery/pkg/util/validation/field"

	. "github.com/kindsmith/kindsmith/runtime/gen/validate"
)

func TestOptions(t *testing.T) {
	none := operation.Operation{}
	for _, op := range []operation.Operation{create, update, none} {
		for _, option := range []string{"on", "off", "no such", ""} {
			for _, enabled := range []bool{true, false} {
				ran := false
				want := upstream.IfOption(ctx, op, where, 0, 0, option, enabled,
					func(context.Context, operation.Operation, *field.Path, int, int) field.ErrorList {
						ran = true
						return nil
					})
				r := NewRun(ctx, op, where)
				run := IfDisabled
				if enabled {
					run = IfEnabled
				}
				if got := run(&r, nil, option); got != ran {
					t.Errorf("%q, enabled %v: got %v, want %v", option, enabled, got, ran)
				}
				sameErrors(t, r.Errors(), want)

				silent := Disabled
				if enabled {
					silent = Enabled
				}
				r = NewRun(ctx, op, where)
				if got := silent(&r, option); got != ran || r.Errors() != nil {
					t.Errorf("%q, enabled %v, silent: got %v, want %v", option, enabled, got, ran)
				}
				if got := Defined(&r, option); got != (len(want) == 0) || r.Errors() != nil {
					t.Errorf("%q: defined is %v", option, got)
				}
			}
		}
	}
}
