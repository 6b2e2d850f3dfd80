package union

import (
	"encoding/json"
	"reflect"
	"strings"
	"time"
)

// has reports whether a JSON value is the zero value.
func (z Zero) has(v any) bool {
	text, isText := v.(string)
	switch {
	case z == NoZero:
		return false
	case z == ZeroDuration && isText:
		d, err := time.ParseDuration(text)
		return err == nil && d == 0
	case z == ZeroQuantity && isText:
		return isZeroQuantity(text)
	}
	switch v := v.(type) {
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	case json.Number:
		f, err := v.Float64()
		return err == nil && f == 0
	}
	return v != nil && reflect.ValueOf(v).IsZero()
}

// isZeroQuantity reads the digits. Parsing a text such as 1e-1000000000 takes hours.
func isZeroQuantity(text string) bool {
	text = strings.TrimLeft(text, "+-")
	digits := text[:len(text)-len(strings.TrimLeft(text, "0123456789."))]
	return strings.Contains(digits, "0") && strings.Trim(digits, "0.") == ""
}
