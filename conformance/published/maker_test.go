package published_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// maker makes values at random that mostly satisfy the keywords of their schemas. Rules in CEL only run on such values.
type maker struct {
	*rand.Rand
	// words are strings that rules mention.
	words []string
}

// value returns a value of a shape. Fewer optional fields are set the deeper it is.
func (m *maker) value(s *shape, depth int) any {
	if len(s.Enum) > 0 {
		var v any
		if err := utiljson.Unmarshal(s.Enum[m.IntN(len(s.Enum))].Raw, &v); err == nil {
			return v
		}
	}
	switch {
	case s.XIntOrString:
		return []any{int64(1), int64(80), "20%", "1", "http"}[m.IntN(5)]
	case s.Type == "object" || len(s.names) > 0:
		return m.object(s, depth)
	}
	switch s.Type {
	case "array":
		return m.list(s, depth)
	case "string":
		return m.text(s.JSONSchemaProps)
	case "integer":
		return m.integer(s.JSONSchemaProps)
	case "number":
		return []any{int64(1), 0.5, 2.25}[m.IntN(3)]
	case "boolean":
		return m.IntN(2) == 0
	}
	return []any{map[string]any{}, "text", int64(1)}[m.IntN(3)] // a value without schema
}

func (m *maker) object(s *shape, depth int) map[string]any {
	out := map[string]any{}
	if s.values != nil {
		least, most := bounds(s.MinProperties, s.MaxProperties)
		for range least + m.IntN(min(most, least+2)-least+1) {
			out[m.key()] = m.value(s.values, depth+1)
		}
		return out
	}
	wanted := max(1, 6-depth)
	weight := 0
	for _, name := range s.names {
		weight += s.properties[name].weight()
	}
	for _, name := range s.names {
		child := s.properties[name]
		if slices.Contains(s.Required, name) || depth < 12 && m.IntN(weight) < wanted*child.weight() {
			out[name] = m.value(child, depth+1)
		}
	}
	return out
}

// weight is how often an optional field of the shape is set, compared with others.
func (s *shape) weight() int {
	if s.ruled {
		return 3
	}
	return 1
}

// bounds returns the least and the greatest number of entries.
func bounds(least, most *int64) (from, to int) {
	from, to = 0, math.MaxInt32
	if least != nil {
		from = int(*least)
	}
	if most != nil {
		to = int(*most)
	}
	return from, max(from, to)
}

func (m *maker) list(s *shape, depth int) []any {
	out := []any{}
	if s.items == nil {
		return out
	}
	least, most := bounds(s.MinItems, s.MaxItems)
	for range least + m.IntN(min(most, least+3)-least+1) {
		item := m.value(s.items, depth+1)
		if !slices.ContainsFunc(out, func(other any) bool { return sameItem(s, item, other) }) {
			out = append(out, item)
		}
	}
	return out
}

// sameItem reports whether a list of a shape may not have both items.
func sameItem(s *shape, a, b any) bool {
	if s.XListType == nil || *s.XListType == "atomic" {
		return false
	}
	if *s.XListType == "set" {
		return a == b
	}
	return !slices.ContainsFunc(s.XListMapKeys, func(key string) bool { return at(a, key) != at(b, key) })
}

func at(v any, name string) any {
	object, _ := v.(map[string]any)
	return object[name]
}

func (m *maker) integer(s *apiextensionsv1.JSONSchemaProps) int64 {
	least, most := int64(-1), int64(65536)
	if s.Minimum != nil {
		least = int64(math.Ceil(*s.Minimum))
	}
	if s.Maximum != nil {
		most = int64(math.Floor(*s.Maximum))
	}
	if least > most {
		return least
	}
	usual := []int64{0, 1, 2, 3, 80, 443, least, most}
	return min(max(usual[m.IntN(len(usual))], least), most)
}

// usual are strings of many forms, some with a format of their Go type that schemas do not have.
var usual = []string{"a", "b", "example", "example.com", "default", "x-1", "Name", "http://example.com/path", "/path", "10s", "5m", "1Gi", "100m", "10.0.0.0/8", "10.0.0.1", "*"}

// ofFormat are values of formats.
var ofFormat = map[string][]string{
	"date-time": {"2026-01-02T03:04:05Z"}, "byte": {"aGVsbG8="}, "duration": {"10s", "1h"}, "hostname": {"example.com"}, "uri": {"http://example.com"},
	"ipv4": {"10.0.0.1"}, "ipv6": {"fd00::1"}, "cidr": {"10.0.0.0/8"},
}

func (m *maker) key() string {
	return []string{"a", "b", "app", "example.com/name", "kubernetes.io/os", "key"}[m.IntN(6)]
}

func (m *maker) text(s *apiextensionsv1.JSONSchemaProps) string {
	least, most := bounds(s.MinLength, s.MaxLength)
	if values := ofFormat[s.Format]; values != nil {
		return values[m.IntN(len(values))]
	}
	var text string
	pattern := s.Pattern
	for _, all := range s.AllOf {
		if all.Pattern != "" {
			pattern = all.Pattern
		}
	}
	switch {
	case pattern != "":
		for range 8 {
			if text = m.matching(pattern); utf8.RuneCountInString(text) >= least && utf8.RuneCountInString(text) <= most {
				break
			}
		}
	case len(m.words) > 0 && m.IntN(3) == 0:
		text = m.words[m.IntN(len(m.words))]
	default:
		text = usual[m.IntN(len(usual))]
	}
	if n := utf8.RuneCountInString(text); n < least {
		text += strings.Repeat("x", least-n)
	} else if n > most {
		text = string([]rune(text)[:most])
	}
	return text
}

// matching returns a short string that a pattern matches; "" if it is not one of Go's.
func (m *maker) matching(pattern string) string {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return ""
	}
	var b strings.Builder
	m.match(&b, parsed.Simplify())
	return b.String()
}

func (m *maker) match(b *strings.Builder, r *syntax.Regexp) {
	repeat := func(least, most int) {
		for range least + m.IntN(most-least+1) {
			m.match(b, r.Sub[0])
		}
	}
	switch r.Op {
	case syntax.OpLiteral:
		b.WriteString(string(r.Rune))
	case syntax.OpCharClass:
		if k := m.IntN(len(r.Rune) / 2); len(r.Rune) > 0 {
			from, to := r.Rune[2*k], min(r.Rune[2*k+1], max(r.Rune[2*k], 0x7e))
			b.WriteRune(from + rune(m.IntN(int(to-from)+1)))
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte("ab./-"[m.IntN(5)])
	case syntax.OpStar:
		repeat(0, 3)
	case syntax.OpPlus:
		repeat(1, 4)
	case syntax.OpQuest:
		repeat(0, 1)
	case syntax.OpRepeat:
		most := r.Max
		if most < 0 || most > r.Min+3 {
			most = r.Min + 3
		}
		repeat(r.Min, most)
	case syntax.OpConcat:
		for _, sub := range r.Sub {
			m.match(b, sub)
		}
	case syntax.OpAlternate:
		m.match(b, r.Sub[m.IntN(len(r.Sub))])
	case syntax.OpCapture:
		m.match(b, r.Sub[0])
	}
}

// copied returns a copy of a JSON value.
func copied(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, value := range v {
			out[name] = copied(value)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = copied(item)
		}
		return out
	}
	return v
}

func encoded(object map[string]any) json.RawMessage {
	if object == nil {
		return nil
	}
	text, err := json.Marshal(object)
	if err != nil {
		panic(err)
	}
	return text
}
