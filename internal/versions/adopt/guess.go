package adopt

import (
	"slices"
	"strings"
	"unicode"

	"github.com/kindsmith/kindsmith/internal/core/model"
)

// likely is the likelihood from which a rename is guessed.
const likely = 0.5

// likeness returns how likely it is that an item was renamed, from 0 to 1: by names, comments, and
// whether both follow the same item. The types fit already.
func likeness(oldName, newName, oldDoc, newDoc string, samePlace bool) float64 {
	name := overlap(words(oldName), words(newName))
	old, doc := words(oldDoc), words(newDoc)
	place := 0.0
	if samePlace {
		place = 1
	}
	if len(old) == 0 || len(doc) == 0 {
		return 0.5*name + 0.5*place
	}
	// A comment often begins with the name.
	return 0.3*name + 0.5*overlap(without(old, words(oldName)), without(doc, words(newName))) + 0.2*place
}

// words returns the words of a name or a text, in lower case.
func words(text string) []string {
	var list []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			list = append(list, strings.ToLower(string(word)))
			word = nil
		}
	}
	for _, r := range text {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
			continue
		case unicode.IsUpper(r) && len(word) > 0 && !unicode.IsUpper(word[len(word)-1]):
			flush()
		}
		word = append(word, r)
	}
	flush()
	return list
}

func without(list, others []string) []string {
	rest := slices.DeleteFunc(slices.Clone(list), func(w string) bool {
		return slices.Contains(others, w) || w == strings.Join(others, "")
	})
	if len(rest) == 0 {
		return list
	}
	return rest
}

// overlap returns the part of the words of two texts that both have. Words with a common beginning are half
// the same.
func overlap(a, b []string) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	same := func(list, others []string) float64 {
		n := 0.0
		for _, w := range list {
			best := 0.0
			for _, o := range others {
				switch {
				case w == o:
					best = 1
				case best < 1 && len(w) > 3 && len(o) > 3 && (strings.HasPrefix(w, o) || strings.HasPrefix(o, w)):
					best = 0.8
				case best < 0.5 && len(w) > 3 && len(o) > 3 && w[:4] == o[:4]:
					best = 0.5
				}
			}
			n += best
		}
		return n / float64(len(list))
	}
	return (same(a, b) + same(b, a)) / 2
}

// follow reports whether two fields follow fields with one name, or both begin their structs.
func follow(old, generated *model.Type, f, g *model.Field) bool {
	i, j := slices.Index(old.Fields, f), slices.Index(generated.Fields, g)
	if i <= 0 || j <= 0 {
		return i == j
	}
	return counterpart(old.Fields[i-1], generated) == generated.Fields[j-1]
}

// followConst is like follow, for constants.
func followConst(old, generated *model.Type, k, g *model.Const) bool {
	i, j := slices.Index(old.Consts, k), slices.Index(generated.Consts, g)
	if i <= 0 || j <= 0 {
		return i == j
	}
	return old.Consts[i-1].Value == generated.Consts[j-1].Value || old.Consts[i-1].Name == generated.Consts[j-1].Name
}
