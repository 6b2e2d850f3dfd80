// +k8s:validation-gen=*
// +k8s:validation-gen-scheme-registry=nil
// +k8s:validation-gen-test-fixture=validateTrue

// Package fixturemistake asks for a test that there is not.
package fixturemistake

// Struct has a rule.
type Struct struct {
	// +k8s:validateFalse
	Name string `json:"name"`
}
