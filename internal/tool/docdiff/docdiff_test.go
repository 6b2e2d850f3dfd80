package docdiff_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/tool/docdiff"
)

func TestTexts(t *testing.T) {
	for _, c := range []struct{ before, after, want string }{
		{"a: 1\nb: {c: x}", "b: {c: x}\na: 1", ""},
		{"a: 1\nb: {c: x}", "b: {c: w, d: 2}", "a: 1 null; b/c: \"x\" \"w\"; b/d: null 2"},
		{"a: [x, w]", "a: [z, w]", "a/x: \"x\" null; a/z: null \"z\""},
		{"a: [x, w, z]", "a: [w, x]", "a/z: \"z\" null; a: [\"x\",\"w\"] [\"w\",\"x\"] reordered"},
		{"a: [{name: v1, b: 1}]", "a: [{name: v2}, {name: v1, b: 2}]", "a/v1/b: 1 2; a/v2: null {\"name\":\"v2\"}"},
		{"a: [{rule: x, message: m}]", "a: [{rule: x}]", "a/x/message: \"m\" null"},
		{"a: [{b: 1}, {b: 1}]", "a: [{b: 2}]", "a/0/b: 1 2; a/1: {\"b\":1} null"},
		{"a: [x, x]", "a: [x]", "a/1: \"x\" null"},
		{"a: [x]", "{}", "a/x: \"x\" null"},
		{"{}", "labels: {a: b}", "labels/a: null \"b\""},
		{"{}", "a: {a: b}", "a: null {\"a\":\"b\"}"},
		{"a: {b: 1}", "a: [1]", "a: {\"b\":1} [1]"},
		{"a: " + strings.Repeat("x", 100), "", ": {\"a\":\"" + strings.Repeat("x", 73) + "… null"},
	} {
		found, err := docdiff.Texts([]byte(c.before), []byte(c.after))
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		for _, d := range found {
			line := fmt.Sprintf("%s: %s %s", strings.Join(d.Path, "/"), docdiff.Text(d.Before), docdiff.Text(d.After))
			if d.Reordered {
				line += " reordered"
			}
			lines = append(lines, line)
		}
		if got := strings.Join(lines, "; "); got != c.want {
			t.Errorf("%s → %s:\n got %s\nwant %s", c.before, c.after, got, c.want)
		}
	}
	if _, err := docdiff.Texts([]byte("a: ["), nil); err == nil {
		t.Error("malformed YAML is no error")
	}
}
