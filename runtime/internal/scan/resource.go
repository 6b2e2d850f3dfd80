package scan

import "strings"

// ResourcePoolName reports whether s consists of DNS subdomains separated by
// slashes, and has at most the length of one subdomain.
func ResourcePoolName(s string) bool {
	if len(s) > MaxSubdomain {
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

// ExtendedResourceName reports whether s is the name of a resource outside of
// kubernetes.io that can be prefixed for quotas.
func ExtendedResourceName(s string) bool {
	const quota = "requests."
	slash := strings.IndexByte(s, '/')
	return slash >= 0 &&
		len(quota)+slash <= MaxSubdomain && LongName(s[:slash]) && labelName(s[slash+1:]) &&
		!strings.HasSuffix(s[:slash], "kubernetes.io") && !strings.HasPrefix(s, quota)
}

// ResourceFullyQualifiedName reports whether s is a domain, a slash and a C
// identifier, or has more than one slash, in which case the library checks nothing.
func ResourceFullyQualifiedName(s string) bool {
	slash := strings.IndexByte(s, '/')
	if slash < 0 {
		return false
	}
	domain, name := s[:slash], s[slash+1:]
	return slash <= MaxLabel && LongName(domain) && len(name) <= MaxIdentifier && Identifier(name) || strings.IndexByte(name, '/') >= 0
}

// Identifier reports whether s is a C identifier.
func Identifier(s string) bool {
	return 0 < len(s) && is(s[0], letter|underscore) && all(s, alphanum|underscore)
}
