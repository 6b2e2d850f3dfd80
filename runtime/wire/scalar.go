package wire

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// decode decodes JSON like API servers. It reads usual scalars by itself, because reflection costs
// more than most conversions.
func decode[T any](text []byte, into *T) error {
	switch p := any(into).(type) {
	case *string:
		if s, ok := plain(text); ok {
			*p = string(s)
			return nil
		}
	case *int32:
		if n, err := strconv.ParseInt(string(text), 10, 32); err == nil {
			*p = int32(n)
			return nil
		}
	case *int64:
		if n, err := strconv.ParseInt(string(text), 10, 64); err == nil {
			*p = n
			return nil
		}
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
	}
	return utiljson.Unmarshal(text, into)
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
	case *string:
		if out, ok := quotePlain(*p); ok {
			return out, nil
		}
	case *int32:
		return strconv.AppendInt(nil, int64(*p), 10), nil
	case *int64:
		return strconv.AppendInt(nil, *p, 10), nil
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
	case **int64:
		if *p == nil {
			return []byte("null"), nil
		}
		return strconv.AppendInt(nil, **p, 10), nil
	}
	return json.Marshal(value)
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

// isPlainText reports whether a string is ASCII that needs no escapes.
func isPlainText[T string | []byte](s T) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			return false
		}
	}
	return true
}
