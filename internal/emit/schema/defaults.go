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
func (b *builder) applyDefault(s *props, t *model.Type, f *model.Field, opaque bool) {
	if s.Default != nil || f.Inline {
		return
	}
	if e, ok := defaulting.OfField(b.model, t, f); ok && (!e.IsAuto() || b.publishes(t, f, e, opaque)) {
		s.Default = &apiextensionsv1.JSON{Raw: []byte(e.JSON())}
	}
}

// publishes reports whether an automatic default goes into the schema: in a package
// that asks for them, wherever no author demands the field; elsewhere the {} of an
// optional struct with a declared default in it. The types of other projects keep
// the schemas that these give them.
func (b *builder) publishes(t *model.Type, f *model.Field, e defaulting.Effective, opaque bool) bool {
	switch {
	case !b.ours(t.Package):
		return false
	case b.isAutomaticPackage(t.Package):
		return !b.isMarkedRequired(t, f)
	}
	return e.Source == defaulting.AutoStruct && !b.isRequired(t, f, opaque) && b.defaultIn(f.Type) != nil
}

// isAutomaticPackage reports whether a package asks for all automatic defaults.
func (b *builder) isAutomaticPackage(path string) bool {
	p := b.model.Package(path)
	return p != nil && model.Has(p.Constraints, model.RoleAutomaticDefaults)
}

// defaultIn returns the first declared default that applies to {} as a value of a
// struct, nil if there is none. Those of other projects and those of kubebuilder's
// marker do not count: schemas that have only these are as controller-gen writes them.
func (b *builder) defaultIn(r *model.Ref) *model.Default {
	t := b.model.Struct(r)
	if t == nil || !b.ours(t.Package) {
		return nil
	}
	params := b.model.Params(r)
	for _, f := range t.Fields {
		typed := *f
		typed.Type = f.Type.Substitute(params)
		e, ok := defaulting.OfField(b.model, t, &typed)
		switch {
		case f.Inline, ok && e.Source == defaulting.AutoStruct && b.publishes(t, &typed, e, false):
			if d := b.defaultIn(typed.Type); d != nil {
				return d
			}
		case ok && !e.IsAuto() && e.Declared.Marker != foreign.KubebuilderDefault:
			return e.Declared
		}
	}
	return nil
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

// settleDefaults takes back the automatic defaults that would change what a rule
// says, and those that the server would refuse: a struct with a required field has
// no valid {}.
func (b *builder) settleDefaults(t *model.Type, s *props) error {
	b.keepPresence(t, s)
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
