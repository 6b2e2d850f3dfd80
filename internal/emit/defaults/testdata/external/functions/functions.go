// Package functions has the defaulting functions of another package's types.
//
// +k8s:defaulter-gen=TypeMeta
// +k8s:defaulter-gen-input=github.com/kindsmith/kindsmith/internal/emit/defaults/testdata/external/types
package functions

import (
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kindsmith/kindsmith/internal/emit/defaults/testdata/external/types"
)

var (
	localSchemeBuilder = runtime.SchemeBuilder{}
	// AddToScheme adds the defaults.
	AddToScheme = (&localSchemeBuilder).AddToScheme
)

// SetDefaults_Spec runs before the tags.
func SetDefaults_Spec(in *types.Spec) {
	if in.Name == "" {
		in.Name = "hand"
	}
}

// SetDefaults_Covered does everything.
//
// +k8s:defaulter-gen=covers
func SetDefaults_Covered(in *types.Covered) { in.Value = "covered" }
