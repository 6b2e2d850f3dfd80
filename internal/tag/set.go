package tag

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Set is the tags that a run knows. It is built once, from the generated list
// of folders, and handed to whoever needs it.
type Set struct {
	defs    []*Definition
	byName  map[string]*Definition
	planned map[string]string
}

// NewSet returns the set of the given tags. Planned are names that belong to
// the catalogue and are not built yet, with what happens meanwhile: they are
// warned about, not refused.
func NewSet(defs []*Definition, planned map[string]string) *Set {
	s := &Set{defs: slices.Clone(defs), byName: map[string]*Definition{}, planned: planned}
	slices.SortFunc(s.defs, func(a, b *Definition) int { return strings.Compare(a.Name, b.Name) })
	for _, d := range s.defs {
		s.byName[d.Name] = d
		for _, alias := range d.Aliases {
			s.byName[alias] = d
		}
	}
	return s
}

// All returns the tags by name.
func (s *Set) All() []*Definition { return s.defs }

// Lookup returns the tag with the given full name or alias, or nil.
func (s *Set) Lookup(name string) *Definition { return s.byName[name] }

// Planned returns what happens with a tag that is known and not built yet.
func (s *Set) Planned(name string) (meanwhile string, ok bool) {
	meanwhile, ok = s.planned[name]
	return meanwhile, ok
}

// PlannedNames returns the names of tags that are not built yet, sorted.
func (s *Set) PlannedNames() []string {
	names := make([]string, 0, len(s.planned))
	for n := range s.planned {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// Nearest returns the known name that is spelt most like the given one, or ""
// when none is close.
func (s *Set) Nearest(name string) string {
	return NearestOf(name, slices.Sorted(maps.Keys(s.known())))
}

func (s *Set) known() map[string]bool {
	names := map[string]bool{}
	for n := range s.byName {
		names[n] = true
	}
	for n := range s.planned {
		names[n] = true
	}
	return names
}

// distance is the Damerau-Levenshtein distance (adjacent transpositions count
// as one edit), since swapped letters are the commonest typing mistake.
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

// Quote returns s as a Go string literal, which is how tags have strings.
func Quote(s string) string { return strconv.Quote(s) }

// NearestOf returns the candidate that is spelt most like the given word, or ""
// when none is close.
func NearestOf(word string, candidates []string) string {
	best, bestDistance := "", len(word)/2+1
	for _, c := range candidates {
		if d := distance(strings.ToLower(word), strings.ToLower(c)); d < bestDistance {
			best, bestDistance = c, d
		}
	}
	return best
}
