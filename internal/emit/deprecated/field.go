package deprecated

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/kindsmith/kindsmith/internal/expr"
	"github.com/kindsmith/kindsmith/internal/model"
)

// each is the step of a path to all items of a list or all values of a map.
const each = ""

// field is a deprecated field.
type field struct {
	// path are the names of fields from the object, and each for items of lists and values of maps. A list is
	// in lists by the length of the path to it.
	path  []string
	lists []int
	note  string
	// fallback is the default as an expression; nil for none. Clients get it without asking for it.
	fallback expr.Expr
}

func (f field) equal(o field) bool {
	return slices.Equal(f.path, o.path) && slices.Equal(f.lists, o.lists) && f.note == o.note && (f.fallback == nil) == (o.fallback == nil) &&
		(f.fallback == nil || expr.Equal(f.fallback, o.fallback))
}

// message describes the field after the text that API servers put before messages.
func (f field) message() string {
	var at strings.Builder
	for i, step := range f.path {
		switch {
		case step == each:
			at.WriteString("[*]")
		case i > 0:
			at.WriteString("." + step)
		default:
			at.WriteString(step)
		}
	}
	text := at.String() + " is deprecated"
	if f.note != "" {
		text += ": " + f.note
	}
	return text
}

// expression returns the condition that no value of the field is new.
func (f field) expression() string {
	return expr.CEL(f.all(&expr.Var{Name: "object"}, 0))
}

// all returns the condition for all values of the field below x, which has the path up to a step.
func (f field) all(x expr.Expr, from int) expr.Expr {
	x, i := f.follow(x, from)
	v := &expr.Var{Name: "value"}
	if i == len(f.path) {
		known := f.known(&expr.Var{Name: "oldObject"}, 0, v)
		accepted := expr.And(expr.Ne(&expr.Var{Name: "oldObject"}, expr.Null()), known)
		if f.fallback != nil {
			accepted = expr.Or(expr.Eq(v, f.fallback), accepted)
		}
		return orValue(&expr.Comprehension{Macro: expr.OptMapMacro, Range: x, Var: v.Name, Body: accepted}, expr.Bool(true))
	}
	return f.loop(expr.AllMacro, "", x, i, func(item expr.Expr) expr.Expr { return f.all(item, i+1) })
}

// known returns the condition that a value is one of the field below x.
func (f field) known(x expr.Expr, from int, value expr.Expr) expr.Expr {
	x, i := f.follow(x, from)
	if i == len(f.path) {
		return expr.Eq(x, expr.Method(&expr.Var{Name: "optional"}, "of", value))
	}
	return f.loop(expr.ExistsMacro, "Old", x, i, func(item expr.Expr) expr.Expr { return f.known(item, i+1, value) })
}

// follow selects fields until the path ends, or a list or map follows. It returns an optional value, and the next step.
func (f field) follow(x expr.Expr, from int) (expr.Expr, int) {
	for from < len(f.path) && f.path[from] != each {
		x = expr.OptJSONField(x, f.path[from])
		from++
	}
	return x, from
}

// loop applies a macro to the items or values of an optional list or map.
func (f field) loop(macro expr.Macro, suffix string, x expr.Expr, i int, body func(expr.Expr) expr.Expr) expr.Expr {
	names := []string{"item", "part", "element", "member"}
	depth := 0
	for _, step := range f.path[:i] {
		if step == each {
			depth++
		}
	}
	v := &expr.Var{Name: names[depth%len(names)] + suffix}
	if depth >= len(names) {
		v.Name += strings.Repeat("_", depth/len(names))
	}
	if slices.Contains(f.lists, i) {
		return &expr.Comprehension{Macro: macro, Range: orValue(x, expr.ListOf()), Var: v.Name, Body: body(v)}
	}
	values := orValue(x, expr.MapOf())
	return &expr.Comprehension{Macro: macro, Range: values, Var: v.Name, Body: body(expr.At(values, v))}
}

func orValue(optional, otherwise expr.Expr) expr.Expr {
	return expr.Method(optional, "orValue", otherwise)
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
	w.object(t, v.Schema.OpenAPIV3Schema, field{}, func(name string) bool { return name == "metadata" || status && name == "status" })
	return w.found
}

// object visits the fields of a struct that the schema has.
func (w *walk) object(t *model.Type, schema *apiextensionsv1.JSONSchemaProps, at field, skip func(name string) bool) {
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
		f := at.step(member.Name)
		if note, ok := w.noteOf(t, member); ok {
			f.note, f.fallback = note, literal(below.Default)
			w.found = append(w.found, f)
			continue // who sets it is warned once
		}
		w.value(member.Type, &below, f)
	}
}

// value visits a value of a type.
func (w *walk) value(r *model.Ref, schema *apiextensionsv1.JSONSchemaProps, at field) {
	none := func(string) bool { return false }
	r, _ = w.m.Deref(r)
	u := w.m.Underlying(r)
	switch {
	case schema.Items != nil && schema.Items.Schema != nil && u.Elem != nil:
		at.lists = append(slices.Clone(at.lists), len(at.path))
		w.value(u.Elem, schema.Items.Schema, at.step(each))
	case schema.AdditionalProperties != nil && schema.AdditionalProperties.Schema != nil && u.Elem != nil:
		w.value(u.Elem, schema.AdditionalProperties.Schema, at.step(each))
	case len(schema.Properties) > 0:
		if t := w.m.Struct(r); t != nil {
			w.object(t, schema, at, none)
		}
	}
}

func (f field) step(name string) field {
	f.path = append(slices.Clone(f.path), name)
	return f
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
