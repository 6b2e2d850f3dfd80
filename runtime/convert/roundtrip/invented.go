package roundtrip

import (
	"slices"

	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// invented returns the path of a field that the neighbouring version lacks, and that a conversion gave a value without a reason;
// "" for none. there has no stored values.
func (o *subject) invented(via *version, there *node) string {
	side := 1 // of the version that the object is in
	k := o.from.age
	switch via.age {
	case k + 1:
	case k - 1:
		side, k = 0, k-1
	default:
		return "" // there are versions between
	}
	e := &explainer{step: &o.api.Steps[k], side: side, isStored: o.x.get("metadata").get("uid") != nil, moved: map[string]bool{}}
	return e.value(o.x, there, &jsonconvert.Value{Type: o.kind.name}, "")
}

// explainer finds what no rule of a step explains.
type explainer struct {
	step *jsonconvert.Step
	// side is 1 for objects of the newer version.
	side     int
	isStored bool
	// moved are the paths of fields that may have moved there, and of their parents.
	moved map[string]bool
}

// value compares a value with what it was.
func (e *explainer) value(x, y *node, v *jsonconvert.Value, path string) string {
	switch {
	case v.Call != nil || v.List != nil || x == nil || x.kind != y.kind:
		return ""
	case y.kind == '{' && v.Type != "":
		return e.object(x, y, e.step.Types[v.Type], path)
	case v.Elem == nil || len(x.items) != len(y.items):
		return ""
	}
	for i, item := range y.items {
		was, below := x.items[i], path+index(i)
		if y.kind == '{' {
			was, below = x.get(plain(y.keys[i])), path+"."+plain(y.keys[i])
		}
		if at := e.value(was, item, v.Elem, below); at != "" {
			return at
		}
	}
	return ""
}

func (e *explainer) object(x, y *node, t *jsonconvert.Type, path string) string {
	if t == nil || t.Up != "" || t.Down != "" || len(t.Hooks) > 0 {
		return ""
	}
	e.move(t, path)
	for i, item := range y.items {
		key := plain(y.keys[i])
		below := path + "." + key
		f := e.field(t, key)
		if f == nil {
			if x.get(key) == nil && t.Value == nil && !e.moved[below] {
				return below
			}
			continue
		}
		is, was := e.keys(f)
		before := x.get(was.Name)
		switch isDefault := e.side == 1 && (len(f.Default) > 0 || f.DefaultFunc != ""); {
		case was.Name != "" && before != nil:
			if at := e.value(before, item, &f.Value, below); at != "" {
				return at
			}
		case isDefault || e.moved[below] || e.isStored && is.Required && item.text == is.Zero:
		default:
			return below
		}
	}
	return ""
}

// keys returns the field in the version, and what it was.
func (e *explainer) keys(f *jsonconvert.Field) (is, was *jsonconvert.Key) {
	if e.side == 1 {
		return &f.Newer, &f.Older
	}
	return &f.Older, &f.Newer
}

func (e *explainer) field(t *jsonconvert.Type, key string) *jsonconvert.Field {
	i := slices.IndexFunc(t.Fields, func(f jsonconvert.Field) bool { is, _ := e.keys(&f); return is.Name == key && key != "" })
	if i < 0 {
		return nil
	}
	return &t.Fields[i]
}

// move notes where the fields of a type move to.
func (e *explainer) move(t *jsonconvert.Type, path string) {
	for i := range t.Moves {
		to := t.Moves[i].Older
		if e.side == 1 {
			to = t.Moves[i].Newer
		}
		at := path
		for _, key := range to {
			at += "." + key.Name
			e.moved[at] = true
		}
	}
}
