package wire

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// What this package shares with the engine that replaces it.
type (
	// Transform converts between two representations of a value without a function of the author.
	Transform = jsonconvert.Transform
	// Split is how a string and several fields of an object represent each other.
	Split = jsonconvert.Split
	// Part is a text in a string, or the text of a field.
	Part = jsonconvert.Part
	// Restore names an annotation in which conversions that people wrote before have stored an object of another version.
	Restore = jsonconvert.Restore
	// Func converts one value. It returns JSON, and must not keep or change its argument. A function that fills in a field
	// gets nil.
	Func = jsonconvert.Func
	// Observation is the conversion of one object of a review.
	Observation = jsonconvert.Observation
	// Reason says whose mistake an error is.
	Reason = jsonconvert.Reason
	// Error is a conversion that failed.
	Error = jsonconvert.Error
)

const (
	// Invalid means that the object cannot be converted as it is.
	Invalid = jsonconvert.Invalid
	// Failed means that a conversion function failed.
	Failed = jsonconvert.Failed
)

// Upgraded returns a Go value, converted to the hub by a transform.
func Upgraded[To, From any](t Transform, in From) (To, error) {
	return jsonconvert.Upgraded[To](t, in)
}

// Downgraded returns a Go value, converted to the older version by a transform.
func Downgraded[To, From any](t Transform, in From) (To, error) {
	return jsonconvert.Downgraded[To](t, in)
}

// Divided sets the fields of a struct to the parts of a string.
func Divided(s Split, whole string, into any) error { return jsonconvert.Divided(s, whole, into) }

// Joined returns the string that the fields of a struct are the parts of.
func Joined(s Split, from any) (string, error) { return jsonconvert.Joined(s, from) }

// TrackingAnnotation returns the key of the annotation that keeps the tracked values of a group's objects.
func TrackingAnnotation(group string) string { return jsonconvert.TrackingAnnotation(group) }

var null = []byte("null")

// transforms returns a Func of transforms, which are those to the hub in their order.
func transforms(list []Transform, up bool) Func {
	list = slices.Clone(list)
	if !up {
		slices.Reverse(list)
	}
	return func(value []byte) (out []byte, err error) {
		out = value
		for i := range list {
			if out, err = list[i].Convert(out, up); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
}

// chain returns a Func of conversions one after another, which are those to the hub in their order. An
// empty list for a single value is null.
func (c *compiler) chain(list []Value) (Func, error) {
	var chain []*value
	for i := range list {
		v, err := c.oneWay(&list[i])
		if err != nil {
			return nil, err
		}
		if v != nil {
			chain = append(chain, v)
		}
	}
	if !c.up {
		slices.Reverse(chain)
	}
	return func(value []byte) ([]byte, error) {
		m := newMemory()
		defer m.release()
		for _, v := range chain {
			if present(value) == nil || v.unwrap && isEmptyList(value, space(value, 0)) {
				return null, nil
			}
			run := newRun(m, c.table, c.up, value)
			end, err := run.value(v, space(value, 0), 0)
			if err != nil {
				return nil, run.located(err)
			}
			run.copyTo(end)
			value = run.out
		}
		return bytes.Clone(value), nil
	}, nil
}

// splitHook returns the Func of a split for a direction.
func splitHook(s *Split, up bool) Func {
	return func(value []byte) ([]byte, error) {
		m := newMemory()
		defer m.release()
		source := m.node(value, 0).items()[0]
		before, after := m.object(), json.RawMessage(slices.Clone(noMembers))
		if up != s.Joined {
			var whole string
			if n := source.get(s.Whole); n != nil && present(n.text) != nil {
				if err := json.Unmarshal(n.text, &whole); err != nil {
					return nil, &Error{Reason: Invalid, Err: err}
				}
			}
			if err := Divided(*s, whole, &after); err != nil {
				return nil, err
			}
			for _, p := range s.Pattern {
				if p.Key != "" {
					before.set(p.Key, m.node(null, -1))
				}
			}
		} else {
			whole, err := Joined(*s, json.RawMessage(source.json()))
			if err != nil {
				return nil, err
			}
			if before.set(s.Whole, m.node(null, -1)); whole != "" {
				joined := m.object()
				joined.set(s.Whole, m.node(m.quote(whole), -1))
				after = m.print(joined)
			}
		}
		return pair(m.print(before), after), nil
	}
}

// splitKeys returns the keys that a direction reads.
func splitKeys(s *Split, up bool) []string {
	if up != s.Joined {
		return []string{s.Whole}
	}
	var keys []string
	for _, p := range s.Pattern {
		if p.Key != "" {
			keys = append(keys, p.Key)
		}
	}
	return keys
}
