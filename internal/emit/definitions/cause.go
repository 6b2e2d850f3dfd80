package definitions

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/rules/schema"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// explainer finds the causes of what a definition has.
type explainer struct {
	b   *builder
	crd *apiextensionsv1.CustomResourceDefinition
	fam family
	// trimmed is set if the definition is limited in size.
	trimmed bool
}

// explain returns the function for a file; see emit.File.
func explain(b *builder, crd *apiextensionsv1.CustomResourceDefinition, fam family, trimmed bool) func([]string, bool) emit.Cause {
	return func(path []string, has bool) emit.Cause {
		return (&explainer{b, crd, fam, trimmed}).cause(path, has)
	}
}

// always are the parts of a definition that neither markers nor types decide.
var always = map[string]string{
	"metadata/annotations/controller-gen.kubebuilder.io/version": "kindsmith has a comment at the top instead of controller-gen's annotation",
	"spec/preserveUnknownFields":                                 "deprecatedV1beta1CompatibilityPreserveUnknownFields among controller-gen's arguments",
	"spec/versions":                                              "versions are in the order of Kubernetes, the newest first",
}

func (e *explainer) cause(path []string, has bool) emit.Cause {
	lead := e.fam.lead.typ
	if text := always[strings.Join(path, "/")]; text != "" {
		return emit.Cause{Text: text}
	}
	if len(path) < 3 || path[0] != "spec" || path[1] != "versions" {
		if len(path) > 1 && path[1] == "conversion" || len(path) > 2 && path[2] == emit.InjectCA {
			return emit.Cause{Span: lead.Span, Text: "conversionWebhook and conversionCertificate, and whether the versions of " + e.fam.kind + " have the same JSON"}
		}
		return e.onKind(lead, path, has)
	}
	i := slices.IndexFunc(e.fam.versions, func(m member) bool { return m.version == path[2] })
	if i < 0 {
		return emit.Cause{Span: lead.Span, Text: fmt.Sprintf("no package has %s in version %s", e.fam.kind, path[2])}
	}
	m, rest := e.fam.versions[i], stepsOf(path[3:])
	if inner := inSchema(rest); inner != nil {
		return e.inSchema(e.b.schemas.Locate(m.typ, e.crd.Spec.Versions[i].Schema.OpenAPIV3Schema, inner), has)
	}
	if m.declared != nil && len(rest) > 0 && (rest[0].Name == "served" || rest[0].Name == "storage" || strings.HasPrefix(rest[0].Name, "deprec")) {
		return declaredBy(m.declared.Span, "the version "+m.version)
	}
	return e.onKind(m.typ, path[3:], has)
}

// onKind returns the marker on a kind that sets a part of the definition outside of schemas.
func (e *explainer) onKind(t *model.Type, path []string, has bool) emit.Cause {
	for i, name := range path {
		prefix, ok := kindMarkers[name]
		if !ok {
			continue
		}
		for _, m := range t.Markers {
			if strings.HasPrefix(m.Name, prefix) && (prefix == foreign.Resource || i+1 == len(path) || strings.Contains(m.Text, path[i+1])) {
				return declaredBy(m.Span, "")
			}
		}
		if !has {
			return emit.Cause{Span: t.Span, Text: fmt.Sprintf("no +%s of the kind %s sets it", prefix, e.fam.kind)}
		}
	}
	return emit.Cause{Span: t.Span, Text: "the kind " + e.fam.kind}
}

// stepsOf converts a path of names. Those of properties, and keys of lists, are indices.
func stepsOf(path []string) []schema.Step {
	var list []schema.Step
	for _, name := range path {
		last := len(list) - 1
		list = append(list, schema.Step{Name: name, Index: last >= 0 && !list[last].Index && list[last].Name == "properties"})
	}
	return list
}

// declaredBy returns a cause that is a marker, or else a declaration.
func declaredBy(span source.Span, what string) emit.Cause {
	if line, _, _ := strings.Cut(span.Text(), "\n"); strings.HasPrefix(line, "+") {
		return emit.Cause{Span: span, Text: line}
	}
	return emit.Cause{Span: span, Text: what}
}

// inSchema returns the cause of a keyword, or of a schema if the place has no keyword.
func (e *explainer) inSchema(at schema.Place, has bool) emit.Cause {
	here := emit.Cause{Span: at.Declaration(), Text: at.What()}
	key := ""
	if len(at.Rest) > 0 {
		key = at.Rest[0].Name
	}
	if at.Value != nil && at.Value.ID() == schema.ObjectMeta && len(at.Above) > 1 {
		return emit.Cause{Span: here.Span, Text: "embeddedObjectMeta: whether metadata within objects has fields"}
	}
	if cause, ok := e.byKeyword(at, key, has, here); ok {
		return cause
	}
	if has {
		return e.set(at, here)
	}
	if at.Keyword == "enum" && key != "" && len(at.Schema.Enum) > 0 {
		return emit.Cause{Span: here.Span, Text: "the type of " + here.Text + " has no such constant"}
	}
	if e.b.dependencies.Limits(e.b.model.Package(at.Owner.Package)) {
		return emit.Cause{Span: here.Span, Text: fmt.Sprintf("dependencyRules: %s", e.b.dependencies)}
	}
	return emit.Cause{Span: here.Span, Text: "no tag or marker of " + here.Text + " and its types sets it"}
}

// byKeyword returns the cause of keywords that more than tags and markers decide.
func (e *explainer) byKeyword(at schema.Place, key string, has bool, here emit.Cause) (cause emit.Cause, ok bool) {
	switch at.Keyword {
	case "":
		return here, true
	case "description":
		return e.description(at, here), true
	case "properties":
		return emit.Cause{Span: here.Span, Text: fmt.Sprintf("%s has no field %q", e.structOf(at), key)}, true
	case "required":
		return e.required(at, key, here), true
	case "x-kubernetes-validations":
		if span, ok := e.b.schemas.RuleSpan(at, key); ok && has {
			return declaredBy(span, at.What()), true
		}
		if span, ok := e.instead(at, key); ok {
			cause := declaredBy(span, here.Text)
			cause.Text += ", which kindsmith publishes by another rule"
			return cause, true
		}
	case "allOf":
		return emit.Cause{Span: here.Span, Text: "tightBounds: whether bounds of the type and of " + here.Text + " are in allOf"}, true
	case "default":
		switch {
		case at.Field != nil && at.Field.Default != nil && !at.Element:
			return emit.Cause{Span: at.Field.Default.Span, Text: "+" + at.Field.Default.Marker + " of " + here.Text}, true
		case has:
			return emit.Cause{Span: here.Span, Text: "a default in " + here.Text + ", or that of its type"}, true
		}
	case "type", "format", "items", "additionalProperties", "x-kubernetes-int-or-string", "x-kubernetes-preserve-unknown-fields":
		if span := e.b.schemas.Span(at); span != here.Span {
			return declaredBy(span, here.Text), true
		}
		return emit.Cause{Span: here.Span, Text: "the Go type of " + here.Text}, true
	}
	return emit.Cause{}, false
}

// set returns the cause of a keyword that the schema has.
func (e *explainer) set(at schema.Place, here emit.Cause) emit.Cause {
	if cause := declaredBy(e.b.schemas.Span(at), ""); cause.Text != "" {
		return cause
	}
	if span, ok := e.implied(at); ok {
		return declaredBy(span, here.Text)
	}
	if at.Value != nil {
		value, _ := e.b.model.Deref(at.Value)
		if schema.Known(value.ID()) != nil {
			return emit.Cause{Span: here.Span, Text: "the Go type of " + here.Text}
		}
	}
	if at.Keyword == "enum" {
		return emit.Cause{Span: here.Span, Text: "the constants of the type of " + here.Text}
	}
	return here
}

// instead returns the tag or marker at a place that writes other rules than the given one, which is
// of the same field.
func (e *explainer) instead(at schema.Place, rule string) (source.Span, bool) {
	for _, s := range e.b.schemas.Sources(at) {
		if s.Field != nil && s.Field != at.Field && !strings.Contains(rule, s.Field.JSON) {
			continue
		}
		if e.b.schemas.Writes(s.Span) {
			return s.Span, true
		}
	}
	return source.Span{}, false
}

// implies are the keywords that tags and markers with other names set.
var implies = map[string][]string{
	"minlength": {"required", "format"}, "minitems": {"required"}, "minproperties": {"required"},
	"maxlength": {"maxbytes", "format", "minimum", "maximum", "exclusiveminimum", "exclusivemaximum"},
	"pattern":   {"format"},
	"maptype":   {"structtype", "listtype"}, "listtype": {"listmapkey"},
	"externaldocs": {"url", "description"},
}

// implied returns the tag or marker at a place that sets its keyword under another name. That of a
// list also sets keywords of its items.
func (e *explainer) implied(at schema.Place) (source.Span, bool) {
	places := []schema.Place{at}
	if at.Element && len(at.Above) > 0 {
		places = append(places, at.Above[len(at.Above)-1])
	}
	for _, p := range places {
		for _, s := range e.b.schemas.Sources(p) {
			if slices.Contains(implies[schema.KeywordName(at.Keyword)], s.Keyword) {
				return s.Span, true
			}
		}
	}
	return source.Span{}, false
}

// structOf names the struct that has the fields of a place.
func (e *explainer) structOf(at schema.Place) string {
	if at.Value != nil {
		if s := e.b.model.Struct(at.Value); s != nil {
			return s.Name
		}
	}
	return at.What()
}

// required returns why a struct has a field, by its JSON name, among its required ones or not.
func (e *explainer) required(at schema.Place, name string, here emit.Cause) emit.Cause {
	if at.Value == nil {
		return here
	}
	s := e.b.model.Struct(at.Value)
	if s == nil {
		return here
	}
	owner, f := e.b.model.FieldByJSON(s, name)
	if f == nil {
		return emit.Cause{Span: s.Span, Text: fmt.Sprintf("%s has no field %q", s.Name, name)}
	}
	for _, use := range f.Tags {
		if use.Is(model.RoleRequired, model.RoleOptional) {
			return declaredBy(use.Span, "")
		}
	}
	for _, m := range f.Markers {
		if model.HasMarker([]model.Marker{m}, foreign.Required, foreign.Optional, foreign.KubebuilderRequired, foreign.KubebuilderOptional) {
			return declaredBy(m.Span, "")
		}
	}
	return emit.Cause{Span: f.Span, Text: fmt.Sprintf("the field %s.%s: fields without omitempty are required", owner.Name, f.Name)}
}

// description returns what shortened or left out a description, else the comment.
func (e *explainer) description(at schema.Place, here emit.Cause) emit.Cause {
	whole := at.Owner.Doc
	if at.Field != nil {
		whole = at.Field.Doc
	}
	if schema.Description(whole) != at.Schema.Description {
		if use := e.undescribed(at); use != nil {
			return declaredBy(use.Span, "")
		}
		switch {
		case e.trimmed && e.b.options.MaxSize > 0:
			return emit.Cause{Text: "maxCrdSize: the deepest descriptions are left out"}
		case e.trimmed:
			return emit.Cause{Text: "slimCrdDir: slim definitions have no descriptions"}
		case e.b.options.MaxDescription != nil:
			return emit.Cause{Text: fmt.Sprintf("maxDescLen: %d", *e.b.options.MaxDescription)}
		}
	}
	return emit.Cause{Span: here.Span, Text: "the comment of " + here.Text + ", or of its type"}
}

// undescribed returns the tag that leaves out the description of a place; nil if there is none.
func (e *explainer) undescribed(at schema.Place) *model.Tag {
	find := func(list []*model.Tag, own bool) *model.Tag {
		i := slices.IndexFunc(list, func(use *model.Tag) bool { return use.Is(model.RoleNoDescription) && (!own || use.Text() == "") })
		if i < 0 {
			return nil
		}
		return list[i]
	}
	for i, p := range slices.Backward(append(slices.Clone(at.Above), at)) {
		own := i == len(at.Above)
		if p.Field != nil {
			if use := find(p.Field.Tags, own); use != nil {
				return use
			}
		}
		if p.Value == nil || own && p.Field != nil {
			continue // the description of a field is not that of its type
		}
		value, _ := e.b.model.Deref(p.Value)
		_, chain := e.b.model.Resolve(value)
		for _, t := range chain {
			if use := find(t.Tags, own); use != nil {
				return use
			}
			if pkg := e.b.model.Package(t.Package); pkg != nil {
				if use := find(pkg.Tags, own); use != nil {
					return use
				}
			}
		}
	}
	return nil
}
