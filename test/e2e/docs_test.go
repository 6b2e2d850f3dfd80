package e2e

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// inPage is a manifest in a page of Markdown.
var inPage = regexp.MustCompile("(?ms)^```yaml\n(.*?)^```$")

// TestDocumentedManifests sends all valid manifests of the examples' API docs to the API server, which refuses unknown fields: minimal and
// full ones, one for each member of a union, and those before and after a change.
func TestDocumentedManifests(t *testing.T) {
	binary, err := kindsmith()
	if err != nil {
		t.Fatal(err)
	}
	for project, least := range map[string]int{"database": 20, "pipeline": 20, "operator": 6} {
		t.Run(project, func(t *testing.T) {
			dir := filepath.Join("../../examples", project)
			collections := serve(t, dir, dir != example)
			out := t.TempDir()
			docs := exec.Command(binary, "docs", "--out", out, "--format", "markdown", "./api/...")
			docs.Dir = dir
			if output, err := docs.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, output)
			}
			pages, err := filepath.Glob(filepath.Join(out, "*", "*", "*.md"))
			if err != nil {
				t.Fatal(err)
			}
			sent, of := 0, map[string]bool{}
			for _, page := range pages {
				text, err := os.ReadFile(page)
				if err != nil {
					t.Fatal(err)
				}
				valid, _, _ := strings.Cut(string(text), `<a id="_errors"></a>`)
				for _, found := range inPage.FindAllStringSubmatch(valid, -1) {
					obj := &unstructured.Unstructured{}
					if err := yaml.Unmarshal([]byte(found[1]), &obj.Object); err != nil {
						t.Fatalf("%v\n%s", err, found[1])
					}
					gvk := obj.GroupVersionKind()
					url, ok := collections[gvk.GroupVersion().String()+" "+gvk.Kind]
					if !ok {
						t.Fatalf("no definition has %s", gvk)
					}
					if of[gvk.GroupVersion().String()+" "+gvk.Kind] = true; url == nil {
						continue // this version is not served
					}
					status, answer, err := shared.do(http.MethodPost, url(namespaceOf(obj))+"?dryRun=All&fieldValidation=Strict", obj.Object)
					if err != nil {
						t.Fatal(err)
					}
					if status != http.StatusCreated {
						t.Errorf("%s: %d %v\n%s", filepath.Base(page), status, answer["message"], found[1])
					}
					sent++
				}
			}
			if sent < least || len(of) != len(collections) {
				t.Errorf("sent %d manifests of %d kinds and versions, of which the definitions have %d", sent, len(of), len(collections))
			}
		})
	}
}

// serve returns the URLs of the collections of an example by version and kind, for a namespace; nil for a version that is not served. With apply, it first creates the definitions
// for the test.
func serve(t *testing.T, dir string, apply bool) map[string]func(namespace string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "config/crd/bases", "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	all := map[string]func(namespace string) string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var crd apiextensionsv1.CustomResourceDefinition
		if err := yaml.Unmarshal(text, &crd); err != nil {
			t.Fatal(err)
		}
		if apply {
			if out, err := shared.kubectl("apply", "-f", file); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			t.Cleanup(func() {
				if out, err := shared.kubectl("delete", "-f", file, "--wait=true"); err != nil {
					t.Errorf("%v\n%s", err, out)
				}
			})
			// No webhook converts here. A dry run stores nothing, so that the other version of the object does not matter.
			if out, err := shared.kubectl("patch", "crd", crd.Name, "--type=merge", "-p", `{"spec":{"conversion":{"strategy":"None","webhook":null}}}`); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
		}
		for _, v := range crd.Spec.Versions {
			if !v.Served {
				all[crd.Spec.Group+"/"+v.Name+" "+crd.Spec.Names.Kind] = nil
				continue
			}
			url := func(namespace string) string {
				if crd.Spec.Scope == apiextensionsv1.NamespaceScoped {
					namespace = "namespaces/" + namespace + "/"
				} else {
					namespace = ""
				}
				return fmt.Sprintf("%s/apis/%s/%s/%s%s", shared.URL, crd.Spec.Group, v.Name, namespace, crd.Spec.Names.Plural)
			}
			all[crd.Spec.Group+"/"+v.Name+" "+crd.Spec.Names.Kind] = url
			for deadline := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
				status, _, err := shared.do(http.MethodGet, url("default"), nil)
				if err == nil && status == http.StatusOK {
					break
				}
				if time.Now().After(deadline) {
					t.Fatalf("%s is not served a minute after it was applied: %d %v", url("default"), status, err)
				}
			}
		}
	}
	return all
}
