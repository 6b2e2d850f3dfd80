package evolve

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/value"
)

// Diagnostic codes.
var (
	codes diag.Codes

	codeActionOrder        = codes.New("versions/action-order", "The actions on an item happen in the order added, changed, deprecated, each in a later version than the one before. Correct the since of one of them.")
	codeAnonymous          = codes.New("versions/anonymous", "A struct type without a name cannot be repeated in older versions. Declare it as a type of its own.")
	codeBadArgument        = codes.New("versions/bad-argument", "An argument of a change marker is not of the form that it has to have.")
	codeBadName            = codes.New("versions/bad-name", "Versions are called v<major>, v<major>alpha<n> or v<major>beta<n>, counted from 1.")
	codeCustomJSON         = codes.New("versions/custom-json", "A type has hand-written JSON or text methods, so its declaration does not say what is on the wire. Older versions' types are generated without methods; write the methods in the older version's package.")
	codeDeprecatedPrefix   = codes.New("versions/deprecated-prefix", "From the version on in which a field is deprecated, its name begins with deprecated (DeprecatedX in Go); a name that begins so needs the marker. Rename the field in the newest version's source, or say keepName: true.")
	codeDowngradeTo        = codes.New("versions/downgrade-to", "Where a closed enum has a value that older versions lack, downgradeTo names the value that stands for it there. It must be older than the value itself.")
	codeFirstVersion       = codes.New("versions/first-version", "Nothing can have changed in the first version. Items that were there from the start need no marker.")
	codeFromType           = codes.New("versions/from-type", "fromType is a Go type as it would be written in the newest version's package: predeclared, of this package, or of one that it imports.")
	codeFrozenExtra        = codes.New("versions/frozen-extra", "A hand-written older version has a field that the newest lacks. Until removed fields are supported, the type's two conversion functions must be hand-written too.")
	codeFrozenMissing      = codes.New("versions/frozen-missing", "A hand-written older version lacks something that it has according to the newest version's markers. Add it there, or a marker here.")
	codeFrozenType         = codes.New("versions/frozen-type", "A field has another type in a hand-written older version than the newest version's markers say. Describe the change with +versioned:changed.")
	codeGeneric            = codes.New("versions/generic", "Generic types cannot be part of a versioned API yet. Declare a type for each instance.")
	codeInlined            = codes.New("versions/inlined", "An embedded field has no name on the wire that could change.")
	codeKeyNotYet          = codes.New("versions/key-not-yet", "A list's key does not exist in an older version. Say with +versioned:since and +versioned:until what the list's tags are in which versions.")
	codeLossy              = codes.New("versions/lossy", "A value of one version cannot be held by another, and is lost when a client of that other version writes the object back. lossy: \"why\" on the marker says that this is meant.")
	codeMapKey             = codes.New("versions/map-key", "Keys of maps identify their values and cannot change from version to version.")
	codeMissingFunction    = codes.New("versions/missing-function", "A change of type that Go does not convert without loss needs a function, func(Old) New or func(Old) (New, error), exported by the newest version's package.")
	codeNoChange           = codes.New("versions/no-change", "+versioned:changed needs fromName, fromType or both; conversion functions need fromType.")
	codeNoSince            = codes.New("versions/no-since", "A marker must say in which version.")
	codeNoTag              = codes.New("versions/no-tag", "+versioned:since and +versioned:until are followed by the tag that holds: =+<tag>.")
	codeNotLoaded          = codes.New("versions/not-loaded", "The package of an older version has hand-written files, which were not read. Name the package together with the newest version's.")
	codeNotNewest          = codes.New("versions/not-newest", "Change markers stand in the newest version's source alone.")
	codeOneName            = codes.New("versions/one-name", "Two items of one struct or enum would have one name in an older version.")
	codeOrder              = codes.New("versions/order", "Versions are declared oldest first, by the rules of Kubernetes: v1alpha1, v1beta1, v1. +versioned:allowUnsorted switches the check off.")
	codeOwnVersion         = codes.New("versions/own-version", "The newest version is the one that is written by hand: its package is named after it and declares it last.")
	codePlanned            = codes.New("versions/planned", "The marker is known and not supported yet. The message says what happens meanwhile.")
	codeRepeated           = codes.New("versions/repeated", "A version is declared twice.")
	codeRule               = codes.New("versions/rule", "A CEL rule names a field that an older version lacks or calls otherwise. Rules are not rewritten: say with +versioned:since and +versioned:until which holds where.")
	codeSignature          = codes.New("versions/signature", "A conversion function takes the one type and returns the other, or that and an error; a default's function takes nothing.")
	codeStorage            = codes.New("versions/storage", "Exactly one version is stored. The newest is, if none is said.")
	codeTwoActions         = codes.New("versions/two-actions", "Only one thing can happen to an item in one version.")
	codeTwoDefaults        = codes.New("versions/two-defaults", "An item has two defaults in one version. Say with +versioned:since and +versioned:until which holds where.")
	codeTypeNotYet         = codes.New("versions/type-not-yet", "A field exists in a version that does not have its type yet. Say of the field too when it was added.")
	codeUndeclared         = codes.New("versions/undeclared", "A marker names a version that is not declared above the package clause.")
	codeUnexportedFunction = codes.New("versions/unexported-function", "Generated code in other packages calls the function, so it must be exported.")
	codeUnexportedType     = codes.New("versions/unexported-type", "Conversions are generated in other packages, which cannot name an unexported type.")
	codeUnknownArgument    = codes.New("versions/unknown-argument", "The marker has no such argument.")
)

// Codes of the defaults of added fields.
var (
	addedCodes diag.Codes

	addedValueCodes = value.NewCodes(&addedCodes, "added",
		"The default of an added field is neither JSON nor the name of a function. A string needs quotes of its own: `default: \"\\\"text\\\"\"`.",
		"The type has JSON of its own, so its default cannot be written as Go. Write a function that returns it.")
	codeAddedViolatesRule = addedCodes.New("added/violates-rule", "The default has a string that its enum has no constant for.")
)

// Codes returns the codes of the diagnostics about versions and the changes between them.
func Codes() []diag.Code { return slices.Concat(codes.All(), addedCodes.All()) }
