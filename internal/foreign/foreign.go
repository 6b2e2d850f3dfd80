// Package foreign names the markers of other tools that kindsmith reads. Only this package spells
// them. It does not have kindsmith's own tags, which have definitions.
package foreign

import "regexp"

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
	// ConversionGen names packages whose types a package has the conversions of.
	ConversionGen = "k8s:conversion-gen"
	// RegisterGen asks for the registration of a package's kinds.
	RegisterGen = "k8s:register-gen"
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
	// ListMapKey and PatchMergeKey name the field that identifies the items of a list.
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

// Reshapes reports whether a marker changes the schema or the values of a Go type.
func Reshapes(name string) bool { return reshaping.MatchString(name) }

// generators matches the markers of other generators whose names begin like tags.
var generators = regexp.MustCompile(`^k8s:(validation:|(deepcopy|defaulter|conversion|protobuf|openapi|client|lister|informer|register|go-to-protobuf|prerelease-lifecycle|applyconfiguration|validation)-gen|openapi-model-package|conversion-fn|deprecated|removed|replacement|api-version)\b`)

// IsGenerators reports whether a marker belongs to a generator of
// k8s.io/code-generator, although its name begins like that of a tag.
func IsGenerators(name string) bool { return generators.MatchString(name) }
