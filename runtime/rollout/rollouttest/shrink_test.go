package rollouttest

import (
	"encoding/json"
	"testing"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

func parse(t *testing.T, s string) any {
	t.Helper()
	var m map[string]any
	if err := utiljson.Unmarshal([]byte(s), &m); err != nil {
		t.Fatal(err)
	}
	return m
}

func at(tree any, steps ...any) any {
	for _, step := range steps {
		switch s := step.(type) {
		case string:
			m, _ := tree.(map[string]any)
			tree = m[s]
		case int:
			l, _ := tree.([]any)
			if s >= len(l) {
				return nil
			}
			tree = l[s]
		}
	}
	return tree
}

func TestShrink(t *testing.T) {
	const everything = `{"n": 100000, "neg": -70000, "f": 1.5, "b": true, "s": "Hello, wörld", "l": [1, 2, 3, 4, 5, 6, 7], "m": {"key": "v"}, "deep": {"x": {"y": "z"}}}`
	for _, tc := range []struct {
		name string
		keep func(any) bool
		want string
	}{
		{"nothing matters", func(any) bool { return true }, `{}`},
		{"a bound", func(v any) bool { n, _ := at(v, "n").(int64); return n > 86400 }, `{"n":86401}`},
		{"a negative bound", func(v any) bool { n, _ := at(v, "neg").(int64); return n < -5 }, `{"neg":-6}`},
		{"a magnitude", func(v any) bool { n, _ := at(v, "neg").(int64); return n < -5 || n > 5 }, `{"neg":6}`},
		{"presence", func(v any) bool { return at(v, "s") != nil }, `{"s":""}`},
		{"a character", func(v any) bool { s, _ := at(v, "s").(string); return len(s) > len([]rune(s)) }, `{"s":"ö"}`},
		{"a length", func(v any) bool { s, _ := at(v, "s").(string); return len([]rune(s)) > 6 }, `{"s":"aaaaaaa"}`},
		{"an item", func(v any) bool { l, _ := at(v, "l").([]any); return len(l) > 0 && l[len(l)-1] == int64(7) }, `{"l":[7]}`},
		{"items", func(v any) bool { l, _ := at(v, "l").([]any); return len(l) > 3 }, `{"l":[0,0,0,0]}`},
		{"a key", func(v any) bool { m, _ := at(v, "m").(map[string]any); return len(m) > 0 }, `{"m":{"":""}}`},
		{"a long key", func(v any) bool {
			m, _ := at(v, "m").(map[string]any)
			for key := range m {
				return len(key) > 1
			}
			return false
		}, `{"m":{"aa":""}}`},
		{"depth", func(v any) bool { return at(v, "deep", "x", "y") != nil }, `{"deep":{"x":{"y":""}}}`},
		{"true", func(v any) bool { return at(v, "b") == true }, `{"b":true}`},
		{"a bool", func(v any) bool { return at(v, "b") != nil }, `{"b":false}`},
		{"a fraction", func(v any) bool { return at(v, "f") != nil }, `{"f":0}`},
		{"two things", func(v any) bool { return at(v, "b") == true && at(v, "deep", "x") != nil }, `{"b":true,"deep":{"x":{}}}`},
	} {
		start := parse(t, everything)
		if !tc.keep(start) {
			t.Fatalf("%s: does not hold at the start", tc.name)
		}
		got := shrink(subject{obj: start}, shrinkTries, func(s subject) bool { return tc.keep(s.obj) })
		if out, _ := json.Marshal(got.obj); string(out) != tc.want {
			t.Errorf("%s: %s, want %s", tc.name, out, tc.want)
		}
		if out, _ := json.Marshal(start); string(out) != canonical(t, everything) {
			t.Errorf("%s: what was shrunk has been changed: %s", tc.name, out)
		}
	}
}

func canonical(t *testing.T, s string) string {
	t.Helper()
	out, err := json.Marshal(parse(t, s))
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestShrinkPairs(t *testing.T) {
	for _, tc := range []struct {
		name       string
		keep       func(s subject) bool
		obj, old   string
		wantUpdate bool
	}{
		{"create will do", func(s subject) bool { return at(s.obj, "a") != nil }, `{"a":""}`, `null`, false},
		{"a change", func(s subject) bool { return s.update && at(s.obj, "a") != at(s.old, "a") }, `{}`, `{"a":""}`, true},
		{"no change", func(s subject) bool {
			return s.update && at(s.obj, "a") != nil && at(s.obj, "a") == at(s.old, "a")
		}, `{"a":""}`, `{"a":""}`, true},
		{"decrease", func(s subject) bool {
			now, ok := at(s.obj, "l", 1).(int64)
			was, had := at(s.old, "l", 1).(int64)
			return s.update && ok && had && now < was
		}, `{"l":[0,0]}`, `{"l":[0,1]}`, true},
	} {
		start := subject{parse(t, `{"a": "same", "b": "new", "l": [5, 3, 9], "m": {"x": 1}}`), parse(t, `{"a": "same", "c": [1], "l": [4, 8, 9]}`), true}
		if tc.name == "a change" {
			start.old = parse(t, `{"a": "other", "c": [1], "l": [4, 8, 9]}`)
		}
		got := shrink(start, shrinkTries, tc.keep)
		obj, _ := json.Marshal(got.obj)
		old, _ := json.Marshal(got.old)
		if string(obj) != tc.obj || string(old) != tc.old || got.update != tc.wantUpdate {
			t.Errorf("%s: %s from %s, want %s from %s", tc.name, obj, old, tc.obj, tc.old)
		}
	}
}

func TestShrinkGivesUp(t *testing.T) {
	asked := 0
	shrink(subject{obj: parse(t, `{"a": "some text", "b": [1, 2, 3]}`)}, 10, func(subject) bool { asked++; return false })
	if asked != 10 {
		t.Errorf("asked %d times", asked)
	}
}
