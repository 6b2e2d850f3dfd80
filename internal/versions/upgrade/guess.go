package upgrade

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/spell"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// renamed returns the fields of an object that have another name: those that people name, and then those that are likely.
func (c *comparer) renamed(o *pair, lost, added map[string]bool) iter.Seq2[string, string] {
	found := map[string]string{}
	for former, path := range c.options.Renames {
		older, isHere := strings.CutPrefix(former, o.before+".")
		newer, alsoHere := strings.CutPrefix(path, o.after+".")
		if o.before == "" {
			older, newer, isHere, alsoHere = former, path, true, true
		}
		if isHere && alsoHere && lost[older] && added[newer] {
			found[older] = newer
			c.used[former] = true
		}
	}
	if !c.options.NoGuess {
		c.guess(o, lost, added, found)
	}
	return func(yield func(string, string) bool) {
		for _, older := range slices.Sorted(maps.Keys(found)) {
			if !yield(older, found[older]) {
				return
			}
		}
	}
}

// guess adds fields that were likely renamed: only one field that was removed, and one that was added, are alike.
func (c *comparer) guess(o *pair, lost, added map[string]bool, found map[string]string) {
	taken := map[string]bool{}
	for _, newer := range found {
		taken[newer] = true
	}
	reasons, candidates, of := map[[2]string]string{}, map[string][]string{}, map[string][]string{}
	for older := range lost {
		for newer := range added {
			if found[older] != "" || taken[newer] {
				continue
			}
			if reason := alike(o, older, newer); reason != "" {
				reasons[[2]string{older, newer}] = reason
				candidates[older], of[newer] = append(candidates[older], newer), append(of[newer], older)
			}
		}
	}
	for _, older := range slices.Sorted(maps.Keys(candidates)) {
		if newers := candidates[older]; len(newers) == 1 && len(of[newers[0]]) == 1 {
			newer := newers[0]
			found[older] = newer
			d := c.bag.Warnf(c.newerPlace(o.inNewer+".properties."+newer), codeGuess, "guess: %s was %s in %s: %s",
				join(o.after, newer), join(o.before, older), c.older.version, reasons[[2]string{older, newer}])
			d.Note(c.olderPlace(o.inOlder+".properties."+older), "the former name is here")
		}
	}
}

// alike returns why two fields are likely the same; "" if they are not.
func alike(o *pair, older, newer string) string {
	before, after := o.older.Properties[older], o.newer.Properties[newer]
	if !same(&before, &after) {
		return ""
	}
	text := func(description, name string) string {
		return strings.Join(strings.Fields(strings.ReplaceAll(strings.ToLower(description), strings.ToLower(name), "")), " ")
	}
	switch {
	case before.Description != "" && text(before.Description, older) == text(after.Description, newer):
		return "the same schema and description"
	case spell.Close(older, newer), contains(older, newer), contains(newer, older):
		return "the same schema and a similar name"
	case kindOf(&before) == "object" && len(before.Properties) > 1:
		return "the same schema, with the same fields"
	}
	return ""
}

// contains reports whether a name has another one as its beginning or end, such as replicaCount and replicas.
func contains(long, short string) bool {
	long, short = strings.ToLower(long), strings.TrimSuffix(strings.ToLower(short), "s")
	return len(short) > 2 && (strings.HasPrefix(long, short) || strings.HasSuffix(strings.TrimSuffix(long, "s"), short))
}

// transforms are the conversions between types of which one is likely.
var transforms = []struct {
	name          string
	first, second string
}{{"integer", "string", "integer"}, {"bool", "string", "boolean"}}

// retyped returns how the values of a field with another type likely convert, in words too; "" for not known.
func (c *comparer) retyped(v *pair) (jsonconvert.Value, string) {
	older, newer := kindOf(v.older), kindOf(v.newer)
	for _, t := range transforms {
		switch {
		case older == t.first && newer == t.second && len(v.older.Enum) == 0:
			return jsonconvert.Value{Call: &jsonconvert.Call{Transform: &jsonconvert.Transform{Name: t.name}}}, "the " + t.second + " that was text"
		case older == t.second && newer == t.first && len(v.newer.Enum) == 0:
			return jsonconvert.Value{Call: &jsonconvert.Call{Transform: &jsonconvert.Transform{Name: t.name, Inverted: true}}}, "the text of the " + t.second
		}
	}
	if newer == "array" && same(v.older, itemsOf(v.newer)) {
		return jsonconvert.Value{List: &jsonconvert.Value{}}, "a list whose first item is the single value"
	}
	return jsonconvert.Value{}, ""
}
