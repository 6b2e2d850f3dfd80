package v1

import (
	"context"

	ctrl "sigs.k8s.io/controller-runtime"
	logf "sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	fleetv1 "example.com/fleet/api/v1"
)

var shiplog = logf.Log.WithName("ship-resource")

// SetupShipWebhookWithManager registers the webhook for Ship in the manager.
func SetupShipWebhookWithManager(mgr ctrl.Manager) error {
	return ctrl.NewWebhookManagedBy(mgr, &fleetv1.Ship{}).
		WithDefaulter(&ShipCustomDefaulter{}).
		WithValidator(&ShipCustomValidator{}).
		Complete()
}

// +kubebuilder:webhook:path=/mutate-fleet-example-com-v1-ship,mutating=true,failurePolicy=fail,sideEffects=None,groups=fleet.example.com,resources=ships,verbs=create;update,versions=v1,name=mship-v1.kb.io,admissionReviewVersions=v1

// ShipCustomDefaulter sets default values of Ship objects.
type ShipCustomDefaulter struct{}

// Default is called when a Ship is created or updated.
func (d *ShipCustomDefaulter) Default(_ context.Context, obj *fleetv1.Ship) error {
	shiplog.Info("Defaulting for Ship", "name", obj.GetName())
	return nil
}

// +kubebuilder:webhook:path=/validate-fleet-example-com-v1-ship,mutating=false,failurePolicy=fail,sideEffects=None,groups=fleet.example.com,resources=ships,verbs=create;update,versions=v1,name=vship-v1.kb.io,admissionReviewVersions=v1

// ShipCustomValidator validates Ship objects.
type ShipCustomValidator struct{}

// ValidateCreate is called when a Ship is created.
func (v *ShipCustomValidator) ValidateCreate(_ context.Context, obj *fleetv1.Ship) (admission.Warnings, error) {
	shiplog.Info("Validation for Ship upon creation", "name", obj.GetName())
	return nil, nil
}

// ValidateUpdate is called when a Ship is updated.
func (v *ShipCustomValidator) ValidateUpdate(_ context.Context, _, newObj *fleetv1.Ship) (admission.Warnings, error) {
	shiplog.Info("Validation for Ship upon update", "name", newObj.GetName())
	return nil, nil
}

// ValidateDelete is called when a Ship is deleted.
func (v *ShipCustomValidator) ValidateDelete(_ context.Context, _ *fleetv1.Ship) (admission.Warnings, error) {
	return nil, nil
}
