package evolve

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/value"
)

// Diagnostic codes.
var (
	codes = diag.Firm(diag.Shapes)

	codeActionOrder        = codes.OfText().New("versions/action-order", "An item is first added, then changed, then deprecated, each in a later version. Correct one `since`.")
	codeAlways             = codes.OfText().New("versions/always", "`+versioned:since` with the oldest version, or `+versioned:until` with the newest, covers every version. Write the tag itself.")
	codeAnonymous          = codes.New("versions/anonymous", "Older versions cannot repeat an anonymous struct type. Declare a named type.")
	codeBadArgument        = codes.OfText().New("versions/bad-argument", "An argument of a version marker does not have the required form.")
	codeBadName            = codes.OfText().New("versions/bad-name", "Versions are named `v<major>`, `v<major>alpha<n>` or `v<major>beta<n>`, with numbers from 1.")
	codeCustomJSON         = codes.New("versions/custom-json", "A type has hand-written JSON or text methods, and changes. Types of older versions are generated without methods. Write the methods in the older version's package too. A type that does not change needs none: older versions use that of the newest version's package.")
	codeDeprecatedComment  = codes.New("versions/deprecated-comment", "A comment deprecates an item with a paragraph `Deprecated:`, but without the marker older versions have that comment too, and no version renames the item. Add `+versioned:deprecated` with the version that deprecated it; `keepName: true` keeps its name. kindsmith writes the paragraph where it applies.")
	codeDeprecatedPrefix   = codes.New("versions/deprecated-prefix", "The name of a deprecated field begins with `deprecated` (`DeprecatedX` in Go), and fields with such a name need the marker. Rename the field in the newest version, or add `keepName: true`.")
	codeDowngradeTo        = codes.New("versions/downgrade-to", "If a closed enum has a value that older versions lack, `downgradeTo` names the value that replaces it there. The replacement must be older than the value itself.")
	codeFirstVersion       = codes.OfText().New("versions/first-version", "The first version has no changes. Items that exist since the first version need no marker.")
	codeFromType           = codes.New("versions/from-type", "`fromType` is a Go type as written in the newest version's package: predeclared, declared in this package, or declared in an imported package.")
	codeHandWrittenExtra   = codes.New("versions/hand-written-extra", "A hand-written older version has a field that the newest version lacks. Add `+versioned:removed` to the struct in the newest version, or write the type's two conversion functions by hand.")
	codeHandWrittenMissing = codes.New("versions/hand-written-missing", "By the newest version's markers, a hand-written older version should have a declaration that it lacks. Add the declaration there, or a marker here.")
	codeHandWrittenType    = codes.New("versions/hand-written-type", "By the newest version's markers, a field of a hand-written older version should have another type. Describe the change with `+versioned:changed`.")
	codeGeneric            = codes.New("versions/generic", "A generic type of another package is the same in all versions, so its type arguments cannot change. A generic type of the newest version's package can change, but its constraints must not need methods or types that older versions lack. Declare a struct for each such instance, with its fields.")
	codeInlined            = codes.New("versions/inlined", "An embedded field has no JSON name, so it cannot be renamed.")
	codeKindField          = codes.New("versions/kind-field", "API servers and clients read some fields of kinds by their names: `apiVersion`, `kind` and `metadata`, `items` of lists, and `status` if it is a subresource. No version can name these otherwise, or another field like them.")
	codeKeyNotYet          = codes.New("versions/key-not-yet", "A list map key does not exist in an older version. Give the tags of the list for each version, with `+versioned:since` and `+versioned:until`.")
	codeHook               = codes.New("versions/hook", "The functions of `+versioned:hook` take two pointers: to a struct of the newest version's package with fields that the type had before the version of the marker, by their JSON names and with their types; and to the type. The upgrade reads the former and sets the latter; the downgrade is the reverse.")
	codeMapKey             = codes.New("versions/map-key", "Map keys, items of sets and keys of lists identify values. Map keys cannot be renamed, and none of them can become equal in another version.")
	codeMissingFunction    = codes.New("versions/missing-function", "Go cannot convert between the types without loss. Write a function `func(Old) New` or `func(Old) (New, error)` and export it from the newest version's package.")
	codeMixed              = codes.New("versions/mixed", "The types of an older version are all hand-written or all generated. If one is hand-written, kindsmith generates none, and would remove the file with the others. You may keep hand-written functions, such as conversions, and types that the newest version lacks.")
	codeMoved              = codes.New("versions/moved", "`fromPath` is the previous path of the field: from the kind, with `[]` after lists and maps, such as `spec.pods[].name`; from the struct that has the field, with a dot before it, such as `.old.name`; or the key of a label or an annotation, such as `metadata.labels['example.com/name']`. The structs on the path exist in the older versions, each used by one field, and the path is in the same item of lists and maps.")
	codeNoChange           = codes.OfText().New("versions/no-change", "`+versioned:changed` needs `fromName`, `fromType` or both, and each must differ from what the item is called or is in that version. Conversion functions need `fromType`.")
	codeNoSince            = codes.OfText().New("versions/no-since", "The marker does not name a version.")
	codeNoTag              = codes.OfText().New("versions/no-tag", "Write the tag that applies in these versions after `+versioned:since` or `+versioned:until`: `=+<tag>`.")
	codeNotLoaded          = codes.New("versions/not-loaded", "The package of an older version has hand-written files but is not part of the run. kindsmith finds it by the API group that the newest version declares with `+groupName`. Without a group, name the two packages together.")
	codeNotNewest          = codes.OfText().New("versions/not-newest", "Only the newest version has change markers.")
	codeOneName            = codes.New("versions/one-name", "Two items of a struct or an enum, or two declarations of a package, have the same name in an older version. Fields of inlined structs are fields of the same JSON object.")
	codeOrder              = codes.OfText().New("versions/order", "Declare versions oldest first, in the order of Kubernetes versions: v1alpha1, v1beta1, v1. `+versioned:allowUnsorted` disables the check.")
	codeOutput             = codes.OfText().New("versions/output", "The folders of older versions are named by a pattern relative to the folder of the newest version's package, whose last element is `{version}`: `../old/{version}`. They are in the same module, and no other package is there.")
	codeOwnVersion         = codes.OfText().New("versions/own-version", "The newest version is hand-written: its package has its name and declares it last.")
	codeRequiredAdded      = codes.New("versions/required-added", "A required field was added without a default, so objects of older versions become invalid objects of the newest. Add `default:` to `+versioned:added`, or make the field optional.")
	codeRemoved            = codes.New("versions/removed", "`+versioned:removed` describes a field that older versions of a struct have: its JSON name and its Go type. Further markers on the struct, with `field`, describe the field's earlier changes.")
	codeRepeated           = codes.OfText().New("versions/repeated", "A version is declared twice.")
	codeRetired            = codes.OfText().New("versions/retired", "`+versioned:retired` names a version that the API had before its oldest one, and that it does not declare any more. Objects may keep values for a version between two others: declare such a version with `served: false` until no object has values for it.")
	codeRule               = codes.New("versions/rule", "A CEL rule uses a field that an older version lacks or names differently, or a constant that it names differently. kindsmith does not rewrite CEL rules. Write a rule for each version, with `+versioned:since` and `+versioned:until`.")
	codeShared             = codes.New("versions/shared", "Only the types of a newest version's package change between versions. All versions use the types of other packages as they are, since several APIs with other versions may share them. Declare a type that changes in each API's package.")
	codeSignature          = codes.New("versions/signature", "A conversion function takes one type and returns the other, or the other and an error. The function of a default has no parameters.")
	codeSplit              = codes.New("versions/split", "`+versioned:split` names a string of the struct, and its parts: fields that are strings, integers or bools, with texts between them. The struct has either the string or all parts since the version of the marker, and the others before it.")
	codeStorage            = codes.OfText().New("versions/storage", "One version has `storage: true`. If none has it, objects are stored in the version with the highest priority in Kubernetes: stable versions come before beta and alpha versions, and of `v1` and `v2alpha1` it is `v1`.")
	codeTransform          = codes.New("versions/transform", "`transform` names a conversion between the types before and after the change. docs/concepts/versions/retype.md lists the transforms, their arguments and the types that they convert.")
	codeTwoActions         = codes.OfText().New("versions/two-actions", "An item can have only one change in each version.")
	codeTwoDefaults        = codes.New("versions/two-defaults", "An item has two defaults in one version. Give the default of each version, with `+versioned:since` and `+versioned:until`.")
	codeTypeName           = codes.New("versions/type-name", "`fromName` on a type is the exported Go name that it had in older versions. It changes no JSON. The name of a kind is also in objects, so all versions have the same. Unexported types and aliases have no name that another package uses.")
	codeTypeNotYet         = codes.New("versions/type-not-yet", "A field exists in a version that does not have its type. Add `+versioned:added` to the field too.")
	codeUndeclared         = codes.OfText().New("versions/undeclared", "A marker names a version that the package does not declare above its package clause.")
	codeUndeclaredFolder   = codes.New("versions/undeclared-folder", "A package in the same folder has the API group and one of the kinds, but the newest version does not declare it. The kind's definition has this version, and nothing converts its objects. Declare the version, oldest first: kindsmith pairs its hand-written types with the newest ones. If the package is not a version of the API, mark it with `+kubebuilder:skip`.")
	codeUnexportedFunction = codes.OfText().New("versions/unexported-function", "Generated code in other packages calls the function, so it must be exported.")
	codeUnexportedType     = codes.New("versions/unexported-type", "Go cannot decode JSON into an embedded pointer to an unexported struct, and JSON does not have embedded fields of other unexported types. Embed the struct itself, rename the type, or give the field a name. Other fields can have unexported types: older versions have them too.")
	codeWrongItem          = codes.OfText().New("versions/wrong-item", "The item does not have such a change. `kindsmith explain` prints what a marker is for: `+versioned:hook` is for structs, `+versioned:moved` and `+versioned:wrapped` are for fields, and `+versioned:removed` is on the struct that had the field. On a type, `+versioned:changed` has `fromName`, or `transform` for an enum.")
	codeWrapped            = codes.New("versions/wrapped", "`+versioned:wrapped` is for a single value that became a list. The previous type is that of the items, or a pointer to it.")
	codeUnknownArgument    = codes.OfText().New("versions/unknown-argument", "The marker has no such argument.")
)

// Codes of the defaults of added fields.
var (
	addedCodes = diag.Firm(diag.Shapes)

	addedValueCodes = value.NewCodes(&addedCodes, "added",
		"The default of an added field is neither JSON nor the name of a function. A JSON string needs its own quotes: `default: \"\\\"text\\\"\"`.",
		"The type has custom JSON, so its default cannot be written as Go. Write a function that returns it.")
	codeAddedViolatesRule = addedCodes.New("added/violates-rule", "The default is not a constant of the enum.")
)

// codesOfOne are mistakes in one marker or one field without which the types of older versions are known: its function, its
// name, or that it is ignored. kindsmith adopt compares conversions although there are some.
var codesOfOne = []diag.Code{
	codeActionOrder, codeDeprecatedPrefix, codeFirstVersion, codeFromType, codeHandWrittenExtra, codeHandWrittenMissing, codeHandWrittenType,
	codeMissingFunction, codeMoved, codeNoChange, codeNoSince, codeRequiredAdded, codeSignature, codeTwoActions, codeUndeclared, codeUnexportedFunction,
}

// Codes returns the codes of the diagnostics about versions and the changes between them.
func Codes() []diag.Code { return slices.Concat(codes.All(), addedCodes.All()) }
