// Package foreign has the names of the markers of other tools that kindsmith reads. Only this package spells
// them. It does not have kindsmith's own tags, which have definitions.
//
// [IsKnown] and the other functions take the name of a marker, and say what it is to kindsmith. [Known] lists all names, for
// suggestions.
package foreign

import (
	"regexp"
	"slices"
	"strings"
)

// Markers of k8s.io/code-generator.
const (
	// ValidationGen selects the types of a package that get validators.
	ValidationGen = "k8s:validation-gen"
	// ValidationGenInput names the package of the types that a package has validators for.
	ValidationGenInput = "k8s:validation-gen-input"
	// ValidationGenRegistry names the type that validators are registered with.
	ValidationGenRegistry = "k8s:validation-gen-scheme-registry"
	// ValidationGenFixture generates a test of the tags that always fail.
	ValidationGenFixture = "k8s:validation-gen-test-fixture"
	// ValidationGenNoLint disables conventions.
	ValidationGenNoLint = "k8s:validation-gen-nolint"
	DeepCopyGen         = "k8s:deepcopy-gen"
	// DeepCopyInterfaces lists the interfaces for which a type gets copy methods.
	DeepCopyInterfaces = "k8s:deepcopy-gen:interfaces"
	// DeepCopyNonPointer generates the methods for the type instead of its pointer.
	DeepCopyNonPointer = "k8s:deepcopy-gen:nonpointer-interfaces"
	DefaulterGen       = "k8s:defaulter-gen"
	// DefaulterGenInput names the package of the types that a package has defaulting functions for.
	DefaulterGenInput = "k8s:defaulter-gen-input"
	// ConversionGen names packages whose types a package has the conversions of.
	ConversionGen = "k8s:conversion-gen"
	// RegisterGen asks for the registration of a package's kinds.
	RegisterGen = "k8s:register-gen"
	// OpenAPIGen selects the types that have definitions, and sets extensions.
	OpenAPIGen = "k8s:openapi-gen"
	// OpenAPIModelPackage begins the names of a package's definitions.
	OpenAPIModelPackage = "k8s:openapi-model-package"
	// OpenAPIPrefix begins the names of openapi-gen's markers, which describe
	// published schemas of native types and validate nothing.
	OpenAPIPrefix = "k8s:validation:"
	GroupName     = "groupName"
	VersionName   = "versionName"
	Required      = "required"
	Optional      = "optional"
	Enum          = "enum"
	Nullable      = "nullable"
	ListType      = "listType"
	MapType       = "mapType"
	StructType    = "structType"
	// ListMapKey and PatchMergeKey name the field that identifies the items of a list.
	ListMapKey    = "listMapKey"
	PatchMergeKey = "patchMergeKey"
	PatchStrategy = "patchStrategy"
)

// Markers of controller-gen.
const (
	KubebuilderPrefix = "kubebuilder:"
	// KubebuilderValidation begins the names of markers that are rules on values.
	KubebuilderValidation  = "kubebuilder:validation:"
	KubebuilderDefault     = "kubebuilder:default"
	KubebuilderRequired    = "kubebuilder:validation:Required"
	KubebuilderOptional    = "kubebuilder:validation:Optional"
	KubebuilderEnum        = "kubebuilder:validation:Enum"
	KubebuilderType        = "kubebuilder:validation:Type"
	KubebuilderFormat      = "kubebuilder:validation:Format"
	KubebuilderSchemaless  = "kubebuilder:validation:Schemaless"
	KubebuilderXValidation = "kubebuilder:validation:XValidation"
	// The markers of published schemas' extensions.
	KubebuilderPreserve     = "kubebuilder:pruning:PreserveUnknownFields"
	KubebuilderXPreserve    = "kubebuilder:validation:XPreserveUnknownFields"
	KubebuilderEmbedded     = "kubebuilder:validation:XEmbeddedResource"
	KubebuilderXIntOrString = "kubebuilder:validation:XIntOrString"
	// KubebuilderItems is the prefix of markers on a list that apply to its items.
	KubebuilderItems  = "kubebuilder:validation:items:"
	ObjectRoot        = "kubebuilder:object:root"
	ObjectGenerate    = "kubebuilder:object:generate"
	Skip              = "kubebuilder:skip"
	SkipVersion       = "kubebuilder:skipversion"
	StorageVersion    = "kubebuilder:storageversion"
	UnservedVersion   = "kubebuilder:unservedversion"
	DeprecatedVersion = "kubebuilder:deprecatedversion"
	PrintColumn       = "kubebuilder:printcolumn"
	SelectableField   = "kubebuilder:selectablefield"
	Subresource       = "kubebuilder:subresource"
	SubresourceScale  = "kubebuilder:subresource:scale"
	SubresourceStatus = "kubebuilder:subresource:status"
	Resource          = "kubebuilder:resource"
	Metadata          = "kubebuilder:metadata"
)

// reshaping are the markers that change the schema or the values of a Go type.
var reshaping = regexp.MustCompile(`^(kubebuilder:validation:(items:)?(Format|Type|Schemaless|XIntOrString|XPreserveUnknownFields|XEmbeddedResource)|kubebuilder:pruning:PreserveUnknownFields|nullable)\b`)

// inCEL are the markers that are rules in CEL.
var inCEL = regexp.MustCompile(`^kubebuilder:validation:(items:)?(XValidation|(ExactlyOne|AtMostOne|AtLeastOne)Of)\b`)

// IsCEL reports whether a marker is a rule in CEL.
func IsCEL(name string) bool { return inCEL.MatchString(name) }

// ofShape are the markers of KubebuilderValidation that belong to the shape of a type.
var ofShape = regexp.MustCompile(`^kubebuilder:validation:(Required|Optional)$`)

// IsRule reports whether a marker of controller-gen is a rule on values.
func IsRule(name string) bool {
	return strings.HasPrefix(name, KubebuilderValidation) && !Reshapes(name) && !ofShape.MatchString(name)
}

// Reshapes reports whether a marker changes the schema or the values of a Go type.
func Reshapes(name string) bool { return reshaping.MatchString(name) }

// forLists matches the markers that apply only to lists.
var forLists = regexp.MustCompile(`^(listType|listMapKey|patchStrategy|patchMergeKey|(kubebuilder:validation:)?(MinItems|MaxItems|UniqueItems|minItems|maxItems|uniqueItems))$`)

// IsForLists reports whether a marker applies only to lists.
func IsForLists(name string) bool { return forLists.MatchString(name) }

// generators matches the markers of other generators whose names begin like tags.
var generators = regexp.MustCompile(`^k8s:(validation:|(deepcopy|defaulter|conversion|protobuf|openapi|client|lister|informer|register|go-to-protobuf|prerelease-lifecycle|applyconfiguration|validation)-gen|openapi-model-package|conversion-fn|deprecated|removed|replacement|api-version)\b`)

// IsGenerators reports whether a marker belongs to a generator of
// k8s.io/code-generator, although its name begins like that of a tag.
func IsGenerators(name string) bool { return generators.MatchString(name) }

// validation matches controller-gen's markers with several parts that set a schema.
var validation = regexp.MustCompile(`^kubebuilder:(validation|default|pruning|object|subresource|printcolumn|resource|storageversion)\b`)

// IsValidation reports whether a name is one of controller-gen's common markers.
func IsValidation(name string) bool { return validation.MatchString(name) }

// prefixless matches the names of controller-gen's markers without their prefix.
var prefixless = regexp.MustCompile(`^(printcolumn:|subresource:|selectablefield:|validation:|storageversion$|object:root\b|resource:(path|scope|shortName|categories)\b)`)

// LacksPrefix reports whether a name is that of one of controller-gen's markers without its prefix.
func LacksPrefix(name string) bool { return prefixless.MatchString(name) }

// known are the names of markers without a prefix that tools of Kubernetes read.
var known = []string{
	"default", "deprecated", Enum, "featureGate", "genclient", "genregister", "groupGoName", GroupName, "listKey", ListMapKey, ListType,
	MapType, "nullable", "oneOf", Optional, PatchMergeKey, PatchStrategy, "protobuf", Required, "resourceName", StructType,
	VersionName, "zeroOrOneOf",
}

// Known returns the names of markers without a prefix that tools of Kubernetes read.
func Known() []string { return known }

// IsKnown reports whether a tool of Kubernetes reads a marker: its name is known, or begins with a
// known name and a separator, as in "genclient:nonNamespaced".
func IsKnown(name string) bool {
	first := name
	if i := strings.IndexAny(name, ":."); i >= 0 {
		first = name[:i]
	}
	return slices.Contains(known, first)
}

// generated are the markers of generators of k8s.io/code-generator.
var generated = []string{
	ValidationGen, ValidationGenInput, ValidationGenRegistry, ValidationGenFixture, ValidationGenNoLint,
	DeepCopyGen, DeepCopyInterfaces, DeepCopyNonPointer, DefaulterGen, DefaulterGenInput,
	ConversionGen, "k8s:conversion-gen-external-types", "k8s:conversion-gen:explicit-from", "k8s:conversion-fn",
	RegisterGen, OpenAPIGen, OpenAPIModelPackage, "k8s:protobuf-gen", "k8s:prerelease-lifecycle-gen",
	"k8s:client-gen", "k8s:lister-gen", "k8s:informer-gen",
}

// MeantGenerator returns the marker of a generator that a name misspells, "" if there is none.
func MeantGenerator(name string, isClose func(word, other string) bool) string {
	if slices.Contains(generated, name) {
		return ""
	}
	for _, g := range generated {
		if isClose(name, g) && len(name) > len(g)-2 {
			return g
		}
	}
	return ""
}
