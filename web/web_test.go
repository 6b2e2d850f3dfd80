package web_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/web"
)

// TestFresh compares the sources of the bundles with the digest that build.js has written into them.
func TestFresh(t *testing.T) {
	names := []string{"build.js", "package.json", "package-lock.json"}
	if err := filepath.WalkDir("src", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, filepath.ToSlash(path))
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	hash := sha256.New()
	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(hash, "%s\x00%s\x00", name, strings.ReplaceAll(string(content), "\r\n", "\n"))
	}
	want := fmt.Sprintf("/* sources: %x */\n", hash.Sum(nil))
	for _, name := range []string{"dist/workbench.js", "dist/workbench.css"} {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(string(content), want) {
			t.Errorf("%s is not built from these sources; run make web", name)
		}
	}
	copied, err := os.ReadFile("dist/index.html")
	if err != nil {
		t.Fatal(err)
	}
	if page, err := os.ReadFile("src/workbench/index.html"); err != nil || string(page) != string(copied) {
		t.Errorf("dist/index.html is not src/workbench/index.html; run make web: %v", err)
	}
}

// TestWorkbench gets the parts of the page.
func TestWorkbench(t *testing.T) {
	for path, kind := range map[string]string{"/": "text/html", "/workbench.js": "text/javascript", "/workbench.css": "text/css"} {
		w := httptest.NewRecorder()
		web.Workbench().ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		if w.Code != 200 || !strings.HasPrefix(w.Header().Get("Content-Type"), kind) || w.Body.Len() == 0 {
			t.Errorf("%s: %d %v", path, w.Code, w.Header())
		}
	}
}

// TestSize keeps the page below 200 KB. build.js measures it with brotli, and gzip makes more of it.
func TestSize(t *testing.T) {
	const most = 200_000
	size := 0
	for _, name := range []string{"index.html", "workbench.js", "workbench.css"} {
		content, err := os.ReadFile(filepath.Join("dist", name))
		if err != nil {
			t.Fatal(err)
		}
		var packed bytes.Buffer
		w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
		if err == nil {
			_, err = w.Write(content)
		}
		if err == nil {
			err = w.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		size += packed.Len()
	}
	t.Logf("%d bytes", size)
	if size > most {
		t.Errorf("the page has %d bytes as gzip, more than %d", size, most)
	}
}
