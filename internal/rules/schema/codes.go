package schema

import "github.com/kindsmith/kindsmith/internal/core/diag"

// Diagnostic codes. Their owner is crd, the name of the emitter that writes schemas.
var (
	codes = diag.Protect(diag.Definitions)

	codeAnonymousStruct = codes.Firm().New("crd/anonymous-struct", "An anonymous struct type cannot have markers and documentation. Declare a named type.")
	codeBounds          = codes.New("crd/bounds", "No value can satisfy two bounds, such as `minLength` and `maxLength`. They may be from different places: tags and markers of controller-gen, on the type and on the field. Change one of them.")
	codeCustomJSON      = codes.New("crd/custom-json", "The type has a hand-written MarshalJSON, so its JSON may differ from its Go fields. Give the JSON type with `+kubebuilder:validation:Type`, or exclude the field from the schema with `+kubebuilder:validation:Schemaless`.")
	codeDuplicateName   = codes.New("crd/duplicate-name", "Two fields have the same JSON name, so encoding/json omits both.")
	codeFloat           = codes.New("crd/float", "Floating-point numbers lose precision between languages, and the API conventions advise against them. Use an integer with a smaller unit, a resource.Quantity, or a string.")
	codeInline          = codes.Firm().New("crd/inline", "Only structs can be inlined. Give the field a name in its json tag.")
	codeInterface       = codes.Firm().New("crd/interface", "The JSON type of an interface is not known. For free-form values, use apiextensionsv1.JSON or runtime.RawExtension.")
	codeMapKey          = codes.Firm().New("crd/map-key", "The keys of JSON objects are strings. Use a string type, or a type with MarshalText.")
	codeMarkerPlace     = codes.OfText().New("crd/marker-place", "controller-gen ignores the marker here: it is for types, fields or packages only.")
	codeMarkerSyntax    = codes.OfText().New("crd/marker-syntax", "The value of the marker is malformed. controller-gen defines its grammar.")
	codeMarkerType      = codes.New("crd/marker-type", "The marker is for another type.")
	codeNestedDefault   = codes.New("crd/nested-default", "A default in an optional struct applies where a client leaves the struct out only if the schema gives the struct the default `{}`. It does not if a rule depends on whether the struct is set: `has()`, a union, `ExactlyOneOf`, `minProperties`, or if the struct has required fields. Set the struct in manifests, give it a default, or make it a pointer.")
	codeNullDefault     = codes.New("crd/null-default", "A nil pointer, list or map without `omitempty` is sent as null. API servers keep null in a `+nullable` field, and generated Go sets the default. Add `omitempty`, or remove `+nullable` or the default.")
	codeEmbeddedDefault = codes.New("crd/embedded-default", "The fields of an embedded struct are properties of the enclosing object, so API servers always set their defaults. Generated Go sets them only if the embedded pointer is set. Embed the struct itself.")
	codeNoJSONTag       = codes.Firm().OfText().New("crd/no-json-tag", "The field has no json tag, so its JSON name would be its Go name. Add a name, or `json:\"-\"`.")
	codeNotProjected    = codes.New("crd/not-projected", "The published schema cannot express the tag, for the given reason, so API servers do not enforce it on custom resources. Generated Go does.")
	codeNotSerialisable = codes.Firm().New("crd/not-serialisable", "encoding/json cannot encode the type, such as a channel, a function or a complex number.")
	codeOneOf           = codes.New("crd/one-of", "`ExactlyOneOf`, `AtMostOneOf` and `AtLeastOneOf` count which of a struct's own fields are set, so none of the fields can be required.")
	codeRecursive       = codes.Firm().New("crd/recursive", "The type contains itself, but schemas of custom resources cannot be recursive. Break the cycle with `+kubebuilder:validation:Schemaless` and `+kubebuilder:pruning:PreserveUnknownFields` on one field.")
	codeRequiredAdded   = codes.New("crd/required-added", "Without `omitempty`, a field is required in the schema, like in controller-gen's. Objects of older versions lack an added field, and API servers do not check what a conversion returns: clients get objects that they cannot write again. Add `default:` to `+versioned:added`, or make the field optional: `+optional`, or `omitempty`. Clients in Go write its zero value.")
	codeStringOption    = codes.New("crd/string-option", "With the option `string`, encoding/json writes a number or a bool as a string, but schemas and rules are for numbers and bools. Remove the option, or give the field a string type.")
	codeTextType        = codes.New("crd/text-type", "A type with MarshalText is a string in JSON, so its schema cannot have another type.")
	codeZeroStruct      = codes.New("crd/zero-struct", "With `omitzero`, Go treats a zero struct as absent and leaves the defaults in it unset. API servers set them in every object that is present, even if it is `{}`. Use a pointer.")
	codeUnknownMarker   = codes.OfText().New("crd/unknown-marker", "controller-gen ignores the marker, and no other tool that kindsmith knows reads it.")
	codeUnknownType     = codes.Firm().New("crd/unknown-type", "The type is not in the build or does not compile.")
)

// Codes returns the codes of diagnostics about types that have no schema, or another one than their author means.
func Codes() []diag.Code { return codes.All() }

// Unjudged returns the codes of errors that controller-gen does not report.
func Unjudged() []diag.Code {
	return []diag.Code{codeBounds, codeDuplicateName, codeOneOf, codeStringOption, codeTextType}
}
