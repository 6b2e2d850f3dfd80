package jsonconvert

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// check returns what is wrong with a table, which may come from a file that somebody has changed.
func (a *API) check() error {
	for i := range a.Kinds {
		k := &a.Kinds[i]
		if k.Store != Untracked && k.Store != Status && k.Store != Annotation {
			return fmt.Errorf("the kind %s has the store %q; it is %q, %q or left out", k.Name, k.Store, Status, Annotation)
		}
	}
	for i := range a.Versions {
		if err := a.Versions[i].check(); err != nil {
			return fmt.Errorf("the version %s: %w", a.Versions[i].Name, err)
		}
	}
	for k := range a.Steps {
		s := &a.Steps[k]
		for _, name := range slices.Sorted(maps.Keys(s.Types)) {
			if err := s.check(name); err != nil {
				return fmt.Errorf("the type %s of the step from %s to %s: %w", name, s.Older, s.Newer, err)
			}
		}
	}
	return nil
}

// schemaKinds are the kinds of schemas.
var schemaKinds = []SchemaKind{AnyKind, StringKind, BytesKind, BoolKind, IntegerKind, NumberKind, ListKind, MapKind, ObjectKind}

// check returns what is wrong with the types of a version that are data. Those of Go types are right.
func (v *Version) check() error {
	seen := map[*Schema]bool{}
	var check func(s *Schema, depth int) error
	check = func(s *Schema, depth int) error {
		switch {
		case s == nil || seen[s] || depth > maxDepth:
			return nil
		case s.Ref != "" && v.Types[s.Ref] == nil:
			return fmt.Errorf("there is no type %q", s.Ref)
		case s.Known != "" && knownTypes[s.Known] == nil:
			return fmt.Errorf("unknown type with its own JSON %q", s.Known)
		case !slices.Contains(schemaKinds, s.Kind):
			return fmt.Errorf("unknown kind of JSON %q", s.Kind)
		}
		seen[s] = true
		for _, name := range slices.Sorted(maps.Keys(s.Fields)) {
			if err := check(s.Fields[name], depth+1); err != nil {
				return fmt.Errorf("the field %s: %w", name, err)
			}
		}
		return check(s.Elem, depth+1)
	}
	for _, name := range slices.Sorted(maps.Keys(v.Types)) {
		if err := check(v.Types[name], 0); err != nil {
			return fmt.Errorf("the type %s: %w", name, err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(v.Kinds)) {
		s := v.Kinds[name]
		if err := check(&s, 0); err != nil {
			return fmt.Errorf("the kind %s: %w", name, err)
		}
	}
	return nil
}

func (s *Step) check(name string) error {
	t := s.Types[name]
	if t == nil {
		return errors.New("it is null")
	}
	seen := map[string]bool{}
	for of := t; of != nil && of.Value != nil; of = s.Types[of.Value.Type] {
		if key := of.Value.Type; key == "" {
			break
		} else if seen[key] {
			return errors.New("its value is of the same type")
		} else {
			seen[key] = true
		}
	}
	if t.Enum != nil {
		for _, cases := range []map[string]string{t.Enum.Up, t.Enum.Down} {
			for from, to := range cases {
				if !isScalar(from) || !isScalar(to) {
					return fmt.Errorf("the value %s of the enum becomes %s; both must be JSON", from, to)
				}
			}
		}
	}
	if err := checkValue(t.Value); err != nil {
		return err
	}
	for i := range t.Fields {
		f := &t.Fields[i]
		if len(f.Default) > 0 && !json.Valid(f.Default) {
			return fmt.Errorf("the default of %s is not JSON: %s", f.Newer.Name, f.Default)
		}
		if err := errors.Join(checkKey(&f.Older), checkKey(&f.Newer), checkValue(&f.Value)); err != nil {
			return err
		}
	}
	for i := range t.Moves {
		if err := t.Moves[i].check(); err != nil {
			return err
		}
	}
	for i := range t.Hooks {
		if h := &t.Hooks[i]; h.Split != nil {
			if _, err := h.Split.divider(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (m *Move) check() error {
	if len(m.Older) == 0 || len(m.Newer) == 0 {
		return errors.New("a field moves from or to nowhere")
	}
	for _, path := range [][]PathKey{m.Older, m.Newer} {
		for j := range path {
			if err := checkKey(&path[j].Key); err != nil {
				return err
			}
		}
	}
	return checkValue(&m.Value)
}

func isScalar(text string) bool {
	return json.Valid([]byte(text)) && text[0] != '{' && text[0] != '[' && text[0] > ' '
}

func checkKey(k *Key) error {
	if k.Zero != "" && (!json.Valid([]byte(k.Zero)) || k.Zero[0] <= ' ') {
		return fmt.Errorf("the zero value of %s is not JSON: %s", k.Name, k.Zero)
	}
	return nil
}

func checkValue(v *Value) error {
	if v == nil {
		return nil
	}
	if v.Call != nil && v.Call.Transform != nil && Forms[v.Call.Transform.Name] == nil {
		return fmt.Errorf("unknown transform %q", v.Call.Transform.Name)
	}
	return errors.Join(checkValue(v.Elem), checkValue(v.List))
}
