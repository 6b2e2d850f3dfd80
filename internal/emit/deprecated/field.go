package deprecated

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/core/expr/paths"
	"github.com/kindsmith/kindsmith/internal/core/model"
)

// field is a deprecated field.
type field struct {
	path paths.Path
	note string
	// fallback is the default as an expression; nil for none. Clients get it without asking for it.
	fallback expr.Expr
}

func (f field) equal(o field) bool {
	return f.path.Equal(o.path) && f.note == o.note && (f.fallback == nil) == (o.fallback == nil) && (f.fallback == nil || expr.Equal(f.fallback, o.fallback))
}

// message describes the field after the text that API servers put before messages.
func (f field) message() string {
	text := f.path.String() + " is deprecated"
	if f.note != "" {
		text += ": " + f.note
	}
	return text
}

// expression returns the condition that no value of the field is new.
func (f field) expression() string {
	return expr.CEL(f.path.All(func(value, unchanged expr.Expr) expr.Expr {
		if f.fallback == nil {
			return unchanged
		}
		return expr.Or(expr.Eq(value, f.fallback), unchanged)
	}))
}

// walk finds the deprecated fields of a version.
type walk struct {
	m     *model.Model
	found []field
	open  []*model.Type
}

// fieldsOf returns the deprecated fields that clients write: those of the status, if that is a subresource, are the
// controller's.
func fieldsOf(m *model.Model, t *model.Type, v apiextensionsv1.CustomResourceDefinitionVersion) []field {
	w := &walk{m: m}
	status := v.Subresources != nil && v.Subresources.Status != nil
	w.object(t, v.Schema.OpenAPIV3Schema, paths.Path{}, func(name string) bool { return name == "metadata" || status && name == "status" })
	return w.found
}

// object visits the fields of a struct that the schema has.
func (w *walk) object(t *model.Type, schema *apiextensionsv1.JSONSchemaProps, at paths.Path, skip func(name string) bool) {
	o := w.m.Object(t)
	if o == nil || slices.Contains(w.open, t) {
		return
	}
	w.open = append(w.open, t)
	defer func() { w.open = w.open[:len(w.open)-1] }()
	for _, member := range o.Members {
		below, ok := schema.Properties[member.Name]
		if !ok || skip(member.Name) {
			continue
		}
		path := at.Field(member.Name)
		if note, ok := w.noteOf(t, member); ok {
			w.found = append(w.found, field{path, note, literal(below.Default)})
			continue // who sets it is warned once
		}
		w.value(member.Type, &below, path)
	}
}

// value visits a value of a type.
func (w *walk) value(r *model.Ref, schema *apiextensionsv1.JSONSchemaProps, at paths.Path) {
	none := func(string) bool { return false }
	r, _ = w.m.Deref(r)
	u := w.m.Underlying(r)
	switch {
	case schema.Items != nil && schema.Items.Schema != nil && u.Elem != nil:
		w.value(u.Elem, schema.Items.Schema, at.Items())
	case schema.AdditionalProperties != nil && schema.AdditionalProperties.Schema != nil && u.Elem != nil:
		w.value(u.Elem, schema.AdditionalProperties.Schema, at.Values())
	case len(schema.Properties) > 0:
		if t := w.m.Struct(r); t != nil {
			w.object(t, schema, at, none)
		}
	}
}

// noteOf returns what to use instead of a deprecated field. Generated comments have a paragraph in the versions that
// the field is deprecated in. In the newest version, the marker says the same, without one.
func (w *walk) noteOf(t *model.Type, member *model.Member) (note string, ok bool) {
	if p := w.m.Package(t.Package); p != nil && !p.Generated {
		for _, change := range member.Field.Changes {
			if d, ok := change.(*model.Deprecated); ok {
				return strings.TrimSuffix(oneLine(d.Note.Or("")), "."), true
			}
		}
	}
	for paragraph := range strings.SplitSeq(member.Field.Doc, "\n\n") {
		if text, ok := strings.CutPrefix(paragraph, model.DeprecatedParagraph); ok {
			return strings.TrimSuffix(oneLine(text), "."), true
		}
	}
	return "", false
}

// literal returns a default as an expression; nil if there is none.
func literal(text *apiextensionsv1.JSON) expr.Expr {
	if text == nil {
		return nil
	}
	var value any
	if err := json.Unmarshal(text.Raw, &value); err != nil {
		return nil
	}
	return literalOf(value)
}

func literalOf(value any) expr.Expr {
	switch v := value.(type) {
	case string:
		return expr.Str(v)
	case bool:
		return expr.Bool(v)
	case float64:
		if v == float64(int64(v)) {
			return expr.Int(int64(v))
		}
		return expr.Double(v)
	case []any:
		items := make([]expr.Expr, len(v))
		for i := range v {
			items[i] = literalOf(v[i])
		}
		return expr.ListOf(items...)
	case map[string]any:
		var entries []expr.Entry
		for _, key := range slices.Sorted(maps.Keys(v)) {
			entries = append(entries, expr.Entry{Key: expr.Str(key), Value: literalOf(v[key])})
		}
		return expr.MapOf(entries...)
	}
	return expr.Null()
}
