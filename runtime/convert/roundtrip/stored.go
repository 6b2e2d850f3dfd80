package roundtrip

import (
	"maps"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// values returns the stored values of an object; nil for none. set replaces them.
func (o *origin) values(x *node) (values *node, set func(*node)) {
	if o.kind.store == jsonconvert.Status {
		status := x.get("status")
		return status.get("changedValues"), func(n *node) { *status.get("changedValues") = *n }
	}
	text := x.get("metadata").get("annotations").get(jsonconvert.TrackingAnnotation(o.api.Group))
	if text == nil || text.kind != 's' || text.text[0] != '"' {
		return nil, nil
	}
	values, err := parse([]byte(plain(text.text)))
	if err != nil {
		return nil, nil
	}
	return values, func(n *node) { text.text = spell(n.String()) }
}

// untracked returns an object without its stored values, and without what was made for these.
func (o *origin) untracked(x *node) *node {
	values, _ := o.values(x)
	if values == nil {
		return x
	}
	keep := ""
	if k := values.get("keep"); k != nil {
		keep = plain(k.text)
	}
	path := []string{"metadata", "annotations", jsonconvert.TrackingAnnotation(o.api.Group)}
	if o.kind.store == jsonconvert.Status {
		path = []string{"status", "changedValues"}
	}
	isNull := values.get("null") != nil
	x = x.fork(path[:len(path)-1]...)
	for i := len(path) - 1; i >= 0; i-- {
		parent := x
		for _, key := range path[:i] {
			parent = parent.get(key)
		}
		if below := parent.get(path[i]); i < len(path)-1 && (len(below.items) > 0 || keep == path[i]) {
			return x
		}
		if parent.drop(path[i]); i < len(path)-1 && isNull && (keep == "" && i == 0 || i > 0 && keep == path[i-1]) {
			parent.add(path[i], scalar("null"))
			return x
		}
	}
	return x
}

// stored returns a text that objects of a version with the same stored values share. Zero values do not count, nor what says how to remove
// the values, nor what Go's JSON of the object lacks, which is stored for the version itself.
func (o *origin) stored(x *node, v *version) string {
	values, _ := o.values(x)
	if values == nil {
		return ""
	}
	var lines []string
	for _, direction := range []string{"upgrades", "downgrades"} {
		versions := values.get(direction)
		if versions == nil {
			continue
		}
		for i, entries := range versions.items {
			if plain(versions.keys[i]) == v.name {
				continue
			}
			for _, e := range entries.items {
				lines = append(lines, plain(versions.keys[i])+" "+e.withoutZeros().canonical())
			}
		}
	}
	if hidden := values.get("hidden"); hidden != nil {
		for _, h := range hidden.items {
			lines = append(lines, "hidden "+h.canonical())
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// withoutZeros returns a value without the zero values of objects, with their keys in order.
func (n *node) withoutZeros() *node {
	out := &node{kind: n.kind, text: n.text}
	for _, item := range n.items {
		out.items = append(out.items, item.withoutZeros())
	}
	if n.kind != '{' {
		return out
	}
	members := map[string]*node{}
	for i, item := range out.items {
		if zero := item.kind != 's' && len(item.items) == 0 || slices.Contains([]string{"null", `""`, "0", "false", `"0"`, `"0s"`}, item.canonical()); !zero {
			members[spell(plain(n.keys[i]))] = item
		}
	}
	sorted := &node{kind: '{'}
	for _, key := range slices.Sorted(maps.Keys(members)) {
		sorted.keys, sorted.items = append(sorted.keys, key), append(sorted.items, members[key])
	}
	return sorted
}
