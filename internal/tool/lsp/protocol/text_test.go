package protocol

import (
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/source"
)

func TestPositions(t *testing.T) {
	f := source.NewFile("x.go", []byte("a\nü𝒳b\r\n\n"))
	for offset, want := range map[int]Position{
		0: {0, 0}, 1: {0, 1}, 2: {1, 0}, 4: {1, 1}, 8: {1, 3}, 9: {1, 4}, 11: {2, 0}, 12: {3, 0},
	} {
		if got := ToPosition(f, offset); got != want {
			t.Errorf("offset %d: got %v, want %v", offset, got, want)
		}
		if got := ToOffset(f, want); got != offset {
			t.Errorf("position %v: got %d, want %d", want, got, offset)
		}
	}
	for p, want := range map[Position]int{
		{-1, 5}: 0, {0, -3}: 0, {0, 99}: 1, {1, 2}: 8, {1, 99}: 9, {99, 0}: 12,
	} {
		if got := ToOffset(f, p); got != want {
			t.Errorf("position %v outside: got %d, want %d", p, got, want)
		}
	}
}

func TestApply(t *testing.T) {
	at := func(line, from, to int) *Range { return &Range{Position{line, from}, Position{line, to}} }
	for _, c := range []struct {
		text    string
		changes []ContentChange
		want    string
	}{
		{"a", nil, "a"},
		{"a\nb\n", []ContentChange{{Text: "c"}}, "c"},
		{"aü𝒳b", []ContentChange{{at(0, 2, 4), "x"}}, "aüxb"},
		{"ab\r\ncd", []ContentChange{{at(0, 2, 2), "!"}, {at(1, 0, 1), ""}}, "ab!\r\nd"},
		{"ab\ncd", []ContentChange{{&Range{Position{0, 1}, Position{1, 1}}, ""}}, "ad"},
		{"ab", []ContentChange{{&Range{Position{0, 2}, Position{0, 1}}, "x"}}, "abx"},
		{"ab", []ContentChange{{at(7, 7, 9), "x"}}, "abx"},
	} {
		if got := string(Apply([]byte(c.text), c.changes)); got != c.want {
			t.Errorf("%q with %v: got %q, want %q", c.text, c.changes, got, c.want)
		}
	}
}

func FuzzApply(f *testing.F) {
	f.Add("aü𝒳b\r\nc\n", "x\n", 0, 1, 1, 3)
	f.Add("\xff\xf0", "", -1, 0, 9, 9)
	f.Fuzz(func(_ *testing.T, text, insert string, line, from, endLine, to int) {
		Apply([]byte(text), []ContentChange{{&Range{Position{line, from}, Position{endLine, to}}, insert}})
	})
}

func TestURIs(t *testing.T) {
	for _, path := range []string{"/a/b c.go", "/ü/%41.go", "/a#b?.go"} {
		if got, ok := ToPath(ToURI(path)); !ok || got != path {
			t.Errorf("%s: got %s, %t", path, got, ok)
		}
	}
	for _, uri := range []string{"", "untitled:Untitled-1", "git:/a/b.go", "file://", "%", "file:///%ff"} {
		if path, ok := ToPath(uri); ok {
			t.Errorf("%s is no path, got %s", uri, path)
		}
	}
}
