package diag_test

import (
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
)

// TestBlocked checks which files an error leaves unwritten: those of its own parts and what is made from them, or all.
func TestBlocked(t *testing.T) {
	codes := diag.Protect(diag.Definitions)
	size := codes.Limit().New("x/size", "The definition is too large.")
	rule := codes.New("x/rule", "The rule is wrong.")
	openapi := codes.For(diag.OpenAPI).New("x/openapi", "OpenAPI cannot describe the type.")
	chart := codes.For(diag.Kustomize|diag.Chart).New("x/chart", "The manager is missing.")
	policy := codes.For(diag.Policies).New("x/policy", "CEL cannot express it.")
	copies := codes.For(diag.DeepCopy).New("x/copies", "The type cannot be copied.")
	both := codes.For(diag.Definitions|diag.OpenAPI).New("x/both", "The type has no JSON.")
	all := diag.Everything
	for name, tc := range map[string]struct {
		codes     []diag.Code
		requested diag.Parts
		want      diag.Parts
	}{
		"none":                       {nil, all, 0},
		"limit":                      {[]diag.Code{size}, all, diag.Definitions | diag.Helpers | diag.Kustomize | diag.Chart | diag.OLM},
		"mistake":                    {[]diag.Code{rule}, all, all},
		"mistake and limit":          {[]diag.Code{size, rule}, all, all},
		"separate part":              {[]diag.Code{openapi}, all, diag.OpenAPI},
		"separate parts":             {[]diag.Code{openapi, chart}, all, diag.OpenAPI | diag.Kustomize | diag.Chart},
		"copied into others":         {[]diag.Code{policy}, all, diag.Policies | diag.Kustomize | diag.Chart | diag.OLM},
		"Go relies on it":            {[]diag.Code{copies}, all, all},
		"several parts":              {[]diag.Code{both}, all, all},
		"several, of which one runs": {[]diag.Code{both}, diag.OpenAPI | diag.DeepCopy, diag.OpenAPI},
		"not requested":              {[]diag.Code{rule}, diag.DeepCopy, 0},
	} {
		t.Run(name, func(t *testing.T) {
			var bag diag.Bag
			for _, code := range tc.codes {
				bag.Errorf(source.Span{}, code, "wrong")
			}
			bag.Warnf(source.Span{}, rule, "a warning blocks nothing")
			scope := &diag.Scope{Requested: tc.requested, Used: all}
			if got := scope.Blocked(&bag); got != tc.want {
				t.Errorf("blocks %b, want %b", got, tc.want)
			}
			if lowered := (&diag.Scope{Requested: tc.requested, Accepts: func(*diag.Diagnostic) bool { return true }}).Blocked(&bag); lowered != 0 {
				t.Errorf("errors that are warnings block %b", lowered)
			}
		})
	}
}
