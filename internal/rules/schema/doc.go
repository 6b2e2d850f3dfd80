// Package schema computes the OpenAPI schema that a CustomResourceDefinition has for a Go type.
//
// [Builder.Root] returns the schema of a kind. Go types map to schemas like in controller-gen, so that a kubebuilder
// project keeps its schemas; tags, enum constants and defaults are added:
//
//	shapes, structs   Go type → type, properties, items
//	markers, merge    controller-gen's markers; two keywords for one value
//	project           rules of tags → keywords; below, keywords, unions: the parts
//	clauses           rules of tags → CEL
//	defaults          declared and automatic defaults
//
// [Builder.Settle] completes a schema once its definition has all keywords. [Builder.Locate] is the way back: from a path in
// a schema to the type, field, tag or marker that the author can change. Mistakes are diagnostics.
package schema
