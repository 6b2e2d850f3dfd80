package dev

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/objects/crd"
	"github.com/kindsmith/kindsmith/internal/objects/manifest"
	"github.com/kindsmith/kindsmith/internal/objects/verdict"
)

// mostBroken is the number of objects that a warning names.
const mostBroken = 5

// broken returns what a new definition makes of objects that are stored: it refuses their values, or does not have their fields.
func broken(ctx context.Context, definition Object, stored []*unstructured.Unstructured) []string {
	if len(stored) == 0 {
		return nil
	}
	bag := &diag.Bag{}
	var manifests []*manifest.Object
	for _, doc := range manifest.Parse(source.NewFile(definition.GetName(), definition.Text), bag) {
		manifests = append(manifests, doc.Objects(bag)...)
	}
	engine := crd.Load(manifests, bag)
	engine.Prepare(engine.Kinds(), bag)
	if bag.HasErrors() {
		return nil // the API server has judged the definition
	}
	known := map[string]bool{}
	for _, kind := range engine.Kinds() {
		known[kind.String()] = true
	}
	var lines []string
	n := 0
	for _, object := range stored {
		kind := object.GroupVersionKind()
		if !known[kind.String()] {
			continue
		}
		result := engine.Validate(ctx, verdict.Request{Kind: kind, Object: asWritten(object)})
		reason := reasonOf(&result)
		if reason == "" {
			continue
		}
		if n++; n <= mostBroken {
			lines = append(lines, fmt.Sprintf("%s %s: %s", strings.ToLower(kind.Kind), nameOf(object), reason))
		}
	}
	if n > mostBroken {
		lines = append(lines, fmt.Sprintf("%d more objects of %s have such values", n-mostBroken, definition.GetName()))
	}
	return lines
}

// reasonOf says what is wrong with a stored object; "" for nothing.
func reasonOf(r *verdict.Result) string {
	if len(r.Errors) > 0 {
		return fmt.Sprintf("the stored object is not valid any more: %v", r.Errors[0].Error)
	}
	if len(r.Unknown) > 0 {
		return fmt.Sprintf("the definition has no %s any more; the API server drops the value when the object is written next", r.Unknown[0])
	}
	return ""
}

// asWritten returns an object without what API servers set.
func asWritten(object *unstructured.Unstructured) map[string]any {
	written := maps.Clone(object.Object)
	meta := map[string]any{"name": object.GetName()}
	if object.GetNamespace() != "" {
		meta["namespace"] = object.GetNamespace()
	}
	written["metadata"] = meta
	return written
}

func nameOf(object *unstructured.Unstructured) string {
	if object.GetNamespace() == "" {
		return object.GetName()
	}
	return object.GetNamespace() + "/" + object.GetName()
}
