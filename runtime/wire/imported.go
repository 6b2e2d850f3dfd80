package wire

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/kindsmith/kindsmith/runtime/convert"
)

// imported is a step before a conversion. It returns an object of a version with tracked values in place of the objects
// in the annotations of Restores, and whether it had such annotations.
//
// The tracked values are those that a conversion of the stored object to the version of the object stores. So the
// conversion that follows restores them as if it had stored them itself: a value that was edited since wins over them. The
// step uses of conversions only Convert, and where the result has tracked values. An annotation that cannot be read stays,
// and counts as dropped.
func (c *Converter) imported(object, kind []byte, version string) ([]byte, bool) {
	if len(c.restores) == 0 || !c.reads(kind, version) || !slices.ContainsFunc(c.restores, func(r Restore) bool { return mayHave(object, r.Annotation) }) {
		return object, false
	}
	n, found := newNode(object, 0), false
	for _, r := range c.restores {
		metadata := n.get("metadata")
		annotations := metadata.get("annotations")
		data := annotations.get(r.Annotation)
		if data == nil {
			continue
		}
		values, store, err := c.trackedOf(r, data.text, kind, version)
		if err != nil {
			c.dropped.Add(1)
			continue
		}
		found = true
		if annotations.remove(r.Annotation); annotations.empty() {
			metadata.remove("annotations")
		}
		if values != nil && c.merge(n, values, store) != nil {
			return object, false
		}
	}
	return n.json(), found
}

// reads reports whether conversions of a kind in a version read annotations: between that and the hub, or between the hub
// and some version.
func (c *Converter) reads(kind []byte, version string) bool {
	for older, r := range c.routes {
		if i, ok := r.kinds[string(kind)]; ok && r.table.Types[i].Restores && (version == c.hub || version == older) {
			return true
		}
	}
	return false
}

// mayHave reports whether an object can have a key. Keys with escapes are not searched.
func mayHave(object []byte, key string) bool {
	return bytes.Contains(object, []byte(key)) || bytes.IndexByte(object, '\\') >= 0
}

// trackedOf returns the values that the object in an annotation has and a version cannot represent, and where the converted
// object has them. There are none if the object is of the version itself.
func (c *Converter) trackedOf(r Restore, data, kind []byte, version string) (*convert.ChangedValues, Store, error) {
	if len(data) == 0 || data[0] != '"' {
		return nil, Untracked, errors.New("not a string")
	}
	var m *memory
	text := m.unquoteJSON(data)
	if err := valid(text); err != nil {
		return nil, Untracked, err
	}
	n := newNode(text, 0)
	if !n.is('{') {
		return nil, Untracked, errors.New("not a JSON object")
	}
	of := r.Version
	if is := n.get("apiVersion"); is != nil && string(is.text) != `""` {
		found, ok := c.version(inner(is.text))
		if !ok {
			return nil, Untracked, fmt.Errorf("unknown API version %s", is.text)
		}
		of = found
	}
	if is := n.get("kind"); is != nil && string(is.text) != `""` && string(inner(is.text)) != string(kind) {
		return nil, Untracked, fmt.Errorf("an object of another kind: %s", is.text)
	}
	switch {
	case of == version:
		return nil, Untracked, nil
	case !c.reads(kind, of):
		return nil, Untracked, fmt.Errorf("no generated conversion is of %s", of)
	}
	n.set("apiVersion", newNode([]byte(quote(apiVersion(c.group, of))), -1))
	n.set("kind", newNode([]byte(quote(string(kind))), -1))
	n.remove("metadata")
	converted, err := c.Convert(nil, n.json(), version)
	if err != nil {
		return nil, Untracked, err
	}
	object := newNode(converted, 0)
	for _, store := range []Store{Annotation, Status} {
		if values, err := c.storedIn(object, store); values != nil || err != nil {
			return values, store, err
		}
	}
	return nil, Untracked, nil
}

// storedIn returns the tracked values that an object has in a store, nil if it has none.
func (c *Converter) storedIn(object *node, store Store) (*convert.ChangedValues, error) {
	var m *memory
	if store == Status {
		if n := object.get("status").get("changedValues"); n != nil {
			return m.values(n.json())
		}
		return nil, nil
	}
	if n := object.get("metadata").get("annotations").get(TrackingAnnotation(c.group)); n.is('"') {
		return m.values(m.unquoteJSON(n.text))
	}
	return nil, nil
}

// merge adds tracked values to those of an object. Its own win.
func (c *Converter) merge(object *node, values *convert.ChangedValues, store Store) error {
	own, err := c.storedIn(object, store)
	switch status := object.get("status"); {
	case err != nil:
		return err
	case own != nil:
	case store == Annotation:
		own = &convert.ChangedValues{Keep: "metadata"}
	case status.is('n'):
		own = &convert.ChangedValues{Keep: "status", Null: true}
	case status != nil:
		own = &convert.ChangedValues{Keep: "status"}
	default:
		own = &convert.ChangedValues{}
	}
	own.Format = trackedFormat
	for _, upgrades := range []bool{true, false} {
		from, to := values.Downgrades, own.Downgrades
		if upgrades {
			from, to = values.Upgrades, own.Upgrades
		}
		for version, list := range from {
			known := to[version]
			add(own, upgrades, version, slices.DeleteFunc(list, func(v convert.ChangedValue) bool {
				return slices.ContainsFunc(known, func(k convert.ChangedValue) bool { return k.JSONPath == v.JSONPath })
			})...)
		}
	}
	var m *memory
	stored, err := m.printValues(own)
	if err != nil {
		return err
	}
	parents, name := []string{"status"}, "changedValues"
	if store == Annotation {
		parents, name, stored = []string{"metadata", "annotations"}, TrackingAnnotation(c.group), m.quoteJSON(stored)
	}
	for _, key := range parents {
		if below := object.get(key); !below.is('{') {
			object.set(key, newObject())
		}
		object = object.get(key)
	}
	object.set(name, newNode(stored, -1))
	return nil
}
