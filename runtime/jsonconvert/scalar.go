package jsonconvert

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"
	"unsafe"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// decodeScalar is decode without memory for the value; false for values of other types, and for unusual ones.
func decodeScalar[T any](text []byte) (value T, ok bool) {
	switch any(value).(type) {
	case string:
		s, ok := plain(text)
		if ok {
			*(*string)(unsafe.Pointer(&value)) = string(s)
		}
		return value, ok
	case int32:
		n, err := strconv.ParseInt(string(text), 10, 32)
		*(*int32)(unsafe.Pointer(&value)) = int32(n)
		return value, err == nil
	case int64:
		n, err := strconv.ParseInt(string(text), 10, 64)
		*(*int64)(unsafe.Pointer(&value)) = n
		return value, err == nil
	}
	return value, false
}

// encodeScalar is the reverse of decodeScalar. It appends the text to b.
func encodeScalar[T any](b []byte, value T) ([]byte, bool) {
	var zero T
	switch any(zero).(type) {
	case string:
		s := *(*string)(unsafe.Pointer(&value))
		return append(append(append(b, '"'), s...), '"'), isPlainText(s)
	case int32:
		return strconv.AppendInt(b, int64(*(*int32)(unsafe.Pointer(&value))), 10), true
	case int64:
		return strconv.AppendInt(b, *(*int64)(unsafe.Pointer(&value)), 10), true
	}
	return nil, false
}

// decode decodes JSON like API servers. It reads usual values that decodeScalar does not by itself, because reflection costs more
// than most conversions.
func decode[T any](text []byte, into *T) error {
	switch p := any(into).(type) {
	case **string:
		if s, ok := plain(text); ok {
			value := string(s)
			*p = &value
			return nil
		}
	case **int32:
		if n, err := strconv.ParseInt(string(text), 10, 32); err == nil {
			value := int32(n)
			*p = &value
			return nil
		}
	case **int64:
		if n, err := strconv.ParseInt(string(text), 10, 64); err == nil {
			*p = &n
			return nil
		}
	case *[]string:
		if list, ok := plainList(text); ok {
			*p = list
			return nil
		}
	}
	return utiljson.Unmarshal(text, into)
}

// plainList returns the items of a list of strings without escapes; false for other values.
func plainList(text []byte) ([]string, bool) {
	if len(text) == 0 || text[0] != '[' {
		return nil, false
	}
	all, list := string(text), make([]string, 0, 1+bytes.Count(text, []byte(",")))
	for o := open(0); ; {
		more, err := o.item(text)
		if err != nil || !more {
			return list, err == nil && o.at == len(text)
		}
		end, err := skip(text, o.at, 1)
		if err != nil {
			return nil, false
		}
		if _, ok := plain(text[o.at:end]); !ok {
			return nil, false
		}
		list = append(list, all[o.at+1:end-1])
		o.at = end
	}
}

// plain returns the text of a string without escapes; false for other values.
func plain(text []byte) ([]byte, bool) {
	if len(text) < 2 || text[0] != '"' {
		return nil, false
	}
	end, ok, err := str(text, 0)
	inner := text[1 : len(text)-1]
	return inner, ok && err == nil && end == len(text) && utf8.Valid(inner)
}

// encode is the reverse of decode.
func encode[T any](value *T) ([]byte, error) {
	switch p := any(value).(type) {
	case **string:
		if *p == nil {
			return []byte("null"), nil
		}
		if out, ok := quotePlain(**p); ok {
			return out, nil
		}
	case **int32:
		if *p == nil {
			return []byte("null"), nil
		}
		return strconv.AppendInt(nil, int64(**p), 10), nil
	case *[]string:
		if out, ok := quoteList(*p); ok {
			return out, nil
		}
	case **int64:
		if *p == nil {
			return []byte("null"), nil
		}
		return strconv.AppendInt(nil, **p, 10), nil
	}
	return json.Marshal(value)
}

// quoteText returns a string as JSON, in the spelling of encoding/json.
func quoteText(s string) []byte {
	if out, ok := quotePlain(s); ok {
		return out
	}
	out, err := json.Marshal(s)
	if err != nil {
		return appendQuoted(nil, s) // Marshal encodes all strings
	}
	return out
}

// textOf returns the text of a JSON string.
func textOf(value []byte) string {
	s, _ := unquote(string(value))
	return s
}

// isZeroText reports whether encoding/json leaves out a field with omitempty.
func isZeroText(value []byte) bool {
	switch string(value) {
	case "false", `""`, "[]", "{}":
		return true
	}
	return isNumber(stringOf(value)) && isZeroNumber(stringOf(value))
}

// quotePlain quotes a string that needs no escapes; false for others.
func quotePlain(s string) ([]byte, bool) {
	if !isPlainText(s) {
		return nil, false
	}
	out := make([]byte, 0, len(s)+2)
	out = append(append(append(out, '"'), s...), '"')
	return out, true
}

// quoteList returns a list of strings that need no escapes; false for others.
func quoteList(list []string) ([]byte, bool) {
	size := 2
	for _, s := range list {
		if !isPlainText(s) {
			return nil, false
		}
		size += len(s) + 3
	}
	if list == nil {
		return nil, false
	}
	out := append(make([]byte, 0, size), '[')
	for i, s := range list {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(append(out, '"'), s...), '"')
	}
	return append(out, ']'), true
}

// isPlainText reports whether a string is ASCII that needs no escapes.
func isPlainText[T string | []byte](s T) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			return false
		}
	}
	return true
}
