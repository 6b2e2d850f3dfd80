package openapi

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/foreign"
)

// Diagnostic codes.
var (
	codes = diag.Firm(diag.OpenAPI)

	codeGeneric   = codes.New("openapi/generic", "OpenAPI definitions have the names of Go types, and an instance of a generic struct has none that can be published. Declare a struct with the fields.")
	codeMarker    = codes.New("openapi/marker", "openapi-gen's marker cannot be read. Write `+"+foreign.OpenAPIPrefix+"<keyword>=<JSON>`.")
	codeNoKeyword = codes.New("openapi/no-keyword", "Rules on updates, on keys of maps, on several fields and some others have no keyword in OpenAPI. Your server enforces them with the generated validators, but clients and documentation do not see them. Use a rule that has a keyword if one means the same, or else describe the rule in the comment of the field.")
	codeType      = codes.New("openapi/type", "The type has no JSON that OpenAPI can describe. Use another type, or exclude the field with `+"+foreign.OpenAPIGen+"=false`.")
)
