package mistakes

// Spec has a mistake in every field.
type Spec struct {
	// +k8s:optional
	// +k8s:maxLenght=3
	Misspelt string `json:"misspelt,omitempty"`

	// +k8s:somethingElseEntirely
	Unknown string `json:"unknown,omitempty"`

	// +k8s:maximum:9
	NotOnlyMisspelt int `json:"notOnlyMisspelt,omitempty"`

	// +k8s:required:false
	TurnedAround string `json:"turnedAround,omitempty"`

	// +k8s:maxLenght="3"
	MisspeltTwice string `json:"misspeltTwice,omitempty"`

	// Prose has a line that is wrapped before a mention of
	// +k8s:optional.
	Prose string `json:"prose,omitempty"`

	// +k8s:validation:maxLength=3
	OpenAPI string `json:"openAPI,omitempty"`

	// +k8s:validation:cel[0]:rule="self > 0"
	OpenAPIRule int `json:"openAPIRule,omitempty"`

	// +K8s:optional
	WrongCase string `json:"wrongCase,omitempty"`

	// +versioned:aded(since: "v1")
	Version string `json:"version,omitempty"`

	// +k8s:optional
	// +k8s:enum
	WrongPlace string `json:"wrongPlace,omitempty"`

	// +k8s:optional
	// +k8s:eachVal=+k8s:required
	WrongPlaceInside []string `json:"wrongPlaceInside,omitempty"`

	// +k8s:optional
	// +k8s:maxLength=3
	WrongType int32 `json:"wrongType,omitempty"`

	// +k8s:optional
	// +k8s:maxLength=3
	WrongTypeOfValues []string `json:"wrongTypeOfValues,omitempty"`

	// +k8s:optional
	// +k8s:maxLength
	MissingValue string `json:"missingValue,omitempty"`

	// +k8s:optional="yes"
	UnwantedValue string `json:"unwantedValue,omitempty"`

	// +k8s:optional=+k8s:required
	UnwantedTag string `json:"unwantedTag,omitempty"`

	// +k8s:optional
	// +k8s:maxLength="three"
	WrongValue string `json:"wrongValue,omitempty"`

	// +k8s:optional
	// +k8s:maxLength=+k8s:required
	TagForValue string `json:"tagForValue,omitempty"`

	// +k8s:optional
	// +k8s:eachVal=3
	NotATag []string `json:"notATag,omitempty"`

	// +k8s:optional
	// +k8s:format=k8s-shortname
	UnknownValue string `json:"unknownValue,omitempty"`

	// +k8s:optional(always: true)
	NoArguments string `json:"noArguments,omitempty"`

	// +k8s:optional
	// +k8s:unionMember(name: "a")
	UnknownArgument *string `json:"unknownArgument,omitempty"`

	// +k8s:optional
	// +k8s:unionMember(memberName: 3)
	WrongArgument *string `json:"wrongArgument,omitempty"`

	// +k8s:optional
	// +versioned:since=+k8s:maxLength=3
	MissingArgument string `json:"missingArgument,omitempty"`

	// +k8s:optional
	// +k8s:maxLength=3
	// +k8s:maxLength=4
	Repeated string `json:"repeated,omitempty"`

	// +k8s:optional
	// +k8s:optional
	Said string `json:"said,omitempty"`

	// +k8s:optional
	Anonymous *struct{ A string } `json:"anonymous,omitempty"`

	// +k8s:optional
	AnonymousInside map[string][]struct{ A string } `json:"anonymousInside,omitempty"`

	// +k8s:maxLength=3
	Skipped string `json:"-"`

	// +k8s:optional
	// +k8s:neq="Postgers"
	NotAConstant Engine `json:"notAConstant,omitempty"`

	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=engine
	// +k8s:item(engine: "MariaDB")=+k8s:immutable
	NoSuchItem []Backend `json:"noSuchItem,omitempty"`
}

// Engine is an enum.
//
// +k8s:enum
type Engine string

// The engines.
const (
	EnginePostgres Engine = "Postgres"
	EngineMySQL    Engine = "MySQL"
)

// Backend has an enum for its key.
type Backend struct {
	// +k8s:required
	Engine Engine `json:"engine"`
}

// Alias is another name of a type that has a name.
//
// +k8s:maxLength=3
type Alias = Declared

type Declared string

// Pointer is set or not where it is used.
//
// +k8s:minimum=1
type Pointer *int32

// NoAPI is not part of an API.
type NoAPI struct {
	Anonymous struct{ A []string }
}

// Trailing has tags and markers that nothing reads.
type Trailing struct {
	Name string `json:"name"` // +k8s:required

	// +k8:maximum=3
	Size int32 `json:"size"`
	// +k8s:optional
	// +k8s:maxLength=3
	// +kubebuilder:validation:MaxLength=4
	// +unionMember
	Member *string `json:"member,omitempty"`
}

// Opaque has a type without rules.
type Opaque struct {
	// +k8s:opaqueType
	Name *string `json:"name"`
}

// +versioned:skip(everything)
// +versioned:skip(mergedCRD)
type NoKind struct{}

// Unembedded has a struct that only looks inlined.
type Unembedded struct {
	// Detail is an object.
	Detail Detail `json:",inline"`
	// Size is a scalar.
	// +k8s:optional
	Size int32 `json:",inline,omitempty"`
	// Embedded structs are inlined.
	Embedded `json:",inline"`
}

// Detail is a struct.
type Detail struct {
	// +k8s:optional
	A string `json:"a,omitempty"`
}

// Embedded is a struct.
type Embedded struct {
	// +k8s:optional
	B string `json:"b,omitempty"`
}
