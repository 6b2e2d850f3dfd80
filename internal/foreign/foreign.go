// Package foreign names the markers of other tools that kindsmith reads. Each is
// spelled here and nowhere else. Tags of kindsmith's own are not among them:
// those are known by their definitions.
package foreign

import "regexp"

// Markers of k8s.io/code-generator.
const (
	// ValidationGen says which types of a package get validators.
	ValidationGen = "k8s:validation-gen"
	// ValidationGenInput names a package whose types a package has the validators of.
	ValidationGenInput = "k8s:validation-gen-input"
	// ValidationGenRegistry names the type that validators are registered with.
	ValidationGenRegistry = "k8s:validation-gen-scheme-registry"
	// ValidationGenFixture asks for a test of the tags that always fail.
	ValidationGenFixture = "k8s:validation-gen-test-fixture"
	// ValidationGenNoLint switches conventions off.
	ValidationGenNoLint = "k8s:validation-gen-nolint"
	DeepCopyGen         = "k8s:deepcopy-gen"
	// DeepCopyInterfaces lists the interfaces that a type's copies are returned as.
	DeepCopyInterfaces = "k8s:deepcopy-gen:interfaces"
	// DeepCopyNonPointer makes the type itself, not its pointer, have the methods.
	DeepCopyNonPointer = "k8s:deepcopy-gen:nonpointer-interfaces"
	DefaulterGen       = "k8s:defaulter-gen"
	// OpenAPIPrefix begins the names of openapi-gen's markers, which describe
	// published schemas of native types and validate nothing.
	OpenAPIPrefix = "k8s:validation:"
	GroupName     = "groupName"
	VersionName   = "versionName"
	Required      = "required"
	Optional      = "optional"
	Enum          = "enum"
	ListType      = "listType"
	MapType       = "mapType"
	StructType    = "structType"
	// ListMapKey and PatchMergeKey name the field that tells items of a list apart.
	ListMapKey    = "listMapKey"
	PatchMergeKey = "patchMergeKey"
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
	KubebuilderSchemaless  = "kubebuilder:validation:Schemaless"
	KubebuilderXValidation = "kubebuilder:validation:XValidation"
	// KubebuilderItems begins the names of markers on a list that are about its items.
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
	Resource          = "kubebuilder:resource"
	Metadata          = "kubebuilder:metadata"
)

// reshaping are the markers that give a value another schema than its Go type has,
// or other values.
var reshaping = regexp.MustCompile(`^(kubebuilder:validation:(items:)?(Format|Type|Schemaless|XIntOrString|XPreserveUnknownFields|XEmbeddedResource)|kubebuilder:pruning:PreserveUnknownFields|nullable)\b`)

// Reshapes reports whether a marker gives a value another schema than its Go type
// has, or other values.
func Reshapes(name string) bool { return reshaping.MatchString(name) }

// generators finds the markers of other generators whose names begin like tags.
var generators = regexp.MustCompile(`^k8s:(validation:|(deepcopy|defaulter|conversion|protobuf|openapi|client|lister|informer|register|go-to-protobuf|prerelease-lifecycle|applyconfiguration|validation)-gen|openapi-model-package|conversion-fn|deprecated|removed|replacement|api-version)\b`)

// IsGenerators reports whether a marker belongs to a generator of
// k8s.io/code-generator, although its name begins like that of a tag.
func IsGenerators(name string) bool { return generators.MatchString(name) }
