// Package kubebuilder reads rules from the markers of controller-gen.
//
// [Rules] returns the rules of the markers on a value, and [Unenforced] the markers that only API servers enforce.
//
// It uses controller-gen's own parser. Markers that it rejects have no rules; package schema reports
// them.
package kubebuilder

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
	"sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/core/expr/typed"
	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Tag is the tag name of XValidation rules.
const Tag = "XValidation"

// registry knows controller-gen's markers; nil if they cannot be registered.
var registry = sync.OnceValue(func() *markers.Registry {
	r := &markers.Registry{}
	if err := crdmarkers.Register(r); err != nil {
		return nil
	}
	return r
})

// Rules returns the rules of the markers on a type or a field, in order.
func Rules(n *tag.Node, list []model.Marker) []rule.Rule {
	var own, items []rule.Rule
	for _, m := range list {
		name, ofItems := strings.CutPrefix(m.Name, foreign.KubebuilderItems)
		if ofItems {
			name = itemsName(name)
		}
		var c *rule.CEL
		ok := false
		switch {
		case strings.HasPrefix(name, foreign.KubebuilderXValidation):
			c, ok = Read(m, n.Field != nil)
		case n.Field == nil:
			c, ok = readOneOf(m)
		}
		r := rule.Rule{}
		if ok {
			r = rule.Authored(Tag, c)
			r.Text, r.Span = "+"+foreign.WithoutComment(m.Text), m.Span
		}
		switch {
		case !ok:
		case ofItems:
			items = append(items, r)
		default:
			own = append(own, r)
		}
	}
	if len(items) > 0 && n.Underlying().Kind == model.KindSlice {
		own = append(own, rule.ForEach(Tag, rule.Each{Place: n.Elem().Place(), Rules: items})...)
	}
	return own
}

// itemsName converts the name of a marker for items to that of the marker for the list.
func itemsName(name string) string {
	prefix, _, _ := strings.Cut(foreign.KubebuilderItems, "items:")
	return prefix + name
}

// IsKnown reports whether controller-gen reads a marker on a type or a field.
func IsKnown(m model.Marker, onField bool) bool {
	return registry() == nil || registry().Lookup("+"+foreign.WithoutComment(m.Text), targetOf(onField)) != nil
}

// Reads reports whether controller-gen reads a marker on a package, a type or a field.
func Reads(m model.Marker) bool {
	text := "+" + foreign.WithoutComment(m.Text)
	return registry() == nil || slices.ContainsFunc([]markers.TargetType{markers.DescribesPackage, markers.DescribesType, markers.DescribesField},
		func(on markers.TargetType) bool { return registry().Lookup(text, on) != nil })
}

// ReadsTag reports whether controller-gen, too, reads a tag on a type or a field.
func ReadsTag(use *model.Tag, onField bool) bool {
	text := use.Name
	if use.Payload != nil {
		text += "=" + use.Payload.Text
	}
	return IsKnown(model.Marker{Name: use.Name, Text: text}, onField)
}

// targetOf returns what the markers of a type or a field describe.
func targetOf(onField bool) markers.TargetType {
	if onField {
		return markers.DescribesField
	}
	return markers.DescribesType
}

// Read returns the rule of a marker on a type or a field, not ok for other markers and
// for what controller-gen refuses.
func Read(m model.Marker, onField bool) (c *rule.CEL, ok bool) {
	parsed, err := parse(m, onField)
	if err != nil {
		return nil, false
	}
	x, ok := parsed.(crdmarkers.XValidation)
	if !ok {
		return nil, false
	}
	c = &rule.CEL{
		Rule: x.Rule, Tree: tree(x.Rule), Message: x.Message, MessageExpression: x.MessageExpression, Reason: x.Reason, FieldPath: x.FieldPath,
		OptionalOldSelf: x.OptionalOldSelf != nil && *x.OptionalOldSelf,
		RuleSpan:        inside(m, x.Rule),
	}
	if x.MessageExpression != "" {
		c.MessageTree, c.MessageSpan = tree(x.MessageExpression), inside(m, x.MessageExpression)
	}
	return c, true
}

// Default returns the value of a marker that gives a field its default, as JSON.
func Default(m model.Marker) (json string, ok bool) {
	parsed, err := parse(m, true)
	if err != nil {
		return "", false
	}
	var s apiextensionsv1.JSONSchemaProps
	if d, ok := parsed.(crdmarkers.Default); !ok || d.ApplyToSchema(nil, &s) != nil || s.Default == nil {
		return "", false
	}
	return string(s.Default.Raw), true
}

// Enum returns the values that a marker on a type, on a field or for the items of a list allows: strings, numbers
// and bools.
func Enum(m model.Marker, onField bool) (values []any, ok bool) {
	parsed, _ := parse(m, onField)
	e, ok := parsed.(crdmarkers.Enum)
	return e, ok
}

// readOneOf returns the rule of a marker about how many fields of a struct are set, as controller-gen publishes it.
func readOneOf(m model.Marker) (*rule.CEL, bool) {
	if model.OneOfMarker(m) == nil {
		return nil, false
	}
	parsed, _ := parse(m, false)
	s := apiextensionsv1.JSONSchemaProps{Type: "object"}
	published, ok := parsed.(interface {
		ApplyToSchema(ctx *crdmarkers.SchemaContext, schema *apiextensionsv1.JSONSchemaProps) error
	})
	if !ok || published.ApplyToSchema(nil, &s) != nil || len(s.XValidations) != 1 {
		return nil, false
	}
	x := s.XValidations[0]
	return &rule.CEL{Rule: x.Rule, Tree: tree(x.Rule), Message: x.Message}, true
}

// WithEnum returns the marker with other values.
func WithEnum(m model.Marker, values []any) model.Marker {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = fmt.Sprint(v)
		if s, ok := v.(string); ok && !bare.MatchString(s) {
			texts[i] = strconv.Quote(s)
		}
	}
	m.Text = m.Name + "=" + strings.Join(texts, ";")
	return m
}

// bare are the strings that a marker has without quotes.
var bare = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// parse returns what controller-gen reads in a marker.
func parse(m model.Marker, onField bool) (any, error) {
	known, text := registry(), "+"+foreign.WithoutComment(m.Text)
	if known == nil {
		return nil, nil
	}
	def := known.Lookup(text, targetOf(onField))
	if def == nil {
		return nil, nil
	}
	return def.Parse(text)
}

// tree reads an expression. Errors are reported where the expression is checked.
func tree(text string) expr.Tree {
	e, problems := typed.Parse(text)
	if len(problems) > 0 {
		return expr.Tree{}
	}
	return expr.Tree{Expr: e}
}

// inside returns the position of a string in a marker without escapes; zero in other markers and in
// markers of several lines.
func inside(m model.Marker, s string) source.Span {
	text := "+" + m.Text
	if m.Span.End-m.Span.Start != len(text) || s == "" {
		return source.Span{}
	}
	for _, quote := range []string{"`", `"`} {
		if i := strings.Index(text, quote+s+quote); i >= 0 {
			return m.Span.Sub(i+1, i+1+len(s))
		}
	}
	return source.Span{}
}
