package main

import (
	"go/format"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

func TestCreate(t *testing.T) {
	tags := t.TempDir()
	created, err := create(tags, []string{"k8s:atMost"})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"atmost/atmost.go", "atmost/testdata/rules.txtar", "atmost/testdata/mistakes.txtar"}
	for i, name := range want {
		if created[i] != filepath.Join(tags, filepath.FromSlash(name)) {
			t.Errorf("file %d is %s, want %s", i, created[i], name)
		}
		text, err := os.ReadFile(created[i])
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "<<") || !strings.Contains(string(text), "k8s:atMost") {
			t.Errorf("%s has a template's text:\n%s", name, text)
		}
	}
	source, err := os.ReadFile(created[0])
	if err != nil {
		t.Fatal(err)
	}
	if formatted, err := format.Source(source); err != nil || string(formatted) != string(source) {
		t.Errorf("the definition is not formatted: %v\n%s", err, formatted)
	}
	cases, err := txtar.ParseFile(created[1])
	if err != nil || len(cases.Files) != 1 || cases.Files[0].Name != "shape" {
		t.Errorf("the first case has the sections %v, error %v", cases, err)
	}
}

func TestMistakes(t *testing.T) {
	tags := t.TempDir()
	if err := os.Mkdir(filepath.Join(tags, "maximum"), 0o755); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"name one tag, such as":                nil,
		`"maxSize" is not a tag's name; write`: {"maxSize"},
		"the tag has a folder already":         {"k8s:maximum"},
	} {
		if _, err := create(tags, args); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", args, err, want)
		}
	}
	if _, err := create(filepath.Join(tags, "none"), []string{"k8s:atMost"}); err == nil || !strings.Contains(err.Error(), "in the root of the repository") {
		t.Errorf("error %v", err)
	}
}
