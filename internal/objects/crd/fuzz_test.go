package crd_test

import (
	"context"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/objects/crd"
	"github.com/kindsmith/kindsmith/internal/objects/manifest"
	"github.com/kindsmith/kindsmith/internal/objects/verdict"
)

// FuzzDefinitions validates arbitrary objects against arbitrary definitions: diagnostics have
// positions, and nothing panics.
func FuzzDefinitions(f *testing.F) {
	f.Add(gadgets, someGadgets)
	f.Add(widgets, "apiVersion: example.com/v1\nkind: Widget\nspec: {size: 1}\n")
	f.Add("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec: {group: example.com, names: {kind: Widget}, versions: [{name: v1, served: true}, null, {name: v2, served: true, schema: {openAPIV3Schema: {items: {}}}}]}\n",
		"apiVersion: example.com/v1\nkind: Widget\n")
	f.Add("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec: {group: 1}\n", "{}")
	f.Add("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nSpec: {Group: example.com, Names: {Kind: Widget}, Versions: [{Name: v1, Served: true}]}\n", "{}")
	f.Add("apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\n", "[]")
	f.Fuzz(func(t *testing.T, definition, object string) {
		bag := &diag.Bag{}
		read := func(name, text string) (all []*manifest.Object) {
			for _, doc := range manifest.Parse(source.NewFile(name, []byte(text)), bag) {
				all = append(all, doc.Objects(bag)...)
			}
			return all
		}
		e := crd.Load(read("crd.yaml", definition), bag)
		e.Prepare(e.Kinds(), bag)
		objects := read("object.yaml", object)
		for _, kind := range e.Kinds() {
			for i, o := range objects {
				request := verdict.Request{Kind: kind, Object: o.Value}
				if i > 0 {
					request.Old = objects[i-1].Value
				}
				for _, err := range e.Validate(context.Background(), request).Errors {
					if o.Root.Locate(err.Field).Span.IsZero() {
						t.Errorf("no place for %v", err.Error)
					}
				}
			}
		}
		for _, d := range bag.All() {
			if d.Span.IsZero() {
				t.Errorf("no place for %s", d.Message)
			}
		}
	})
}
