package schema

import "github.com/kindsmith/kindsmith/internal/diag"

// Diagnostic codes.
var (
	codes diag.Codes

	codeAnonymousStruct = codes.New("crd/anonymous-struct", "A struct type without a name has nowhere to put markers and documentation. Declare it as a type.")
	codeApproval        = codes.New("crd/approval", "Groups that end in `.k8s.io` or `.kubernetes.io` are the community's. Definitions in them link to their approval in an annotation, or the API server refuses them. It is a warning because release tools often add the annotation.")
	codeCustomJSON      = codes.New("crd/custom-json", "The type writes its own JSON, which its Go fields need not be like. Say with `+kubebuilder:validation:Type` what it writes, or take it out of the schema with `+kubebuilder:validation:Schemaless`.")
	codeDefault         = codes.New("crd/default", "The API server checks every default against the schema around it, and refuses this one.")
	codeDuplicateName   = codes.New("crd/duplicate-name", "Two fields have one name on the wire, and encoding/json then writes neither.")
	codeFloat           = codes.New("crd/float", "Floating-point numbers lose precision on their way between languages, and the API conventions advise against them. Use an integer of a smaller unit, a resource.Quantity, or a string.")
	codeGeneric         = codes.New("crd/generic", "What the type arguments of a generic type are is not known here. Declare a type for the instance.")
	codeInline          = codes.New("crd/inline", "Only the fields of a struct can be inlined. Give the field a name in its json tag.")
	codeInterface       = codes.New("crd/interface", "An interface says nothing of what is on the wire. Use apiextensionsv1.JSON or runtime.RawExtension for free-form values.")
	codeListKeys        = codes.New("crd/list-keys", "The keys of a list of type map identify its items: they must be fields of the items, scalar, and required or with a default.")
	codeMapKey          = codes.New("crd/map-key", "The keys of a JSON object are strings. Use a string type, or one with MarshalText.")
	codeMarkerPlace     = codes.New("crd/marker-place", "The marker has no effect here: it is for types, fields or packages only.")
	codeMarkerSyntax    = codes.New("crd/marker-syntax", "The marker's value is not what its grammar allows. The grammar is controller-gen's.")
	codeMarkerType      = codes.New("crd/marker-type", "The marker says something of another type than the one that it stands on.")
	codeMarkerValue     = codes.New("crd/marker-value", "The marker's value cannot be made into what the definition needs.")
	codeNestedDefault   = codes.New("crd/nested-default", "A default in an optional struct applies where a client leaves the struct out only if the schema gives the struct the default `{}`. It does not if a rule depends on whether the struct is set: `has()`, a union, `ExactlyOneOf`, `minProperties`. Set the struct in manifests, give it a default, or make it a pointer.")
	codeNoGroup         = codes.New("crd/no-group", "A definition is named after its API group, and the package does not say which it is. Put `+groupName=<group>` above its clause; `+kubebuilder:skip` there says that its kinds are not for a server.")
	codeNoJSONTag       = codes.New("crd/no-json-tag", "The field has no json tag, so its Go name would be its name on the wire. Give it a name, or `json:\"-\"`.")
	codeNotProjected    = codes.New("crd/not-projected", "The published schema cannot say what the tag says, for the reason given, so the API server does not enforce it on custom resources. Generated Go does.")
	codeNotSerialisable = codes.New("crd/not-serialisable", "encoding/json has no form for the type, such as a channel, a function or a complex number.")
	codeRecursive       = codes.New("crd/recursive", "Schemas of custom resources have no references, so a type that contains itself has none. Break the circle with `+kubebuilder:validation:Schemaless` and `+kubebuilder:pruning:PreserveUnknownFields` on one field.")
	codeRefused         = codes.New("crd/refused", "The API server's own validation refuses the definition: its message follows.")
	codeRule            = codes.New("crd/rule", "The API server's CEL compiler refuses the rule: its message follows. `self` is what the rule stands on, `oldSelf` what it was.")
	codeRuleCost        = codes.New("crd/rule-cost", "The API server estimates what a rule costs for the largest object that the schema allows, and refuses rules that may cost too much. Bound the strings, lists and maps that the rule reads: `+k8s:maxLength`, `+k8s:maxItems`.")
	codeRuleTransition  = codes.New("crd/rule-transition", "A rule with `oldSelf` needs an old value, and items of a list have one only if the list is of type map. Make it one, or put the rule on the list.")
	codeStorage         = codes.New("crd/storage", "Exactly one version of a kind is stored. Put `+kubebuilder:storageversion` on the kind in one package, or `storage: true` on one `+versioned:version`.")
	codeTextType        = codes.New("crd/text-type", "A type with MarshalText is a string on the wire and can be nothing else in the schema.")
	codeTooLarge        = codes.New("crd/too-large", "kubectl apply keeps a copy of the object in an annotation, which holds 256 KiB; an API server stores no object over 1.5 MiB. Shorten documentation, take out embedded types of other APIs, or use kubectl apply --server-side.")
	codeUniqueItems     = codes.New("crd/unique-items", "The API server does not allow uniqueItems, whose cost is quadratic. Use `+k8s:listType=set`.")
	codeUnknownMarker   = codes.New("crd/unknown-marker", "No tool that kindsmith knows reads the marker, so it would have no effect.")
	codeUnknownType     = codes.New("crd/unknown-type", "The type could not be read, because it is not in the build or does not compile.")
)
