package tag

import "testing"

func TestCode(t *testing.T) {
	for raw, want := range map[string]string{
		"":                                 "",
		"\nA int":                          "A int",
		"A int":                            "A int",
		"\n\t\tA struct {\n\t\t\tB\n\t\t}": "A struct {\n\tB\n}",
		"\n\tA\n\n\tB":                     "A\n\nB",
		"\n\tA \\'json:\"a\"\\'":           "A `json:\"a\"`",
		"\n\tA // '\\'":                    "A // '`",
	} {
		if got := Code(raw); got != want {
			t.Errorf("Code(%q) = %q, want %q", raw, got, want)
		}
	}
}
