package eval

import (
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/runtime/gen/validate"
)

// identity identifies list items: by the values of keys, or by the whole item if there are no keys.
type identity struct{ keys []rule.FieldPath }

// identityOf returns how the items of a list are correlated with old items, nil if they are not.
func identityOf(l *rule.List) *identity {
	if !l.Paired() {
		return nil
	}
	if l.Identity == rule.Set {
		return &identity{}
	}
	return &identity{keys: l.Keys}
}

func (id *identity) same(a, b *value) bool {
	if id.keys == nil {
		return equal(a, b)
	}
	for _, key := range id.keys {
		x, y := selected(a, key), selected(b, key)
		if x == nil || y == nil {
			if x != y {
				return false
			}
			continue
		}
		if !equal(x, y) {
			return false
		}
	}
	return true
}

func (id *identity) hash(item *value) uint64 {
	if id.keys == nil {
		return hash(0, item)
	}
	h := uint64(0)
	for _, key := range id.keys {
		if x := selected(item, key); x != nil {
			h = hash(h, x)
		}
	}
	return h
}

// selected returns a field of a struct, nil if an inlined pointer is nil.
func selected(v *value, path rule.FieldPath) *value {
	for _, name := range path.Through {
		if v = v.field(name).deref(); v == nil {
			return nil
		}
	}
	return v.field(path.Name)
}

// isSet reports whether a field of a struct is set.
func isSet(v *value, path rule.FieldPath) bool {
	x := selected(v, path)
	return x != nil && x.isSetAs(path.Unset)
}

// items returns the items of a list, nil for nil pointers.
func items(list *value) []*value {
	if list == nil {
		return nil
	}
	if list.typ.elem.form != pointerForm {
		return list.parts
	}
	out := make([]*value, len(list.parts))
	for i, item := range list.parts {
		out[i] = item.deref()
	}
	return out
}

// find returns the first list item with certain keys, and its index.
func find(list *value, keys []rule.KeyValue) (item *value, index int) {
	all := items(list)
	index = validate.IndexPtr(all, func(item *value) bool { return hasKeys(item, keys) })
	if index < 0 {
		return nil, index
	}
	return all[index], index
}

func hasKeys(item *value, keys []rule.KeyValue) bool {
	for _, k := range keys {
		x := selected(item, k.Key).deref()
		if x == nil || x.scalar() != k.Value.Text || (k.Value.Kind == model.StringValue) != (x.typ.form == stringForm) {
			return false
		}
	}
	return true
}
