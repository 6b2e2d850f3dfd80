package corpus

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// expand expands the two short forms for long values:
//
//	$text: [[a, 63], ".", [é, 2]]        strings, optionally with a repeat count
//	$list: {times: 3, item: {name: n%d}}  items; %d is the number of the item, from 0
//
// "then" in the latter adds further items.
func expand(v any) (any, error) {
	switch v := v.(type) {
	case map[string]any:
		if len(v) == 1 {
			if text, ok := v["$text"]; ok {
				return expandText(text)
			}
			if list, ok := v["$list"]; ok {
				return expandList(list)
			}
		}
		out := map[string]any{}
		for _, k := range slices.Sorted(maps.Keys(v)) {
			e, err := expand(v[k])
			if err != nil {
				return nil, err
			}
			out[k] = e
		}
		return out, nil
	case []any:
		out := make([]any, len(v))
		for i := range v {
			e, err := expand(v[i])
			if err != nil {
				return nil, err
			}
			out[i] = e
		}
		return out, nil
	}
	return v, nil
}

func expandText(v any) (string, error) {
	parts, ok := v.([]any)
	if !ok {
		return "", fmt.Errorf("$text is a list, not %v", v)
	}
	var b strings.Builder
	for _, part := range parts {
		switch part := part.(type) {
		case string:
			b.WriteString(part)
			continue
		case []any:
			if len(part) == 2 {
				text, isText := part[0].(string)
				times, isTimes := part[1].(int64)
				if isText && isTimes {
					b.WriteString(strings.Repeat(text, int(times)))
					continue
				}
			}
		}
		return "", fmt.Errorf("a part of $text is a string or [string, times], not %v", part)
	}
	return b.String(), nil
}

func expandList(v any) ([]any, error) {
	spec, ok := v.(map[string]any)
	times, isTimes := spec["times"].(int64)
	if !ok || !isTimes || spec["item"] == nil {
		return nil, fmt.Errorf("$list is {times: n, item: value}, not %v", v)
	}
	var out []any
	for i := range times {
		out = append(out, numbered(spec["item"], strconv.FormatInt(i, 10)))
	}
	if then, ok := spec["then"].([]any); ok {
		out = append(out, then...)
	}
	return out, nil
}

func numbered(v any, n string) any {
	switch v := v.(type) {
	case string:
		return strings.ReplaceAll(v, "%d", n)
	case map[string]any:
		out := map[string]any{}
		for k, e := range v {
			out[k] = numbered(e, n)
		}
		return out
	}
	return v
}
