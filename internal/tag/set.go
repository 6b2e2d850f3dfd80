package tag

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/rule"
)

// Set is the tags that a run knows. It is built once, from the generated list
// of folders, and handed to whoever needs it.
type Set struct {
	defs     []*Definition
	byName   map[string]*Definition
	families []Family
	planned  map[string]string
	markers  MarkerRules
}

// MarkerRules returns the rules that the markers of other tools on a place are.
type MarkerRules func(n *Node, list []model.Marker) []rule.Rule

// Family is the tags whose names begin alike.
type Family struct {
	// Prefix is what the names begin with, ':' included; "" for tags without one.
	Prefix string
	// Title and Intro head the family in the catalogue.
	Title, Intro string
	// Words is set where a word without quotes is a string, as upstream's tool
	// has it.
	Words bool
}

// NewSet returns the set of the given tags. Planned are names that belong to
// the catalogue and are not built yet, with what happens meanwhile: they are
// warned about, not refused.
func NewSet(defs []*Definition, families []Family, planned map[string]string) *Set {
	s := &Set{defs: slices.Clone(defs), byName: map[string]*Definition{}, families: families, planned: planned}
	slices.SortFunc(s.defs, func(a, b *Definition) int { return strings.Compare(a.Name, b.Name) })
	for _, d := range s.defs {
		s.byName[d.Name] = d
		for _, alias := range d.Aliases {
			s.byName[alias] = d
		}
	}
	return s
}

// ReadMarkers makes rules of markers of other tools.
func (s *Set) ReadMarkers(rules MarkerRules) *Set {
	s.markers = rules
	return s
}

// markerRules returns the rules that the markers on a place are.
func (s *Set) markerRules(n *Node, list []model.Marker) []rule.Rule {
	if s.markers == nil || len(list) == 0 {
		return nil
	}
	return s.markers(n, list)
}

// All returns the tags by name.
func (s *Set) All() []*Definition { return s.defs }

// Lookup returns the tag with the given full name or alias, or nil.
func (s *Set) Lookup(name string) *Definition { return s.byName[name] }

// Families returns the families of tags, in the order of the catalogue.
func (s *Set) Families() []Family { return s.families }

// FamilyOf returns the family that a marker's name belongs to; nil for markers
// of other tools. Every name with a family's prefix is meant as a tag.
func (s *Set) FamilyOf(name string) *Family {
	for i := range s.families {
		f := &s.families[i]
		if f.Prefix != "" && strings.HasPrefix(name, f.Prefix) || f.Prefix == "" && s.byName[name] != nil && !strings.Contains(name, ":") {
			return f
		}
	}
	return nil
}

// Role returns the role of the tag with the given name; "" for any other marker.
func (s *Set) Role(name string) model.Role {
	if d := s.byName[name]; d != nil {
		return d.Role
	}
	return ""
}

// WithRole returns the name of the tag with a role, for messages.
func (s *Set) WithRole(role model.Role) string {
	for _, d := range s.defs {
		if d.Role == role {
			return d.Name
		}
	}
	return string(role)
}

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

// Names returns all known names, sorted.
func (s *Set) Names() []string { return slices.Sorted(maps.Keys(s.known())) }

// Nearest returns the known name that is spelt most like the given one, or ""
// when none is close.
func (s *Set) Nearest(name string) string {
	return NearestOf(name, s.Names())
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

// Typo returns the candidate that a word is certainly a misspelling of, so that
// writing it changes no meaning: the only one that is an edit or two away and
// has as many parts. It returns "" when there is none.
func Typo(word string, candidates []string) string {
	best, least, ties := "", len(word), 0
	for _, c := range candidates {
		switch d := distance(strings.ToLower(word), strings.ToLower(c)); {
		case d < least:
			best, least, ties = c, d, 0
		case d == least:
			ties++
		}
	}
	last := word[strings.LastIndexByte(word, ':')+1:]
	if ties > 0 || least > 2 || 3*least > len(last) || strings.Count(word, ":") != strings.Count(best, ":") {
		return ""
	}
	return best
}
