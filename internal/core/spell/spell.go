// Package spell finds the meaning of misspelt words.
//
// [Nearest] returns the name for a suggestion, [DidYouMean] the suggestion as text, and [Certain] a name that is safe to
// write in a fix.
//
// It has the only rule of similarity: commands, flags, tags, arguments, fields, kinds, settings and files are all suggested
// by it.
package spell

import (
	"fmt"
	"strings"
)

// Nearest returns the name most similar to a word, the first of several; "" if none is similar.
func Nearest(word string, names []string) string {
	best, least := "", 0
	for _, name := range names {
		if n, similar := mistakes(word, name); similar && (best == "" || n < least) {
			best, least = name, n
		}
	}
	return best
}

// Certain returns the name that a word certainly misspells, so that a fix may write it: no other name is as similar, one
// or two letters differ, and both have the same number of parts. It returns "" if there is none.
func Certain(word string, names []string) string {
	best, least, ties := "", 0, 0
	for _, name := range names {
		n, similar := mistakes(word, name)
		switch {
		case !similar:
		case best == "" || n < least:
			best, least, ties = name, n, 0
		case n == least && name != best:
			ties++
		}
	}
	last := word[strings.LastIndexByte(word, ':')+1:]
	if ties > 0 || least > 2 || 3*least > len(last) || strings.Count(word, ":") != strings.Count(best, ":") {
		return ""
	}
	return best
}

// Close reports whether a word is a name with at most one mistake, or most of its beginning. It is for words that may also
// be names that kindsmith does not know.
func Close(word, name string) bool {
	n, similar := mistakes(word, name)
	return similar && (n <= 1 || len(word) > 5 && strings.HasPrefix(fold(name), fold(word)))
}

// DidYouMean returns the end of a message with the name that is most similar to a word, such as "; did you mean lint?";
// "" if none is similar.
func DidYouMean(word string, names []string) string {
	near := Nearest(word, names)
	if near == "" {
		return ""
	}
	return "; did you mean " + near + "?"
}

// Unknown is the error that a word is not one of the names of things, such as parts: it has the name that the word
// misspells, or all names.
func Unknown(thing, word string, names []string) error {
	if near := DidYouMean(word, names); near != "" {
		return fmt.Errorf("unknown %s %q%s", thing, word, near)
	}
	plural := thing + "s"
	if stem, ok := strings.CutSuffix(thing, "y"); ok {
		plural = stem + "ies"
	}
	return fmt.Errorf("unknown %s %q; the %s are: %s", thing, word, plural, strings.Join(names, ", "))
}

// mistakes returns how many letters of a name a word has wrong, and whether they are few enough to suggest the name: one of
// up to five letters, two of up to nine, and so on. Upper and lower case, - and _ do not count. Nor does a prefix that both
// have: of k8s:max only max is compared. A word of three or more letters with which the name begins, or that begins with the
// name, is similar too.
func mistakes(word, name string) (n int, similar bool) {
	w, m := fold(word), fold(name)
	if i := strings.LastIndexAny(w, ":/."); i >= 0 && strings.HasPrefix(m, w[:i+1]) {
		w, m = w[i+1:], m[i+1:]
	}
	if w == "" || m == "" {
		return 0, false
	}
	n, allowed := distance(w, m), max(1, (len(w)+2)/4)
	if n <= allowed {
		return n, n < len(w)
	}
	if min(len(w), len(m)) >= 3 && (strings.HasPrefix(m, w) || len(m) > 5 && strings.HasPrefix(w, m)) {
		return n, true
	}
	return n, false
}

var separators = strings.NewReplacer("-", "", "_", "")

func fold(text string) string { return separators.Replace(strings.ToLower(text)) }

// distance is the Damerau-Levenshtein distance. Adjacent letters that are swapped count as one mistake, since they are the
// most common one.
func distance(a, b string) int {
	prev2, prev := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], prev2[j-2]+1)
			}
		}
		prev2, prev = prev, row
	}
	return prev[len(b)]
}
