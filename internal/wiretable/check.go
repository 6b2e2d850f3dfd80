package wiretable

import (
	"encoding/json"

	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/plan"
	"github.com/kindsmith/kindsmith/internal/value"
	"github.com/kindsmith/kindsmith/runtime/wire"
)

// check returns the index of the check of a type's values, plus 1; 0 if they may be anything.
func (b *builder) check(r *model.Ref) int {
	for r.Kind == model.KindPointer {
		r = r.Elem
	}
	if known, ok := b.checks[r.String()]; ok {
		return known
	}
	c := wire.Check{}
	u := b.m.Underlying(r)
	bits, unsigned := u.IntSize()
	t := b.m.Struct(r)
	switch {
	case value.HasOwnJSON(b.m, r):
		return 0
	case u.IsString() || u.IsBytes():
		c.Kind = wire.CheckString
	case u.IsBool():
		c.Kind = wire.CheckBool
	case bits > 0:
		c.Kind, c.Bits, c.Unsigned = wire.CheckInteger, bits, unsigned
	case u.IsFloat():
		c.Kind = wire.CheckNumber
	case u.Kind == model.KindSlice || u.Kind == model.KindArray:
		c.Kind = wire.CheckList
	case u.Kind == model.KindMap:
		c.Kind = wire.CheckMap
	case t != nil:
		c.Kind = wire.CheckObject
	default:
		return 0
	}
	b.Checks = append(b.Checks, c)
	index := len(b.Checks)
	b.checks[r.String()] = index // it may contain itself
	if u.Elem != nil && !u.IsBytes() {
		elem := b.check(u.Elem)
		b.Checks[index-1].Elem = elem
	}
	if c.Kind == wire.CheckObject {
		fields, zeros := map[string]int{}, map[string]json.RawMessage{}
		for _, f := range b.keys(t.Ref(), 0) {
			if zero := plan.Written(b.m, f); zero != "" && !t.Generic {
				zeros[f.JSON] = json.RawMessage(zero)
			}
			if below := b.check(f.Type); below > 0 {
				fields[f.JSON] = below
			}
		}
		b.Checks[index-1].Fields, b.Checks[index-1].Zeros = fields, zeros
	}
	return index
}

// keys returns the fields that an inlined struct has in the object.
func (b *builder) keys(r *model.Ref, depth int) []*model.Field {
	var keys []*model.Field
	t := b.m.Struct(r)
	if t == nil || depth > 64 {
		return nil
	}
	for _, f := range t.Fields {
		switch {
		case f.Inline:
			keys = append(keys, b.keys(f.Type, depth+1)...)
		case f.JSON != "":
			keys = append(keys, f)
		}
	}
	return keys
}
