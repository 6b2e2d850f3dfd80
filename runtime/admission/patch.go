package admission

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// change is an operation of a JSON patch.
type change struct {
	Op    string          `json:"op"`
	Path  string          `json:"path"`
	Value json.RawMessage `json:"value,omitempty"`
}

// diff returns the JSON patch that makes the changes between before and after to an object; nil for
// none. All are JSON: raw is the object as the client sent it, before what its Go type shows of it.
// Fields that the type does not have, or writes differently, are in raw only, and stay as they are.
//
// If only is set, the patch changes nothing outside of this field.
func diff(raw, before, after []byte, only string) ([]byte, error) {
	var trees [3]map[string]any
	for i, text := range [][]byte{raw, before, after} {
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber() // numbers keep their digits
		if err := d.Decode(&trees[i]); err != nil {
			return nil, err
		}
		if only != "" {
			maps.DeleteFunc(trees[i], func(key string, _ any) bool { return key != only })
		}
	}
	var d differ
	d.object("", trees[0], trees[1], trees[2])
	if d.err != nil || len(d.changes) == 0 {
		return nil, d.err
	}
	return json.Marshal(d.changes)
}

type differ struct {
	changes []change
	err     error
}

func (d *differ) add(op, path string, value any) {
	c := change{Op: op, Path: path}
	if op != "remove" {
		var err error
		if c.Value, err = json.Marshal(value); err != nil {
			d.err = err
		}
	}
	d.changes = append(d.changes, c)
}

func (d *differ) object(at string, raw, before, after map[string]any) {
	for _, key := range keys(before, after) {
		b, had := before[key]
		a, has := after[key]
		if had && has && reflect.DeepEqual(b, a) {
			continue
		}
		r, sent := raw[key]
		path := at + "/" + escape.Replace(key)
		switch {
		case has && sent:
			d.value(path, r, b, a)
		case has:
			if v, ok := changed(b, a); ok {
				d.add("add", path, v)
			}
		case sent:
			d.add("remove", path, nil)
		}
	}
}

// value writes the change of a value that the client sent.
func (d *differ) value(path string, raw, before, after any) {
	switch after := after.(type) {
	case map[string]any:
		b, ok := before.(map[string]any)
		if r, sent := raw.(map[string]any); ok && sent {
			d.object(path, r, b, after)
			return
		}
	case []any:
		b, ok := before.([]any)
		if r, sent := raw.([]any); ok && sent && len(r) == len(b) && d.list(path, r, b, after) {
			return
		}
	}
	v, ok := after, true
	if raw == nil {
		v, ok = changed(before, after)
	}
	if ok && !reflect.DeepEqual(raw, v) {
		d.add("replace", path, v)
	}
}

// list writes the changes of a list whose items are still the same, or to which items were appended.
// It returns false for other lists.
func (d *differ) list(path string, raw, before, after []any) bool {
	if len(after) < len(before) || len(after) > len(before) && !reflect.DeepEqual(before, after[:len(before)]) {
		return false
	}
	for i, b := range before {
		if !reflect.DeepEqual(b, after[i]) {
			d.value(path+"/"+strconv.Itoa(i), raw[i], b, after[i])
		}
	}
	for _, a := range after[len(before):] {
		d.add("add", path+"/-", a)
	}
	return true
}

// changed returns what to set a value to that the client did not send, or sent as null: what is new in
// an object whose Go type is no pointer, and else all of it. It returns false if nothing is new.
func changed(before, after any) (any, bool) {
	b, ok := before.(map[string]any)
	a, also := after.(map[string]any)
	if !ok || !also {
		return after, true
	}
	out := map[string]any{}
	for key, v := range a {
		if was, had := b[key]; !had {
			out[key] = v
		} else if !reflect.DeepEqual(was, v) {
			if v, ok := changed(was, v); ok {
				out[key] = v
			}
		}
	}
	return out, len(out) > 0
}

func keys(before, after map[string]any) []string {
	list := slices.AppendSeq(slices.Collect(maps.Keys(before)), maps.Keys(after))
	slices.Sort(list)
	return slices.Compact(list)
}

// escape writes a key in a path.
var escape = strings.NewReplacer("~", "~0", "/", "~1")
