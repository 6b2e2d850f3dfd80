package webhooks

import (
	"context"

	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	ctrl "sigs.k8s.io/controller-runtime"

	dbv1 "github.com/kindsmith/kindsmith/examples/database/api/v1"
	"github.com/kindsmith/kindsmith/runtime/admission"
	"github.com/kindsmith/kindsmith/runtime/rollout"
	"github.com/kindsmith/kindsmith/webhook"
)

// SetupClasses adds the webhooks of classes to a manager, with gates and hand-written validation.
func SetupClasses(mgr ctrl.Manager, gates func() rollout.Gates) error {
	return webhook.SetupWithManager(mgr, &dbv1.DatabaseClass{}, func(h *admission.Handler[*dbv1.DatabaseClass]) {
		h.Declarative.Rollout.Gates = gates
		h.HandWritten = validateClass
	})
}

// validateClass rejects names that the example reserves.
func validateClass(_ context.Context, _ operation.Operation, class, _ *dbv1.DatabaseClass) field.ErrorList {
	if class.Name == "default" {
		return field.ErrorList{field.Forbidden(field.NewPath("metadata", "name"), "is reserved")}
	}
	return nil
}
