package upgrade

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// single is a field that only one version has, or a field of an object that only one version has.
type single struct {
	schema *props
	// path is that of the value, and in that of the schema.
	path, in string
	// keys are the fields on the path; nil below lists and maps, which no field moves out of.
	keys []jsonconvert.PathKey
	// isRequired means that the object requires the field.
	isRequired bool
	// of is the object that only this version has; nil if both versions have the object of the field.
	of    *single
	below []*single
	moves bool
}

// singleOf returns a field of an object, whose path and schema path are given.
func singleOf(o *props, name, path, in string) *single {
	schema := o.Properties[name]
	s := &single{schema: &schema, path: join(path, name), in: in + ".properties." + name, isRequired: slices.Contains(o.Required, name)}
	if !strings.Contains(s.path, "[") {
		for _, key := range strings.Split(s.path, ".") {
			s.keys = append(s.keys, jsonconvert.PathKey{Key: jsonconvert.Key{Name: key}})
		}
	}
	if kindOf(s.schema) == "object" && s.keys != nil {
		for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
			below := singleOf(s.schema, name, s.path, s.in)
			below.of = s
			s.below = append(s.below, below)
		}
	}
	return s
}

// reachable returns all fields whose path leads to them: names may have dots.
func reachable(root *props, list []*single) []*single {
	return slices.DeleteFunc(all(list), func(s *single) bool {
		at := *root
		return slices.ContainsFunc(s.keys, func(k jsonconvert.PathKey) bool {
			below, ok := at.Properties[k.Name]
			at = below
			return !ok
		})
	})
}

// all returns fields with those below them, parents first.
func all(list []*single) (out []*single) {
	for _, s := range list {
		if s.keys != nil {
			out = append(append(out, s), all(s.below)...)
		}
	}
	return out
}

// name returns the last name of the path.
func (s *single) name() string { return s.keys[len(s.keys)-1].Name }

// isFree reports whether neither the field nor an object around it moves, nor one of its fields.
func (s *single) isFree() bool {
	for of := s; of != nil; of = of.of {
		if of.moves {
			return false
		}
	}
	return !slices.ContainsFunc(all(s.below), func(below *single) bool { return below.moves })
}

// move adds the fields that have another parent in the newer version: those that people name, and those that are likely.
func (c *comparer) move(root string) {
	lost, added := reachable(c.older.props, c.lost), reachable(c.newer.props, c.added)
	for _, former := range slices.Sorted(maps.Keys(c.options.Renames)) {
		at := func(path string) func(*single) bool {
			return func(s *single) bool { return s.path == path && s.isFree() }
		}
		i, j := slices.IndexFunc(lost, at(former)), slices.IndexFunc(added, at(c.options.Renames[former]))
		if i >= 0 && j >= 0 {
			c.used[former] = true
			c.addMove(root, lost[i], added[j])
		}
	}
	if c.options.NoGuess {
		return
	}
	for _, older := range lost {
		newer := only(older, added, isMoved)
		if newer == nil || only(newer, lost, func(n, o *single) bool { return isMoved(o, n) }) != older {
			continue
		}
		d := c.bag.Warnf(c.newerPlace(newer.in), codeGuess, "guess: %s was %s in %s: the same name and schema in another object", newer.path, older.path, c.older.version)
		d.Note(c.olderPlace(older.in), "the former place is here")
		c.addMove(root, older, newer)
	}
}

// only returns the only field of a list that a field is like; nil for none, and for several.
func only(s *single, list []*single, like func(a, b *single) bool) (found *single) {
	for _, other := range list {
		if !like(s, other) {
			continue
		}
		if found != nil {
			return nil
		}
		found = other
	}
	return found
}

// isMoved reports whether a field likely has another parent. One of the parents is in both versions: fields of two objects often
// share a name.
func isMoved(older, newer *single) bool {
	text := func(s *single) string { return strings.Join(strings.Fields(s.schema.Description), " ") }
	return older.name() == newer.name() && (older.of == nil || newer.of == nil) && older.isFree() && newer.isFree() &&
		same(older.schema, newer.schema) && text(older) == text(newer)
}

// addMove adds a move to the table of the kind.
func (c *comparer) addMove(root string, older, newer *single) {
	value, ok := c.value(&pair{
		older: older.schema, newer: newer.schema, inOlder: older.in, inNewer: newer.in,
		before: older.path, after: newer.path, typeName: root + "." + newer.path,
	})
	if !ok {
		return // reported
	}
	older.moves, newer.moves = true, true
	c.types[root].Moves = append(c.types[root].Moves, jsonconvert.Move{Older: path(c.older.props, older), Newer: path(c.newer.props, newer), Value: value})
}

// path returns the keys of a field. Parents that no object requires are left out if they are empty.
func path(root *props, s *single) []jsonconvert.PathKey {
	keys, at := slices.Clone(s.keys), root
	for i := range keys {
		name := keys[i].Name
		keys[i].Optional = i < len(keys)-1 && !slices.Contains(at.Required, name)
		below := at.Properties[name]
		at = &below
	}
	return keys
}

// report says what happens to the fields that stay in one version.
func (c *comparer) report() {
	for _, s := range c.lost {
		if !s.isGone() {
			c.note(s.path + ": only in " + c.older.version + "; kept in an annotation")
		}
	}
	for _, s := range c.added {
		if s.isGone() {
			continue
		}
		if s.isRequired && s.schema.Default == nil && s.isFree() {
			c.bag.Errorf(c.newerPlace(s.in), codeRequired, "%s of %s requires %s, which %s does not have: make the field optional, or give it a default",
				c.newer.version, c.kind.to.Name, s.path, c.older.version)
		}
		c.note(s.path + ": only in " + c.newer.version + "; kept in an annotation")
	}
	for _, s := range all(c.added) {
		if s.moves {
			c.note(fmt.Sprintf("%s: moves to and from another object", s.path))
		}
	}
}

// isGone reports whether a field, or each of its fields, moves.
func (s *single) isGone() bool {
	return s.moves || len(s.below) > 0 && !slices.ContainsFunc(s.below, func(below *single) bool { return !below.isGone() })
}
