package jsonconvert

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
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
	// Joined means that the newer version has the string, and the older version the fields.
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

// divider is a split with its regular expression, and `"key":` of each part.
type divider struct {
	*Split
	expression *regexp.Regexp
	keys       [][]byte
	// separated means that the expression is not needed.
	separated bool
}

func (s *Split) divider() (*divider, error) {
	e, err := s.expression()
	d := &divider{s, e, make([][]byte, len(s.Pattern)), s.isSeparated()}
	for i := range s.Pattern {
		d.keys[i] = append(quoteText(s.Pattern[i].Key), ':')
	}
	return d, err
}

// divide returns the values of the fields whose texts a string has, by the parts of the pattern. It has none if the string
// does not match.
func (d *divider) divide(whole string) [][]byte {
	values := make([][]byte, len(d.Pattern))
	if whole == "" {
		return values
	}
	for i, text := range d.texts(whole) {
		p := &d.Pattern[i]
		if text == "" || p.Key == "" {
			continue
		}
		value := quoteText(text)
		if p.Transform != nil {
			var err error
			if value, err = p.Transform.ofText(value); err != nil {
				clear(values) // the string has other parts
				return values
			}
		}
		if !p.Omits || !isZeroText(value) {
			values[i] = value
		}
	}
	return values
}

// texts returns what a string has for each field of the pattern, by its parts; nil if it does not match.
func (d *divider) texts(whole string) []string {
	texts := make([]string, len(d.Pattern))
	if d.separated {
		for i := len(d.Pattern) - 1; i > 0; i -= 2 {
			at := strings.LastIndexByte(whole, d.Pattern[i-1].Text[0])
			if at < 0 {
				return nil
			}
			texts[i], whole = whole[at+1:], whole[:at]
		}
		texts[0] = whole
		return texts
	}
	found := d.expression.FindStringSubmatch(whole)
	if found == nil {
		return nil
	}
	for i := range d.Pattern {
		if d.Pattern[i].Text == "" {
			found = found[1:]
			texts[i] = found[0]
		}
	}
	return texts
}

// isSeparated reports whether a pattern has fields, none of which is optional, and one character between them: the last ones in
// a string separate them.
func (s *Split) isSeparated() bool {
	for i, p := range s.Pattern {
		if p.Group > 0 || len(p.Text) != i%2 {
			return false
		}
	}
	return len(s.Pattern)%2 == 1
}

// appendParts appends an object of the values of a string's parts. With zeros, it has those that Go writes for absent ones.
func (d *divider) appendParts(dst []byte, whole string, zeros bool) []byte {
	values, size := d.divide(whole), 2
	for i, value := range values {
		size += len(d.keys[i]) + max(len(value), len(d.Pattern[i].Zero)) + 1
	}
	dst = append(slices.Grow(dst, size), '{')
	begin := len(dst)
	add := func(i int, value []byte) {
		if len(dst) > begin {
			dst = append(dst, ',')
		}
		dst = append(append(dst, d.keys[i]...), value...)
	}
	for i, value := range values {
		if value != nil {
			add(i, value)
		}
	}
	for i, value := range values {
		if zero := d.Pattern[i].Zero; zeros && value == nil && zero != nil {
			add(i, zero)
		}
	}
	return append(dst, '}')
}

// join returns the string of an object's fields, "" if it has none of them.
func (s *Split) join(m *memory, object *node) (string, error) {
	texts := make([]string, len(s.Pattern))
	has := make([]bool, len(s.Pattern))
	size := 0
	for i := range s.Pattern {
		p := &s.Pattern[i]
		if p.Key == "" {
			continue
		}
		n := m.get(object, p.Key)
		if n.isNull() || n.raw == `""` || p.Omits && isZeroText(bytesOf(m.json(n))) || p.Zero != nil && m.same(n, m.of(stringOf(p.Zero)), false) {
			continue
		}
		value := bytesOf(m.json(n))
		if p.Transform != nil {
			var err error
			if value, err = toText(p.Transform, value); err != nil {
				return "", &Error{Reason: Invalid, Err: err}
			}
		}
		if value[0] != '"' {
			return "", &Error{Reason: Invalid, Err: fmt.Errorf("%s is %s, which is not a string", p.Key, value)}
		}
		texts[i], has[i] = textOf(value), true
		size += len(texts[i])
	}
	if size == 0 {
		return "", nil
	}
	var b strings.Builder
	b.Grow(size + 4*len(texts)) // texts that separate others are short
	for i, p := range s.Pattern {
		if p.Group == 0 || s.hasText(has, p.Group) {
			b.WriteString(p.Text)
			b.WriteString(texts[i])
		}
	}
	return b.String(), nil
}

// hasText reports whether a group has one of the fields that have a text.
func (s *Split) hasText(has []bool, group int) bool {
	for i := range s.Pattern {
		if s.Pattern[i].Group == group && has[i] {
			return true
		}
	}
	return false
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

// divider returns the split that a transform is, with its regular expression.
func (t *Transform) divider() (*divider, error) {
	s, err := t.split()
	if err != nil {
		return nil, err
	}
	return s.divider()
}

func toParts(t *Transform, value []byte) ([]byte, error) {
	d, err := t.divider()
	if err != nil {
		return nil, err
	}
	return d.toParts(value)
}

func fromParts(t *Transform, value []byte) ([]byte, error) {
	d, err := t.divider()
	if err != nil {
		return nil, err
	}
	return d.fromParts(value)
}

func (d *divider) toParts(value []byte) ([]byte, error) {
	whole, err := unquoteText(value, "")
	if err != nil {
		return nil, err
	}
	return d.appendParts(nil, whole, true), nil
}

func (d *divider) fromParts(value []byte) ([]byte, error) {
	if value[0] != '{' {
		return nil, fmt.Errorf("%s is not an object", value)
	}
	m := scratches.Get().(*memory)
	defer m.release()
	whole, err := d.join(m, m.of(stringOf(value)))
	return quoteText(whole), err
}

// divided sets the fields of a struct to the parts of a string.
func divided(s Split, whole string, into any) error {
	d, err := s.divider()
	if err != nil {
		return err
	}
	return utiljson.Unmarshal(d.appendParts(nil, whole, false), into)
}
