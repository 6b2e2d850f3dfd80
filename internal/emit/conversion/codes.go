package conversion

import "github.com/kindsmith/kindsmith/internal/core/diag"

// Diagnostic codes.
var (
	codes = diag.Firm(diag.Conversion)

	codeOtherGenerator = codes.New("conversion/other-generator", "`+k8s:conversion-gen` names a package of types that conversion-gen writes conversions for. kindsmith converts between the versions of `+versioned:version` only, so such a package keeps conversion-gen.")
	codeOwnMethod      = codes.New("conversion/own-method", "A kind of an older version has a hand-written ConvertTo or ConvertFrom, which kindsmith keeps. Only code that uses controller-runtime's conversion calls it: the conversion webhook converts JSON, and schemes call `Convert_…`. Write the conversion as `Convert_…`, which replaces the generated one everywhere, and remove the method.")
	codeSkipped        = codes.New("conversion/skipped", "`+versioned:skip` disables the generated conversion, but the hand-written one is missing. Write the function that the message names.")
)
