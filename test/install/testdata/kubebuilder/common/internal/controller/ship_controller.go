package controller

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	fleetv1 "example.com/fleet/api/v1"
)

// ShipReconciler reconciles a Ship object
type ShipReconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

// +kubebuilder:rbac:groups=fleet.example.com,resources=ships,verbs=get;list;watch;create;update;patch;delete
// +kubebuilder:rbac:groups=fleet.example.com,resources=ships/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=fleet.example.com,resources=ships/finalizers,verbs=update

// Reconcile moves the cluster closer to the desired state.
func (r *ShipReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var ship fleetv1.Ship
	return ctrl.Result{}, client.IgnoreNotFound(r.Get(ctx, req.NamespacedName, &ship))
}

// SetupWithManager sets up the controller with the Manager.
func (r *ShipReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&fleetv1.Ship{}).Named("ship").Complete(r)
}
