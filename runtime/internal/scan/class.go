// Package scan has a byte scanner for each string format of the Kubernetes API. A
// scanner accepts exactly the strings that the regular expression or parser of
// k8s.io/apimachinery accepts; tests and fuzz targets compare them.
//
// [LongName], [Label] and the other scanners take a string, and report whether it has the format.
package scan

// class is a set of character classes.
type class uint8

const (
	lower class = 1 << iota // a-z
	upper                   // A-Z
	digit                   // 0-9
	hyphen
	underscore
	dot
	hex // 0-9, a-f

	letter   = lower | upper
	alphanum = letter | digit
)

// classes has the classes of each byte. Bytes of multi-byte characters have none.
var classes = func() (t [256]class) {
	for c := 'a'; c <= 'z'; c++ {
		t[c] |= lower
		t[c-'a'+'A'] |= upper
	}
	for c := 'a'; c <= 'f'; c++ {
		t[c] |= hex
	}
	for c := '0'; c <= '9'; c++ {
		t[c] |= digit | hex
	}
	t['-'] |= hyphen
	t['_'] |= underscore
	t['.'] |= dot
	return t
}()

func is(c byte, set class) bool { return classes[c]&set != 0 }

// all reports whether every byte of s has a class in set.
func all(s string, set class) bool {
	for i := range len(s) {
		if classes[s[i]]&set == 0 {
			return false
		}
	}
	return true
}
