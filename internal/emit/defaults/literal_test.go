package defaults

import "testing"

func TestLocalNames(t *testing.T) {
	for name, want := range map[string]string{"Name": "name", "FSType": "fsType", "YY": "yy", "URL": "url", "URLs": "urls", "ID": "id", "HTTPPortItem": "httpPortItem", "A": "a"} {
		if got := lowerCamel(name); got != want {
			t.Errorf("%s becomes %s, want %s", name, got, want)
		}
	}
}
