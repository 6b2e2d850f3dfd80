package schema

import (
	"context"
	"fmt"
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/value"
	"github.com/kindsmith/kindsmith/internal/rules/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	structuraldefaulting "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
)

// applyDefault sets the default of a field. It keeps one in controller-gen's own grammar.
func (b *Builder) applyDefault(s *props, t *model.Type, f *model.Field, opaque bool) {
	if f.Inline {
		return
	}
	e, ok := defaulting.OfField(b.model, t, f)
	if b.ours(t.Package) {
		b.reportUnlikeGo(s, f, e, ok)
	}
	if s.Default == nil && ok && (!e.IsAuto() || b.publishes(t, f, e, opaque)) {
		s.Default = &apiextensionsv1.JSON{Raw: []byte(e.JSON())}
	}
}

// reportUnlikeGo warns about defaults that generated Go and API servers cannot both apply, because
// they see different objects: a nil field that is sent as null, and a zero struct that is sent as {}.
func (b *Builder) reportUnlikeGo(s *props, f *model.Field, e defaulting.Effective, ok bool) {
	switch {
	case ok && s.Nullable && b.model.WritesNull(f) && e.Value.Kind != value.Null && defaulting.KindOf(b.model, f.Type) == defaulting.Free:
		d := b.diags.Warnf(f.Span, codeNullDefault, "%s is sent as null if it is unset: API servers keep null, since the field is +nullable, and generated Go sets the default; add omitempty, or remove +nullable", f.Name)
		if e.Declared != nil {
			d.Note(e.Declared.Span, "the default")
		}
	case defaulting.StaysAbsent(b.model, f):
		if declared := b.firstDefault(f.Type, func(*model.Default) bool { return true }); declared != nil {
			b.diags.Warnf(f.Span, codeZeroStruct, "API servers set the defaults in %s if a manifest has `%s: {}`, and generated Go does not, because with omitzero the zero struct is absent; use *%s", f.Name, f.JSON, value.TypeName(f.Type)).
				Note(declared.Span, "the first default is here")
		}
	}
}

// reportEmbedded warns about defaults in a struct that is embedded as a pointer.
func (b *Builder) reportEmbedded(e *props, t *model.Type, f *model.Field) {
	if f.Type.Kind != model.KindPointer || !b.ours(t.Package) {
		return
	}
	for _, name := range sortedKeys(e.Properties) {
		if e.Properties[name].Default != nil {
			b.diags.Warnf(f.Span, codeEmbeddedDefault, "API servers always set the defaults of %s, such as that of %s, and generated Go sets them only if another field of it is set; embed %[1]s without the pointer",
				f.Type.Elem, name)
			return
		}
	}
}

// publishes reports whether the schema has an automatic default: in a package with
// +k8s:automaticDefaults, for fields that are not marked as required; in others, the {} of an
// optional struct with a declared default in it. It does not change the schemas of other projects'
// types.
func (b *Builder) publishes(t *model.Type, f *model.Field, e defaulting.Effective, opaque bool) bool {
	switch {
	case !b.ours(t.Package):
		return false
	case b.isAutomaticPackage(t.Package):
		return !b.isMarkedRequired(t, f)
	}
	return e.Source == defaulting.AutoStruct && !b.isRequired(t, f, opaque) && b.defaultIn(f.Type) != nil
}

// isAutomaticPackage reports whether a package publishes all automatic defaults.
func (b *Builder) isAutomaticPackage(path string) bool {
	p := b.model.Package(path)
	return p != nil && model.Has(p.Tags, model.RoleAutomaticDefaults)
}

// defaultIn returns the first declared default that applies to {} as a value of a struct, nil if
// there is none. It ignores those of other projects and of kubebuilder's marker, so that schemas
// with only these equal controller-gen's.
func (b *Builder) defaultIn(r *model.Ref) *model.Default {
	return b.firstDefault(r, func(d *model.Default) bool { return d.Marker != foreign.KubebuilderDefault })
}

// firstDefault is like defaultIn for the defaults that count.
func (b *Builder) firstDefault(r *model.Ref, counts func(*model.Default) bool) *model.Default {
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
			if d := b.firstDefault(typed.Type, counts); d != nil {
				return d
			}
		case ok && !e.IsAuto() && counts(e.Declared):
			return e.Declared
		}
	}
	return nil
}

// applyElementDefault sets the default of the type of a list item or map value, which replaces
// null.
func (b *Builder) applyElementDefault(s *props, r *model.Ref) {
	if e, ok := defaulting.OfValue(b.model, r); ok {
		s.Default = &apiextensionsv1.JSON{Raw: []byte(e.JSON())}
	}
}

// isAutomatic reports whether the field's default is automatic.
func (b *Builder) isAutomatic(t *model.Type, f *model.Field) bool {
	if model.HasMarker(f.Markers, foreign.KubebuilderDefault) {
		return false
	}
	e, ok := defaulting.OfField(b.model, t, f)
	return ok && e.IsAuto()
}

// replacesRequired reports whether a field that Go always writes need not be required, because it has
// its automatic default: without a tag, or in a package with +k8s:automaticDefaults with the same one.
func (b *Builder) replacesRequired(t *model.Type, f *model.Field) bool {
	if b.isAutomatic(t, f) {
		return true
	}
	if !b.isAutomaticPackage(t.Package) || b.isMarkedRequired(t, f) || model.HasMarker(f.Markers, foreign.KubebuilderDefault) {
		return false
	}
	e, ok := defaulting.OfField(b.model, t, f)
	kind := defaulting.KindOf(b.model, f.Type)
	return ok && (kind == defaulting.Struct || kind == defaulting.Scalar) && value.Same(e.Value, value.Zero(b.model, f.Type))
}

// settleDefaults removes the automatic defaults that would change the meaning of a rule, and those
// that the server would reject: {} is not valid for a struct with a required field.
func (b *Builder) settleDefaults(t *model.Type, s *props) error {
	b.keepPresence(t, s)
	// Removing one may make that of the enclosing struct invalid, so this repeats until nothing
	// changes.
	for {
		paths, err := defaultErrors(s)
		if err != nil {
			return err
		}
		taken := false
		for _, path := range paths {
			at := b.Locate(t, s, path)
			if at.Keyword != "default" || at.Field == nil || at.Element || at.Schema.Default == nil || !b.isAutomatic(at.Owner, at.Field) {
				continue
			}
			b.takeBack(s, at, path[:len(path)-len(at.Rest)-1])
			if !b.isRequired(at.Owner, at.Field, false) && b.defaultIn(at.Field.Type) != nil {
				b.reportNested(at, "since it has required fields, so that {} is not valid")
			}
			taken = true
		}
		if !taken {
			return nil
		}
	}
}

// takeBack removes a property's automatic default, and restores whether the field is required.
func (b *Builder) takeBack(s *props, at Place, path []Step) {
	Edit(s, path, func(s *props, _ []Step) { s.Default = nil })
	if b.isRequired(at.Owner, at.Field, false) {
		Edit(s, path[:len(path)-2], func(s *props, _ []Step) {
			s.Required = append(slices.Clone(s.Required), at.Field.JSON)
			slices.Sort(s.Required)
			s.Required = slices.Compact(s.Required)
		})
	}
}

// defaultErrors returns the paths of the defaults that the server rejects. It returns none for a
// schema that is not structural, which check reports.
func defaultErrors(s *props) ([][]Step, error) {
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
	var paths [][]Step
	for _, e := range errs {
		paths = append(paths, Steps(e.Field))
	}
	return paths, nil
}
