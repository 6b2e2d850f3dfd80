package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// Split is how a string and several fields of an object represent each other.
type Split struct {
	// Whole is the key of the string, and Zero what Go writes for an absent one; nil for nothing.
	Whole string          `json:"whole"`
	Zero  json.RawMessage `json:"zero,omitempty"`
	// Pattern is what the string consists of.
	Pattern []Part `json:"pattern"`
	// Joined means that the hub has the string, and the older version the fields.
	Joined bool `json:"joined,omitempty"`
}

// Part is a text in a string, or the text of a field.
type Part struct {
	// Text is the text; "" for a field.
	Text string `json:"text,omitempty"`
	// Key is the key of the field; "" if the version lacks it.
	Key string `json:"key,omitempty"`
	// Zero is what Go writes for an absent field; nil for nothing.
	Zero json.RawMessage `json:"zero,omitempty"`
	// Omits means that Go leaves out an empty value of the field.
	Omits bool `json:"omits,omitempty"`
	// Transform is integer or bool for a field that is no string.
	Transform *Transform `json:"transform,omitempty"`
	// Group is the number of the optional group that the part is in, 0 for none. A group without
	// values of its fields is left out.
	Group int `json:"group,omitempty"`
}

// ParsePattern reads a pattern: texts, {fields} and [optional groups] of both. A field has its name as
// its key.
func ParsePattern(pattern string) ([]Part, error) {
	var parts []Part
	groups, group, fields := 0, 0, 0
	for rest := pattern; rest != ""; {
		end := strings.IndexAny(rest, "{}[]")
		if end < 0 {
			end = len(rest)
		}
		switch c := rest[0]; {
		case end > 0:
			parts = append(parts, Part{Text: rest[:end], Group: group})
			rest = rest[end:]
			continue
		case c == '{':
			name, after, ok := strings.Cut(rest[1:], "}")
			if !ok || name == "" || strings.ContainsAny(name, "{[]") {
				return nil, fmt.Errorf("%q has no field in braces", rest)
			}
			for _, p := range parts {
				if p.Key == name {
					return nil, fmt.Errorf("{%s} is repeated", name)
				}
			}
			if n := len(parts); n > 0 && parts[n-1].Key != "" {
				return nil, fmt.Errorf("a text must separate {%s} and {%s}", parts[n-1].Key, name)
			}
			parts, rest = append(parts, Part{Key: name, Group: group}), after
			fields++
			continue
		case c == '[' && group == 0:
			groups++
			group = groups
		case c == ']' && group > 0:
			if !hasField(parts, group) {
				return nil, errors.New("an optional group needs a field")
			}
			group = 0
		default:
			return nil, fmt.Errorf("%q is not expected", rest)
		}
		rest = rest[1:]
	}
	switch {
	case group > 0:
		return nil, errors.New("the bracket is not closed")
	case fields < 2:
		return nil, errors.New("it needs two fields")
	}
	return parts, nil
}

func hasField(parts []Part, group int) bool {
	for _, p := range parts {
		if p.Group == group && p.Key != "" {
			return true
		}
	}
	return false
}

// expressions are the regular expressions of patterns, by their text.
var expressions sync.Map

// expression returns the regular expression of the pattern. A field does not contain the character that
// separates it from the one before: the last of several such characters counts.
func (s *Split) expression() (*regexp.Regexp, error) {
	var b strings.Builder
	b.WriteString("(?s)^")
	group, before := 0, ""
	for i, p := range s.Pattern {
		if p.Group != group {
			if group > 0 {
				b.WriteString(")?")
			}
			if group = p.Group; group > 0 {
				b.WriteString("(?:")
			}
		}
		switch {
		case p.Text != "":
			b.WriteString(regexp.QuoteMeta(p.Text))
			before = p.Text
		case len([]rune(before)) == 1 && i > 0:
			b.WriteString("([^" + regexp.QuoteMeta(before) + "]*?)")
		default:
			b.WriteString("(.*?)")
		}
	}
	if group > 0 {
		b.WriteString(")?")
	}
	text := b.String() + "$"
	if known, ok := expressions.Load(text); ok {
		return known.(*regexp.Regexp), nil
	}
	compiled, err := regexp.Compile(text)
	if err == nil {
		expressions.Store(text, compiled)
	}
	return compiled, err
}

// divide returns an object of the fields whose texts a string has. It has none of them if the string
// does not match the pattern, whose regular expression a function returns.
func (s *Split) divide(m *memory, whole string, expression func() (*regexp.Regexp, error)) (*node, error) {
	object := m.object()
	if whole == "" {
		return object, nil
	}
	e, err := expression()
	if err != nil {
		return nil, err
	}
	texts := e.FindStringSubmatch(whole)
	i := 0
	for _, p := range s.Pattern {
		if p.Text != "" {
			continue
		}
		if i++; i >= len(texts) || texts[i] == "" || p.Key == "" {
			continue
		}
		value := m.quote(texts[i])
		if p.Transform != nil {
			if value, err = p.Transform.ofText(value); err != nil {
				return m.object(), nil //nolint:nilerr // the string has other parts
			}
		}
		if !p.Omits || !isEmpty(value) {
			object.set(p.Key, m.node(value, -1))
		}
	}
	return object, nil
}

// join returns the string of an object's fields, "" if it has none of them.
func (s *Split) join(object *node) (string, error) {
	texts := make([]string, len(s.Pattern))
	used := map[int]bool{}
	found := false
	for i, p := range s.Pattern {
		n := object.get(p.Key)
		if p.Key == "" || n == nil || present(n.text) == nil || string(n.text) == `""` || p.Omits && isEmpty(n.text) || p.Zero != nil && same(n.text, p.Zero) {
			continue
		}
		value := n.text
		if p.Transform != nil {
			var err error
			if value, err = toText(p.Transform, value); err != nil {
				return "", &Error{Reason: Invalid, Err: err}
			}
		}
		if value[0] != '"' {
			return "", &Error{Reason: Invalid, Err: fmt.Errorf("%s is %s, which is not a string", p.Key, value)}
		}
		texts[i], used[p.Group], found = text(value), true, true
	}
	if !found {
		return "", nil
	}
	var b strings.Builder
	for i, p := range s.Pattern {
		if p.Group == 0 || used[p.Group] {
			b.WriteString(p.Text + texts[i])
		}
	}
	return b.String(), nil
}

// hook returns the Func of a hook for a direction.
func (s *Split) hook(up bool) Func {
	expression := sync.OnceValues(s.expression)
	return func(value []byte) ([]byte, error) {
		b := newBuffer()
		defer b.release()
		m := &b.memory
		source := m.node(value, 0).items()[0]
		before, after := m.object(), m.object()
		if up != s.Joined {
			var whole string
			if n := source.get(s.Whole); n != nil && present(n.text) != nil {
				if n.text[0] != '"' {
					return nil, &Error{Reason: Invalid, Err: fmt.Errorf("%s is %s, which is not a string", s.Whole, n.text)}
				}
				whole = text(n.text)
			}
			object, err := s.divide(m, whole, expression)
			if err != nil {
				return nil, err
			}
			after = object
			for _, p := range s.Pattern {
				if p.Key != "" {
					before.set(p.Key, m.node(null, -1))
				}
			}
		} else {
			whole, err := s.join(source)
			if err != nil {
				return nil, err
			}
			if before.set(s.Whole, m.node(null, -1)); whole != "" {
				after.set(s.Whole, m.node(m.quote(whole), -1))
			}
		}
		return pair(m.print(before), m.print(after)), nil
	}
}

// keys returns the keys that a direction reads.
func (s *Split) keys(up bool) []string {
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

// ofText returns the number or the bool of a text.
func (t *Transform) ofText(text []byte) ([]byte, error) {
	if t.Name == "bool" {
		return fromBoolText(t, text)
	}
	return fromText(t, text)
}

func checkPattern(args []string) error {
	pattern := ""
	if len(args) > 0 {
		pattern = args[0]
	}
	if _, err := ParsePattern(pattern); err != nil {
		return fmt.Errorf("split takes what the string consists of, such as {host}[:{port}]: %w", err)
	}
	return nil
}

// split returns the split that a transform is.
func (t *Transform) split() (*Split, error) {
	parts, err := ParsePattern(t.Args[0])
	if err != nil {
		return nil, err
	}
	of := t.Values
	for i := range parts {
		p := &parts[i]
		if p.Key == "" || len(of) == 0 {
			continue
		}
		typ, isPointer := strings.CutPrefix(of[0][0], "*")
		if zero := of[0][1]; zero != "" {
			p.Zero = json.RawMessage(zero)
		}
		p.Omits, of = !isPointer && p.Zero == nil, of[1:]
		bits, unsigned := strings.CutPrefix(typ, "u")
		switch {
		case typ == "bool":
			p.Transform = &Transform{Name: "bool"}
		case strings.HasPrefix(bits, "int"):
			p.Transform = &Transform{Name: "integer", Bits: 64, Unsigned: unsigned}
			if n, err := strconv.Atoi(bits[len("int"):]); err == nil {
				p.Transform.Bits = n
			}
		}
	}
	return &Split{Pattern: parts}, nil
}

func toParts(t *Transform, value []byte) ([]byte, error) {
	whole, err := unquoteText(value, "")
	if err != nil {
		return nil, err
	}
	s, err := t.split()
	if err != nil {
		return nil, err
	}
	object, err := s.divide(nil, whole, s.expression)
	if err != nil {
		return nil, err
	}
	for _, p := range s.Pattern {
		if p.Zero != nil && object.get(p.Key) == nil {
			object.set(p.Key, newNode(p.Zero, -1))
		}
	}
	return object.append(nil), nil
}

func fromParts(t *Transform, value []byte) ([]byte, error) {
	object := newNode(value, 0)
	if !object.is('{') {
		return nil, fmt.Errorf("%s is not an object", value)
	}
	s, err := t.split()
	if err != nil {
		return nil, err
	}
	whole, err := s.join(object)
	return []byte(quote(whole)), err
}

// Divided sets the fields of a struct to the parts of a string.
func Divided(s Split, whole string, into any) error {
	object, err := s.divide(nil, whole, s.expression)
	if err != nil {
		return err
	}
	return utiljson.Unmarshal(object.append(nil), into)
}

// Joined returns the string that the fields of a struct are the parts of.
func Joined(s Split, from any) (string, error) {
	object, err := json.Marshal(from)
	if err != nil {
		return "", err
	}
	return s.join(newNode(object, 0))
}
