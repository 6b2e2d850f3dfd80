package schema

import "github.com/kindsmith/kindsmith/internal/diag"

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Definitions)

	codeAnonymousStruct = codes.Firm().New("crd/anonymous-struct", "An anonymous struct type cannot have markers and documentation. Declare a named type.")
	codeApproval        = codes.New("crd/approval", "Groups that end in `.k8s.io` or `.kubernetes.io` belong to the Kubernetes community. API servers reject CustomResourceDefinitions in these groups without an annotation that links to their approval. It is a warning because release tools often add the annotation.")
	codeBounds          = codes.New("crd/bounds", "No value can satisfy two bounds, such as `minLength` and `maxLength`. They may be from different places: tags and markers of controller-gen, on the type and on the field. Change one of them.")
	codeCustomJSON      = codes.New("crd/custom-json", "The type has a hand-written MarshalJSON, so its JSON may differ from its Go fields. Give the JSON type with `+kubebuilder:validation:Type`, or exclude the field from the schema with `+kubebuilder:validation:Schemaless`.")
	codeDefault         = codes.Firm().New("crd/default", "The default does not satisfy the schema. API servers reject such defaults.")
	codeDuplicateName   = codes.New("crd/duplicate-name", "Two fields have the same JSON name, so encoding/json omits both.")
	codeFloat           = codes.New("crd/float", "Floating-point numbers lose precision between languages, and the API conventions advise against them. Use an integer with a smaller unit, a resource.Quantity, or a string.")
	codeInline          = codes.Firm().New("crd/inline", "Only structs can be inlined. Give the field a name in its json tag.")
	codeInterface       = codes.Firm().New("crd/interface", "The JSON type of an interface is not known. For free-form values, use apiextensionsv1.JSON or runtime.RawExtension.")
	codeListKeys        = codes.Firm().New("crd/list-keys", "The keys of a list of type map must be scalar fields of the items that are required or have a default.")
	codeMapKey          = codes.Firm().New("crd/map-key", "The keys of JSON objects are strings. Use a string type, or a type with MarshalText.")
	codeMarkerPlace     = codes.OfText().New("crd/marker-place", "controller-gen ignores the marker here: it is for types, fields or packages only.")
	codeMarkerSyntax    = codes.OfText().New("crd/marker-syntax", "The value of the marker is malformed. controller-gen defines its grammar.")
	codeMarkerType      = codes.New("crd/marker-type", "The marker is for another type.")
	codeMarkerValue     = codes.New("crd/marker-value", "The value of the marker is not valid in a CustomResourceDefinition.")
	codeNestedDefault   = codes.New("crd/nested-default", "A default in an optional struct applies where a client leaves the struct out only if the schema gives the struct the default `{}`. It does not if a rule depends on whether the struct is set: `has()`, a union, `ExactlyOneOf`, `minProperties`, or if the struct has required fields. Set the struct in manifests, give it a default, or make it a pointer.")
	codeNullDefault     = codes.New("crd/null-default", "A nil pointer, list or map without `omitempty` is sent as null. API servers keep null in a `+nullable` field, and generated Go sets the default. Add `omitempty`, or remove `+nullable` or the default.")
	codeEmbeddedDefault = codes.New("crd/embedded-default", "The fields of an embedded struct are properties of the enclosing object, so API servers always set their defaults. Generated Go sets them only if the embedded pointer is set. Embed the struct itself.")
	codeNoConversion    = codes.New("crd/no-conversion", "The versions of a kind differ in JSON, so API servers need a webhook that converts objects. Without one they change only the apiVersion, and fields that a version does not have are dropped. Name the service of the webhook in kindsmith.yaml, `conversionWebhook: shop-system/webhooks`, or with --conversion-webhook. If another tool adds the webhook, such as a patch of kustomize, name the same service.")
	codeNoField         = codes.New("crd/no-field", "No field of the version has the path of a column or of the scale subresource: the column stays empty, and the subresource does not work. Paths begin with a dot and have JSON names: `.spec.replicas`, `.status.conditions[?(@.type==\"Ready\")].status`.")
	codeNoGroup         = codes.New("crd/no-group", "The package has kinds but no API group, so kindsmith writes no CustomResourceDefinitions for them. Add `+groupName=<group>` above the package clause, or `+kubebuilder:skip` if the kinds need none.")
	codeNoJSONTag       = codes.Firm().OfText().New("crd/no-json-tag", "The field has no json tag, so its JSON name would be its Go name. Add a name, or `json:\"-\"`.")
	codeNotKind         = codes.New("crd/not-kind", "Only kinds get CustomResourceDefinitions: structs that embed metav1.TypeMeta and metav1.ObjectMeta without field names. Markers of kinds have no effect on other types.")
	codeNotProjected    = codes.New("crd/not-projected", "The published schema cannot express the tag, for the given reason, so API servers do not enforce it on custom resources. Generated Go does.")
	codeNotSerialisable = codes.Firm().New("crd/not-serialisable", "encoding/json cannot encode the type, such as a channel, a function or a complex number.")
	codeOneOf           = codes.New("crd/one-of", "`ExactlyOneOf`, `AtMostOneOf` and `AtLeastOneOf` count which of a struct's own fields are set, so none of the fields can be required.")
	codeRecursive       = codes.Firm().New("crd/recursive", "The type contains itself, but schemas of custom resources cannot be recursive. Break the cycle with `+kubebuilder:validation:Schemaless` and `+kubebuilder:pruning:PreserveUnknownFields` on one field.")
	codeRefused         = codes.Firm().New("crd/refused", "The API server's validation rejects the CustomResourceDefinition.")
	codeRequiredAdded   = codes.New("crd/required-added", "Without `omitempty`, a field is required in the schema, like in controller-gen's. Objects of older versions lack an added field, and API servers do not check what a conversion returns: clients get objects that they cannot write again. Add `default:` to `+versioned:added`, or make the field optional: `+optional`, or `omitempty`. Clients in Go write its zero value.")
	codeRule            = codes.Firm().New("crd/rule", "The API server's CEL compiler rejects the rule. `self` is the value that the rule is on, `oldSelf` its old value.")
	codeRuleCost        = codes.New("crd/rule-cost", "The API server estimates the cost of a rule for the largest object that the schema allows, and rejects expensive rules. Limit the strings, lists and maps that the rule reads: `+k8s:maxLength`, `+k8s:maxItems`. Bounds in `allOf` do not count: `--tight-bounds` writes them outside. `--dependency-rules=keywords` leaves out rules in CEL on types in other modules.")
	codeRuleTransition  = codes.New("crd/rule-transition", "A rule with `oldSelf` needs an old value, and list items have one only in lists of type map. Use `+k8s:listType=map`, or put the rule on the list.")
	codeStringOption    = codes.New("crd/string-option", "With the option `string`, encoding/json writes a number or a bool as a string, but schemas and rules are for numbers and bools. Remove the option, or give the field a string type.")
	codeSelectable      = codes.Firm().New("crd/selectable-fields", "API servers refuse a kind whose versions have the same selectable fields, in the same order, and differ in their schemas. With several selectable fields, kindsmith writes them in another order in one version. With controller-gen's arguments, it does not.")
	codeStorage         = codes.Firm().New("crd/storage", "A kind has exactly one storage version. Put `+kubebuilder:storageversion` on the kind in one package, or `storage: true` on one `+versioned:version`.")
	codeTextType        = codes.New("crd/text-type", "A type with MarshalText is a string in JSON, so its schema cannot have another type.")
	codeTooLarge        = codes.Limit().New("crd/too-large", "kubectl apply stores a copy of the object in an annotation, whose limit is 256 KiB; API servers store no object over 1.5 MiB. Leave out the deepest descriptions with `--max-crd-size`, those of a field with `+k8s:noDescription`, or use `kubectl apply --server-side`.")
	codeZeroStruct      = codes.New("crd/zero-struct", "With `omitzero`, Go treats a zero struct as absent and leaves the defaults in it unset. API servers set them in every object that is present, even if it is `{}`. Use a pointer.")
	codeUniqueItems     = codes.New("crd/unique-items", "The API server does not allow uniqueItems, whose cost is quadratic. Use `+k8s:listType=set`.")
	codeRatcheting      = codes.New("crd/ratcheting", "The rules of unions and of dependent fields do not apply to updates that leave the discriminator, and which fields are set, as they were. Where lists and maps have no upper bound, API servers estimate that this comparison costs too much. The rules are then published without it, so that they apply to every update that changes anything in the struct. Limit the lists and maps around the struct: `+k8s:maxItems`, `+k8s:maxProperties`.")
	codeUnknownMarker   = codes.OfText().New("crd/unknown-marker", "controller-gen ignores the marker, and no other tool that kindsmith knows reads it.")
	codeVersionTwice    = codes.Firm().New("crd/version-twice", "Two packages have the same kind in the same version of a group. A CustomResourceDefinition has each version once. Change the group, the kind or the version of one, or exclude one with `+kubebuilder:skipversion`.")
	codeUnknownType     = codes.Firm().New("crd/unknown-type", "The type is not in the build or does not compile.")
)

// Unjudged returns the codes of errors that controller-gen does not report: it writes such definitions, and API servers
// refuse them or do not use them as their authors mean.
func Unjudged() []diag.Code {
	return []diag.Code{
		codeBounds, codeDefault, codeDuplicateName, codeListKeys, codeOneOf, codeRefused, codeRule, codeRuleCost, codeRuleTransition, codeSelectable, codeStorage,
		codeStringOption, codeTextType, codeTooLarge, codeUniqueItems,
	}
}
