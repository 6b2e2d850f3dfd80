package gofile_test

import (
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/gofile"
)

func TestAliases(t *testing.T) {
	aliases, err := gofile.ParseAliases([]string{"k8s.io/api=example.com/fork", "k8s.io/api/core=example.com/core", "example.com/lib/v1=example.com/lib/v2"})
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"k8s.io/api": "example.com/fork", "k8s.io/api/apps/v1": "example.com/fork/apps/v1", "k8s.io/api/core/v1": "example.com/core/v1",
		"k8s.io/apimachinery": "k8s.io/apimachinery", "fmt": "fmt", "example.com/lib/v1": "example.com/lib/v2",
	} {
		f := gofile.New("example.com/p", "p")
		f.SetAliases(aliases)
		f.P("var _ ", f.Ident(path, "T"))
		content, err := f.Bytes()
		if err != nil || !strings.Contains(string(content), `"`+want+`"`) || want != path && strings.Contains(string(content), `"`+path+`"`) {
			t.Errorf("%s: %v\n%s", path, err, content)
		}
	}
	for _, wrong := range [][]string{{"a"}, {"=b"}, {"a="}, {"a=b=c"}, {"../a=b"}, {"a=/b"}, {"a=b c"}, {"a=b", "a=c"}, {"a=b", "a=b"}} {
		if _, err := gofile.ParseAliases(wrong); err == nil {
			t.Errorf("%q: no error", wrong)
		}
	}
}
