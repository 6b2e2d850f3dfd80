// Package cases has tags of all levels.
package cases

// Prefixed says how stable its rules are.
type Prefixed struct {
	// +k8s:alpha=+k8s:neq="a"
	Alpha string `json:"alpha"`
	// +k8s:beta(since: "1.37")=+k8s:forbidden
	Beta string `json:"beta,omitempty"`
	// +k8s:ifDisabled(Feature)=+k8s:forbidden
	Optional string `json:"optional,omitempty"`
	// +k8s:required
	// +k8s:maxLength=3
	Stable string `json:"stable"`
	// +k8s:alpha=+k8s:eachVal=+k8s:neq="a"
	List []string `json:"list"`
}

// Unprefixed does not.
type Unprefixed struct {
	// +k8s:neq="a"
	Alpha string `json:"alpha"`
	// +k8s:beta=+k8s:neq="a"
	TooStable string `json:"tooStable"`
	// +k8s:forbidden
	Beta string `json:"beta,omitempty"`
	// +k8s:ifEnabled(Feature)=+k8s:neq="a"
	Optional string `json:"optional"`
	// +k8s:eachVal=+k8s:neq="a"
	List []string `json:"list"`
	// +k8s:eachVal=+k8s:alpha=+k8s:maxLength=3
	Inside []string `json:"inside"`
	// +k8s:alpha=+k8s:beta=+k8s:maxLength=3
	Twice string `json:"twice"`
	// +k8s:ifEnabled(Feature)=+k8s:alpha=+k8s:maxLength=3
	Behind string `json:"behind"`
}

// Unlinted is left alone.
//
// +k8s:validation-gen-nolint
type Unlinted struct {
	// +k8s:eachVal=+k8s:alpha=+k8s:neq="a"
	List []string `json:"list"`
}
