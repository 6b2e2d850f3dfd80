package conformance_test

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/conformance/corpus"
)

// mutator changes JSON objects of one type. It mostly uses values that other objects of the type
// have at the same path, so that most results can be decoded and many break a rule.
type mutator struct {
	*rand.Rand
	objects []map[string]any
	options []string
	// seen are the values at each path, with "*" for indexes and map keys.
	seen map[string][]any
	// words are all strings.
	words []string
}

func newMutator(r *rand.Rand, objects []*corpus.Object) *mutator {
	m := &mutator{Rand: r, seen: map[string][]any{}}
	for _, o := range objects {
		for _, object := range []map[string]any{o.Object, o.Old} {
			if object != nil {
				m.objects = append(m.objects, object)
				m.note("", object)
			}
		}
		for _, name := range sortedKeys(o.Options) {
			if !slices.Contains(m.options, name) {
				m.options = append(m.options, name)
			}
		}
	}
	return m
}

func (m *mutator) note(place string, v any) {
	m.seen[place] = append(m.seen[place], v)
	switch v := v.(type) {
	case map[string]any:
		for _, key := range sortedKeys(v) {
			m.note(place+"."+key, v[key])
		}
	case []any:
		for _, item := range v {
			m.note(place+".*", item)
		}
	case string:
		if !slices.Contains(m.words, v) {
			m.words = append(m.words, v)
		}
	}
}

// object returns one of the objects with a few changes.
func (m *mutator) object() map[string]any { return m.changed(m.objects[m.IntN(len(m.objects))]) }

func (m *mutator) changed(object map[string]any) map[string]any {
	out := copied(object)
	for range m.IntN(4) {
		m.change("", out)
	}
	return out
}

// change changes a value in a map or list at a path, and returns the map or list.
func (m *mutator) change(place string, v any) any {
	switch v := v.(type) {
	case map[string]any:
		m.changeMap(place, v)
		return v
	case []any:
		return m.changeList(place, v)
	}
	return m.scalar(place, v)
}

func (m *mutator) changeMap(place string, v map[string]any) {
	keys := sortedKeys(v)
	if len(keys) > 0 && m.IntN(3) > 0 {
		key := keys[m.IntN(len(keys))]
		if m.IntN(8) == 0 {
			delete(v, key)
			return
		}
		v[key] = m.change(place+"."+key, v[key])
		return
	}
	// A key of other objects.
	others := m.seen[place]
	if len(others) == 0 {
		return
	}
	if other, ok := others[m.IntN(len(others))].(map[string]any); ok && len(other) > 0 {
		keys := sortedKeys(other)
		key := keys[m.IntN(len(keys))]
		v[key] = copiedValue(other[key])
		if m.IntN(6) == 0 {
			v[key+"x"] = v[key] // only maps have such a key
			if strings.HasSuffix(place, ".") {
				delete(v, key+"x")
			}
		}
	}
}

func (m *mutator) changeList(place string, v []any) []any {
	switch n := m.IntN(6); {
	case len(v) == 0 || n == 0:
		if others := m.seen[place+".*"]; len(others) > 0 {
			return slices.Insert(v, m.IntN(len(v)+1), copiedValue(others[m.IntN(len(others))]))
		}
		return v
	case n == 1:
		i := m.IntN(len(v))
		return slices.Delete(v, i, i+1)
	case n == 2:
		return append(v, copiedValue(v[m.IntN(len(v))]))
	case n == 3:
		m.Shuffle(len(v), func(i, j int) { v[i], v[j] = v[j], v[i] })
		return v
	}
	i := m.IntN(len(v))
	v[i] = m.change(place+".*", v[i])
	return v
}

func (m *mutator) scalar(place string, v any) any {
	if others := m.seen[place]; len(others) > 0 && m.IntN(3) == 0 {
		return copiedValue(others[m.IntN(len(others))])
	}
	if m.IntN(20) == 0 {
		return nil
	}
	switch v := v.(type) {
	case string:
		return m.text(v)
	case bool:
		return !v
	case int64:
		return []any{v + 1, v - 1, -v, int64(0), v * 2, v + 1<<40}[m.IntN(6)]
	case uint64:
		return []any{v - 1, v / 2, uint64(0)}[m.IntN(3)]
	case float64:
		return []any{v + 1, -v, 0.0, v / 3}[m.IntN(4)]
	}
	return v
}

func (m *mutator) text(v string) string {
	switch m.IntN(6) {
	case 0:
		return ""
	case 1:
		return v + "x"
	case 2:
		return strings.ToUpper(v)
	case 3:
		return v + "é<\n"
	case 4:
		return strings.Repeat(v, 2)
	}
	return m.words[m.IntN(len(m.words))]
}

// options enables or disables options, and sometimes omits one.
func (m *mutator) switched() map[string]bool {
	var options map[string]bool
	for _, name := range m.options {
		if m.IntN(8) > 0 {
			if options == nil {
				options = map[string]bool{}
			}
			options[name] = m.IntN(2) == 0
		}
	}
	return options
}

func copied(object map[string]any) map[string]any {
	out, _ := copiedValue(object).(map[string]any)
	return out
}

func copiedValue(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for key, value := range v {
			out[key] = copiedValue(value)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = copiedValue(item)
		}
		return out
	}
	return v
}

// jsonOf returns an object as JSON; nil for none.
func jsonOf(object map[string]any) (json.RawMessage, error) {
	if object == nil {
		return nil, nil
	}
	return json.Marshal(object)
}
