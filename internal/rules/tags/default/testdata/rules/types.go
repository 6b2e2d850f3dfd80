// Package rules has defaults that break rules, and defaults that keep them.
package rules

// Scalars break a rule each by one, and keep it at the bound.
type Scalars struct {
	// +default="abcd"
	// +k8s:optional
	// +k8s:maxLength=3
	TooLong string `json:"tooLong,omitempty"`
	// +default="äöü"
	// +k8s:optional
	// +k8s:maxLength=3
	LongEnough string `json:"longEnough,omitempty"`
	// +default="äöü"
	// +k8s:optional
	// +k8s:maxBytes=3
	TooManyBytes string `json:"tooManyBytes,omitempty"`
	// +default="a"
	// +k8s:optional
	// +k8s:minLength=2
	TooShort *string `json:"tooShort,omitempty"`
	// +default=4
	// +k8s:optional
	// +k8s:maximum=3
	Maximum *int32 `json:"maximum,omitempty"`
	// +default=3
	// +k8s:optional
	// +k8s:minimum=3
	// +k8s:maximum=3
	Exact *int32 `json:"exact,omitempty"`
	// +default=0
	// +k8s:optional
	// +k8s:minimum=1
	Zero *int32 `json:"zero,omitempty"`
	// +default=0
	// +k8s:optional
	// +k8s:minimum=1
	ZeroValue int32 `json:"zeroValue,omitempty"`
	// +default=3
	// +k8s:optional
	// +k8s:exclusiveMinimum=3
	ExclusiveMinimum *int32 `json:"exclusiveMinimum,omitempty"`
	// +default=3
	// +k8s:optional
	// +k8s:exclusiveMaximum=3
	ExclusiveMaximum *int32 `json:"exclusiveMaximum,omitempty"`
	// +default=-9
	// +k8s:optional
	// +k8s:multipleOf=4
	Multiple *int32 `json:"multiple,omitempty"`
	// +default=-8
	// +k8s:optional
	// +k8s:multipleOf=4
	IsMultiple *int32 `json:"isMultiple,omitempty"`
	// +default="Upper"
	// +k8s:optional
	// +k8s:format=k8s-short-name
	Format string `json:"format,omitempty"`
	// +default="10.0.0.1"
	// +k8s:optional
	// +k8s:format=k8s-ip
	Address string `json:"address,omitempty"`
	// +default="v1x"
	// +k8s:optional
	// +k8s:pattern="^v[0-9]+$"
	Pattern string `json:"pattern,omitempty"`
	// +default="none"
	// +k8s:optional
	// +k8s:neq="none"
	Reserved string `json:"reserved,omitempty"`
	// +default=true
	// +k8s:optional
	// +k8s:neq=true
	Flag *bool `json:"flag,omitempty"`
	// +default=ref(TooLarge)
	// +k8s:optional
	// +k8s:maximum=3
	Constant *int32 `json:"constant,omitempty"`
	// +default=9
	// +k8s:optional
	// +k8s:ifEnabled(Large)=+k8s:maximum=8
	Conditional *int32 `json:"conditional,omitempty"`
	// +default=9
	// +k8s:optional
	// +k8s:immutable
	Immutable *int32 `json:"immutable,omitempty"`
}

// TooLarge is more than the field takes.
const TooLarge = 4

// Named uses types with rules and defaults.
type Named struct {
	// +default="Lyon"
	// +k8s:optional
	Enum Species `json:"enum,omitempty"`
	// +default="Lion"
	// +k8s:optional
	Value Species `json:"value,omitempty"`
	// +k8s:optional
	Inherited Word `json:"inherited,omitempty"`
	// +k8s:optional
	// +k8s:maxLength=4
	Narrower Word `json:"narrower,omitempty"`
}

// Species is an enum.
//
// +k8s:enum
type Species string

// Lion is the only species.
const Lion Species = "Lion"

// Word has a default that keeps its own rule.
//
// +default="hello"
// +k8s:maxLength=5
type Word string

// Shout has a default that does not.
//
// +default="hello"
// +k8s:minLength=6
type Shout string

// Collections break rules as a whole and in their items.
type Collections struct {
	// +default=["a","b","a"]
	// +k8s:optional
	// +k8s:listType=set
	Set []string `json:"set,omitempty"`
	// +default=["a","b","a"]
	// +k8s:optional
	// +k8s:listType=atomic
	List []string `json:"list,omitempty"`
	// +default=["a","b"]
	// +k8s:optional
	// +k8s:listType=atomic
	// +k8s:maxItems=1
	Many []string `json:"many,omitempty"`
	// +default=["a"]
	// +k8s:optional
	// +k8s:listType=atomic
	// +k8s:minItems=2
	Few []string `json:"few,omitempty"`
	// +default=["ab","abc","abcd"]
	// +k8s:optional
	// +k8s:listType=atomic
	// +k8s:eachVal=+k8s:maxLength=3
	Items []string `json:"items,omitempty"`
	// +default=[[1],[2,-3]]
	// +k8s:optional
	// +k8s:eachVal=+k8s:eachVal=+k8s:minimum=0
	Grid [][]int32 `json:"grid,omitempty"`
	// +default={"key":"value","long key":"v"}
	// +k8s:optional
	// +k8s:eachKey=+k8s:maxLength=3
	// +k8s:eachVal=+k8s:maxLength=3
	// +k8s:maxProperties=1
	Map map[string]string `json:"map,omitempty"`
	// +default=[{"name":"a"},{"name":"b","size":2},{"name":"a"}]
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	ByName []Item `json:"byName,omitempty"`
	// +default={}
	// +k8s:optional
	// +k8s:minProperties=1
	Empty map[string]string `json:"empty,omitempty"`
}

// Item has a required field, and one with a default.
type Item struct {
	// +k8s:required
	// +k8s:maxLength=3
	Name string `json:"name"`
	// +default=3
	// +k8s:optional
	// +k8s:maximum=4
	Size *int32 `json:"size,omitempty"`
	// +k8s:optional
	// +k8s:minLength=2
	Note string `json:"note,omitempty"`
	// +k8s:forbidden
	Old *int32 `json:"old,omitempty"`
}

// Composites are checked all the way down.
type Composites struct {
	// +default={"size":5}
	// +k8s:optional
	Nameless *Item `json:"nameless,omitempty"`
	// +default={"name":"abc","note":"","old":1}
	// +k8s:optional
	Forbidden *Item `json:"forbidden,omitempty"`
	// +default={"name":"abc","note":"n"}
	// +k8s:optional
	Note *Item `json:"note,omitempty"`
	// +default={"name":"abc","size":4}
	// +k8s:optional
	Fine *Item `json:"fine,omitempty"`
	// +default={"inner":{"items":[{"name":"a"},{"name":"abcd"}]}}
	// +k8s:optional
	Deep *Outer `json:"deep,omitempty"`
	// +default={}
	// +k8s:optional
	Empty *Outer `json:"empty,omitempty"`
	// +default={"always":{"name":"a"}}
	// +k8s:optional
	Always *Holder `json:"always,omitempty"`
	// +default={}
	// +k8s:optional
	Never *Holder `json:"never,omitempty"`
	// +default={}
	Struct Holder `json:"struct"`
	// +default={"size":5}
	// +k8s:optional
	// +k8s:opaqueType
	Opaque *Item `json:"opaque,omitempty"`
	// +default={"name":"abc","note":"note"}
	// +k8s:optional
	// +k8s:subfield(name)=+k8s:maxLength=2
	// +k8s:subfield(note)=+k8s:maxLength=4
	// +k8s:subfield(size)=+k8s:maximum=2
	Subfield *Item `json:"subfield,omitempty"`
	// +default={"level":10}
	// +k8s:optional
	Inlined *Inlined `json:"inlined,omitempty"`
}

// Outer leads to items.
type Outer struct {
	// +k8s:optional
	Inner *Inner `json:"inner,omitempty"`
}

// Inner has items.
type Inner struct {
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	Items []Item `json:"items,omitempty"`
}

// Holder has an item that is always there.
type Holder struct {
	Always Item `json:"always"`
}

// Inlined has fields of another struct.
type Inlined struct {
	Base `json:",inline"`
}

// Base is inlined.
type Base struct {
	// +k8s:optional
	// +k8s:maximum=9
	Level int32 `json:"level,omitempty"`
}

// Unions have to have one member, or that which is selected.
type Unions struct {
	// +default={}
	// +k8s:optional
	None *Food `json:"none,omitempty"`
	// +default={"hay":1,"meat":1}
	// +k8s:optional
	Both *Food `json:"both,omitempty"`
	// +default={"meat":0}
	// +k8s:optional
	One *Food `json:"one,omitempty"`
	// +default={"kind":"B","a":1}
	// +k8s:optional
	Other *Choice `json:"other,omitempty"`
	// +default={"kind":"B","b":1}
	// +k8s:optional
	Selected *Choice `json:"selected,omitempty"`
}

// Food is a union without a discriminator.
type Food struct {
	// +k8s:optional
	// +k8s:unionMember
	Hay *int32 `json:"hay,omitempty"`
	// +k8s:optional
	// +k8s:unionMember
	Meat *int32 `json:"meat,omitempty"`
}

// Choice is a union with one.
type Choice struct {
	// +k8s:required
	// +k8s:unionDiscriminator
	Kind string `json:"kind"`
	// +k8s:optional
	// +k8s:unionMember(memberName: "A")
	A *int32 `json:"a,omitempty"`
	// +k8s:optional
	// +k8s:unionMember(memberName: "B")
	B *int32 `json:"b,omitempty"`
}

// Level is a string with a default.
// +default="info"
type Level string

// Elements have values that cannot be left out.
type Elements struct {
	List     []Level            `json:"list,omitempty"`
	Map      map[string][]Level `json:"map,omitempty"`
	Pointers []*Level           `json:"pointers,omitempty"`
}
