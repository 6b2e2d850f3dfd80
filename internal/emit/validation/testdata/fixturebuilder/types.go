// +k8s:validation-gen=*
// +k8s:validation-gen-scheme-registry=nil
// +k8s:validation-gen-test-fixture=validateFalse

// Package fixturebuilder has nothing that its test could run through.
package fixturebuilder

// Struct has a rule.
type Struct struct {
	// +k8s:validateFalse
	Name string `json:"name"`
}
