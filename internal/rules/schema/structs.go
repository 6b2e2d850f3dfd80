package schema

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/english"
	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// structure builds the schema of a struct. It also reports whether inlined structs add keywords to
// it.
func (b *Builder) structure(t *model.Type, u use) (s *props, inlined bool) {
	s = &props{Type: Object, Properties: map[string]props{}}
	for _, f := range t.Fields {
		if f.Skipped || f.Inline || !b.hasName(t, f) {
			continue
		}
		if _, taken := s.Properties[f.JSON]; taken {
			b.diags.Errorf(f.TagSpan, codeDuplicateName, "another field of %s has the JSON name %q too, so encoding/json omits both; rename one", t.Name, f.JSON)
			continue
		}
		b.checkOptions(t, f, u)
		p := b.field(t, f, u)
		s.Properties[f.JSON] = *p
		if b.isRequired(t, f, u.opaque) && (p.Default == nil || !b.replacesRequired(t, f)) {
			s.Required = append(s.Required, f.JSON)
			if f.Unset && p.Default == nil {
				b.diags.Warnf(f.Span, codeRequiredAdded, "%s.%s is required, since it has no omitempty, but objects of older versions lack it; add default: to +%s, or make it +optional", t.Name, f.JSON, b.tags.WithRole(model.RoleAdded)).
					RestsOn(tag.ChangesOf(f)...)
			}
		}
	}
	inlined = b.inline(s, t, u)
	slices.Sort(s.Required)
	for _, f := range t.Fields {
		b.tagField(s, t, f, u)
		b.allowEmpty(s, t, f, u)
	}
	return s, inlined
}

// allowEmpty adds the empty string to the enum of a discriminator that may be unset: clients that
// clear a union write it.
func (b *Builder) allowEmpty(s *props, t *model.Type, f *model.Field, u use) {
	p, ok := s.Properties[f.JSON]
	empty := apiextensionsv1.JSON{Raw: []byte(`""`)}
	if !ok || u.opaque || !tag.IsDiscriminator(f) || b.isRequired(t, f, false) || p.Default != nil || len(p.Enum) == 0 ||
		slices.ContainsFunc(p.Enum, func(v apiextensionsv1.JSON) bool { return string(v.Raw) == string(empty.Raw) }) {
		return
	}
	p.Enum = slices.Concat([]apiextensionsv1.JSON{empty}, p.Enum)
	s.Properties[f.JSON] = p
}

// hasName reports whether the field's json tag has a name.
func (b *Builder) hasName(t *model.Type, f *model.Field) bool {
	if _, ok := reflect.StructTag(f.StructTag).Lookup("json"); ok {
		return true
	}
	d := b.diags.Errorf(f.Span, codeNoJSONTag, "the field %s.%s has no json tag, so its JSON name would be %q; add a name, or json:\"-\"", t.Name, f.Name, f.JSON).
		Voids(tag.JSONTagOf(f))
	if f.StructTag != "" {
		d.Message = fmt.Sprintf("the struct tag of %s.%s has no json key that encoding/json can read, so the JSON name would be %q; write `json:%q`", t.Name, f.Name, f.JSON, lowerFirst(f.Name))
		d.Voids(diag.Meaning(f.TagSpan))
	}
	if f.StructTag == "" {
		end := f.TypeSpan
		end.Start = end.End
		d.Suggest(end, " `json:\""+lowerFirst(f.Name)+"\"`", "name the field")
	}
	return false
}

// checkOptions reports a number or a bool that encoding/json writes as a string.
func (b *Builder) checkOptions(t *model.Type, f *model.Field, u use) {
	options := strings.Split(reflect.StructTag(f.StructTag).Get("json"), ",")[1:]
	if !slices.Contains(options, "string") || !b.ours(t.Package) {
		return
	}
	r, _ := b.model.Deref(f.Type.Substitute(u.params))
	if of := b.model.Underlying(r); of.IsScalar() && !of.IsString() {
		b.diags.Errorf(f.TagSpan, codeStringOption, "with the option string, encoding/json writes %s as a string, but its schema and rules are those of %s; remove the option, or make %[1]s a string", f.Name, of.Name)
	}
}

// field builds the schema of a field from its Go type, its documentation and its kubebuilder
// markers. Tags follow when the struct is complete.
func (b *Builder) field(t *model.Type, f *model.Field, u use) *props {
	markers := b.limited(b.parse(f.Markers, onField, t.Package), t.Package)
	at := use{
		span: f.TypeSpan, params: u.params, correlatable: u.contents, contents: u.contents,
		opaque: u.opaque || model.HasBare(f.Tags, model.RoleOpaque),
	}
	at = at.narrowed(markers, b.held(t.Package, f.Tags))
	var s *props
	var by declarations
	switch {
	case model.HasMarker(f.Markers, foreign.KubebuilderSchemaless),
		hasTypeMarker(markers) && b.writesItself(f.Type.Substitute(u.params)):
		s = &props{}
	default:
		r := f.Type.Substitute(u.params)
		if r.Kind == model.KindPointer {
			r = r.Elem
		}
		s, by = b.ref(r, at), declarationsOf(r)
	}
	if d := Description(f.Doc); d != "" {
		s.Description = d
	}
	s = b.applyMarkers(s, markers, by)
	typed := *f
	typed.Type = f.Type.Substitute(u.params)
	b.applyDefault(s, t, &typed, u.opaque)
	undescribed(s, b.held(t.Package, f.Tags))
	return s
}

// inline adds the fields and rules of the structs that are inlined in t to s. As in encoding/json,
// t's own fields take precedence.
func (b *Builder) inline(s *props, t *model.Type, u use) bool {
	own := map[string]bool{}
	for name := range s.Properties {
		own[name] = true
	}
	found := false
	for _, f := range t.Fields {
		if f.Skipped || !f.Inline {
			continue
		}
		found = true
		e := b.field(t, f, u)
		if e.Type != "" && e.Type != Object {
			b.diags.Errorf(f.TypeSpan, codeInline, "only structs can be inlined, but %s is encoded as %s; give the field a JSON name", f.Type, english.A(e.Type))
			continue
		}
		for _, name := range sortedKeys(e.Properties) {
			both, taken := s.Properties[name]
			if !taken {
				continue
			}
			if !own[name] {
				b.diags.Errorf(f.Span, codeDuplicateName, "two structs that are inlined in %s have a field with the JSON name %q, so encoding/json omits both", t.Name, name)
			}
			if b.options.ControllerGen {
				s.Properties[name] = b.declaredTwice(both, e.Properties[name])
			} else {
				e.Required = slices.DeleteFunc(e.Required, func(r string) bool { return r == name })
			}
			delete(e.Properties, name)
		}
		b.reportEmbedded(e, t, f)
		e.Default = nil
		merge(s, e, b.options)
	}
	return found
}

// declaredTwice returns the schema that controller-gen writes of a field with the JSON name of a field of an
// embedded struct: both apply, and except in kinds the comment of the embedded one remains.
func (b *Builder) declaredTwice(own, embedded props) props {
	if len(b.open) == 1 {
		own, embedded = embedded, own
	}
	merge(&embedded, &own, b.options)
	return embedded
}

// tagField writes the rules of a field's tags, after the enclosing struct is complete.
func (b *Builder) tagField(s *props, t *model.Type, f *model.Field, u use) {
	if len(f.Tags) == 0 || f.Skipped || u.opaque {
		return
	}
	program := b.rulesOf.Instance(t, u.params)
	of := b.rulesOf.FieldOf(program, f)
	rules := slices.Concat(of.Rules, of.Around)
	at := target{place: of.Place, parent: s, name: f.JSON, around: program.Place, correlatable: u.contents}
	b.unsupported(t, f.Tags)
	if f.Inline {
		at.props = s
		b.write(t, rules, at)
		return
	}
	p, ok := s.Properties[f.JSON]
	if !ok {
		return
	}
	at.props = &p
	b.write(t, rules, at)
	s.Properties[f.JSON] = p
	slices.Sort(s.Required)
}
