package validate

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/runtime/internal/scan"
)

// A value may violate a format in several ways; each is an error. Lengths are in
// bytes.

// ShortName checks for a lower-case DNS label (RFC 1123) of 1 to 63 bytes.
//
// Errors: Invalid, origin "format=k8s-short-name".
func ShortName[T ~string](r *Run, at *Path, value T) bool {
	return scan.ShortName(string(value)) || malformed(r, at, value, "format=k8s-short-name", shortName)
}

// LongName checks for a lower-case DNS subdomain (RFC 1123) of 1 to 253 bytes.
//
// Errors: Invalid, origin "format=k8s-long-name".
func LongName[T ~string](r *Run, at *Path, value T) bool {
	return scan.LongName(string(value)) || malformed(r, at, value, "format=k8s-long-name", longName)
}

// LongNameCaseless checks for a DNS subdomain of 1 to 253 bytes in upper or lower
// case.
//
// Errors: Invalid, origin "format=k8s-long-name-caseless".
func LongNameCaseless[T ~string](r *Run, at *Path, value T) bool {
	return scan.LongNameCaseless(string(value)) || malformed(r, at, value, "format=k8s-long-name-caseless", longNameCaseless)
}

// LabelKey checks for a label key: a name of 1 to 63 bytes, optionally preceded by
// a long name and a slash.
//
// Errors: Invalid, origin "format=k8s-label-key".
func LabelKey[T ~string](r *Run, at *Path, value T) bool {
	return scan.LabelKey(string(value)) || malformed(r, at, value, "format=k8s-label-key", labelKey)
}

// PrefixedLabelKey checks for a label key that has a prefix.
//
// Errors: Invalid, origin "format=k8s-prefixed-label-key".
func PrefixedLabelKey[T ~string](r *Run, at *Path, value T) bool {
	return scan.PrefixedLabelKey(string(value)) || malformed(r, at, value, "format=k8s-prefixed-label-key", prefixedLabelKey)
}

// LabelValue checks for a label value, which has at most 63 bytes and may be empty.
//
// Errors: Invalid, origin "format=k8s-label-value".
func LabelValue[T ~string](r *Run, at *Path, value T) bool {
	return scan.LabelValue(string(value)) || malformed(r, at, value, "format=k8s-label-value", labelValue)
}

// PathSegmentName checks for a name that can be a segment of a URL's path: not
// "." or "..", no slashes, no percent signs. It may be empty.
//
// Errors: Invalid, origin "format=k8s-path-segment-name".
func PathSegmentName[T ~string](r *Run, at *Path, value T) bool {
	return scan.PathSegmentName(string(value)) || malformed(r, at, value, "format=k8s-path-segment-name", pathSegmentName)
}

// UUID checks for a UUID (RFC 4122) of 36 lower-case characters.
//
// Error: Invalid, origin "format=k8s-uuid".
func UUID[T ~string](r *Run, at *Path, value T) bool {
	return scan.UUID(string(value)) || malformed(r, at, string(value), "format=k8s-uuid", uuid)
}

// ResourcePoolName checks for long names separated by slashes, of at most 253
// bytes in total.
//
// Errors: Invalid or TooLong, origin "format=k8s-resource-pool-name".
func ResourcePoolName[T ~string](r *Run, at *Path, value T) bool {
	return scan.ResourcePoolName(string(value)) || badResource(r, at, string(value), "format=k8s-resource-pool-name", resourcePoolName)
}

// ExtendedResourceName checks for a label key with a prefix outside of the domain
// kubernetes.io. It must not begin with "requests." and must still be a label key
// with "requests." prepended.
//
// Errors: Invalid, origin "format=k8s-extended-resource-name".
func ExtendedResourceName[T ~string](r *Run, at *Path, value T) bool {
	return scan.ExtendedResourceName(string(value)) || badResource(r, at, string(value), "format=k8s-extended-resource-name", extendedResourceName)
}

// ResourceFullyQualifiedName checks for a long name of at most 63 bytes, a slash,
// and a C identifier of at most 32 bytes. Like upstream, it accepts every value
// with two or more slashes.
//
// Errors: Invalid or TooLong, origin "format=k8s-resource-fully-qualified-name".
func ResourceFullyQualifiedName[T ~string](r *Run, at *Path, value T) bool {
	return scan.ResourceFullyQualifiedName(string(value)) || badResource(r, at, string(value), "format=k8s-resource-fully-qualified-name", resourceFullyQualifiedName)
}

// IP checks for an IPv4 or IPv6 address in the notation of Kubernetes API fields:
// numbers may have leading zeros, and IPv4-mapped IPv6 addresses are accepted.
//
// Error: Invalid, origin "format=k8s-ip".
func IP[T ~string](r *Run, at *Path, value T) bool {
	return scan.IP(string(value)) || malformed(r, at, string(value), "format=k8s-ip", ip)
}

// malformed reports each thing that is wrong with a value. It always returns false.
func malformed[T ~string](r *Run, at *Path, value T, origin string, words func(string) []string) bool {
	for _, detail := range words(string(value)) {
		r.report(field.Invalid(r.FieldPath(at), value, detail).WithOrigin(origin))
	}
	return false
}

// badResource is like malformed, for names with parts that are reported by themselves.
func badResource(r *Run, at *Path, value, origin string, errs func(at *field.Path, value string) field.ErrorList) bool {
	return r.Report(errs(r.FieldPath(at), value).WithOrigin(origin))
}
