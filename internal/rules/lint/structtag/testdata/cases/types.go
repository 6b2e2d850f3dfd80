// Package cases has every diagnostic of the convention; the corpus of mistakes has the forms.
package cases

type Spec struct {
	// +k8s:optional
	Option *int32 `json:"option, omitempty"`
	// +k8s:optional
	Syntax *int32 `json:syntax`
	// +k8s:optional
	Name *int32 `json:"name;omitempty"`
	// +k8s:optional
	Other *int32 `json:"name,omitempty"`
	// +k8s:optional
	Twice *int32 `json:"name,omitempty"`
}
