package check

import (
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/spell"
)

// unread warns about a marker that no tool reads, if its name is almost that of a tag or of another
// known marker. Any other name may belong to a tool that kindsmith does not know.
func (c *checker) unread(m model.Marker) {
	rest := m.Text[len(m.Name):]
	if c.tags.FamilyOf(m.Name+":") != nil && strings.HasPrefix(rest, ": ") {
		c.bag.Warnf(m.Span.Sub(1, len(m.Name)+3), codeUnknownMarker, "a space splits the name of the tag, so it has no effect; write +%s:%s", m.Name, strings.TrimLeft(rest, ": "))
		return
	}
	if rest != "" && rest[0] != '=' && rest[0] != '(' {
		return // prose
	}
	span := m.Span.Sub(1, 1+len(m.Name))
	for _, name := range []string{foreign.GroupName, foreign.VersionName} {
		if value, ok := strings.CutPrefix(m.Name, name+":"); ok {
			c.voids(c.bag.Warnf(span, codeUnknownMarker, "+%s has no effect; write +%s=%s", m.Name, name, value), nil, name)
			return
		}
	}
	if near := c.meantMarker(m.Name, rest); near != "" {
		d := c.bag.Warnf(span, codeUnknownMarker, "+%s has no effect: no known tool reads it; did you mean +%s?", m.Name, near)
		c.voids(d, nil, near)
		if strings.Count(m.Name, ":") == strings.Count(near, ":") {
			d.Suggest(span, near, "write +%s", near)
		}
	}
}

// meantMarker returns the marker that a name almost is, "" if there is none: the misspelt name of a
// marker without a prefix, or the name of one with a prefix that is misspelt or missing.
func (c *checker) meantMarker(name, rest string) string {
	prefix, base := "", name
	if i := strings.IndexAny(name, ":/"); i >= 0 {
		prefix, base = name[:i], name[i+1:]
	}
	if prefix == "" && !foreign.IsKnown(name) {
		// A tag without a prefix is the best answer, then a marker of another tool, then a tag that lacks its prefix.
		for _, names := range [][]string{c.unprefixed(), foreign.Known()} {
			close := slices.DeleteFunc(slices.Clone(names), func(known string) bool { return !spell.Close(name, known) })
			if near := spell.Nearest(name, close); near != "" {
				return near
			}
		}
	}
	kubebuilder := strings.TrimSuffix(foreign.KubebuilderPrefix, ":")
	switch {
	case foreign.LacksPrefix(name):
		return foreign.KubebuilderPrefix + name
	case prefix != kubebuilder && spell.Close(strings.ReplaceAll(prefix, "-", ""), kubebuilder) && foreign.IsValidation(foreign.KubebuilderPrefix+base):
		return foreign.KubebuilderPrefix + base
	}
	for _, f := range c.tags.Families() {
		def := c.tags.Lookup(f.Prefix + lowerFirst(base))
		switch {
		case f.Prefix == "" || def == nil:
		case prefix != "" && spell.Close(prefix, strings.TrimSuffix(f.Prefix, ":")),
			prefix == "" && !foreign.IsKnown(name) && (rest != "" || !def.NeedsMore()):
			return def.Name
		}
	}
	return ""
}

// unprefixed are the names of the tags without a prefix.
func (c *checker) unprefixed() []string {
	return slices.DeleteFunc(c.tags.Names(), func(name string) bool { return strings.Contains(name, ":") })
}

// generators warns about a misspelt marker of a generator, which nothing reads.
func (c *checker) generators(m model.Marker) {
	if near := foreign.MeantGenerator(m.Name, spell.Close); near != "" {
		span := m.Span.Sub(1, 1+len(m.Name))
		c.bag.Warnf(span, codeUnknownMarker, "+%s has no effect: no known tool reads it; did you mean +%s?", m.Name, near).
			Suggest(span, near, "write +%s", near)
	}
}

func lowerFirst(name string) string {
	if name == "" {
		return name
	}
	return strings.ToLower(name[:1]) + name[1:]
}
