// Package rules tests the validation rules of the API with the files of this folder. It is
// a module of its own, so that the API does not require what the tests do.
package rules

import (
	"testing"

	v1 "github.com/kindsmith/kindsmith/examples/database/api/v1"
	"github.com/kindsmith/kindsmith/runtime/ruletest"
)

func TestRules(t *testing.T) {
	ruletest.Run(t, ".", v1.AddToScheme,
		ruletest.Normalize(v1.NormalizeUnions_Database),
		ruletest.CRDs("../config/crd/bases"))
}
