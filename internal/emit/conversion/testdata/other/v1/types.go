// Package v1 has its conversions from conversion-gen.
//
// +k8s:conversion-gen=k8s.io/apimachinery/pkg/version
package v1
