package schemes_test

import (
	"context"
	"testing"

	"k8s.io/apimachinery/pkg/api/operation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/runtime/internal/skew/schemes"
)

func TestHasValidationFunc(t *testing.T) {
	scheme := runtime.NewScheme()
	obj := &metav1.PartialObjectMetadata{}
	if schemes.HasValidationFunc(scheme, obj) {
		t.Error("an empty scheme has a validation function")
	}
	scheme.AddValidationFunc(obj, func(context.Context, operation.Operation, any, any) field.ErrorList { return nil })
	if !schemes.HasValidationFunc(scheme, obj) || schemes.HasValidationFunc(scheme, &metav1.Status{}) {
		t.Error("the scheme has a validation function of another type")
	}
}
