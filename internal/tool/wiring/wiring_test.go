package wiring_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/kindsmith/kindsmith/internal/testing/goldentest"
	"github.com/kindsmith/kindsmith/internal/tool/wiring"
)

// The kinds of the tests: before and after there is a second version, and another group.
var (
	one = []wiring.API{{Group: "shop.example.com", Package: "example.com/shop/api/v1", Kinds: []string{"Order"}}}
	two = []wiring.API{
		{Group: "shop.example.com", Package: "example.com/shop/api/v2", Older: []string{"example.com/shop/api/v1"}, Converts: "example.com/shop/api/v1", Kinds: []string{"Order", "Cart"}},
		{Group: "web-site.example.com", Package: "example.com/shop/api/web/v1", Kinds: []string{"Page"}},
	}
)

// TestAdd wires managers. The files in testdata have a manager, then what it is with one kind, and then with another version
// and more kinds.
func TestAdd(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) < 3 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			content, options := archive.Files[0].Data, wiring.Options{Markers: strings.Contains(name, "kubebuilder")}
			got := &txtar.Archive{Comment: archive.Comment, Files: archive.Files[:1]}
			for _, step := range []struct {
				name string
				apis []wiring.API
			}{{"one kind", one}, {"more", two}} {
				content, err = wiring.Add(content, step.apis, options)
				got.Files = append(got.Files, txtar.File{Name: step.name, Data: content})
				if err != nil {
					got.Files = append(got.Files, txtar.File{Name: step.name + ": advice", Data: []byte(err.Error() + "\n")})
				}
				if again, _ := wiring.Add(content, step.apis, options); string(again) != string(content) {
					t.Errorf("%s: a second run changes the file:\n%s", step.name, again)
				}
			}
			if goldentest.Updating() {
				if err := os.WriteFile(name, txtar.Format(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got := string(txtar.Format(got)); got != string(txtar.Format(archive)) {
				t.Errorf("%s is another file:\n%s", name, got)
			}
		})
	}
}

func TestSetsUp(t *testing.T) {
	for content, want := range map[string]wiring.Set{
		"package a": wiring.NotHere,
		"package a\nimport v1 \"example.com/v1\"\nfunc f() { ctrl.NewWebhookManagedBy(mgr, &v1.Order{}).Complete() }":                                                                           wiring.ByHand,
		"package a\nimport v1 \"example.com/v1\"\nfunc f() { ctrl.NewWebhookManagedBy(mgr).For(&v1.Order{}).Complete() }":                                                                       wiring.ByHand,
		"package a\nimport v1 \"example.com/v1\"\nfunc f() { ctrl.NewWebhookManagedBy(mgr).For(&v1.OrderList{}).Complete() }":                                                                   wiring.NotHere,
		"package a\nimport v1 \"example.com/v2\"\nfunc f() { ctrl.NewWebhookManagedBy(mgr).For(&v1.Order{}).Complete() }":                                                                       wiring.NotHere,
		"package a\nimport (\nv1 \"example.com/v1\"\ns \"github.com/kindsmith/kindsmith/webhook/server\"\n)\nfunc f() { s.SetupWebhookWithManager(mgr, &v1.Order{}, nil) }":                     wiring.Generated,
		"package a\nimport (\nv1 \"example.com/v1\"\ns \"github.com/kindsmith/kindsmith/webhook/server\"\n)\nfunc f() { s.SetupWebhookWithManager[*v1.Order](mgr, &v1.Order{}, nil, nil) }":     wiring.Generated,
		"package a\nimport (\nv1 \"example.com/v1\"\ns \"github.com/kindsmith/kindsmith/webhook/server\"\n)\nfunc f() { s.SetupWebhookWithManager(mgr, &v1.Orders{}, nil) } // broken syntax }": wiring.NotHere,
	} {
		if got := wiring.SetsUp([]byte(content), "example.com/v1", "Order"); got != want {
			t.Errorf("%d, want %d:\n%s", got, want, content)
		}
	}
}
