package defaults

import (
	"testing"

	"github.com/kindsmith/kindsmith/internal/defaulting"
)

// TestOpaques holds the two tables of types with JSON of their own together.
func TestOpaques(t *testing.T) {
	for _, name := range defaulting.Literals() {
		if _, ok := opaques[name]; !ok {
			t.Errorf("%s passes the check and cannot be written", name)
		}
	}
	if len(opaques) != len(defaulting.Literals()) {
		t.Errorf("%d types can be written, %d pass the check", len(opaques), len(defaulting.Literals()))
	}
}

func TestLocalNames(t *testing.T) {
	for name, want := range map[string]string{"Name": "name", "FSType": "fsType", "YY": "yy", "URL": "url", "URLs": "urls", "ID": "id", "HTTPPortItem": "httpPortItem", "A": "a"} {
		if got := lowerCamel(name); got != want {
			t.Errorf("%s becomes %s, want %s", name, got, want)
		}
	}
}
