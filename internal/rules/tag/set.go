package tag

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/spell"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
)

// Set is the set of tags of a run.
type Set struct {
	defs     []*Definition
	byName   map[string]*Definition
	families []Family
	markers  MarkerRules
	programs *rule.Programs
}

// MarkerRules returns the rules of other tools' markers on a node.
type MarkerRules func(n *Node, list []model.Marker) []rule.Rule

// Family is a group of tags with a common prefix.
type Family struct {
	// Prefix is the common prefix, including ':'; "" for tags without a prefix.
	Prefix string
	// Title and Intro are the heading of the family in the catalogue.
	Title, Intro string
	// Words is set if words without quotes are strings, as in upstream's tool.
	Words bool
}

// NewSet returns the set of the given tags.
func NewSet(defs []*Definition, families []Family) *Set {
	s := &Set{defs: slices.Clone(defs), byName: map[string]*Definition{}, families: families}
	slices.SortFunc(s.defs, func(a, b *Definition) int { return strings.Compare(a.Name, b.Name) })
	for _, d := range s.defs {
		s.byName[d.Name] = d
		for _, alias := range d.Aliases {
			s.byName[alias] = d
		}
	}
	return s
}

// ForKeyword returns the tag for a keyword of schemas, in upper or lower case; nil if there is none.
func (s *Set) ForKeyword(name string) *Definition {
	for _, d := range s.defs {
		if d.OpenAPI != "" && strings.EqualFold(name, d.OpenAPI) {
			return d
		}
	}
	return nil
}

// ReadMarkers reads rules from markers of other tools.
func (s *Set) ReadMarkers(rules MarkerRules) *Set {
	s.markers = rules
	return s
}

// markerRules returns the rules of the markers on a node.
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

// FamilyOf returns the family that a marker's name belongs to; nil for markers of other tools.
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

// Names returns all known names, sorted.
func (s *Set) Names() []string { return slices.Sorted(maps.Keys(s.byName)) }

// Nearest returns the known name that is most similar to the given one, or "" if none is similar. A name without a prefix
// is compared with the names behind prefixes too.
func (s *Set) Nearest(name string) string {
	names := s.Names()
	if near := spell.Nearest(name, names); near != "" || strings.Contains(name, ":") {
		return near
	}
	var bases []string
	full := map[string]string{}
	for _, n := range names {
		if _, base, ok := strings.Cut(n, ":"); ok && full[base] == "" {
			bases, full[base] = append(bases, base), n
		}
	}
	return full[spell.Nearest(name, bases)]
}

// Quote returns s as a Go string literal, the form of strings in tags.
func Quote(s string) string { return strconv.Quote(s) }
