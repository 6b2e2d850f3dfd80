package schema

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	controllergen "sigs.k8s.io/controller-tools/pkg/crd"
)

// description converts a doc comment to a schema's description by the conventions of Kubernetes: it
// omits text below a line of dashes, and lines that begin with TODO. It preserves code blocks.
func description(doc string) string {
	var kept []string
	fenced := false
	for line := range strings.SplitSeq(strings.TrimSuffix(doc, "\n"), "\n") {
		if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
			fenced = !fenced
		}
		if !fenced {
			if strings.HasPrefix(line, "---") {
				break
			}
			if strings.HasPrefix(line, "TODO") {
				continue
			}
		}
		kept = append(kept, line)
	}
	return strings.Join(kept, "\n")
}

// limitDescriptions shortens the descriptions of a definition to a number of bytes like
// controller-gen; nil changes nothing.
func limitDescriptions(crd *apiextensionsv1.CustomResourceDefinition, limit *int) {
	if limit == nil {
		return
	}
	for _, v := range crd.Spec.Versions {
		if v.Schema != nil {
			controllergen.TruncateDescription(v.Schema.OpenAPIV3Schema, *limit)
		}
	}
}

func lowerFirst(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToLower(r)) + s[size:]
}

// article puts "a" or "an" before a type's name.
func article(typ string) string {
	if strings.ContainsRune("aeio", rune(typ[0])) {
		return "an " + typ
	}
	return "a " + typ
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
