package wire

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/kindsmith/kindsmith/runtime/convert"
)

// Objects whose versions differ much have many tracked values, so that most of the time of a conversion would go to
// encoding/json. The form in which conversions write them is read and written here, and others by encoding/json.

// values reads tracked values. The result shares memory with the text.
func (m *memory) values(text []byte) (*convert.ChangedValues, error) {
	before := m.now()
	defer m.reset(before)
	values := &convert.ChangedValues{}
	if valid(text) == nil && readValues(m.node(text, -1), values) {
		return values, nil
	}
	values = &convert.ChangedValues{}
	return values, json.Unmarshal(text, values)
}

// readValues reports false if values have another form than that in which they are written.
func readValues(n *node, values *convert.ChangedValues) bool {
	return n.eachMember(func(key []byte, member *node) (ok bool) {
		switch string(key) {
		case "format":
			format, err := strconv.ParseInt(string(member.text), 10, 32)
			values.Format, ok = int32(format), err == nil
		case "upgrades":
			ok = readVersions(member, &values.Upgrades)
		case "downgrades":
			ok = readVersions(member, &values.Downgrades)
		case "keep":
			values.Keep, ok = readText(member)
		case "null":
			values.Null, ok = true, string(member.text) == "true"
		}
		return ok
	})
}

func readVersions(n *node, into *map[string][]convert.ChangedValue) bool {
	versions := map[string][]convert.ChangedValue{}
	repeated := *into != nil
	*into = versions
	return !repeated && n.eachMember(func(key []byte, member *node) bool {
		version := string(key)
		if versions[version] != nil || !member.is('[') {
			return false
		}
		items := member.items()
		list := make([]convert.ChangedValue, len(items))
		versions[version] = list
		for i, item := range items {
			if !readValue(item, &list[i]) {
				return false
			}
		}
		return true
	})
}

func readValue(n *node, value *convert.ChangedValue) bool {
	return n.eachMember(func(key []byte, member *node) (ok bool) {
		switch string(key) {
		case "jsonPath":
			value.JSONPath, ok = readText(member)
		case "value":
			value.Value, ok = member.text, true
		case "was":
			value.Was, ok = member.text, true
		case "lengths":
			if value.Lengths != nil {
				return false
			}
			for _, item := range member.items() {
				length, err := strconv.Atoi(string(item.text))
				if err != nil {
					return false
				}
				value.Lengths = append(value.Lengths, length)
			}
			ok = len(value.Lengths) > 0
		}
		return ok
	})
}

func readText(n *node) (string, bool) {
	text, ok := plain(n.text)
	return string(text), ok
}

// eachMember calls a function for each member of an object until it returns false. It returns false then, and for
// other values and keys with escapes.
func (n *node) eachMember(do func(key []byte, member *node) bool) bool {
	n.parse()
	if !n.is('{') || n.unquoted != nil {
		return false
	}
	for i, member := range n.nodes {
		if key := n.keys[i]; !do(key[1:len(key)-1], member) {
			return false
		}
	}
	return true
}

// printValues returns the JSON of tracked values.
func (m *memory) printValues(values *convert.ChangedValues) (text []byte, err error) {
	start := 0
	if m != nil {
		text, start = m.text, len(m.text)
	}
	text = strconv.AppendInt(append(text, `{"format":`...), int64(values.Format), 10)
	if text, err = appendVersions(text, `,"upgrades":`, values.Upgrades); err != nil {
		return nil, err
	}
	if text, err = appendVersions(text, `,"downgrades":`, values.Downgrades); err != nil {
		return nil, err
	}
	if values.Keep != "" {
		text = appendText(append(text, `,"keep":`...), values.Keep)
	}
	if values.Null {
		text = append(text, `,"null":true`...)
	}
	text = append(text, '}')
	if m != nil {
		m.text = text
	}
	return text[start:len(text):len(text)], nil
}

func appendVersions(dst []byte, key string, versions map[string][]convert.ChangedValue) (_ []byte, err error) {
	if len(versions) == 0 {
		return dst, nil
	}
	dst = append(append(dst, key...), '{')
	for i, version := range slices.Sorted(maps.Keys(versions)) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendText(dst, version), ':')
		list := versions[version]
		if list == nil {
			dst = append(dst, null...)
			continue
		}
		dst = append(dst, '[')
		for j := range list {
			if j > 0 {
				dst = append(dst, ',')
			}
			if dst, err = appendValue(dst, &list[j]); err != nil {
				return nil, err
			}
		}
		dst = append(dst, ']')
	}
	return append(dst, '}'), nil
}

func appendValue(dst []byte, value *convert.ChangedValue) (_ []byte, err error) {
	dst = appendText(append(dst, `{"jsonPath":`...), value.JSONPath)
	if dst, err = appendJSON(dst, `,"value":`, value.Value); err != nil {
		return nil, err
	}
	if dst, err = appendJSON(dst, `,"was":`, value.Was); err != nil {
		return nil, err
	}
	for i, length := range value.Lengths {
		if i == 0 {
			dst = append(dst, `,"lengths":[`...)
		} else {
			dst = append(dst, ',')
		}
		dst = strconv.AppendInt(dst, int64(length), 10)
	}
	if len(value.Lengths) > 0 {
		dst = append(dst, ']')
	}
	return append(dst, '}'), nil
}

// appendJSON appends a member without white space, unless it has no value.
func appendJSON(dst []byte, key string, value []byte) ([]byte, error) {
	if len(value) == 0 {
		return dst, nil
	}
	if dst = append(dst, key...); bytes.ContainsAny(value, " \n\t\r") {
		b := bytes.NewBuffer(dst)
		err := json.Compact(b, value)
		return b.Bytes(), err
	}
	return append(dst, value...), nil
}

// appendText appends a string as JSON, in which <, > and & need no escapes.
func appendText(dst []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			b := bytes.NewBuffer(dst)
			e := json.NewEncoder(b)
			e.SetEscapeHTML(false)
			if e.Encode(s) == nil {
				return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
			}
		}
	}
	return append(append(append(dst, '"'), s...), '"')
}

// quoteJSON returns JSON in a string, as JSON.
func (m *memory) quoteJSON(text []byte) []byte {
	dst := make([]byte, 0, len(text)+len(text)/4+16)
	if m != nil {
		dst = m.text
	}
	start := len(dst)
	dst = append(dst, '"')
	for _, c := range text {
		switch {
		case c < ' ' || c > '~':
			return []byte(quote(string(text)))
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '<' || c == '>' || c == '&':
			const digits = "0123456789abcdef"
			dst = append(dst, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		default:
			dst = append(dst, c)
		}
	}
	dst = append(dst, '"')
	if m != nil {
		m.text = dst
	}
	return dst[start:len(dst):len(dst)]
}

// unquoteJSON is the reverse of quoteJSON, for any string.
func (m *memory) unquoteJSON(quoted []byte) []byte {
	inner := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(inner, '\\') < 0 {
		return inner
	}
	if m == nil || !utf8.Valid(inner) {
		return []byte(text(quoted))
	}
	dst, start := m.text, len(m.text)
	for i := 0; i < len(inner); i++ {
		c := inner[i]
		if c == '\\' {
			i++
			switch c = inner[i]; c {
			case '"', '\\', '/':
			case 'u':
				n, err := strconv.ParseUint(string(inner[i+1:i+5]), 16, 16)
				if err != nil || n >= utf8.RuneSelf {
					return []byte(text(quoted))
				}
				c = byte(n)
				i += 4
			default:
				return []byte(text(quoted))
			}
		}
		dst = append(dst, c)
	}
	m.text = dst
	return dst[start:len(dst):len(dst)]
}
