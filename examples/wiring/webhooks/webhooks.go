// Package webhooks calls generated code in webhooks of controller-runtime.
package webhooks

import (
	"context"

	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	ctrl "sigs.k8s.io/controller-runtime"

	dbv1 "github.com/kindsmith/kindsmith/examples/database/api/v1"
	dbv1alpha1 "github.com/kindsmith/kindsmith/examples/database/api/v1alpha1"
	dbv1beta1 "github.com/kindsmith/kindsmith/examples/database/api/v1beta1"
	"github.com/kindsmith/kindsmith/runtime/admission"
	"github.com/kindsmith/kindsmith/runtime/rollout"
	"github.com/kindsmith/kindsmith/runtime/wire"
	conversion "github.com/kindsmith/kindsmith/runtime/wire/webhook"
	"github.com/kindsmith/kindsmith/webhook"
)

// +kubebuilder:webhook:path=/mutate-db-example-com-v1-database,mutating=true,failurePolicy=fail,sideEffects=None,groups=db.example.com,resources=databases;databases/status,verbs=create;update,versions=v1,name=mdatabase.db.example.com,admissionReviewVersions=v1,reinvocationPolicy=IfNeeded
// +kubebuilder:webhook:path=/validate-db-example-com-v1-database,mutating=false,failurePolicy=fail,sideEffects=None,groups=db.example.com,resources=databases;databases/status,verbs=create;update,versions=v1,name=vdatabase.db.example.com,admissionReviewVersions=v1

// Setup adds the webhooks of databases to a manager. Its scheme has the types of all versions.
func Setup(mgr ctrl.Manager) error {
	converter, err := wire.New(dbv1alpha1.WireConversion(), dbv1beta1.WireConversion())
	if err != nil {
		return err
	}
	mgr.GetWebhookServer().Register("/convert", conversion.Handler(converter))

	return webhook.SetupWithManager(mgr, &dbv1.Database{})
}

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
