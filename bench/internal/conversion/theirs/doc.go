// Package theirs has the conversions between v1beta1 and v1 of the example's Database that
// k8s.io/code-generator/cmd/conversion-gen generates for its types.
//
// +k8s:conversion-gen=github.com/kindsmith/kindsmith/examples/database/api/v1
// +k8s:conversion-gen-external-types=github.com/kindsmith/kindsmith/examples/database/api/v1beta1
package theirs

import "k8s.io/apimachinery/pkg/runtime"

//go:generate go run k8s.io/code-generator/cmd/conversion-gen --output-file zz_generated.conversion.go .

// localSchemeBuilder is what generated code registers conversions with.
var localSchemeBuilder runtime.SchemeBuilder
