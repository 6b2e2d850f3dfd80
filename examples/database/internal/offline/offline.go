// Package offline processes objects like an API server, using the generated code
// and no server: it decodes them in their version, applies defaults, validates,
// normalises unions, and converts.
package offline

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"

	dbv1 "github.com/kindsmith/kindsmith/examples/database/api/v1"
	dbv1alpha1 "github.com/kindsmith/kindsmith/examples/database/api/v1alpha1"
	dbv1beta1 "github.com/kindsmith/kindsmith/examples/database/api/v1beta1"
	"github.com/kindsmith/kindsmith/runtime/union"
)

// The versions of the API, oldest first.
var (
	V1Alpha1 = dbv1alpha1.GroupVersion
	V1Beta1  = dbv1beta1.GroupVersion
	V1       = dbv1.GroupVersion
)

// Hub is the version that all other versions are converted to and from.
var Hub = V1

// Server replaces an API server in tests and demos.
type Server struct {
	scheme  *runtime.Scheme
	decoder runtime.Decoder
}

// NewServer returns a server for all versions of the API.
func NewServer() (*Server, error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{dbv1alpha1.AddToScheme, dbv1beta1.AddToScheme, dbv1.AddToScheme} {
		if err := add(scheme); err != nil {
			return nil, err
		}
	}
	// Strict: like kubectl, report unknown fields.
	codecs := serializer.NewCodecFactory(scheme, serializer.EnableStrict)
	return &Server{scheme: scheme, decoder: codecs.UniversalDeserializer()}, nil
}

// Decode reads a manifest in YAML or JSON, in the version given by apiVersion.
func (s *Server) Decode(manifest []byte) (runtime.Object, error) {
	obj, _, err := s.decoder.Decode(manifest, nil, nil)
	return obj, err
}

// DecodeFile reads a manifest from a file.
func (s *Server) DecodeFile(elem ...string) (runtime.Object, error) {
	path := filepath.Join(elem...)
	manifest, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	obj, err := s.Decode(manifest)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	return obj, nil
}

// Default returns a copy of the object with defaults applied.
func (s *Server) Default(obj runtime.Object) runtime.Object {
	obj = obj.DeepCopyObject()
	s.scheme.Default(obj)
	return obj
}

// Create validates the creation of an object.
func (s *Server) Create(ctx context.Context, obj runtime.Object) field.ErrorList {
	return s.scheme.Validate(ctx, nil, s.Default(obj))
}

// Update validates an update of an object. The subresource is that of the
// request: "status", or "" for the object itself.
func (s *Server) Update(ctx context.Context, obj, old runtime.Object, subresource string) field.ErrorList {
	var path []string
	if subresource != "" {
		path = []string{subresource}
	}
	obj, old = s.Default(obj), s.Default(old)
	Normalize(obj, old)
	return s.scheme.ValidateUpdate(ctx, nil, obj, old, path...)
}

// Normalize clears the members of unions that an update deselects.
func Normalize(obj, old runtime.Object) {
	switch obj := obj.(type) {
	case *dbv1.Database:
		dbv1.NormalizeUnions_Database(union.Request{}, obj, old.(*dbv1.Database))
	case *dbv1beta1.Database:
		dbv1beta1.NormalizeUnions_Database(union.Request{}, obj, old.(*dbv1beta1.Database))
	case *dbv1alpha1.Database:
		dbv1alpha1.NormalizeUnions_Database(union.Request{}, obj, old.(*dbv1alpha1.Database))
	}
}

// Convert returns the object in another version. All conversions go through the
// hub.
func (s *Server) Convert(obj runtime.Object, to schema.GroupVersion) (runtime.Object, error) {
	kind := obj.GetObjectKind().GroupVersionKind().Kind
	for _, gv := range []schema.GroupVersion{Hub, to} {
		if obj.GetObjectKind().GroupVersionKind().GroupVersion() == gv {
			obj = obj.DeepCopyObject()
			continue
		}
		out, err := s.scheme.New(gv.WithKind(kind))
		if err != nil {
			return nil, err
		}
		if err := s.scheme.Convert(obj, out, nil); err != nil {
			return nil, err
		}
		out.GetObjectKind().SetGroupVersionKind(gv.WithKind(kind))
		obj = out
	}
	return obj, nil
}

// Fields returns the JSON representation of an object.
func Fields(obj runtime.Object) (map[string]any, error) {
	return runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
}

// YAML returns an object as YAML.
func YAML(obj runtime.Object) (string, error) {
	out, err := yaml.Marshal(obj)
	return string(out), err
}
