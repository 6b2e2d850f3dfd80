package schema

import (
	"fmt"
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// props is short for the one type that everything here is about.
type props = apiextensionsv1.JSONSchemaProps

// Config is what the schemas of a package are computed from.
type Config struct {
	Model *model.Model
	Tags  *tag.Set
	// Rules are what the tags mean.
	Rules    *rule.Programs
	Registry *Registry
	// Ours reports whether the author of this API can change a package. There are no diagnostics about the markers and tags of others.
	Ours func(pkg string) bool
	// ProjectionOf says which rules under conditions the schemas of a package's types have.
	ProjectionOf func(pkg string) rule.Projection
	// Dependencies selects the rules of types in other modules.
	Dependencies rule.Policy
	Options      Options
	Diags        *diag.Bag
}

// Options are how schemas differ from those that kindsmith writes by default.
type Options struct {
	// TightBounds writes the strictest of several bounds on a value. Otherwise bounds of a type and
	// of a field are in allOf, like in controller-gen.
	TightBounds bool
	// BareObjectMeta leaves the fields out of the schema of metadata within an object, such as
	// that of a template. API servers then prune the metadata.
	BareObjectMeta bool
	// ControllerGen writes what controller-gen does where kindsmith would write something else for the same
	// types and markers: the format int32 for uint32, descriptions without lines that begin with "+",
	// the comments and markers of aliases, both declarations of a field that an embedded struct has too, and
	// the first of two enums.
	ControllerGen bool
	// Floats allows floating-point numbers without a warning.
	Floats bool
}

// Builder computes the schemas of the types of one model. A type is built at most twice for
// each way in which it is used; the caller may change what a method returns.
type Builder struct {
	model        *model.Model
	tags         *tag.Set
	registry     *Registry
	policy       rule.Policy
	options      Options
	ours         func(pkg string) bool
	projectionOf func(pkg string) rule.Projection

	// built are the schemas that were needed twice, used those that were needed.
	built map[string]*props
	used  map[string]bool
	// open are the types that are being built, to find recursion.
	open []string
	// rulesOf are what the tags mean.
	rulesOf *rule.Programs
	// rules are the places of the tags and markers that wrote a CEL rule.
	rules map[string][]source.Span
	// cheaper are the rules to publish instead of those that cost too much, nil for none.
	cheaper map[string]*apiextensionsv1.ValidationRule
	// inherited are the packages of rules of other modules.
	inherited map[source.Span]*model.Package
	// asked are the fields whose presence a rule depends on, by rule.
	asked map[string]map[string]bool
	// gaps are the positions of types whose schemas could not be built.
	gaps map[source.Span]bool
	// diags are those of the type that is being built: all, or older if it is part of a generated older version.
	diags, all *diag.Bag
	older      diag.Older
}

// New returns a builder without schemas.
func New(c Config) *Builder {
	return &Builder{
		model: c.Model, tags: c.Tags, registry: c.Registry, policy: c.Dependencies, options: c.Options, ours: c.Ours, projectionOf: c.ProjectionOf,
		rulesOf: c.Rules, diags: c.Diags, all: c.Diags,
		built: map[string]*props{}, used: map[string]bool{}, rules: map[string][]source.Span{}, cheaper: map[string]*apiextensionsv1.ValidationRule{}, inherited: map[source.Span]*model.Package{}, gaps: map[source.Span]bool{}, asked: map[string]map[string]bool{},
	}
}

// Report moves the diagnostics of older versions to those of the run: once if several versions have the same.
func (b *Builder) Report() { b.older.MoveTo(b.all, model.CompareVersions) }

// In returns where the diagnostics of a package belong.
func (b *Builder) In(pkg string) *diag.Bag {
	if p := b.model.Package(pkg); p != nil && p.Generated {
		return b.older.In(p.Version)
	}
	return b.all
}

// wrote records the place that wrote a CEL rule, and its package.
func (b *Builder) wrote(rule string, at source.Span, pkg string) {
	if !slices.Contains(b.rules[rule], at) { // the type may be built twice
		b.rules[rule] = append(b.rules[rule], at)
	}
	if p := b.model.Package(pkg); p != nil && p.IsDependency() {
		b.inherited[at] = p
	}
}

// Writes reports whether the tag or marker at a span wrote a CEL rule.
func (b *Builder) Writes(at source.Span) bool {
	for _, spans := range b.rules {
		if slices.Contains(spans, at) {
			return true
		}
	}
	return false
}

// Cheaper returns the rule to publish instead of one that costs too much: nil for none, false if there is no other.
func (b *Builder) Cheaper(rule string) (*apiextensionsv1.ValidationRule, bool) {
	cheaper, ok := b.cheaper[rule]
	return cheaper, ok
}

// InheritedFrom returns the package of another module that wrote a CEL rule at a span; nil for the author's rules.
func (b *Builder) InheritedFrom(at source.Span) *model.Package { return b.inherited[at] }

// IsGap reports whether a schema could not be built, by the position of its type.
func (b *Builder) IsGap(typ source.Span) bool { return b.gaps[typ] }

// use is a place where a type is used: what decides how its schema is built,
// apart from the type itself.
type use struct {
	// span is what diagnostics point at.
	span source.Span
	// params are the type arguments in force, by parameter.
	params map[string]*model.Ref
	// correlatable is set where the server pairs old and new values; contents
	// says the same of the values inside of this one.
	correlatable, contents bool
	// keyed is set when the place says that its list is one of listType=map.
	keyed bool
	// opaque is set below a field whose types' tags do not hold; opaqueKeys where
	// that is so of the keys in it. Of values opaqueValues says how far down that
	// begins, 0 for nowhere.
	opaque, opaqueKeys bool
	opaqueValues       int
}

// inside returns the use of an element of a value.
func (u use) inside(correlatable bool) use {
	return use{
		span: u.span, params: u.params, correlatable: correlatable, contents: correlatable,
		opaque: u.opaque || u.opaqueValues == 1, opaqueValues: max(u.opaqueValues-1, 0),
	}
}

func (u use) key(r *model.Ref) string {
	return fmt.Sprint(r, u.correlatable, u.contents, u.keyed, u.opaque, u.opaqueKeys, u.opaqueValues)
}

// named builds the schema of a declared type.
func (b *Builder) named(r *model.Ref, u use) *props {
	if s := Known(r.ID()); s != nil {
		if b.options.BareObjectMeta && r.ID() == ObjectMeta && len(b.open) > 1 { // not the object's own
			s.Properties = nil
		}
		return s
	}
	t := b.model.Type(r.ID())
	if t == nil {
		b.diags.Errorf(u.span, codeUnknownType, "the type %s is not in the build, so it has no schema; check that its package compiles", r)
		return b.gap(u)
	}
	r = r.Substitute(u.params)
	key := u.key(r)
	if s, ok := b.built[key]; ok {
		return s.DeepCopy()
	}
	if slices.Contains(b.open, r.String()) {
		b.diags.Errorf(u.span, codeRecursive,
			"%s contains itself, but schemas of custom resources cannot be recursive; add +kubebuilder:validation:Schemaless and +kubebuilder:pruning:PreserveUnknownFields to the field, or make it an apiextensionsv1.JSON", t.Name)
		return b.gap(u)
	}
	if t.Generic && len(r.Args) != len(t.TypeParams) {
		b.diags.Errorf(u.span, codeUnknownType, "the use of %s does not compile, so it has no schema", t.Name)
		return b.gap(u)
	}
	u.params = b.model.Params(r)
	b.open = append(b.open, r.String())
	outer := b.diags
	b.diags = b.In(t.Package)
	s := b.declared(t, r, u)
	undescribed(s, b.held(t.Package, t.Tags))
	if p := b.model.Package(t.Package); p != nil {
		undescribed(s, b.held(t.Package, p.Tags))
	}
	b.open, b.diags = b.open[:len(b.open)-1], outer
	if !b.used[key] {
		b.used[key] = true // a copy of each of many nested types would have all types below it
		return s
	}
	b.built[key] = s
	return s.DeepCopy()
}

// declared builds the schema of a declaration: its definition, then what its
// own markers, constants and tags say of it.
func (b *Builder) declared(t *model.Type, r *model.Ref, u use) *props {
	markers := b.limited(b.MarkersOf(t), t.Package)
	u = u.narrowed(markers, b.held(t.Package, t.Tags))
	opaque := u.opaque // the type's own tags are about it, not below it
	u.opaque = u.opaque || model.HasBare(t.Tags, model.RoleOpaque)
	if s := b.marshalled(t, markers, u); s != nil {
		if !opaque && rule.MeasureOf(b.model, r) != rule.Number {
			b.tagType(s, t, u)
		}
		return s
	}
	b.checkOneOf(t, markers, u)
	var s *props
	var by declarations
	if t.IsStruct() {
		s, by.value = b.structure(t, u)
	} else {
		s, by = b.ref(t.Def, u), declarationsOf(t.Def)
	}
	if d := Description(t.Doc); d != "" || t.IsStruct() {
		s.Description = d
	}
	s = b.applyMarkers(s, markers, by)
	if opaque {
		return s
	}
	b.tagType(s, t, u)
	return s
}

// tagType writes the rules of a type's own tags.
func (b *Builder) tagType(s *props, t *model.Type, u use) {
	b.unsupported(t, t.Tags)
	b.write(t, b.rulesOf.Instance(t, u.params).Rules, target{place: b.rulesOf.Of(t).Place, props: s, correlatable: u.correlatable})
}

// narrowed returns the use with what the markers and tags at the place say of
// how the server pairs old and new values below it.
func (u use) narrowed(markers []Marker, tags []*model.Tag) use {
	marked := func(value string, names ...string) bool {
		return slices.ContainsFunc(markers, func(m Marker) bool {
			return slices.Contains(names, m.Source.Name) && fmt.Sprint(m.Value) == value
		})
	}
	isMap := func(c *model.Tag) bool { return c.Role == model.RoleListType && c.Text() == "map" }
	if marked("map", foreign.ListType) || slices.ContainsFunc(tags, isMap) {
		u.keyed = true
	}
	if marked("atomic", foreign.StructType, foreign.MapType) {
		u.contents = false
	}
	for _, c := range tags {
		depth := 0
		for c != nil && c.Role == model.RoleEachVal {
			depth++
			c, _ = c.Inner.Bare()
		}
		switch {
		case c == nil:
		case c.Role == model.RoleOpaque:
			u.opaqueValues = depth
		case depth == 0 && c.Role == model.RoleEachKey && model.HasBare([]*model.Tag{c.Inner}, model.RoleOpaque):
			u.opaqueKeys = true
		}
	}
	return u
}

// held returns the tags of a place in a package, those under conditions
// without them where the schema has their rules.
func (b *Builder) held(pkg string, list []*model.Tag) []*model.Tag {
	return tag.Held(b.projectionOf(pkg), list)
}

// gap stands in for a schema that could not be built, for a reason that was
// reported: what the server would say of it is no news.
func (b *Builder) gap(u use) *props {
	b.gaps[u.span] = true
	return anything()
}

// anything is the schema of an arbitrary value.
func anything() *props {
	yes := true
	return &props{XPreserveUnknownFields: &yes}
}
