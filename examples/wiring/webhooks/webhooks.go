// Package webhooks calls generated code in webhooks of controller-runtime.
package webhooks

import (
	"context"
	"encoding/json"

	admissionv1 "k8s.io/api/admission/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	dbv1 "github.com/kindsmith/kindsmith/examples/database/api/v1"
	dbv1alpha1 "github.com/kindsmith/kindsmith/examples/database/api/v1alpha1"
	dbv1beta1 "github.com/kindsmith/kindsmith/examples/database/api/v1beta1"
	"github.com/kindsmith/kindsmith/runtime/union"
	"github.com/kindsmith/kindsmith/runtime/wire"
	"github.com/kindsmith/kindsmith/runtime/wire/webhook"
)

// Setup adds the webhooks of databases to a manager. Its scheme has the types of all versions.
func Setup(mgr ctrl.Manager) error {
	converter, err := wire.New(dbv1alpha1.WireConversion(), dbv1beta1.WireConversion())
	if err != nil {
		return err
	}
	// Before Complete, which would register controller-runtime's handler for this path.
	mgr.GetWebhookServer().Register("/convert", webhook.Handler(converter))

	return ctrl.NewWebhookManagedBy(mgr, &dbv1.Database{}).
		WithDefaulter(defaulter{}).
		WithValidator(validator[*dbv1.Database]{mgr.GetScheme()}).
		Complete()
}

// validator runs the validators that generated code registers with the scheme. They expect objects
// with defaults, which stored objects and requests without the mutating webhook may lack.
type validator[T interface {
	runtime.Object
	GetName() string
}] struct{ scheme *runtime.Scheme }

func (v validator[T]) ValidateCreate(ctx context.Context, obj T) (admission.Warnings, error) {
	v.scheme.Default(obj)
	return nil, v.invalid(obj, v.scheme.Validate(ctx, nil, obj))
}

func (v validator[T]) ValidateUpdate(ctx context.Context, old, obj T) (admission.Warnings, error) {
	v.scheme.Default(obj)
	v.scheme.Default(old)
	return nil, v.invalid(obj, v.scheme.ValidateUpdate(ctx, nil, obj, old, subresource(ctx)...))
}

func (v validator[T]) ValidateDelete(context.Context, T) (admission.Warnings, error) { return nil, nil }

// invalid returns the error that controller-runtime answers with: a status with all causes.
func (v validator[T]) invalid(obj T, errs field.ErrorList) error {
	if len(errs) == 0 {
		return nil
	}
	kinds, _, err := v.scheme.ObjectKinds(obj)
	if err != nil {
		return err
	}
	return apierrors.NewInvalid(kinds[0].GroupKind(), obj.GetName(), errs)
}

// subresource returns the path of the request's subresource, such as ["status"]: rules may depend on
// it.
func subresource(ctx context.Context) []string {
	request, err := admission.RequestFromContext(ctx)
	if err != nil || request.SubResource == "" {
		return nil
	}
	return []string{request.SubResource}
}

// defaulter sets defaults, and clears the members of unions that an update deselects.
type defaulter struct{}

func (defaulter) Default(ctx context.Context, db *dbv1.Database) error {
	dbv1.SetObjectDefaults_Database(db)
	request, err := admission.RequestFromContext(ctx)
	if err != nil {
		return err
	}
	if request.Operation != admissionv1.Update {
		return nil
	}
	old := &dbv1.Database{}
	if err := json.Unmarshal(request.OldObject.Raw, old); err != nil {
		return err
	}
	dbv1.NormalizeUnions_Database(union.Request{}, db, old)
	return nil
}
