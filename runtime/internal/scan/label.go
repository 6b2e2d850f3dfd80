package scan

import "strings"

// LabelKey reports whether s is a label key: a name, optionally preceded by a DNS
// subdomain and a slash.
func LabelKey(s string) bool {
	slash := strings.IndexByte(s, '/')
	if slash < 0 {
		return labelName(s)
	}
	return LongName(s[:slash]) && labelName(s[slash+1:])
}

// PrefixedLabelKey reports whether s is a label key that has a prefix.
func PrefixedLabelKey(s string) bool {
	slash := strings.IndexByte(s, '/')
	return slash >= 0 && LongName(s[:slash]) && labelName(s[slash+1:])
}

// LabelValue reports whether s is the value of a label.
func LabelValue(s string) bool { return s == "" || labelName(s) }

func labelName(s string) bool { return len(s) <= MaxLabel && Name(s) }

// Name reports whether s is the name of a label, apart from its length.
func Name(s string) bool {
	n := len(s)
	return 0 < n && is(s[0], alphanum) && is(s[n-1], alphanum) &&
		all(s, alphanum|hyphen|underscore|dot)
}
