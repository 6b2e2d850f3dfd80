package validate

import (
	"context"

	"k8s.io/apimachinery/pkg/api/operation"
	upstream "k8s.io/apimachinery/pkg/api/validate"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/runtime/internal/scan"
)

// A value may violate a format in several ways; each is an error. Lengths are in
// bytes.

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

// LongNameCaseless checks for a DNS subdomain of 1 to 253 bytes in upper or lower
// case.
//
// Errors: Invalid, origin "format=k8s-long-name-caseless".
func LongNameCaseless[T ~string](r *Run, at *Path, value T) bool {
	return scan.LongNameCaseless(string(value)) || malformed(r, at, value, upstream.LongNameCaseless) //nolint:staticcheck // deprecated for new fields only
}

// LabelKey checks for a label key: a name of 1 to 63 bytes, optionally preceded by
// a long name and a slash.
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

// LabelValue checks for a label value, which has at most 63 bytes and may be empty.
//
// Errors: Invalid, origin "format=k8s-label-value".
func LabelValue[T ~string](r *Run, at *Path, value T) bool {
	return scan.LabelValue(string(value)) || malformed(r, at, value, upstream.LabelValue)
}

// PathSegmentName checks for a name that can be a segment of a URL's path: not
// "." or "..", no slashes, no percent signs. It may be empty.
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

// ResourcePoolName checks for long names separated by slashes, of at most 253
// bytes in total.
//
// Errors: Invalid or TooLong, origin "format=k8s-resource-pool-name".
func ResourcePoolName[T ~string](r *Run, at *Path, value T) bool {
	return scan.ResourcePoolName(string(value)) || malformed(r, at, value, upstream.ResourcePoolName)
}

// ExtendedResourceName checks for a label key with a prefix outside of the domain
// kubernetes.io. It must not begin with "requests." and must still be a label key
// with "requests." prepended.
//
// Errors: Invalid, origin "format=k8s-extended-resource-name".
func ExtendedResourceName[T ~string](r *Run, at *Path, value T) bool {
	return scan.ExtendedResourceName(string(value)) || malformed(r, at, value, upstream.ExtendedResourceName)
}

// ResourceFullyQualifiedName checks for a long name of at most 63 bytes, a slash,
// and a C identifier of at most 32 bytes. Like upstream, it accepts every value
// with two or more slashes.
//
// Errors: Invalid or TooLong, origin "format=k8s-resource-fully-qualified-name".
func ResourceFullyQualifiedName[T ~string](r *Run, at *Path, value T) bool {
	return scan.ResourceFullyQualifiedName(string(value)) || malformed(r, at, value, upstream.ResourceFullyQualifiedName)
}

// IP checks for an IPv4 or IPv6 address in the notation of Kubernetes API fields:
// numbers may have leading zeros, and IPv4-mapped IPv6 addresses are accepted.
//
// Error: Invalid, origin "format=k8s-ip".
func IP[T ~string](r *Run, at *Path, value T) bool {
	return scan.IP(string(value)) || malformed(r, at, value, ip)
}

// malformed calls upstream's function for the format to build the errors.
func malformed[T ~string](r *Run, at *Path, value T, words upstream.ValidateFunc[*T]) bool {
	return r.Report(words(r.Context, r.Operation, r.FieldPath(at), &value, nil))
}

// ip checks the format that upstream documents as k8s-ip.
func ip[T ~string](_ context.Context, _ operation.Operation, at *field.Path, value, _ *T) field.ErrorList {
	return validation.IsValidIPForLegacyField(at, string(*value), false, nil).WithOrigin("format=k8s-ip")
}
