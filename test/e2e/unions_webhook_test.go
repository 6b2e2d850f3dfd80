package e2e

import (
	"context"
	"errors"
	"testing"

	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/kindsmith/kindsmith/conformance/unions/skew"
	unionsv1 "github.com/kindsmith/kindsmith/conformance/unions/v1"
	"github.com/kindsmith/kindsmith/runtime/union"
	"github.com/kindsmith/kindsmith/webhook"
)

// TestUnionsWithWebhook runs the rows of unions with the webhooks of a manager: beside definitions that
// have the rules of unions, and alone.
func TestUnionsWithWebhook(t *testing.T) {
	scheme := runtime.NewScheme()
	group := schema.GroupVersion{Group: "unions.example.com", Version: "v1"}
	scheme.AddKnownTypeWithName(group.WithKind("Row"), &row{})
	scheme.AddKnownTypeWithName(group.WithKind("Shape"), &shape{})
	scheme.AddValidationFunc(&row{}, func(ctx context.Context, op operation.Operation, obj, old any) (errs field.ErrorList) {
		before, _ := old.(*row)
		if before == nil {
			before = &row{}
		}
		for _, validate := range validators {
			errs = append(errs, validate(ctx, op, obj.(*row), before)...)
		}
		return errs
	})
	for name, rules := range map[string]bool{"beside": true, "alone": false} {
		t.Run(name, func(t *testing.T) {
			namespace := "unions-webhook-" + name
			testUnions(t, namespace, rules, func(t *testing.T, _ string) {
				setup := func(mgr ctrl.Manager) error {
					return errors.Join(webhook.SetupWithManager(mgr, &row{}), webhook.SetupWithManager(mgr, &shape{}))
				}
				serveWebhooks(t, scheme, setup, namespace,
					served{"unions-example-com-v1-row", group.Group, []string{"rows"}},
					served{"unions-example-com-v1-shape", group.Group, []string{"shapes", "shapes/status"}})
			})
		})
	}
}

// row and shape are the kinds as runtime objects.
type (
	row   struct{ unionsv1.Row }
	shape struct{ unionsv1.Shape }
)

func (r *row) DeepCopyObject() runtime.Object   { out := *r; return &out }
func (s *shape) DeepCopyObject() runtime.Object { out := *s; return &out }

func (r *row) NormalizeUnions(request union.Request, old any) []union.Cleared {
	before, _ := old.(*row)
	if before == nil {
		return r.Row.NormalizeUnions(request, nil)
	}
	return r.Row.NormalizeUnions(request, &before.Row)
}

func (s *shape) NormalizeUnions(request union.Request, old any) []union.Cleared {
	before, _ := old.(*shape)
	if before == nil {
		return s.Shape.NormalizeUnions(request, nil)
	}
	return s.Shape.NormalizeUnions(request, &before.Shape)
}

// validators are the generated validators of a row's properties.
var validators = []func(ctx context.Context, op operation.Operation, obj, old *row) field.ErrorList{
	property(func(r *row) *skew.Conformance { return r.Conformance }, skew.Validate_Conformance),
	property(func(r *row) *skew.ConformanceStrict { return r.ConformanceStrict }, skew.Validate_ConformanceStrict),
	property(func(r *row) *skew.OptionalUnion { return r.OptionalUnion }, skew.Validate_OptionalUnion),
	property(func(r *row) *skew.OptionalUnionBeforeC { return r.OptionalUnionBeforeC }, skew.Validate_OptionalUnionBeforeC),
	property(func(r *row) *skew.RequiredUnion { return r.RequiredUnion }, skew.Validate_RequiredUnion),
	property(func(r *row) *skew.RequiredUnionStrict { return r.RequiredUnionStrict }, skew.Validate_RequiredUnionStrict),
	property(func(r *row) *skew.RequiredUnionBeforeC { return r.RequiredUnionBeforeC }, skew.Validate_RequiredUnionBeforeC),
	property(func(r *row) *skew.RequiredUnionBeforeCStrict { return r.RequiredUnionBeforeCStrict }, skew.Validate_RequiredUnionBeforeCStrict),
	property(func(r *row) *skew.LenientRequired { return r.LenientRequired }, skew.Validate_LenientRequired),
	property(func(r *row) *skew.LenientOptional { return r.LenientOptional }, skew.Validate_LenientOptional),
	property(func(r *row) *skew.DefaultedUnion { return r.DefaultedUnion }, skew.Validate_DefaultedUnion),
	property(func(r *row) *skew.TwoUnions { return r.TwoUnions }, skew.Validate_TwoUnions),
	property(func(r *row) *skew.Containers { return r.Containers }, skew.Validate_Containers),
	property(func(r *row) *skew.AtMostOne { return r.AtMostOne }, skew.Validate_AtMostOne),
	property(func(r *row) *skew.AtMostOneBeforeC { return r.AtMostOneBeforeC }, skew.Validate_AtMostOneBeforeC),
	property(func(r *row) *skew.ExactlyOne { return r.ExactlyOne }, skew.Validate_ExactlyOne),
	property(func(r *row) *skew.ExactlyOneBeforeC { return r.ExactlyOneBeforeC }, skew.Validate_ExactlyOneBeforeC),
}

func property[T any](
	of func(*row) *T, validate func(context.Context, operation.Operation, *field.Path, *T, *T) field.ErrorList,
) func(context.Context, operation.Operation, *row, *row) field.ErrorList {
	return func(ctx context.Context, op operation.Operation, obj, old *row) field.ErrorList {
		if of(obj) == nil {
			return nil
		}
		return validate(ctx, op, field.NewPath("row"), of(obj), of(old))
	}
}
