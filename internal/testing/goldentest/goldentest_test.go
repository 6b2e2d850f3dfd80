package goldentest_test

import (
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/kindsmith/kindsmith/internal/testing/goldentest"
)

func TestSetSection(t *testing.T) {
	const before = "comment\n-- a --\n1\n-- b --\n2\n"
	for _, tc := range []struct {
		name, section, data, want string
	}{
		{"replace", "a", "3\n", "comment\n-- a --\n3\n-- b --\n2\n"},
		{"append", "c", "3\n", before + "-- c --\n3\n"},
		{"remove", "a", "", "comment\n-- b --\n2\n"},
		{"remove what is not there", "c", "", before},
	} {
		t.Run(tc.name, func(t *testing.T) {
			archive := txtar.Parse([]byte(before))
			goldentest.SetSection(archive, tc.section, []byte(tc.data))
			if got := string(txtar.Format(archive)); got != tc.want {
				t.Errorf("got\n%swant\n%s", got, tc.want)
			}
			if got, ok := goldentest.Section(archive, tc.section); string(got) != tc.data || ok != (tc.data != "") {
				t.Errorf("Section = %q, %v", got, ok)
			}
		})
	}
}
