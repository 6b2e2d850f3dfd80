package schema

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/core/spell"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"
)

// The targets of controller-gen's markers.
const (
	onPackage = markers.DescribesPackage
	onType    = markers.DescribesType
	onField   = markers.DescribesField
)

// Marker is a marker that controller-gen's registry knows.
type Marker struct {
	Source     model.Marker
	Definition *markers.Definition
	Value      any
	// pkg is the package of the marker.
	pkg string
}

// schemaMarker is the interface of controller-gen's markers that change a schema.
type schemaMarker interface {
	ApplyToSchema(*crdmarkers.SchemaContext, *apiextensionsv1.JSONSchemaProps) error
}

// parse returns the markers for a schema or a kind. It ignores those of other generators, and
// reports mistakes.
func (b *Builder) parse(list []model.Marker, target markers.TargetType, pkg string) []Marker {
	var parsed []Marker
	for _, m := range list {
		text := "+" + foreign.WithoutComment(m.Text)
		def := b.registry.Lookup(text, target)
		if def == nil {
			if b.ours(pkg) {
				b.unknown(m, target)
			}
			continue
		}
		value, err := def.Parse(text)
		if err != nil {
			b.misparsed(m, def, text, err)
			continue
		}
		parsed = append(parsed, Marker{Source: m, Definition: def, Value: value, pkg: pkg})
	}
	return parsed
}

// limited returns the markers of a package without the rules that the policy leaves out.
func (b *Builder) limited(list []Marker, pkg string) []Marker {
	if !b.policy.Limits(b.model.Package(pkg)) {
		return list
	}
	return slices.DeleteFunc(list, func(m Marker) bool {
		return foreign.IsCEL(m.Definition.Name) || b.policy == rule.NoRules && foreign.IsRule(m.Definition.Name)
	})
}

// misparsed reports the first mistake in a marker, since later errors of the parser are unreliable.
func (b *Builder) misparsed(m model.Marker, def *markers.Definition, text string, err error) {
	if list := (loader.ErrList{}); errors.As(err, &list) && len(list) > 0 {
		err = list[0]
	}
	span, message := m.Span, err.Error()
	var at *markers.ScannerError
	if errors.As(err, &at) {
		span, message = argumentSpan(m, def, text, at), at.Msg
	}
	if strings.HasPrefix(message, "unknown argument") {
		names, near := sortedKeys(def.Fields), ""
		if word := quoted.FindStringSubmatch(message); word != nil {
			near = spell.DidYouMean(word[1], names)
		}
		if near == "" {
			near = "; it has " + strings.Join(names, ", ")
		}
		message += near
	}
	b.diags.Errorf(span, codeMarkerSyntax, "+%s: %s", def.Name, message)
}

var quoted = regexp.MustCompile(`"([^"]+)"`)

// argumentSpan returns the word that the parser's error quotes, else the arguments. The parsed text
// begins after the marker's name.
func argumentSpan(m model.Marker, def *markers.Definition, text string, at *markers.ScannerError) source.Span {
	start := len("+" + def.Name + "=")
	if start > len(text) || m.Span.End-m.Span.Start < len(text) {
		return m.Span
	}
	if word := quoted.FindStringSubmatch(at.Msg); word != nil {
		// The position is that of the token at which the parser failed.
		before := text[:min(start+at.Pos.Offset+len(word[1]), len(text))]
		if i := strings.LastIndex(before, word[1]); i >= start {
			return m.Span.Sub(i, i+len(word[1]))
		}
	}
	return m.Span.Sub(start, len(text))
}

// declarations are which parts of a schema a declared type has written: the value, or the items of a list. Markers of the place
// that uses the type add their keywords to these, and do not replace them.
type declarations struct{ value, items bool }

// declarationsOf returns the parts that declared types write in the schema of a type expression.
func declarationsOf(r *model.Ref) declarations {
	d := declarations{value: r.Kind == model.KindNamed}
	if r.Kind == model.KindSlice || r.Kind == model.KindArray {
		elem := r.Elem
		for elem.Kind == model.KindPointer {
			elem = elem.Elem
		}
		d.items = elem.Kind == model.KindNamed
	}
	return d
}

// applyMarkers applies markers to a schema and returns it.
func (b *Builder) applyMarkers(s *props, list []Marker, declared declarations) *props {
	var direct, items []Marker
	for _, m := range list {
		if _, ok := m.Value.(schemaMarker); !ok {
			continue
		}
		if strings.HasPrefix(m.Definition.Name, crdmarkers.ValidationItemsPrefix) {
			items = append(items, m)
		} else {
			direct = append(direct, m)
		}
	}
	if len(direct)+len(items) == 0 {
		return s
	}
	slices.SortStableFunc(direct, func(x, y Marker) int { return int(priority(x) - priority(y)) })
	slices.SortStableFunc(items, func(x, y Marker) int { return int(priority(x) - priority(y)) })
	target := s
	if declared.value {
		target = overlay(s, len(items) > 0)
	}
	for _, m := range direct {
		b.applyMarker(target, m)
	}
	b.applyItemMarkers(target, items, declared.items && !declared.value)
	if declared.value {
		merge(s, target, b.options)
	}
	return s
}

// applyItemMarkers applies markers to the items of a list.
func (b *Builder) applyItemMarkers(s *props, list []Marker, declared bool) {
	if len(list) > 0 && (s.Items == nil || s.Items.Schema == nil) {
		for _, m := range list {
			b.In(m.pkg).Errorf(m.Source.Span, codeMarkerType, "+%s is for the items of a list, but this is %s", m.Source.Name, typeName(s))
		}
		return
	}
	if len(list) == 0 {
		return
	}
	target := s.Items.Schema
	if declared {
		target = overlay(target, false)
	}
	for _, m := range list {
		b.applyMarker(target, m)
	}
	if declared {
		merge(s.Items.Schema, target, b.options)
	}
}

func (b *Builder) applyMarker(s *props, m Marker) {
	rules := len(s.XValidations)
	if err := m.Value.(schemaMarker).ApplyToSchema(&crdmarkers.SchemaContext{}, s); err != nil {
		b.In(m.pkg).Errorf(m.Source.Span, codeMarkerType, "+%s: %v", m.Source.Name, err)
		return
	}
	for _, r := range s.XValidations[min(rules, len(s.XValidations)):] {
		b.wrote(r.Rule, m.Source.Span, m.pkg)
	}
}

// overlay returns an empty schema with the type that markers check.
func overlay(s *props, items bool) *props {
	o := &props{Type: s.Type, Format: s.Format, XIntOrString: s.XIntOrString, XListType: s.XListType}
	if items && s.Items != nil && s.Items.Schema != nil {
		o.Items = &apiextensionsv1.JSONSchemaPropsOrArray{Schema: overlay(s.Items.Schema, false)}
	}
	return o
}

// priority is the order in which controller-gen applies a marker.
func priority(m Marker) crdmarkers.ApplyPriority {
	switch v := m.Value.(type) {
	case crdmarkers.ApplyPriorityMarker:
		return v.ApplyPriority()
	case interface{ ApplyFirst() }:
		return crdmarkers.ApplyPriorityFirst
	}
	return crdmarkers.ApplyPriorityDefault
}

func typeName(s *props) string {
	if s.Type == "" {
		return "of no one type"
	}
	return fmt.Sprintf("of type %s", s.Type)
}
