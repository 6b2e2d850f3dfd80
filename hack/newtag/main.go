// Newtag creates the folder of a new tag, with its definition and a first case:
//
//	go run ./hack/newtag k8s:atMost
//
// The files compile, and the tests of tags fail until you have filled them in: each failure says what is missing.
package main

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"

	"golang.org/x/tools/txtar"
)

// files are templates, one for each file of the folder.
//
//go:embed files.txtar
var files []byte

func main() {
	created, err := create(filepath.Join("internal", "rules", "tags"), os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "newtag:", err)
		os.Exit(1)
	}
	for _, name := range created {
		fmt.Println("wrote", name)
	}
	fmt.Println("\nNext, fill in the files, and run:\n  make generate\n  go test ./internal/rules/tag/... ./conformance")
}

// section is the head of a section of a case, in the form that keeps it apart from the sections of files.txtar.
var section = regexp.MustCompile(`(?m)^== (\S+) ==$`)

var tagName = regexp.MustCompile(`^(k8s|versioned):([a-z][A-Za-z0-9]*)$`)

// create writes the files of a tag below the folder of all tags, and returns their names.
func create(tags string, args []string) (created []string, err error) {
	if len(args) != 1 {
		return nil, errors.New("name one tag, such as: go run ./hack/newtag k8s:atMost")
	}
	m := tagName.FindStringSubmatch(args[0])
	if m == nil {
		return nil, fmt.Errorf("%q is not a tag's name; write k8s: or versioned: and a word, such as k8s:atMost", args[0])
	}
	if info, err := os.Stat(tags); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%s is not a folder; run newtag in the root of the repository", tags)
	}
	tag := struct{ Name, Word, Package string }{m[0], m[2], strings.ToLower(m[2])}
	dir := filepath.Join(tags, tag.Package)
	if err := os.Mkdir(dir, 0o755); err != nil {
		return nil, fmt.Errorf("the tag has a folder already: %w", err)
	}
	for _, f := range txtar.Parse(files).Files {
		name := filepath.Join(dir, filepath.FromSlash(strings.ReplaceAll(f.Name, "PACKAGE", tag.Package)))
		var text bytes.Buffer
		if err := template.Must(template.New(f.Name).Delims("<<", ">>").Parse(string(f.Data))).Execute(&text, tag); err != nil {
			return nil, err
		}
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(name, section.ReplaceAll(text.Bytes(), []byte("-- $1 --")), 0o644); err != nil {
			return nil, err
		}
		created = append(created, name)
	}
	return created, nil
}
