package steps

import (
	"cmp"
	"slices"
	"strings"
)

// Differs says what in the JSON of a kind differs between a version and the newest, first in the oldest step and in the order of
// fields; "" if only the apiVersion does, so that objects need no conversion.
func (a *API) Differs(kind, version string) string {
	from := slices.IndexFunc(a.Versions, func(v Version) bool { return v.Name == version })
	for _, s := range a.Steps[max(0, min(from, len(a.Steps))):] {
		t := s.named(kind)
		if t == nil {
			continue
		}
		d := difference{Step: s, seen: map[*Type]bool{}}
		return cmp.Or(d.typ(t, ""), kind+" has other JSON in "+s.Older)
	}
	return ""
}

// difference looks for the first difference in a step.
type difference struct {
	*Step
	seen map[*Type]bool
}

func (d *difference) typ(t *Type, path string) string {
	if t == nil || d.seen[t] {
		return ""
	}
	d.seen[t] = true
	at := cmp.Or(path, t.Name)
	switch {
	case t.Up != nil || t.Down != nil || slices.ContainsFunc(t.Hooks, func(h *Hook) bool { return h.Split == nil }):
		return at + " is converted by Go code"
	case t.Enum != nil:
		return at + " has other values in " + d.Older
	}
	if text := d.value(t.Value, path); text != "" {
		return text
	}
	for _, f := range t.Fields {
		if text := d.field(f, path); text != "" {
			return text
		}
	}
	for _, m := range t.Moves {
		return pathOf(m.Newer, path) + " is " + pathOf(m.Older, path) + " in " + d.Older
	}
	return ""
}

func (d *difference) field(f *Field, path string) string {
	at := func(k *Key) string { return strings.TrimPrefix(path+"."+k.JSON, ".") }
	switch {
	case f.Moved:
		return ""
	case f.Newer == nil:
		return at(f.Older) + " exists only in " + d.Older
	case f.Older == nil:
		return at(f.Newer) + " does not exist in " + d.Older
	case f.Older.JSON != f.Newer.JSON:
		return at(f.Newer) + " is " + at(f.Older) + " in " + d.Older
	}
	return d.value(f.Value, at(f.Newer))
}

// pathOf returns the path of a moved field.
func pathOf(keys []PathKey, path string) string {
	for _, k := range keys {
		path = strings.TrimPrefix(path+"."+k.JSON, ".")
	}
	return path
}

func (d *difference) value(v *Value, path string) string {
	if v == nil {
		return ""
	}
	switch v.Kind {
	case Pair:
		return d.typ(d.named(v.Type), path)
	case Call, Impossible:
		return path + " has another type in " + d.Older
	case Wrap:
		return path + " is a single value in " + d.Older
	case List:
		path += "[]"
	case Map:
		path += ".*"
	}
	return d.value(v.Elem, path)
}
