// Package crd validates objects against CustomResourceDefinitions like an API server, with the
// server's own packages and without a server.
//
// [Load] takes the definitions among objects, and returns an [Engine] for package verdict. Mistakes in a definition are
// diagnostics.
//
// It links neither the server's registry nor etcd; a test compares it with the server's strategy. The server
// does not report which rule caused an error: the package replaces the message of each CEL rule with a marker
// before the server's code compiles it, and restores the message in errors. Schema keywords are found by the
// path and type of the error.
package crd

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/runtime/schema"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	kjson "sigs.k8s.io/json"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/objects/manifest"
	"github.com/kindsmith/kindsmith/internal/objects/verdict"
)

const (
	group          = "apiextensions.k8s.io"
	definitionKind = "CustomResourceDefinition"
)

// definition is one CustomResourceDefinition.
type definition struct {
	object *manifest.Object
	typed  apiextensionsv1.CustomResourceDefinition
	marks  *marks
}

// version is one served version of a definition.
type version struct {
	definition *definition
	gvk        schema.GroupVersionKind
	root       *schemaNode
	rules      []*rule
	props      apiextensions.JSONSchemaProps
	structural *structuralschema.Structural

	compile         sync.Once
	schemaValidator validation.SchemaValidator
	celValidator    *cel.Validator
}

// Load returns an engine for the definitions among objects and ignores other objects. It reports
// only the mistakes in definitions that prevent the engine from working.
func Load(objects []*manifest.Object, bag *diag.Bag) *Engine {
	e := &Engine{versions: map[schema.GroupVersionKind]*version{}, missing: map[schema.GroupVersionKind]string{}}
	for _, o := range objects {
		if !Is(o) {
			continue
		}
		if d := read(o, bag); d != nil {
			e.add(d, bag)
		}
	}
	slices.SortFunc(e.kinds, func(a, b schema.GroupVersionKind) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Version, b.Version))
	})
	return e
}

// read reads a definition. It replaces the messages of rules with marks.
func read(o *manifest.Object, bag *diag.Bag) *definition {
	typed := Decode(o, bag)
	if typed == nil {
		return nil
	}
	return &definition{object: o, typed: *typed, marks: &marks{}}
}

// Is reports whether an object is a CustomResourceDefinition of any version.
func Is(o *manifest.Object) bool { return o.Kind.Group == group && o.Kind.Kind == definitionKind }

// Decode returns a definition as a Go value. If that fails it reports why and returns nil.
func Decode(o *manifest.Object, bag *diag.Bag) *apiextensionsv1.CustomResourceDefinition {
	if o.Kind.Version != "v1" {
		bag.Errorf(o.Root.Locate("apiVersion").Span, codeOldDefinition, "%s is not supported; write %s/v1", o.Kind.GroupVersion(), group)
		return nil
	}
	typed := &apiextensionsv1.CustomResourceDefinition{}
	data, err := json.Marshal(o.Value)
	if err == nil {
		err = kjson.UnmarshalCaseSensitivePreserveInts(data, typed)
	}
	if err == nil && (typed.Spec.Group == "" || typed.Spec.Names.Kind == "" || len(typed.Spec.Versions) == 0) {
		bag.Errorf(o.Root.Locate("spec").Span, codeMalformed, "a CustomResourceDefinition must have spec.group, spec.names.kind and spec.versions")
		return nil
	}
	if err != nil {
		at := "spec"
		if typeErr := new(json.UnmarshalTypeError); errors.As(err, &typeErr) {
			at = typeErr.Field
		}
		bag.Errorf(o.Root.Locate(at).Span, codeMalformed, "the definition cannot be read: %v", strings.TrimPrefix(err.Error(), "json: "))
		return nil
	}
	return typed
}

// add adds the served versions of a definition.
func (e *Engine) add(d *definition, bag *diag.Bag) {
	for i := range d.typed.Spec.Versions {
		typed := &d.typed.Spec.Versions[i]
		at := d.object.Root.Field("spec").Field("versions").Item(i)
		gvk := schema.GroupVersionKind{Group: d.typed.Spec.Group, Version: typed.Name, Kind: d.typed.Spec.Names.Kind}
		if first, ok := e.versions[gvk]; ok {
			bag.Errorf(at.Locate("name").Span, codeTwice, "%s is defined twice", verdict.KindText(gvk)).
				Note(first.definition.object.Root.Locate("spec.names.kind").Span, "first defined here")
			continue
		}
		if !typed.Served {
			e.missing[gvk] = "its CustomResourceDefinition does not serve this version"
			continue
		}
		v := &version{definition: d, gvk: gvk}
		if !v.read(d.object.Value, i, at, bag) {
			e.missing[gvk] = "its CustomResourceDefinition is invalid"
			continue
		}
		e.versions[gvk] = v
		e.kinds = append(e.kinds, gvk)
	}
}

// read reads the schema of a version.
func (v *version) read(crd map[string]any, i int, at *manifest.Node, bag *diag.Bag) bool {
	value := dig(crd, "spec", "versions")
	item, _ := value.([]any)[i].(map[string]any)
	openAPI, ok := dig(item, "schema", "openAPIV3Schema").(map[string]any)
	if !ok {
		bag.Errorf(at.Locate("schema").Span, codeMalformed, "version %s has no schema.openAPIV3Schema", v.gvk.Version)
		return false
	}
	place := at.Field("schema").Field("openAPIV3Schema")
	r := &reader{marks: v.definition.marks}
	v.root = r.read(openAPI, place, "")
	v.rules = r.all

	var props apiextensionsv1.JSONSchemaProps
	data, err := json.Marshal(openAPI)
	if err == nil {
		err = kjson.UnmarshalCaseSensitivePreserveInts(data, &props)
	}
	if err == nil {
		err = apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&props, &v.props, nil)
	}
	if err == nil {
		v.structural, err = structuralschema.NewStructural(&v.props)
	}
	if err != nil {
		bag.Errorf(place.Key(), codeMalformed, "the schema of version %s cannot be read: %v", v.gvk.Version, err)
		return false
	}
	errs := structuralschema.ValidateStructural(nil, v.structural)
	for _, err := range errs {
		bag.Errorf(place.Locate(err.Field).Span, codeNotStructural, "the schema of version %s is not structural: %s: %s", v.gvk.Version, err.Field, err.ErrorBody())
	}
	return len(errs) == 0
}

// ready compiles the version on its first use.
func (v *version) ready() {
	v.compile.Do(func() {
		// The same conversion has succeeded before.
		schemaValidator, _, err := validation.NewSchemaValidator(&v.props)
		if err == nil {
			v.schemaValidator = schemaValidator
		}
		v.celValidator = cel.NewValidator(v.structural, true, celconfig.PerCallLimit)
	})
}

// Prepare compiles the rules of kinds and reports those that do not compile.
func (e *Engine) Prepare(kinds []schema.GroupVersionKind, bag *diag.Bag) {
	var wait sync.WaitGroup
	for _, kind := range kinds {
		if v, ok := e.versions[kind]; ok {
			wait.Go(v.ready)
		}
	}
	wait.Wait()
	for _, kind := range kinds {
		if v, ok := e.versions[kind]; ok {
			v.reportUncompiled(bag)
		}
	}
}

// dig returns a value within objects, nil if it is not there.
func dig(value any, path ...string) any {
	for _, name := range path {
		object, _ := value.(map[string]any)
		value = object[name]
	}
	return value
}
