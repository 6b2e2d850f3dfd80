package crd

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/api/operation"
	metavalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/common"
	"k8s.io/apiserver/pkg/features"
	utilfeature "k8s.io/apiserver/pkg/util/feature"

	"github.com/kindsmith/kindsmith/internal/objects/verdict"
)

// Engine validates objects against CustomResourceDefinitions.
type Engine struct {
	versions map[schema.GroupVersionKind]*version
	kinds    []schema.GroupVersionKind
	missing  map[schema.GroupVersionKind]string
}

// Name returns the name of the engine.
func (e *Engine) Name() string { return verdict.Schema }

// Kinds returns the served kinds.
func (e *Engine) Kinds() []schema.GroupVersionKind { return e.kinds }

// Missing returns the reason why a kind of a definition cannot be used.
func (e *Engine) Missing(kind schema.GroupVersionKind) string { return e.missing[kind] }

// Rules returns the rules of a kind's schema.
func (e *Engine) Rules(kind schema.GroupVersionKind) []*verdict.Rule {
	v, ok := e.versions[kind]
	if !ok {
		return nil
	}
	var rules []*verdict.Rule
	for _, r := range v.rules {
		rules = append(rules, &r.Rule)
	}
	return rules
}

var inBrackets = regexp.MustCompile(`\[[^\]]*\]`)

// beside returns the names of the fields that the schema has in the object of a path's last field.
func beside(s *structuralschema.Structural, path string) []string {
	names := strings.Split(path, ".")
	for _, name := range names[:len(names)-1] {
		property, ok := s.Properties[inBrackets.ReplaceAllString(name, "")]
		if !ok && s.AdditionalProperties != nil && s.AdditionalProperties.Structural != nil {
			property, ok = *s.AdditionalProperties.Structural, true
		}
		for ok && property.Items != nil {
			property = *property.Items
		}
		if !ok {
			return nil
		}
		s = &property
	}
	return slices.Sorted(maps.Keys(s.Properties))
}

// Validate validates an object like a server, on a create or an update.
func (e *Engine) Validate(ctx context.Context, request verdict.Request) verdict.Result {
	v := e.versions[request.Kind]
	v.ready()
	var result verdict.Result
	object, errs := v.admit(request.Object, false)
	result.Unknown, result.Beside = object.unknown, map[string][]string{}
	for _, path := range object.unknown {
		result.Beside[path] = beside(v.structural, path)
	}
	var old *admitted
	if request.Old != nil && len(errs) == 0 {
		before, reason := v.sameVersion(request.Old)
		result.OldIgnored = reason
		if reason == "" {
			// A stored object was valid once; errors in its metadata are ignored.
			stored, storedErrs := v.admit(before, true)
			if len(storedErrs) > 0 {
				result.OldIgnored = storedErrs.ToAggregate().Error()
			} else {
				old = stored
			}
		}
	}
	switch {
	case len(errs) > 0:
	case old == nil:
		errs, result.Blocked = v.create(ctx, object)
	default:
		v.carryOver(object, old)
		errs, result.Blocked = v.update(ctx, object, old)
	}
	result.Errors = v.blame(ctx, errs, object, old)
	return result
}

// create validates a new object: customResourceStrategy.Validate of the server.
func (v *version) create(ctx context.Context, object *admitted) (errs field.ErrorList, blocked bool) {
	errs = v.metadata(ctx, operation.Create, object.meta, nil)
	errs = append(errs, validation.ValidateCustomResource(nil, object.value, v.schemaValidator)...)
	errs = append(errs, objectmeta.Validate(ctx, nil, object.value, v.structural, false)...)
	errs = append(errs, listtype.ValidateListSetsAndMaps(nil, v.structural, object.value)...)
	return v.rulesAfter(ctx, errs, object.value, nil)
}

// update validates a changed object: customResourceStrategy.ValidateUpdate of the
// server. Unchanged values may break rules.
func (v *version) update(ctx context.Context, object, old *admitted) (errs field.ErrorList, blocked bool) {
	correlated := v.correlate(object, old)
	errs = v.metadata(ctx, operation.Update, object.meta, old.meta)
	errs = append(errs, validation.ValidateCustomResourceUpdate(nil, object.value, old.value, v.schemaValidator, validation.WithRatcheting(correlated))...)
	errs = append(errs, objectmeta.Validate(ctx, nil, object.value, v.structural, false)...)
	if len(listtype.ValidateListSetsAndMaps(nil, v.structural, old.value)) == 0 {
		errs = append(errs, listtype.ValidateListSetsAndMaps(nil, v.structural, object.value)...)
	}
	return v.rulesAfter(ctx, errs, object.value, old.value, cel.WithRatcheting(correlated))
}

func (v *version) correlate(object, old *admitted) *common.CorrelatedObject {
	return common.NewCorrelatedObject(object.value, old.value, &model.Structural{Structural: v.structural})
}

func (v *version) metadata(ctx context.Context, op operation.Type, meta, old *metav1.ObjectMeta) field.ErrorList {
	nameFn := metavalidation.NameIsDNSSubdomain
	if op == operation.Update {
		nameFn = nil
	}
	return metavalidation.ValidateObjectMetaDeclaratively(ctx, op, meta, old, v.definition.namespaced(), nameFn,
		field.NewPath("metadata"), utilfeature.DefaultFeatureGate.Enabled(features.DeclarativeValidationBeta))
}

// blocking are the errors after which the server runs no CEL rules, because the object does not
// have the schema's types.
var blocking = []field.ErrorType{
	field.ErrorTypeNotSupported, field.ErrorTypeRequired, field.ErrorTypeTooLong, field.ErrorTypeTooMany, field.ErrorTypeTypeInvalid,
}

// rulesAfter appends the errors of CEL rules to earlier errors. It reports whether earlier errors
// prevented the rules from running.
func (v *version) rulesAfter(ctx context.Context, errs field.ErrorList, object, old map[string]any, options ...cel.Option) (field.ErrorList, bool) {
	if v.celValidator == nil {
		return errs, false
	}
	if slices.ContainsFunc(errs, func(err *field.Error) bool { return slices.Contains(blocking, err.Type) }) {
		return errs, true
	}
	var before any // an untyped nil on create
	if old != nil {
		before = old
	}
	broken, _ := v.celValidator.Validate(ctx, nil, v.structural, object, before, celconfig.RuntimeCELCostBudget, options...)
	return append(errs, broken...), false
}

// sameVersion returns the old object in this version.
func (v *version) sameVersion(old map[string]any) (map[string]any, string) {
	written, _ := old["apiVersion"].(string)
	want := v.gvk.GroupVersion().String()
	if written == want {
		return old, ""
	}
	if c := v.definition.typed.Spec.Conversion; c != nil && c.Strategy != "None" {
		return nil, fmt.Sprintf("it has version %s, and only a webhook can convert it", written)
	}
	// Without conversion the server changes the version only.
	same := make(map[string]any, len(old))
	for name, value := range old {
		same[name] = value
	}
	same["apiVersion"] = want
	return same, ""
}
