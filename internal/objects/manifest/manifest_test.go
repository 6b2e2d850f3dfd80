package manifest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/objects/manifest"
)

const someYAML = `# a comment
apiVersion: example.com/v1
kind: Widget
metadata:
  name: "one" # quoted
  labels: &labels
    app.kubernetes.io/name: x
    a.b: 'c'
spec:
  users:
  - name: ann
    role: !!str admin
  - {name: bob, tags: [a, b]}
  text: |
    some
    text
  replicas:
  labels: *labels
  more:
    <<: *labels
    a.b: own
  tabs:	1
  ö: ü # not ASCII
`

const someJSON = "{\n\t\"apiVersion\": \"example.com/v1\", \"kind\": \"Widget\",\n\t\"spec\": {\"users\": [{\"name\": \"ann\"}, {\"n\\u0061me\":true}]}\n}\n"

func parseOne(t *testing.T, text string) *manifest.Object {
	t.Helper()
	bag := &diag.Bag{}
	docs := manifest.Parse(source.NewFile("f.yaml", []byte(text)), bag)
	for _, d := range bag.All() {
		t.Fatal(d.Span, d.Message)
	}
	if len(docs) != 1 {
		t.Fatalf("%d documents", len(docs))
	}
	objects := docs[0].Objects(bag)
	if len(objects) != 1 {
		t.Fatalf("%d objects", len(objects))
	}
	return objects[0]
}

func TestLocate(t *testing.T) {
	for _, c := range []struct{ text, path, want string }{
		{someYAML, "metadata.name", `5:9 "one"`},
		{someYAML, "metadata.labels[app.kubernetes.io/name]", "7:29 x"},
		{someYAML, "metadata.labels.app.kubernetes.io/name", "7:29 x"},
		{someYAML, "metadata.labels", "6:3 labels"},
		{someYAML, "metadata.labels[a.b]", "8:10 'c'"},
		{someYAML, "spec.users[0].name", "11:11 ann"},
		{someYAML, "spec.users[0].role", "12:17 admin"},
		{someYAML, "spec.users[1].name", "13:12 bob"},
		{someYAML, "spec.users[1].tags[1]", "13:27 b"},
		{someYAML, "spec.users[1]", "13:5 {name: bob, tags: [a, b]}"},
		{someYAML, "spec.users[0]", "11:5 name: ann"},
		{someYAML, "spec.text", "14:9 |"},
		{someYAML, "spec.replicas", "17:3 replicas"},
		{someYAML, "spec.tabs", "22:9 1"},
		{someYAML, "spec.ö", "23:7 ü"},
		// Aliases: the position of the alias, and the anchor.
		{someYAML, "spec.labels[a.b]", "18:11 *labels anchored 'c'"},
		{someYAML, "spec.more[app.kubernetes.io/name]", "20:9 *labels anchored x"},
		{someYAML, "spec.more[a.b]", "21:10 own"},
		// Missing values: the enclosing key.
		{someYAML, "spec.engine", "9:1 spec missing"},
		{someYAML, "spec.users[0].password.length", "11:5 name: ann missing"},
		{someYAML, "spec.users[7]", "10:3 users missing"},
		{someYAML, "status.phase", "2:1 apiVersion: example.com/v1 missing"},
		{someYAML, "spec.user", "9:1 spec missing"},
		{someYAML, "", "2:1 apiVersion: example.com/v1"},
		{someJSON, "spec.users[0].name", `3:30 "ann"`},
		{someJSON, "spec.users[1].name", "3:51 true"},
		{someJSON, "spec.users[1]", `3:38 {"n\u0061me":true}`},
		{someJSON, "spec.engine", `3:2 "spec" missing`},
		{strings.ReplaceAll(someYAML, "\n", "\r\n"), "spec.users[1].tags[1]", "13:27 b"},
		{"\ufeff" + someYAML, "metadata.name", `5:9 "one"`},
		{"---\n" + someYAML, "spec.tabs", "23:9 1"},
	} {
		p := parseOne(t, c.text).Root.Locate(c.path)
		at := p.Span.Position()
		got := fmt.Sprintf("%d:%d %s", at.Line, at.Column, p.Span.Text())
		if !p.Anchor.IsZero() {
			got += " anchored " + p.Anchor.Text()
		}
		if !p.Found {
			got += " missing"
		}
		if got != c.want {
			t.Errorf("%s is at %s, want %s", c.path, got, c.want)
		}
	}
}

func TestDuplicates(t *testing.T) {
	for _, text := range []string{
		"apiVersion: v1\nkind: A\nspec:\n  a: 1\n  b: [{c: 1, c: 2}]\n  a: 2\n  1: x\n  '1': y\n",
		`{"apiVersion": "v1", "kind": "A", "spec": {"a": 1, "b": [{"c": 1, "c": 2}], "a": 2, "1": "x", "1": "y"}}`,
	} {
		var got []string
		o := parseOne(t, text)
		o.Root.Duplicates(func(d manifest.Duplicate) {
			if d.First.Start >= d.Key.Start {
				t.Errorf("%s: the first key is behind the second", d.Path)
			}
			got = append(got, d.Path)
		})
		if diff := cmp.Diff([]string{"spec.a", "spec.1", "spec.b[0].c"}, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		if spec := o.Value["spec"].(map[string]any); spec["a"] != int64(2) {
			t.Errorf("the last of equal keys counts, and spec is %v", spec)
		}
	}
}

func TestMistakes(t *testing.T) {
	const template = "this is a template, which kindsmith does not render; validate what it renders to, as in: helm template . | kindsmith validate -f - [manifest/syntax]"
	for _, c := range []struct{ name, text, want string }{
		{"syntax, and the rest is read", "a: [1\n---\napiVersion: v1\nkind: Good\n---\nb: {\n",
			"f.yaml:1:1: did not find expected ',' or ']' [manifest/syntax]\nf.yaml:6:1: did not find expected node content [manifest/syntax]\nGood"},
		{"indentation", "apiVersion: v1\nkind: A\nspec:\n   a: 1\n  b: 2\n", "f.yaml:4:4: this line is indented by 3, and those below by 2; indent the keys of one mapping equally [manifest/syntax]"},
		{"tabs", "a:\n\tb: 1\n", "f.yaml:2:2: this line is indented with a tab; YAML takes only spaces [manifest/syntax]"},
		{"separators", "--- oops\napiVersion: v1\nkind: Good\n", "f.yaml:1:1: a document separator is --- alone, or --- and a comment [manifest/syntax]\nGood"},
		{"anchors", "x: a*b\na: [1, *b]\n", "f.yaml:2:8: there is no anchor &b above this alias [manifest/syntax]"},
		{"templates", "apiVersion: v1\nkind: A\nmetadata:\n  name: {{ .Values.name }}\n---\na: 1\n{{- if .x }}\nb: 1\n{{- end }}\n---\na: 1\nb: {{ .y }}-x\n---\na: \"{{ .z }}\"\n c: 1\n",
			"f.yaml:4:9: " + template + "\nf.yaml:7:1: " + template + "\nf.yaml:12:4: " + template + "\nf.yaml:15:2: did not find expected key [manifest/syntax]"},
		{"lists and keys", "a:\n- b\nc:\n  - d\n  e: 1\n", "f.yaml:5:3: this line is in a list, and begins no item; indent it like the item that it belongs to, or less than the list [manifest/syntax]"},
		{"JSON", `{"apiVersion": "v1", "kind": "Good"}{"apiVersion": "v1", "kind": "Good"} {"a": tru}`, "f.yaml:1:83: invalid character '}' in literal true (expecting 'e') [manifest/syntax]\nGood\nGood"},
		{"no object", "- a\n---\nx\n", "f.yaml:1:1: this is a list; an API object is a mapping with apiVersion and kind [manifest/no-object]\nf.yaml:3:1: this is a string; an API object is a mapping with apiVersion and kind [manifest/no-object]"},
		{"no type", "kind: A\n---\napiVersion: v1\nkind: 1\n---\napiVersion: a/b/c\nkind: A\n",
			"f.yaml:1:1: the object has no apiVersion [manifest/no-kind]\nf.yaml:4:7: kind is the number 1; write a string [manifest/no-kind]\nf.yaml:6:13: apiVersion \"a/b/c\" does not have the form group/version [manifest/no-kind]"},
		{"what kubectl ignores", "apiVersion: v1\nkind: Good\n...\napiVersion: v1\nkind: Lost\n", "f.yaml:3:1: kubectl ignores the lines after this one; separate documents with --- [manifest/ignored]\nGood"},
		{"nothing", "# only a comment\n---\n\n---\nnull\n", ""},
		{"lists", "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: A}\n- apiVersion: a.b/v1\n  kind: BList\n  items: [{metadata: {name: x}}, 1]\n",
			"f.yaml:7:34: this is the number 1; an API object is a mapping with apiVersion and kind [manifest/no-object]\nA\nB x"},
	} {
		t.Run(c.name, func(t *testing.T) {
			bag := &diag.Bag{}
			var got []string
			var objects []*manifest.Object
			for _, doc := range manifest.Parse(source.NewFile("f.yaml", []byte(c.text)), bag) {
				objects = append(objects, doc.Objects(bag)...)
			}
			for _, d := range bag.All() {
				got = append(got, fmt.Sprintf("%v: %s [%s]", d.Span, d.Message, d.Code))
			}
			for _, o := range objects {
				got = append(got, o.String())
			}
			if diff := cmp.Diff(c.want, strings.Join(got, "\n")); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b.yaml", "a/c.json", "a/d.yml", "a/readme.md", ".git/x.yaml"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	files, err := manifest.Files([]string{dir, filepath.Join(dir, "b.yaml"), "-", filepath.Join(dir, "a/readme.md")}, strings.NewReader("in"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range files {
		name, err := filepath.Rel(dir, f.Path)
		if err != nil {
			name = f.Path
		}
		got = append(got, filepath.ToSlash(name)+"="+string(f.Content))
	}
	want := []string{"a/c.json=a/c.json", "a/d.yml=a/d.yml", "b.yaml=b.yaml", "<stdin>=in", "a/readme.md=a/readme.md"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if _, err := manifest.Files([]string{filepath.Join(dir, "none")}, nil); err == nil {
		t.Error("a file that is not there is no error")
	}
}
