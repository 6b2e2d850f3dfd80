// Package registry calls generated code in an aggregated API server, which k8s.io/apiserver serves.
package registry

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/storage/names"
	"k8s.io/apiserver/pkg/warning"

	dbv1 "github.com/kindsmith/kindsmith/examples/database/api/v1"
	dbv1alpha1 "github.com/kindsmith/kindsmith/examples/database/api/v1alpha1"
	dbv1beta1 "github.com/kindsmith/kindsmith/examples/database/api/v1beta1"
	"github.com/kindsmith/kindsmith/runtime/rollout"
	"github.com/kindsmith/kindsmith/runtime/union"
)

var (
	// Scheme has all versions, with their defaults, validators and conversions.
	Scheme = runtime.NewScheme()
	// Codecs decode requests. A decoder sets the defaults of the request's version, then converts.
	Codecs = serializer.NewCodecFactory(Scheme)
	// Hub is the version in memory: the server's decoders convert to it.
	Hub = dbv1.GroupVersion
)

func init() {
	utilruntime.Must(dbv1alpha1.AddToScheme(Scheme))
	utilruntime.Must(dbv1beta1.AddToScheme(Scheme))
	utilruntime.Must(dbv1.AddToScheme(Scheme))
	utilruntime.Must(Scheme.SetVersionPriority(dbv1.GroupVersion, dbv1beta1.GroupVersion, dbv1alpha1.GroupVersion))
}

// declarative runs generated code on objects in memory, with the default gates.
var declarative = rollout.Strategy{Scheme: Scheme}

// Strategy is the strategy of databases, for the store of the resource.
var Strategy rest.RESTCreateUpdateStrategy = strategy{Scheme, names.SimpleNameGenerator}

type strategy struct {
	runtime.ObjectTyper
	names.NameGenerator
}

func (strategy) NamespaceScoped() bool                         { return true }
func (strategy) AllowCreateOnUpdate(context.Context) bool      { return false }
func (strategy) AllowUnconditionalUpdate(context.Context) bool { return false }
func (strategy) Canonicalize(runtime.Object)                   {}

func (strategy) PrepareForCreate(_ context.Context, obj runtime.Object) {
	obj.(*dbv1.Database).Status = dbv1.DatabaseStatus{}
}

// PrepareForUpdate keeps the status, and clears the members of unions that the update deselects.
func (strategy) PrepareForUpdate(ctx context.Context, obj, old runtime.Object) {
	obj.(*dbv1.Database).Status = old.(*dbv1.Database).Status
	cleared := declarative.Normalize(request(ctx), obj, old)
	for _, text := range union.Warnings(cleared) {
		warning.AddWarning(ctx, "", text)
	}
}

func (strategy) Validate(ctx context.Context, obj runtime.Object) field.ErrorList {
	return declarative.Validate(ctx, request(ctx), obj, nil)
}

func (strategy) ValidateUpdate(ctx context.Context, obj, old runtime.Object) field.ErrorList {
	return declarative.ValidateUpdate(ctx, request(ctx), obj, old, nil)
}

func (strategy) WarningsOnCreate(context.Context, runtime.Object) []string        { return nil }
func (strategy) WarningsOnUpdate(_ context.Context, _, _ runtime.Object) []string { return nil }

// request describes a request to generated code.
func request(ctx context.Context) rollout.Request {
	var r rollout.Request
	if info, ok := genericapirequest.RequestInfoFrom(ctx); ok && info.Subresource != "" {
		r.Subresources = []string{info.Subresource}
	}
	return r
}
