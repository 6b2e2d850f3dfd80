package scan

// PathSegmentName reports whether s can be a segment of a URL's path.
func PathSegmentName(s string) bool {
	if s == "." || s == ".." {
		return false
	}
	for i := range len(s) {
		if s[i] == '/' || s[i] == '%' {
			return false
		}
	}
	return true
}

// UUID reports whether s is a UUID in lower case.
func UUID(s string) bool {
	return len(s) == 36 && s[8] == '-' && s[13] == '-' && s[18] == '-' && s[23] == '-' &&
		all(s[:8], hex) && all(s[9:13], hex) && all(s[14:18], hex) && all(s[19:23], hex) && all(s[24:], hex)
}
