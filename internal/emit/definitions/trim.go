package definitions

import (
	"errors"
	"go/doc"
	"sort"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	controllergen "sigs.k8s.io/controller-tools/pkg/crd"
)

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
