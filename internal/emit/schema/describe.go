package schema

import (
	"errors"
	"go/doc"
	"maps"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kindsmith/kindsmith/internal/model"
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

// trim leaves out descriptions as the options say, to make a definition small.
func (b *builder) trim(crd *apiextensionsv1.CustomResourceDefinition) error {
	limit := b.options.MaxSize
	if limit == 0 {
		if b.options.Slim {
			none := 0
			limitDescriptions(crd, &none)
		}
		return nil
	}
	deepest := 0
	eachDescription(crd, func(depth int, _ *string) { deepest = max(deepest, depth) })
	var failed error
	// Every level has two steps: its descriptions end after a sentence, then they are left out.
	steps := sort.Search(2*(deepest+1), func(steps int) bool {
		trimmed := crd.DeepCopy()
		trimLevels(trimmed, deepest, steps)
		text, err := compact(trimmed, b.options.PreserveUnknownFields)
		failed = errors.Join(failed, err)
		return len(text) <= limit
	})
	trimLevels(crd, deepest, steps)
	return failed
}

// trimLevels makes a number of steps, from the deepest level on.
func trimLevels(crd *apiextensionsv1.CustomResourceDefinition, deepest, steps int) {
	level := deepest - steps/2
	eachDescription(crd, func(depth int, text *string) {
		switch {
		case depth > level:
			*text = ""
		case depth == level && steps%2 == 1:
			*text = new(doc.Package).Synopsis(*text)
		}
	})
}

// eachDescription calls f with each description in a definition, and with the number of fields that
// lead to it.
func eachDescription(crd *apiextensionsv1.CustomResourceDefinition, f func(depth int, text *string)) {
	for _, v := range crd.Spec.Versions {
		describedIn(v.Schema.OpenAPIV3Schema, 0, f)
	}
}

func describedIn(s *props, depth int, f func(int, *string)) {
	if s.Description != "" {
		f(depth, &s.Description)
	}
	for name, p := range s.Properties {
		describedIn(&p, depth+1, f)
		s.Properties[name] = p
	}
	if s.Items != nil && s.Items.Schema != nil {
		describedIn(s.Items.Schema, depth, f)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		describedIn(s.AdditionalProperties.Schema, depth, f)
	}
}

// undescribed leaves out the descriptions of a value that a tag asks for: those of its fields, and
// also its own unless the tag is for nested ones only.
func undescribed(s *props, list []*model.Tag) {
	for _, use := range list {
		if use.Is(model.RoleNoDescription) {
			own := s.Description
			controllergen.TruncateDescription(s, 0)
			if use.Text() != "" {
				s.Description = own
			}
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
