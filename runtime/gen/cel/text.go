package cel

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Size is the number of characters.
func Size(s string) int64 { return int64(utf8.RuneCountInString(s)) }

// LowerASCII is s.lowerAscii().
func LowerASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// UpperASCII is s.upperAscii().
func UpperASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return r + 'A' - 'a'
		}
		return r
	}, s)
}

// Trim is s.trim().
func Trim(s string) string { return strings.TrimSpace(s) }

// IndexOf is s.indexOf(sub), in characters.
func IndexOf(s, sub string) int64 { return characters(s, strings.Index(s, sub)) }

// LastIndexOf is s.lastIndexOf(sub), in characters.
func LastIndexOf(s, sub string) int64 { return characters(s, strings.LastIndex(s, sub)) }

func characters(s string, bytes int) int64 {
	if bytes < 0 {
		return -1
	}
	return int64(utf8.RuneCountInString(s[:bytes]))
}

// InString reports whether CharAt and Substring succeed.
func InString(s string, i int64) bool { return i >= 0 && i <= Size(s) }

// CharAt is s.charAt(i).
func CharAt(s string, i int64) string {
	rest := Substring(s, i)
	_, size := utf8.DecodeRuneInString(rest)
	return rest[:size]
}

// Substring is s.substring(start).
func Substring(s string, start int64) string { return s[offset(s, start):] }

// IsSubstring reports whether SubstringTo succeeds.
func IsSubstring(s string, start, end int64) bool {
	return start >= 0 && start <= end && end <= Size(s)
}

// SubstringTo is s.substring(start, end).
func SubstringTo(s string, start, end int64) string { return s[offset(s, start):offset(s, end)] }

// offset returns the number of bytes of n characters.
func offset(s string, n int64) int {
	at := 0
	for ; n > 0; n-- {
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
	}
	return at
}

// IntText is string(i).
func IntText(i int64) string { return strconv.FormatInt(i, 10) }

// BoolText is string(b).
func BoolText(b bool) string { return strconv.FormatBool(b) }
