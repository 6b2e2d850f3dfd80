package typed

import (
	"fmt"
	"reflect"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"github.com/kindsmith/kindsmith/internal/core/expr"
)

// keyedList is a list of type set or map: equal to another one with the same
// items in any order, and joined with another one key by key.
type keyedList struct {
	traits.Lister
	// key returns what identifies an item when lists are compared, joined when
	// they are joined.
	key, joined keyFunc
	// overwrite is set when items of the right side replace those of the left.
	overwrite bool
}

type keyFunc func(ref.Val) (any, ref.Val)

func (l *keyedList) Equal(other ref.Val) ref.Val {
	o, ok := other.(traits.Lister)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	if l.Size() != o.Size() {
		return types.False
	}
	byKey := map[any]ref.Val{}
	mine, err := items(l.Lister)
	if err != nil {
		return err
	}
	for _, x := range mine {
		k, err := l.key(x)
		if err != nil {
			return err
		}
		byKey[k] = x
	}
	theirs, err := items(o)
	if err != nil {
		return err
	}
	seen := map[any]bool{}
	for _, x := range theirs {
		k, err := l.key(x)
		if err != nil {
			return err
		}
		y, ok := byKey[k]
		if !ok {
			return types.False
		}
		if l.overwrite {
			if eq := y.Equal(x); eq != types.True {
				return eq
			}
		}
		seen[k] = true
	}
	return types.Bool(len(seen) == len(byKey))
}

func (l *keyedList) Add(other ref.Val) ref.Val {
	theirs, err := items(other)
	if err != nil {
		return err
	}
	out, err := items(l.Lister)
	if err != nil {
		return err
	}
	at := map[any]int{}
	for i, x := range out {
		k, err := l.joined(x)
		if err != nil {
			return err
		}
		at[k] = i
	}
	for _, x := range theirs {
		k, err := l.joined(x)
		if err != nil {
			return err
		}
		i, ok := at[k]
		switch {
		case ok && l.overwrite:
			out[i] = x
		case !ok:
			if !l.overwrite {
				at[k] = len(out)
			}
			out = append(out, x)
		}
	}
	return &keyedList{
		Lister: types.NewRefValList(types.DefaultTypeAdapter, out), key: l.joined, joined: l.joined, overwrite: l.overwrite,
	}
}

// setKey identifies the items of a set by their value.
func setKey(x ref.Val) (any, ref.Val) {
	switch x.(type) {
	case traits.Lister, traits.Mapper:
		return nil, types.NewErr("operations on sets are only supported for scalar values")
	}
	return comparable(x.Value()), nil
}

// comparable returns the value itself or, when Go cannot compare it, a text that
// has its type in it.
func comparable(v any) any {
	if v != nil && !reflect.TypeOf(v).Comparable() {
		return fmt.Sprintf("%#v", v)
	}
	return v
}

// mapKey identifies the items of a list that is a map by the values of its keys.
func mapKey(names []string) keyFunc {
	names = escapedNames(names)
	return func(x ref.Val) (any, ref.Val) {
		key := make([]any, len(names))
		for i, name := range names {
			m, ok := x.(traits.Mapper)
			if !ok {
				continue
			}
			if v, found := m.Find(types.String(name)); found && !types.IsUnknownOrError(v) {
				key[i] = comparable(v.Value())
			}
		}
		return fmt.Sprintf("%#v", key), nil
	}
}

// dataKey is mapKey on the data of an object. API servers look keys up by their
// escaped names there, so that no item has a key whose name is escaped, and items
// that are no data differ from all others.
func dataKey(names []string) keyFunc {
	names = escapedNames(names)
	return func(x ref.Val) (any, ref.Val) {
		data, ok := x.Value().(map[string]any)
		if !ok {
			return x, nil
		}
		key := make([]any, len(names))
		for i, name := range names {
			key[i] = data[name]
		}
		return fmt.Sprintf("%#v", key), nil
	}
}

func escapedNames(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = name
		if escaped, ok := expr.EscapeName(name); ok {
			out[i] = escaped
		}
	}
	return out
}
