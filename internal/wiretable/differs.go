package wiretable

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/plan"
)

// Differs says what in the JSON of a kind differs between the versions of a plan, first in the
// order of fields; "" if only the apiVersion does, so that objects need no conversion.
func Differs(p *plan.Plan, kind *plan.Type) string {
	b := newBuilder(p)
	d := difference{builder: b, seen: map[*plan.Type]bool{}}
	text := d.typ(kind, "")
	if text == "" && b.differs[kind.Older] { // never None for versions that differ
		text = kind.Older.Name + " has other JSON in " + p.Older.Name
	}
	return text
}

// difference looks for the first difference.
type difference struct {
	*builder
	seen map[*plan.Type]bool
}

func (d *difference) typ(t *plan.Type, path string) string {
	switch {
	case d.seen[t]:
		return ""
	case d.opaque(t, plan.Up) && d.typeDiffers(t) || t.UpByHand || t.DownByHand:
		return cmp.Or(path, t.Older.Name) + " is converted by Go code"
	case slices.ContainsFunc(t.Hooks, func(h *plan.Hook) bool { return h.Split == nil }):
		return cmp.Or(path, t.Older.Name) + " is converted by Go code"
	case t.Enum != nil:
		return cmp.Or(path, t.Older.Name) + " has other values in " + d.plan.Older.Name
	}
	d.seen[t] = true
	if t.Value != nil {
		return d.value(t.Value, path)
	}
	for _, op := range t.Fields {
		if !d.opDiffers(op) {
			continue
		}
		if text := d.op(op, path); text != "" {
			return text
		}
	}
	return ""
}

func (d *difference) op(op *plan.Op, path string) string {
	at := func(f *plan.Field) string {
		if f.Inline {
			return path
		}
		if path == "" {
			return f.JSON
		}
		return path + "." + f.JSON
	}
	switch {
	case op.Moved:
		return ""
	case op.Kind == plan.Move:
		return d.path(op.HubPath, path) + " is " + d.path(op.OlderPath, path) + " in " + d.plan.Older.Name
	case op.Hub == nil:
		return at(op.Older) + " exists only in " + d.plan.Older.Name
	case op.Older == nil:
		return cmp.Or(at(op.Hub), op.Hub.Go) + " does not exist in " + d.plan.Older.Name
	case op.Older.JSON != op.Hub.JSON:
		return at(op.Hub) + " is " + at(op.Older) + " in " + d.plan.Older.Name
	}
	return d.value(op.Value, at(op.Hub))
}

// path returns the path of a moved field.
func (d *difference) path(fields []*plan.Field, path string) string {
	for _, f := range fields {
		if !f.Inline {
			path = strings.TrimPrefix(path+"."+f.JSON, ".")
		}
	}
	return path
}

func (d *difference) value(v *plan.Value, path string) string {
	if v == nil || !d.valueDiffers(v) {
		return ""
	}
	switch v.Kind {
	case plan.Pair:
		return d.typ(d.plan.Of(v.Older.ID(), v.Hub.ID()), path)
	case plan.Chain:
		if d.needs(v, plan.Up) || d.needs(v, plan.Down) {
			return path + " has another type in " + d.plan.Older.Name
		}
		if text := d.value(v.Direct, path); text != "" {
			return text
		}
	case plan.Wrap:
		return path + " is a single value in " + d.plan.Older.Name
	case plan.List, plan.Array:
		path += "[]"
	case plan.Map:
		path += ".*"
	}
	if text := d.value(v.Elem, path); text != "" {
		return text
	}
	return d.value(v.Key, path)
}
