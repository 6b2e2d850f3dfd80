package admission_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"k8s.io/apimachinery/pkg/api/operation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/runtime/admission"
)

// Order is a kind of yours, with the functions that kindsmith generates.
type Order struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Quantity int32 `json:"quantity,omitempty"`
}

// DeepCopyObject is in zz_generated.deepcopy.go.
func (o *Order) DeepCopyObject() runtime.Object { out := *o; return &out }

// AddToScheme is in zz_generated.register.go.
func AddToScheme(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(schema.GroupVersion{Group: "shop.example.com", Version: "v1"}, &Order{})
	scheme.AddValidationFunc(&Order{}, func(_ context.Context, _ operation.Operation, obj, _ any) field.ErrorList {
		if o := obj.(*Order); o.Quantity > 9 {
			return field.ErrorList{field.Invalid(field.NewPath("quantity"), o.Quantity, "must be less than or equal to 9")}
		}
		return nil
	})
	return nil
}

func ExampleNew() {
	scheme := runtime.NewScheme()
	if err := AddToScheme(scheme); err != nil {
		panic(err)
	}
	handler, err := admission.New(scheme, &Order{})
	if err != nil {
		panic(err)
	}
	mux := http.NewServeMux()
	mutate, validate := handler.Paths()
	mux.Handle(mutate, handler.Mutating())
	mux.Handle(validate, handler.Validating())
	fmt.Println(validate)

	// The API server sends:
	review := `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"1","operation":"CREATE",
		"kind":{"group":"shop.example.com","version":"v1","kind":"Order"},
		"object":{"apiVersion":"shop.example.com/v1","kind":"Order","metadata":{"name":"a"},"quantity":12}}}`
	answer := httptest.NewRecorder()
	mux.ServeHTTP(answer, httptest.NewRequest(http.MethodPost, validate, strings.NewReader(review)))
	_, message, _ := strings.Cut(answer.Body.String(), `"message":"`)
	message, _, _ = strings.Cut(message, `","reason"`)
	fmt.Println(message)
	// Output:
	// /validate-shop-example-com-v1-order
	// Order.shop.example.com \"a\" is invalid: quantity: Invalid value: 12: must be less than or equal to 9
}
