// Package cases has fields that say whether they must be set, and others.
package cases

// Valid are fields that say it, or need not.
type Valid struct {
	// +k8s:optional
	// +k8s:minLength=3
	Optional string `json:"optional,omitempty"`
	// +k8s:required
	// +k8s:minLength=3
	Required string `json:"required"`
	// +k8s:forbidden
	// +k8s:minLength=3
	Forbidden string `json:"forbidden,omitempty"`
	// +default="abc"
	// +k8s:minLength=3
	Defaulted string `json:"defaulted,omitempty"`
	// +k8s:minLength=3
	DefaultedByType Colour `json:"defaultedByType,omitempty"`
	// A non-pointer struct is always there.
	//
	// +k8s:immutable
	Struct Inner `json:"struct"`
	// Without rules there is nothing to say.
	Free string `json:"free,omitempty"`
	// How a list is merged is no rule on a value.
	//
	// +optional
	Plain string `json:"plain,omitempty"`
	// +k8s:maxLength=3
	Skipped string `json:"-"`
	// Members of unions have a word of their own on it.
	//
	// +k8s:unionMember
	Member *Inner `json:"member,omitempty"`
}

// Colour has a default.
//
// +default="red"
type Colour string

// Inner is a struct.
type Inner struct{}

// Invalid are fields that have rules and do not say it.
type Invalid struct {
	// +k8s:minLength=3
	String string `json:"string,omitempty"`
	// +k8s:minimum=1
	Pointer *int32 `json:"pointer,omitempty"`
	// +k8s:immutable
	StructPointer *Inner `json:"structPointer,omitempty"`
	// +k8s:eachVal=+k8s:maxLength=3
	Values []string `json:"values,omitempty"`
	// What holds for values is not about the field.
	//
	// +k8s:maxItems=3
	// +k8s:eachVal=+k8s:required
	Inside []*string `json:"inside,omitempty"`
	// Other tools' markers are not read by generated Go.
	//
	// +optional
	// +k8s:minLength=3
	Optional string `json:"otherOptional,omitempty"`
	// +kubebuilder:validation:Optional
	// +k8s:minLength=3
	Kubebuilder string `json:"kubebuilder,omitempty"`
	// +k8s:minLength=3
	// +required
	Required string `json:"otherRequired"`
}

// Off switches the convention off.
//
// +k8s:validation-gen-nolint
type Off struct {
	// +k8s:minLength=3
	String string `json:"string,omitempty"`
}
