package validate

import (
	"context"

	"k8s.io/apimachinery/pkg/api/operation"
	upstream "k8s.io/apimachinery/pkg/api/validate"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/runtime/internal/scan"
)

// A format may be violated in several ways at once; each is an error. Lengths
// are in bytes.

// ShortName checks for a lower-case DNS label (RFC 1123) of 1 to 63 bytes.
//
// Errors: Invalid, origin "format=k8s-short-name".
func ShortName[T ~string](r *Run, at *Path, value T) bool {
	return scan.ShortName(string(value)) || malformed(r, at, value, upstream.ShortName)
}

// LongName checks for a lower-case DNS subdomain (RFC 1123) of 1 to 253 bytes.
//
// Errors: Invalid, origin "format=k8s-long-name".
func LongName[T ~string](r *Run, at *Path, value T) bool {
	return scan.LongName(string(value)) || malformed(r, at, value, upstream.LongName)
}

// LongNameCaseless checks for a DNS subdomain in which letters may be of either
// case, of 1 to 253 bytes.
//
// Errors: Invalid, origin "format=k8s-long-name-caseless".
func LongNameCaseless[T ~string](r *Run, at *Path, value T) bool {
	return scan.LongNameCaseless(string(value)) || malformed(r, at, value, upstream.LongNameCaseless) //nolint:staticcheck // deprecated for new fields, and a format like any other for old ones
}

// LabelKey checks for a label key: a name of 1 to 63 bytes, before which there
// may be a long name and a slash.
//
// Errors: Invalid, origin "format=k8s-label-key".
func LabelKey[T ~string](r *Run, at *Path, value T) bool {
	return scan.LabelKey(string(value)) || malformed(r, at, value, upstream.LabelKey)
}

// PrefixedLabelKey checks for a label key that has a prefix.
//
// Errors: Invalid, origin "format=k8s-prefixed-label-key".
func PrefixedLabelKey[T ~string](r *Run, at *Path, value T) bool {
	return scan.PrefixedLabelKey(string(value)) || malformed(r, at, value, upstream.PrefixedLabelKey)
}

// LabelValue checks for the value of a label, which is at most 63 bytes long
// and may be empty.
//
// Errors: Invalid, origin "format=k8s-label-value".
func LabelValue[T ~string](r *Run, at *Path, value T) bool {
	return scan.LabelValue(string(value)) || malformed(r, at, value, upstream.LabelValue)
}

// PathSegmentName checks for a name that can be a segment of a URL's path: not
// "." or "..", and without slashes and percent signs. It may be empty.
//
// Errors: Invalid, origin "format=k8s-path-segment-name".
func PathSegmentName[T ~string](r *Run, at *Path, value T) bool {
	return scan.PathSegmentName(string(value)) || malformed(r, at, value, upstream.PathSegmentName)
}

// UUID checks for a UUID (RFC 4122) of 36 lower-case characters.
//
// Error: Invalid, origin "format=k8s-uuid".
func UUID[T ~string](r *Run, at *Path, value T) bool {
	return scan.UUID(string(value)) || malformed(r, at, value, upstream.UUID)
}

// ResourcePoolName checks for long names with slashes between them, of at most
// 253 bytes together.
//
// Errors: Invalid or TooLong, origin "format=k8s-resource-pool-name".
func ResourcePoolName[T ~string](r *Run, at *Path, value T) bool {
	return scan.ResourcePoolName(string(value)) || malformed(r, at, value, upstream.ResourcePoolName)
}

// ExtendedResourceName checks for a label key with a prefix that is not of the
// domain kubernetes.io, and is a label key as well when "requests.", with which
// it must not begin, is put before it.
//
// Errors: Invalid, origin "format=k8s-extended-resource-name".
func ExtendedResourceName[T ~string](r *Run, at *Path, value T) bool {
	return scan.ExtendedResourceName(string(value)) || malformed(r, at, value, upstream.ExtendedResourceName)
}

// ResourceFullyQualifiedName checks for a long name of at most 63 bytes, a
// slash, and a C identifier of at most 32 bytes. As upstream does, it accepts
// whatever has two slashes or more.
//
// Errors: Invalid or TooLong, origin "format=k8s-resource-fully-qualified-name".
func ResourceFullyQualifiedName[T ~string](r *Run, at *Path, value T) bool {
	return scan.ResourceFullyQualifiedName(string(value)) || malformed(r, at, value, upstream.ResourceFullyQualifiedName)
}

// IP checks for an IPv4 or IPv6 address as fields of the Kubernetes API take it:
// numbers may have leading zeros, and an IPv4 address may be written as IPv6.
//
// Error: Invalid, origin "format=k8s-ip".
func IP[T ~string](r *Run, at *Path, value T) bool {
	return scan.IP(string(value)) || malformed(r, at, value, ip)
}

// malformed has upstream's function for a format say what is wrong.
func malformed[T ~string](r *Run, at *Path, value T, words upstream.ValidateFunc[*T]) bool {
	return r.Report(words(r.Context, r.Operation, r.FieldPath(at), &value, nil))
}

// ip is what upstream would have for the format that its documentation names.
func ip[T ~string](_ context.Context, _ operation.Operation, at *field.Path, value, _ *T) field.ErrorList {
	return validation.IsValidIPForLegacyField(at, string(*value), false, nil).WithOrigin("format=k8s-ip")
}
