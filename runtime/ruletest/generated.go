package ruletest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	kjson "sigs.k8s.io/json"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/objects/verdict"
	"github.com/kindsmith/kindsmith/runtime/internal/skew"
)

// generated is the engine of generated Go. It does what an API server does with an object
// of a scheme's type.
type generated struct {
	scheme *runtime.Scheme
	// normalize are called with the old object, nil on a create, and do nothing for objects of other types.
	normalize []func(obj, old runtime.Object)
	// observe are called with the errors of each object.
	observe []func(kind schema.GroupVersionKind, errs field.ErrorList)
}

// Name returns the name of the engine.
func (g *generated) Name() string { return verdict.Go }

// Kinds returns the kinds of the scheme.
func (g *generated) Kinds() []schema.GroupVersionKind {
	var kinds []schema.GroupVersionKind
	for kind := range g.scheme.AllKnownTypes() {
		kinds = append(kinds, kind)
	}
	return kinds
}

// Missing returns nothing: the scheme does not mention other kinds.
func (g *generated) Missing(schema.GroupVersionKind) string { return "" }

// Prepare does nothing: the rules are compiled.
func (g *generated) Prepare([]schema.GroupVersionKind, *diag.Bag) {}

// Rules returns nothing: the rules are those of the engine of Go types.
func (g *generated) Rules(schema.GroupVersionKind) []*verdict.Rule { return nil }

// Validate decodes the objects, sets defaults, normalises unions and validates.
func (g *generated) Validate(ctx context.Context, request verdict.Request) verdict.Result {
	var result verdict.Result
	obj, unknown, err := g.decode(request.Kind, request.Object)
	if err != nil {
		return verdict.Result{Refused: err.Error()}
	}
	result.Unknown = unknown
	var old runtime.Object
	switch written := request.Old["apiVersion"]; {
	case request.Old == nil:
	case written != request.Object["apiVersion"]:
		result.OldIgnored = fmt.Sprintf("it has version %v; Go types can only be compared within one version", written)
	default:
		if old, _, err = g.decode(request.Kind, request.Old); err != nil {
			return verdict.Result{Refused: "the old object: " + err.Error()}
		}
	}
	if !g.scheme.HasValidationFunc(obj) {
		result.NotRun = append(result.NotRun, verdict.NotRun{
			Text: "the validator of " + verdict.KindText(request.Kind), Reason: "the scheme has none; add it with the generated RegisterValidations",
		})
	}
	g.scheme.Default(obj)
	var errs field.ErrorList
	if old != nil {
		g.scheme.Default(old)
	}
	for _, normalize := range g.normalize {
		normalize(obj, old)
	}
	if old == nil {
		errs = g.scheme.Validate(ctx, options(g.scheme.Validate, request.Options), obj)
	} else {
		errs = g.scheme.ValidateUpdate(ctx, options(g.scheme.Validate, request.Options), obj, old)
	}
	for _, observe := range g.observe {
		observe(request.Kind, errs)
	}
	for _, err := range errs {
		if !err.IsAlpha() { // not enforced
			result.Errors = append(result.Errors, verdict.Error{Error: err})
		}
	}
	return result
}

// options returns options in the type of a scheme's method, which differs between versions of apimachinery.
func options[T skew.Options](_ func(context.Context, T, runtime.Object, ...string) field.ErrorList, options map[string]bool) T {
	var out T
	skew.SetOptions(&out, options)
	return out
}

// decode decodes an object like an API server, which asks clients to be strict about
// unknown fields. It returns the paths of these.
func (g *generated) decode(kind schema.GroupVersionKind, object map[string]any) (runtime.Object, []string, error) {
	text, err := json.Marshal(object)
	if err != nil {
		return nil, nil, err
	}
	obj, err := g.scheme.New(kind)
	if err != nil {
		return nil, nil, err
	}
	strict, err := kjson.UnmarshalStrict(text, obj)
	if err != nil {
		return nil, nil, err
	}
	var unknown []string
	for _, s := range strict {
		if f := kjson.FieldError(nil); errors.As(s, &f) {
			unknown = append(unknown, f.FieldPath())
		}
	}
	obj.GetObjectKind().SetGroupVersionKind(kind)
	return obj, unknown, nil
}
