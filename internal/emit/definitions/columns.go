package definitions

import (
	"maps"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/spell"
	"github.com/kindsmith/kindsmith/internal/rules/schema"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/client-go/util/jsonpath"
	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
)

// checkPaths warns about the paths of columns and of the scale subresource that no field of a version has. The server
// itself rejects those of selectable fields.
func (b *builder) checkPaths(p schema.Marker, m member, crd *apiextensionsv1.CustomResourceDefinition) {
	var paths []string
	switch v := p.Value.(type) {
	case crdmarkers.PrintColumn:
		paths = []string{v.JSONPath}
	case crdmarkers.SubresourceScale:
		paths = []string{v.SpecPath, v.StatusPath}
		if v.SelectorPath != nil {
			paths = append(paths, *v.SelectorPath)
		}
	}
	i := slices.IndexFunc(crd.Spec.Versions, func(v apiextensionsv1.CustomResourceDefinitionVersion) bool { return v.Name == m.version })
	for _, path := range paths {
		span := p.Source.Span
		if at := strings.Index(span.Text(), path); at >= 0 {
			span = span.Sub(at, at+len(path))
		}
		missing, near := b.missing(crd.Spec.Versions[i].Schema.OpenAPIV3Schema, path)
		if missing == "" || b.diags.Has(span, codeNoField) {
			continue
		}
		d := b.diags.Warnf(span, codeNoField, "version %s of %s has no field %s", m.version, m.typ.Name, missing)
		if near != "" {
			d.Message += "; did you mean " + near + "?"
		}
	}
}

// missing returns the beginning of a path up to the name that the schema does not have, and the name that is meant; ""
// if it has all. It does not look into values without a schema.
func (b *builder) missing(s *props, path string) (name, near string) {
	parsed, err := jsonpath.Parse("path", "{"+path+"}")
	if err != nil || len(parsed.Root.Nodes) == 0 {
		return "", "" // the server rejects it
	}
	list, _ := parsed.Root.Nodes[0].(*jsonpath.ListNode)
	if list == nil {
		return "", ""
	}
	at := ""
	for i, node := range list.Nodes {
		if s == nil || s.Type == "" || s.XPreserveUnknownFields != nil && *s.XPreserveUnknownFields || s.XEmbeddedResource {
			return "", ""
		}
		switch node := node.(type) {
		case *jsonpath.FieldNode:
			at += "." + node.Value
			switch inner, ok := s.Properties[node.Value]; {
			case ok && i == 0 && node.Value == "metadata":
				s = b.objectMeta()
			case ok:
				s = &inner
			case s.AdditionalProperties != nil:
				s = s.AdditionalProperties.Schema
			default:
				return at, nearest(node.Value, slices.Sorted(maps.Keys(s.Properties)))
			}
		case *jsonpath.ArrayNode, *jsonpath.FilterNode, *jsonpath.WildcardNode, *jsonpath.UnionNode:
			at += "[…]"
			if s.Items == nil {
				return "", ""
			}
			s = s.Items.Schema
		default:
			return "", ""
		}
	}
	return "", ""
}

// objectMeta is the schema of an object's metadata, of which only the names of its fields count.
func (b *builder) objectMeta() *props {
	s := &props{Type: schema.Object, Properties: map[string]props{}}
	t := b.model.Type(schema.ObjectMeta)
	if t == nil {
		return nil
	}
	for _, f := range t.Fields {
		s.Properties[f.JSON] = props{}
	}
	return s
}

// nearest returns the name that another one misspells, "" if there is none.
func nearest(name string, names []string) string {
	i := slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(n, name) || spell.Close(name, n) })
	if i < 0 {
		return ""
	}
	return names[i]
}
