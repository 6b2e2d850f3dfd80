package rollout_test

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/api/operation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/runtime/rollout"
)

// order is a kind of yours.
type order struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Quantity int32
}

// DeepCopyObject is in zz_generated.deepcopy.go.
func (o *order) DeepCopyObject() runtime.Object { out := *o; return &out }

// atMost is what a generated validator of +k8s:maximum=9 does.
func atMost(_ context.Context, _ operation.Operation, obj, _ any) field.ErrorList {
	if o := obj.(*order); o.Quantity > 9 {
		return field.ErrorList{field.Invalid(field.NewPath("quantity"), o.Quantity, "must be less than or equal to 9").WithOrigin("maximum")}
	}
	return nil
}

// A strategy of k8s.io/apiserver calls the methods of a Strategy. The last argument is hand-written validation, if there is any.
func ExampleStrategy() {
	scheme := runtime.NewScheme()
	scheme.AddKnownTypeWithName(schema.GroupVersionKind{Group: "shop.example.com", Version: "v1", Kind: "Order"}, &order{})
	scheme.AddValidationFunc(&order{}, atMost)

	declarative := rollout.Strategy{Scheme: scheme}
	for _, err := range declarative.Validate(context.Background(), rollout.Request{}, &order{Quantity: 12}, nil) {
		fmt.Println(err)
	}
	// Output: quantity: Invalid value: 12: must be less than or equal to 9
}

// Gates are a flag of your program.
func ExampleGates() {
	gates := rollout.DefaultGates()
	if err := gates.Set("DeclarativeValidationTakeover=true"); err != nil {
		panic(err)
	}
	fmt.Println(gates.DeclarativeValidationTakeover, gates.APIUnions)
	// Output: true true
}
