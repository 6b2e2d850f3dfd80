package openapi

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/gofile"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/value/goliteral"
)

const (
	commonPkg = "k8s.io/kube-openapi/pkg/common"
	specPkg   = "k8s.io/kube-openapi/pkg/validation/spec"
	ptrPkg    = "k8s.io/utils/ptr"

	modelName = "OpenAPIModelName"
)

// printer prints definitions as Go.
type printer struct {
	f *gofile.File
	b *builder
	// funcs are the names of the functions that return definitions.
	funcs map[model.Name]string
}

func (p *printer) file(all []*definition, of string) {
	f := p.f
	f.Reserve("ref")
	callback, def := f.Ident(commonPkg, "ReferenceCallback"), f.Ident(commonPkg, "OpenAPIDefinition")
	f.P("// GetOpenAPIDefinitions returns the OpenAPI definitions of ", of, ", and of all types that")
	f.P("// these refer to, by name.")
	f.Block("func GetOpenAPIDefinitions(ref "+callback+") map[string]"+def+" {", func() {
		f.Block("return map[string]"+def+"{", func() {
			for _, d := range all {
				f.P(p.name(d.typ), ": ", p.entry(d), ",")
			}
		})
	})
	for _, d := range all {
		if d.custom.complete() {
			continue
		}
		f.P()
		f.Block("func "+p.function(d.typ)+"(ref "+callback+") "+def+" {", func() {
			p.body(d)
		})
	}
}

// modelNames prints the methods by which a server finds the definitions of types that do not have
// their Go names.
func (p *printer) modelNames(all []*definition) {
	for _, d := range all {
		t := d.typ
		name := p.b.published(t)
		if name == "" || t.Package != p.b.c.Package.Path || t.Methods[modelName] != nil {
			continue
		}
		p.f.P()
		p.f.P("// ", modelName, " returns the name of the type's OpenAPI definition.")
		p.f.P("func (", t.Name, ") ", modelName, "() string { return ", strconv.Quote(name), " }")
	}
}

// published returns the name of a type's definition if markers set it, else "".
func (b *builder) published(t *model.Type) string {
	p := b.m.Package(t.Package)
	if p == nil || !isExported(t) {
		return ""
	}
	for _, markers := range [][]model.Marker{t.Markers, p.Markers} {
		for _, v := range values(markers, foreign.OpenAPIModelPackage) {
			if v != "" {
				return v + "." + t.Name
			}
		}
	}
	return ""
}

// name returns the name of a type's definition as a Go expression.
func (p *printer) name(t *model.Type) string {
	if t.Methods[modelName] != nil {
		return p.call(t, modelName)
	}
	pkg := p.b.m.Package(t.Package)
	if name := p.b.published(t); name != "" && (pkg.Root || pkg.Generated) {
		return strconv.Quote(name)
	}
	return strconv.Quote(t.ID().String())
}

// call prints the call of a method without parameters.
func (p *printer) call(t *model.Type, method string) string {
	zero := p.f.Ident(t.Package, t.Name) + "{}"
	if t.Methods[method].Pointer {
		zero = "(&" + zero + ")"
	}
	return zero + "." + method + "()"
}

// entry prints what returns a definition.
func (p *printer) entry(d *definition) string {
	switch {
	case !d.custom.complete():
		return p.function(d.typ) + "(ref)"
	case d.custom.v2 && d.custom.v3:
		return p.f.Ident(commonPkg, "EmbedOpenAPIDefinitionIntoV2Extension") +
			"(" + p.call(d.typ, "OpenAPIV3Definition") + ", " + p.call(d.typ, "OpenAPIDefinition") + ")"
	case d.custom.v2:
		return p.call(d.typ, "OpenAPIDefinition")
	}
	return p.call(d.typ, "OpenAPIV3Definition")
}

// function returns the name of the function that returns the definition of a type.
func (p *printer) function(t *model.Type) string {
	if name := p.funcs[t.ID()]; name != "" {
		return name
	}
	words := "schema_"
	if t.Package != p.b.c.Package.Path {
		parts := strings.Split(t.Package, "/")
		parts = parts[max(0, len(parts)-3):]
		words += strings.Map(identifier, strings.Join(parts, "_")) + "_"
	}
	name := words + t.Name
	for taken := slices.Collect(maps.Values(p.funcs)); slices.Contains(taken, name); {
		name += "_"
	}
	p.funcs[t.ID()] = name
	return name
}

func identifier(r rune) rune {
	if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
		return r
	}
	return '_'
}

func (p *printer) body(d *definition) {
	def := p.f.Ident(commonPkg, "OpenAPIDefinition")
	embed := func() string { return p.f.Ident(commonPkg, "EmbedOpenAPIDefinitionIntoV2Extension") }
	typed := func() {
		p.definition(d, "Type: "+p.call(d.typ, "OpenAPISchemaType")+",\nFormat: "+p.call(d.typ, "OpenAPISchemaFormat")+",")
	}
	switch {
	case d.custom.typed && d.custom.v3:
		p.f.P("return ", embed(), "(", p.call(d.typ, "OpenAPIV3Definition"), ", ", def, "{")
		typed()
		p.f.P("})")
	case d.custom.typed && d.custom.oneOf:
		p.f.P("return ", embed(), "(", def, "{")
		p.definition(d, "OneOf: "+p.f.Ident(commonPkg, "GenerateOpenAPIV3OneOfSchema")+"("+p.call(d.typ, "OpenAPIV3OneOfTypes")+"),\nFormat: "+p.call(d.typ, "OpenAPISchemaFormat")+",")
		p.f.P("}, ", def, "{")
		typed()
		p.f.P("})")
	case d.custom.typed:
		p.f.Block("return "+def+"{", func() {
			typed()
		})
	default:
		p.f.Block("return "+def+"{", func() {
			p.definition(d, "")
		})
	}
}

// definition prints the fields of an OpenAPIDefinition; more are further properties of the schema.
func (p *printer) definition(d *definition, more string) {
	p.f.P("Schema: ", p.f.Ident(specPkg, "Schema"), "{")
	p.schema(&d.schema, more)
	p.f.P("},")
	if len(d.refs) == 0 {
		return
	}
	p.f.P("Dependencies: []string{")
	for _, name := range slices.SortedFunc(maps.Keys(d.refs), func(a, b model.Name) int { return strings.Compare(a.String(), b.String()) }) {
		p.f.P(p.name(p.b.m.Type(name)), ",")
	}
	p.f.P("},")
}

// schema prints the fields of a Schema.
func (p *printer) schema(s *spec.Schema, more string) {
	f := p.f
	if len(s.Extensions) > 0 {
		f.P("VendorExtensible: ", f.Ident(specPkg, "VendorExtensible"), "{")
		f.P("Extensions: ", f.Ident(specPkg, "Extensions"), "{")
		for _, name := range slices.Sorted(maps.Keys(s.Extensions)) {
			f.P(strconv.Quote(name), ": ", literal(s.Extensions[name]), ",")
		}
		f.P("},")
		f.P("},")
	}
	props := strings.TrimSpace(f.Capture(func() { p.props(s) }) + "\n" + more)
	if props != "" {
		f.P("SchemaProps: ", f.Ident(specPkg, "SchemaProps"), "{")
		f.P(props)
		f.P("},")
	}
}

func (p *printer) props(s *spec.Schema) {
	f := p.f
	text := func(name, v string) {
		if v != "" {
			f.P(name, ": ", goliteral.Quote(v), ",")
		}
	}
	flag := func(name string, v bool) {
		if v {
			f.P(name, ": true,")
		}
	}
	size := func(name string, v *int64) {
		if v != nil {
			f.P(name, ": ", f.Ident(ptrPkg, "To"), "[int64](", *v, "),")
		}
	}
	number := func(name string, v *float64) {
		if v != nil {
			f.P(name, ": ", f.Ident(ptrPkg, "To"), "[float64](", literal(*v), "),")
		}
	}
	text("Description", s.Description)
	if s.Default != nil {
		f.P("Default: ", literal(s.Default), ",")
	}
	if len(s.Type) > 0 {
		f.P("Type: ", literal([]string(s.Type)), ",")
	}
	text("Format", s.Format)
	flag("Nullable", s.Nullable)
	number("Minimum", s.Minimum)
	flag("ExclusiveMinimum", s.ExclusiveMinimum)
	number("Maximum", s.Maximum)
	flag("ExclusiveMaximum", s.ExclusiveMaximum)
	number("MultipleOf", s.MultipleOf)
	size("MinLength", s.MinLength)
	size("MaxLength", s.MaxLength)
	text("Pattern", s.Pattern)
	size("MinItems", s.MinItems)
	size("MaxItems", s.MaxItems)
	flag("UniqueItems", s.UniqueItems)
	size("MinProperties", s.MinProperties)
	size("MaxProperties", s.MaxProperties)
	if len(s.Enum) > 0 {
		f.P("Enum: ", literal(s.Enum), ",")
	}
	if name := s.Ref.String(); name != "" {
		f.P("Ref: ref(", p.name(p.b.m.Type(nameOf(name))), "),")
	}
	if s.Items != nil {
		f.P("Items: &", f.Ident(specPkg, "SchemaOrArray"), "{")
		p.below(s.Items.Schema)
	}
	if s.AdditionalProperties != nil {
		f.P("AdditionalProperties: &", f.Ident(specPkg, "SchemaOrBool"), "{")
		f.P("Allows: true,")
		p.below(s.AdditionalProperties.Schema)
	}
	if len(s.Properties) > 0 {
		f.P("Properties: map[string]", f.Ident(specPkg, "Schema"), "{")
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			property := s.Properties[name]
			f.P(strconv.Quote(name), ": {")
			p.schema(&property, "")
			f.P("},")
		}
		f.P("},")
	}
	if len(s.Required) > 0 {
		f.P("Required: ", literal(s.Required), ",")
	}
	if len(s.AllOf) > 0 {
		f.P("AllOf: []", f.Ident(specPkg, "Schema"), "{")
		for i := range s.AllOf {
			f.P("{")
			p.schema(&s.AllOf[i], "")
			f.P("},")
		}
		f.P("},")
	}
}

// below prints the schema of items or values, and closes what holds it.
func (p *printer) below(s *spec.Schema) {
	p.f.P("Schema: &", p.f.Ident(specPkg, "Schema"), "{")
	p.schema(s, "")
	p.f.P("},")
	p.f.P("},")
}

func nameOf(id string) model.Name {
	dir, base := path.Split(id)
	pkg, name, _ := strings.Cut(base, ".")
	if i := strings.LastIndex(base, "."); i >= 0 {
		pkg, name = base[:i], base[i+1:]
	}
	return model.Name{Package: dir + pkg, Name: name}
}

// literal prints a value that JSON can hold as Go.
func literal(v any) string {
	switch v := v.(type) {
	case string:
		return strconv.Quote(v)
	case []string:
		return "[]string{" + joined(v, strconv.Quote) + "}"
	case []any:
		return "[]interface{}{" + joined(v, literal) + "}"
	case map[string]any:
		entries := joined(slices.Sorted(maps.Keys(v)), func(k string) string { return strconv.Quote(k) + ": " + literal(v[k]) })
		return "map[string]interface{}{" + entries + "}"
	case nil:
		return "nil"
	case float64:
		text, _ := json.Marshal(v) // a number of JSON
		return string(text)
	}
	return fmt.Sprint(v)
}

func joined[T any](list []T, print func(T) string) string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = print(v)
	}
	return strings.Join(out, ", ")
}
