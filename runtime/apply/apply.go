// Package apply implements server-side apply for hosts that are not API servers: fakes, dev servers,
// controllers that keep objects elsewhere. It has the same steps in the same order, and unions:
//
// [FromCRD] and [FromOpenAPI] make a [Config], and [New] an [Applier]: [Applier.Apply] is server-side apply,
// [Applier.Update] handles other writes, and [Applier.Read] stored objects.
//
//	apply   check and drop nulls ─ merge, with conflicts ─┐
//	update  prune unknown fields ─────────────────────────┴ defaults ─ normalise unions ─ managed fields ─ validate
//
// Merging and managed fields are those of k8s.io/apimachinery. Types come from the schemas of a
// CustomResourceDefinition, or from an OpenAPI document:
//
//	config, err := apply.FromCRD(text, "v1")
//	…
//	config.Unions = shape
//	databases, err := apply.New(config)
//	…
//	result, err := databases.Apply(live, applied, apply.Request{Manager: "team"})
//
// Errors are those that a server returns: apierrors.IsConflict, IsInvalid and IsBadRequest recognise
// them.
package apply

import (
	"encoding/json"
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/typed"

	"github.com/kindsmith/kindsmith/runtime/structural"
	"github.com/kindsmith/kindsmith/runtime/union"
)

// Config describes the objects of one kind.
type Config struct {
	// Kind is the kind and the version of the objects in requests.
	Kind schema.GroupVersionKind
	// Schemas has the OpenAPI schema of each version, as in the field openAPIV3Schema of a
	// CustomResourceDefinition. Versions besides that of Kind are those in which managers may have
	// written before. Managers of other versions are dropped, as by a server that no longer serves
	// them.
	Schemas map[string][]byte
	// Definitions are schemas to which those of the versions refer, by the last part of the references.
	// A schema that is a reference has the kinds of its objects in x-kubernetes-group-version-kind.
	Definitions map[string]json.RawMessage
	// Convert converts an object to another version. If it is nil, only apiVersion changes, as with
	// the conversion strategy None.
	Convert func(object *unstructured.Unstructured, to schema.GroupVersion) (*unstructured.Unstructured, error)
	// Unions has the unions of the objects; nil if there are none.
	Unions *union.Shape
	// EmptyKeys is set if an empty string in the key of a list item means that the key is unset, and
	// has its default. That is so for Go types with omitempty; custom resources keep the string.
	EmptyKeys bool
	// Validate returns the errors of an object; old is nil on a create. If it is nil, only the rules
	// of Unions are validated. Generated validators include these.
	Validate func(r Request, object, old *unstructured.Unstructured) field.ErrorList
}

// Request has the options of a request.
type Request struct {
	// Manager is the name of the field manager.
	Manager string
	// Force lets Apply take over fields that other managers own.
	Force bool
	// Unions has the options of the request for unions. Apply ignores RetainSelected: it removes
	// only members that the manager has applied before, and therefore knows.
	Unions union.Request
	// FieldValidation is what Update does with fields that the schema does not have:
	// metav1.FieldValidationStrict refuses them, Ignore removes them, and Warn, the default, removes
	// them with a warning. Apply refuses them always.
	FieldValidation string
}

// Result is the object to store.
type Result struct {
	Object *unstructured.Unstructured
	// Cleared are the members that normalisation removed.
	Cleared []union.Cleared
	// Warnings are texts for the warning headers of the response.
	Warnings []string
}

// Applier handles requests for objects of one kind. Any number of goroutines may use it.
type Applier struct {
	config Config
	schema *structural.Schema
	types  managedfields.TypeConverter
	fields *managedfields.FieldManager
}

// New returns an Applier. An error says which schema cannot be used.
func New(c Config) (*Applier, error) {
	types, err := typesOf(&c)
	if err != nil {
		return nil, err
	}
	a := &Applier{config: c, types: types}
	if _, err := types.ObjectToTyped(empty(c.Kind)); err != nil {
		return nil, fmt.Errorf("the schema cannot be used: %w", err)
	}
	if a.schema, err = structural.ParseWith(c.Schemas[c.Kind.Version], c.Definitions); err != nil {
		return nil, err
	}
	a.fields, err = managedfields.NewDefaultCRDFieldManager(types, converter{&a.config}, nothing{}, maker{}, c.Kind, c.Kind.GroupVersion(), "", nil)
	if err != nil {
		return nil, err
	}
	return a, nil
}

// Read returns a stored object as requests see it, with defaults. It validates nothing: objects can
// be read and deleted whatever rules were added since they were stored.
func (a *Applier) Read(stored *unstructured.Unstructured) *unstructured.Unstructured {
	if stored == nil {
		return nil
	}
	out := stored.DeepCopy()
	a.schema.Default(out.Object)
	return out
}

// Apply applies a configuration to a stored object; live is nil if there is none yet. Both are of the
// version of Config.Kind, and are not changed.
func (a *Applier) Apply(live, config *unstructured.Unstructured, r Request) (*Result, error) {
	config, err := a.configuration(config, &r.Unions)
	if err != nil {
		return nil, err
	}
	r.Unions.RetainSelected = false
	live = a.Read(live)
	base := live
	if base == nil {
		base = empty(a.config.Kind)
	}
	result, written, err := a.merge(base, live, config, &r)
	if err != nil {
		return nil, err
	}
	if written != nil {
		// What normalisation writes is part of the configuration: a discriminator that the older text
		// deduces, or the rest of an atomic object.
		again, _, err := a.merge(base, live, written, &r)
		if err != nil {
			return nil, err
		}
		result.Object = again.Object
	}
	return a.validated(live, result, &r)
}

// merge merges a configuration into an object, and normalises the result. If normalisation writes
// fields, it returns the configuration with these fields.
func (a *Applier) merge(base, live, config *unstructured.Unstructured, r *Request) (*Result, *unstructured.Unstructured, error) {
	out, err := a.fields.Apply(base, config, r.Manager, r.Force)
	if err != nil {
		return nil, nil, err
	}
	merged := out.(*unstructured.Unstructured).DeepCopy() // it shares values with base
	a.schema.Default(merged.Object)
	if a.config.Unions == nil {
		return &Result{Object: merged}, nil, nil
	}
	result := &Result{Object: merged.DeepCopy()}
	result.Cleared = a.config.Unions.NormalizeApplied(r.Unions, result.Object.Object, content(live), config.Object)
	result.Warnings = union.Warnings(result.Cleared)
	changes, err := a.compare(merged, result.Object)
	if err != nil {
		return nil, nil, err
	}
	if written := changes.Added.Union(changes.Modified); !written.Empty() {
		config, err = a.with(config, result.Object, written)
		return result, config, err
	}
	if changes.Removed.Empty() {
		return result, nil, nil
	}
	return result, nil, a.track(merged, result, r.Manager)
}

// Update handles a create, if live is nil, or an update to an object that was sent or that results
// from a patch. Both objects are of the version of Config.Kind, and are not changed.
func (a *Applier) Update(live, object *unstructured.Unstructured, r Request) (*Result, error) {
	object = object.DeepCopy()
	if gvk := object.GroupVersionKind(); gvk != a.config.Kind {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("the object is of kind %s, not %s", gvk, a.config.Kind))
	}
	result := &Result{}
	if unknown := unknownFields(a.schema.PruneResource(object.Object)); len(unknown) > 0 {
		switch r.FieldValidation {
		case metav1.FieldValidationIgnore:
		case metav1.FieldValidationStrict:
			return nil, apierrors.NewBadRequest("strict decoding error: " + strings.Join(unknown, ", "))
		default:
			result.Warnings = unknown
		}
	}
	if a.config.EmptyKeys {
		a.schema.OmitEmptyKeys(object.Object)
	}
	a.schema.Default(object.Object)
	live = a.Read(live)
	result.Object, result.Cleared = object, a.config.Unions.Normalize(r.Unions, object.Object, content(live))
	result.Warnings = append(result.Warnings, union.Warnings(result.Cleared)...)
	if _, err := a.types.ObjectToTyped(object, typed.AllowDuplicates); err != nil {
		if _, invalid := a.validated(live, result, &r); invalid != nil {
			return nil, invalid // says more
		}
		return nil, apierrors.NewBadRequest(fmt.Sprintf("the object cannot be stored: %v", err))
	}
	base := live
	if base == nil {
		base = empty(a.config.Kind)
	}
	if err := a.track(base, result, r.Manager); err != nil {
		return nil, err
	}
	return a.validated(live, result, &r)
}

func unknownFields(paths []string) []string {
	for i, path := range paths {
		paths[i] = fmt.Sprintf("unknown field %q", path)
	}
	return paths
}

func empty(kind schema.GroupVersionKind) *unstructured.Unstructured {
	u := &unstructured.Unstructured{Object: map[string]any{}}
	u.SetGroupVersionKind(kind)
	return u
}

// content returns the content of an object; nil if there is none.
func content(object *unstructured.Unstructured) map[string]any {
	if object == nil {
		return nil
	}
	return object.Object
}

// compare returns what normalisation changed.
func (a *Applier) compare(before, after *unstructured.Unstructured) (*typed.Comparison, error) {
	was, err := a.types.ObjectToTyped(before, typed.AllowDuplicates)
	if err != nil {
		return nil, err
	}
	is, err := a.types.ObjectToTyped(after, typed.AllowDuplicates)
	if err != nil {
		return nil, err
	}
	return was.Compare(is)
}

// with adds some fields of an object to a configuration.
func (a *Applier) with(config, object *unstructured.Unstructured, fields *fieldpath.Set) (*unstructured.Unstructured, error) {
	from, err := a.types.ObjectToTyped(object, typed.AllowDuplicates)
	if err != nil {
		return nil, err
	}
	to, err := a.types.ObjectToTyped(config)
	if err != nil {
		return nil, err
	}
	if to, err = to.Merge(from.ExtractItems(fields, typed.WithAppendKeyFields())); err != nil {
		return nil, err
	}
	out, err := a.types.TypedToObject(to)
	if err != nil {
		return nil, err
	}
	return out.(*unstructured.Unstructured), nil
}

// track sets the managed fields of the result after a change: removed fields vanish from those of all
// managers, and the manager owns what is new.
func (a *Applier) track(before *unstructured.Unstructured, result *Result, manager string) error {
	out, err := a.fields.Update(before, result.Object, manager)
	if err != nil {
		return err
	}
	result.Object = out.(*unstructured.Unstructured)
	return nil
}

// validated returns the result if its object is valid.
func (a *Applier) validated(live *unstructured.Unstructured, result *Result, r *Request) (*Result, error) {
	var errs field.ErrorList
	if a.config.Validate != nil {
		errs = a.config.Validate(*r, result.Object, live)
	} else {
		for _, v := range a.config.Unions.Validate(r.Unions, result.Object.Object, content(live)) {
			errs = append(errs, v.Error(v.At))
		}
	}
	if err := a.invalid(result.Object, errs); err != nil {
		return nil, err
	}
	return result, nil
}

func (a *Applier) invalid(object *unstructured.Unstructured, errs field.ErrorList) error {
	if len(errs) == 0 {
		return nil
	}
	return apierrors.NewInvalid(a.config.Kind.GroupKind(), object.GetName(), errs)
}
