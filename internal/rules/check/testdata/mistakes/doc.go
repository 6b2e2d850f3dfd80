// Package mistakes has each mistake that package check finds by itself.
//
// +k8s:maxLength=3
package mistakes
