package webhook_test

import (
	"context"
	"log"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/kindsmith/kindsmith/runtime/admission"
	"github.com/kindsmith/kindsmith/webhook"
)

// The function changes the handler: here it adds hand-written validation. corev1.ConfigMap stands for a kind of yours.
func ExampleSetupWithManager() {
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{})
	if err != nil {
		log.Fatal(err)
	}
	err = webhook.SetupWithManager(mgr, &corev1.ConfigMap{}, func(h *admission.Handler[*corev1.ConfigMap]) {
		h.HandWritten = func(_ context.Context, _ operation.Operation, obj, _ *corev1.ConfigMap) field.ErrorList {
			if obj.Name == "default" {
				return field.ErrorList{field.Forbidden(field.NewPath("metadata", "name"), "is reserved")}
			}
			return nil
		}
	})
	if err != nil {
		log.Fatal(err)
	}
}
