package scan

import "strings"

// ResourcePoolName reports whether s is DNS subdomains with slashes between
// them, together no longer than one may be.
func ResourcePoolName(s string) bool {
	if len(s) > maxSubdomain {
		return false
	}
	for {
		slash := strings.IndexByte(s, '/')
		if slash < 0 {
			return LongName(s)
		}
		if !LongName(s[:slash]) {
			return false
		}
		s = s[slash+1:]
	}
}

// ExtendedResourceName reports whether s names a resource that is not
// Kubernetes' own, and can have the quota prefix put before it.
func ExtendedResourceName(s string) bool {
	const quota = "requests."
	slash := strings.IndexByte(s, '/')
	return slash >= 0 &&
		len(quota)+slash <= maxSubdomain && LongName(s[:slash]) && labelName(s[slash+1:]) &&
		!strings.HasSuffix(s[:slash], "kubernetes.io") && !strings.HasPrefix(s, quota)
}

// ResourceFullyQualifiedName reports whether s is a domain, a slash and a C
// identifier, or has more than one slash, which the library does not look behind.
func ResourceFullyQualifiedName(s string) bool {
	slash := strings.IndexByte(s, '/')
	if slash < 0 {
		return false
	}
	domain, name := s[:slash], s[slash+1:]
	return slash <= 63 && LongName(domain) && cIdentifier(name) || strings.IndexByte(name, '/') >= 0
}

// cIdentifier reports whether s is an identifier of C no longer than a
// resource's name may be.
func cIdentifier(s string) bool {
	return 0 < len(s) && len(s) <= 32 && is(s[0], letter|underscore) && all(s, alphanum|underscore)
}
