package prose

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const page = "# What a page says\n" + `
<!-- that that
that -->
It says that a field
moves, and what it loses. What is lost? Know what to do.

| that | it |
|---|---|

- one [link, they say](that.md)
  goes on
- two ` + "`that what it`" + `

      more of two

` + "```sh\nthat it\n```" + `

    that code

1. First: those.
Tail
`

func TestMarkdown(t *testing.T) {
	want := Text{
		{Heading, "What a page says"},
		{Paragraph, "It says that a field moves, and what it loses. What is lost? Know what to do."},
		{Bullet, "one [link, they say] goes on"},
		{Bullet, "two `that what it`"},
		{Paragraph, "more of two"},
		{Bullet, "First: those. Tail"},
	}
	got := Markdown(page)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(Count{Words: 35, That: 1, Pronouns: 4, What: 1}, got.Count()); diff != "" {
		t.Error(diff)
	}
}

func TestPlain(t *testing.T) {
	if diff := cmp.Diff(Text{{Paragraph, "a b"}, {Paragraph, "c"}}, Plain(" a\n b", "c")); diff != "" {
		t.Error(diff)
	}
}

func TestPerThousand(t *testing.T) {
	for _, test := range []struct {
		rate  float64
		words int
		want  int
	}{{10, 1000, 10}, {10, 999, 10}, {10, 50, 1}, {1.5, 0, 0}, {1.5, 2000, 3}} {
		if got := PerThousand(test.rate, test.words); got != test.want {
			t.Errorf("PerThousand(%v, %d) = %d, want %d", test.rate, test.words, got, test.want)
		}
	}
}

func TestLongBullets(t *testing.T) {
	text := Markdown("- " + strings.Repeat("long ", 5) + "\n- short\n\n" + strings.Repeat("paragraph ", 9))
	if got := text.LongBullets(4); len(got) != 1 || !strings.HasPrefix(got[0], "long") {
		t.Errorf("got %q", got)
	}
	if got := text.LongBullets(5); got != nil {
		t.Errorf("got %q", got)
	}
}

func TestRepeated(t *testing.T) {
	texts := map[string]Text{
		"a": Plain("One two three, four five."),
		"b": Plain("Zero one `x` two three.", "And two THREE four five six two three four five"),
		"c": Plain("two three", "four five"),
	}
	want := []Repeat{{"a", "b", "two three four"}}
	if diff := cmp.Diff(want, Repeated(3, []string{"a", "b", "c"}, texts)); diff != "" {
		t.Error(diff)
	}
	if got := Repeated(6, []string{"a", "b", "c"}, texts); got != nil {
		t.Errorf("got %v", got)
	}
}
