package schema

import (
	"context"
	"fmt"
	"slices"

	"github.com/kindsmith/kindsmith/internal/defaulting"
	"github.com/kindsmith/kindsmith/internal/foreign"
	"github.com/kindsmith/kindsmith/internal/model"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	structuraldefaulting "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
)

// applyDefault sets the default of a field. One in controller-gen's own grammar
// is there already and stays.
func (b *builder) applyDefault(s *props, t *model.Type, f *model.Field) {
	if s.Default != nil || f.Inline {
		return
	}
	if e, ok := defaulting.OfField(b.model, t, f); ok && (!e.IsAuto() || b.publishes(t, f, e)) {
		s.Default = &apiextensionsv1.JSON{Raw: []byte(e.JSON())}
	}
}

// publishes reports whether an automatic default goes into the schema. It must
// not fill in what an author demands of clients, and the types of other
// projects keep the schemas that these give them. The zero of a scalar goes
// there only in a struct that uses declarative defaults: anywhere else such a
// field is one that kubebuilder projects mean to be required, and a published
// zero would satisfy that.
func (b *builder) publishes(t *model.Type, f *model.Field, e defaulting.Effective) bool {
	switch {
	case !b.ours(t.Package) || b.isMarkedRequired(t, f):
		return false
	case e.Source == defaulting.AutoZero:
		return usesDefaults(t)
	}
	return true
}

// usesDefaults reports whether a field of the struct has a declarative default,
// as opposed to one for the schema only.
func usesDefaults(t *model.Type) bool {
	return slices.ContainsFunc(t.Fields, func(f *model.Field) bool {
		return f.Default != nil && f.Default.Marker != foreign.KubebuilderDefault
	})
}

// applyElementDefault sets the default that the type of a list item or map
// value brings along: it takes the place of a null.
func (b *builder) applyElementDefault(s *props, r *model.Ref) {
	if e, ok := defaulting.OfValue(b.model, r); ok {
		s.Default = &apiextensionsv1.JSON{Raw: []byte(e.JSON())}
	}
}

// isAutomatic reports whether the field's default is one that no one wrote.
func (b *builder) isAutomatic(t *model.Type, f *model.Field) bool {
	if hasMarker(f.Markers, foreign.KubebuilderDefault) {
		return false
	}
	e, ok := defaulting.OfField(b.model, t, f)
	return ok && e.IsAuto()
}

// settleDefaults takes back the automatic defaults that the server would refuse:
// a struct with a required field has no valid {}, and is required itself.
func (b *builder) settleDefaults(t *model.Type, s *props) error {
	// Taking one back may make that of the struct around it invalid, so this goes
	// on until nothing is left to take back.
	for {
		paths, err := defaultErrors(s)
		if err != nil {
			return err
		}
		taken := false
		for _, path := range paths {
			at := b.locate(t, s, path)
			if at.keyword != "default" || at.field == nil || at.element || at.schema.Default == nil || !b.isAutomatic(at.owner, at.field) {
				continue
			}
			b.takeBack(s, at, path[:len(path)-len(at.rest)-1])
			taken = true
		}
		if !taken {
			return nil
		}
	}
}

// takeBack removes a property's automatic default. Without it the field is as
// required as it says.
func (b *builder) takeBack(s *props, at place, path []step) {
	edit(s, path, func(s *props, _ []step) { s.Default = nil })
	if b.isRequired(at.owner, at.field, false) {
		edit(s, path[:len(path)-2], func(s *props, _ []step) {
			s.Required = append(slices.Clone(s.Required), at.field.JSON)
			slices.Sort(s.Required)
			s.Required = slices.Compact(s.Required)
		})
	}
}

// defaultErrors returns the paths of the defaults that the server refuses. A
// schema that is not structural has none: the check of the whole tells why.
func defaultErrors(s *props) ([][]step, error) {
	var internal apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(s, &internal, nil); err != nil {
		return nil, fmt.Errorf("convert schema: %w", err)
	}
	structural, err := structuralschema.NewStructural(&internal)
	if err != nil || len(structuralschema.ValidateStructural(nil, structural)) > 0 {
		return nil, nil
	}
	errs, err := structuraldefaulting.ValidateDefaults(context.Background(), nil, structural, true, true)
	if err != nil {
		return nil, fmt.Errorf("validate defaults: %w", err)
	}
	var paths [][]step
	for _, e := range errs {
		paths = append(paths, steps(e.Field))
	}
	return paths, nil
}
