// Package english has the grammar of messages about names: [A] writes the article, [And] and [Or] write lists.
//
// [A] writes a name with its article, and [And] and [Or] a list of words.
package english

import "strings"

// A puts "a" or "an" before a name, by its sound: an Order, a Unit, an HTTPRoute, a []string.
func A(name string) string {
	if startsWithVowel(name) {
		return "an " + name
	}
	return "a " + name
}

func startsWithVowel(name string) bool {
	if name == "" {
		return false
	}
	first := name[0]
	if strings.IndexByte("FHLMNRSX", first) >= 0 { // letters whose names begin with a vowel: an NFSShare
		return len(name) > 1 && isUpper(name[1])
	}
	switch lower := strings.ToLower(name); lower[0] {
	case 'a', 'e', 'i', 'o':
		return true
	case 'u':
		return len(name) > 1 && !isUpper(name[1]) && !strings.HasPrefix(lower, "uni") && strings.IndexByte("lmnp", lower[1]) >= 0
	}
	return false
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' }

// And lists words: "a", "a and b", "a, b and c".
func And(words []string) string { return list(words, " and ") }

// Or lists words: "a", "a or b", "a, b or c".
func Or(words []string) string { return list(words, " or ") }

func list(words []string, last string) string {
	if n := len(words) - 1; n > 0 {
		return strings.Join(words[:n], ", ") + last + words[n]
	}
	return strings.Join(words, "")
}
