package rollout_test

import (
	"context"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/operation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/runtime/internal/skew"
	. "github.com/kindsmith/kindsmith/runtime/rollout"
)

func TestWebhook(t *testing.T) {
	size := field.NewPath("size")
	var seen operation.Operation
	w := Webhook[*hub]{
		Rollout: &Rollout{Log: discard},
		Kind:    hubVersion.WithKind("Widget"),
		Options: map[string]bool{"Fast": true},
		Pair: Pair[*hub]{
			Declarative: func(_ context.Context, op operation.Operation, path *field.Path, obj, old *hub) field.ErrorList {
				seen = op
				switch {
				case op.Type == operation.Create && old != nil:
					return field.ErrorList{field.InternalError(path, context.Canceled)}
				case op.Type == operation.Update && obj.Size < old.Size:
					return field.ErrorList{field.Invalid(size, obj.Size, "shrinks").WithOrigin("monotonic")}
				case obj.Size < 0:
					return field.ErrorList{field.Invalid(size, obj.Size, "is negative").WithOrigin("minimum")}
				}
				return nil
			},
		},
	}
	ctx := context.Background()
	of := func(size int) *hub { return &hub{widget{ObjectMeta: metav1.ObjectMeta{Name: "a"}, Size: size}} }

	for _, tc := range []struct {
		name string
		err  error
		want string
	}{
		{"create", w.ValidateCreate(ctx, of(1)), ""},
		{"invalid create", w.ValidateCreate(ctx, of(-1)), `Widget.example.com "a" is invalid: size: Invalid value: -1: is negative`},
		{"update", w.ValidateUpdate(ctx, of(1), of(2)), ""},
		{"invalid update", w.ValidateUpdate(ctx, of(2), of(1)), `Widget.example.com "a" is invalid: size: Invalid value: 1: shrinks`},
	} {
		switch {
		case tc.want == "" && tc.err != nil:
			t.Errorf("%s: %v", tc.name, tc.err)
		case tc.want != "" && (!apierrors.IsInvalid(tc.err) || tc.err.Error() != tc.want):
			t.Errorf("%s: %v, want %s", tc.name, tc.err, tc.want)
		}
	}
	if err := w.ValidateUpdate(ctx, of(1), of(1), "status"); err != nil || seen.Request.SubresourcePath() != "/status" || !skew.Map(seen.Options)["Fast"] {
		t.Errorf("%v, %v", err, seen)
	}

	w.Config.Migrating = true
	if w.ValidateCreate(ctx, of(-1)) == nil {
		t.Error("nothing but the declarative rule could have refused this")
	}
	w.Pair.HandWritten = func(_ context.Context, _ operation.Operation, obj, _ *hub) field.ErrorList {
		if obj.Size == 13 {
			return field.ErrorList{field.Forbidden(size, "unlucky")}
		}
		return nil
	}
	if err := w.ValidateCreate(ctx, of(-1)); err != nil {
		t.Errorf("hand-written validation decides: %v", err)
	}
	if w.ValidateCreate(ctx, of(13)) == nil {
		t.Error("hand-written validation was not asked")
	}
}
