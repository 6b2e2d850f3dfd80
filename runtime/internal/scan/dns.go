package scan

// Lengths in bytes.
const (
	MaxLabel      = 63
	MaxSubdomain  = 253
	MaxIdentifier = 32
)

// ShortName reports whether s is a lower-case DNS label of RFC 1123.
func ShortName(s string) bool { return len(s) <= MaxLabel && Label(s) }

// Label reports whether s is a ShortName, apart from its length.
func Label(s string) bool {
	const ends = lower | digit
	n := len(s)
	return 0 < n && is(s[0], ends) && is(s[n-1], ends) && all(s, ends|hyphen)
}

// LongName reports whether s is a lower-case DNS subdomain of RFC 1123. The length
// of its labels is not limited.
func LongName(s string) bool { return len(s) <= MaxSubdomain && Subdomain(s) }

// Subdomain reports whether s is a LongName, apart from its length.
func Subdomain(s string) bool {
	const ends = lower | digit
	before := dot // the class of the previous byte
	for i := range len(s) {
		c := classes[s[i]]
		switch {
		case c&ends != 0:
		case c == hyphen && before != dot:
		case c == dot && before&ends != 0:
		default:
			return false
		}
		before = c
	}
	return before&ends != 0
}

// LongNameCaseless reports whether s is a DNS subdomain in upper or lower case.
// Case folding is that of Unicode, in which k and s have a third form each: the
// Kelvin sign and the long s.
func LongNameCaseless(s string) bool { return len(s) <= MaxSubdomain && SubdomainCaseless(s) }

// SubdomainCaseless reports whether s is a LongNameCaseless, apart from its length.
func SubdomainCaseless(s string) bool {
	before := dot
	for i := 0; i < len(s); i++ {
		c := classes[s[i]]
		switch {
		case c&alphanum != 0:
		case c == hyphen && before != dot:
		case c == dot && before&alphanum != 0:
		case s[i] == "\u017f"[0] && i+1 < len(s) && s[i:i+2] == "\u017f":
			i, c = i+1, lower
		case s[i] == "\u212a"[0] && i+2 < len(s) && s[i:i+3] == "\u212a":
			i, c = i+2, upper
		default:
			return false
		}
		before = c
	}
	return before&alphanum != 0
}
