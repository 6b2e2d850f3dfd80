// Command lists writes the lists of tags, conventions and emitters that package
// driver has, one entry for each folder.
package main

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"path"
	"path/filepath"

	"github.com/kindsmith/kindsmith/internal/core/gofile"
)

const module = "github.com/kindsmith/kindsmith/"

func main() {
	log.SetFlags(0)
	for _, l := range []list{
		{"zz_generated.tags.go", "../../rules/tags", "tagDefinitions", module + "internal/rules/tag", "Definition", "all tags, by folder"},
		{"zz_generated.lints.go", "../../rules/lint", "lintDefinitions", module + "internal/rules/lint", "Definition", "all conventions, by folder"},
		{"zz_generated.emitters.go", "../../emit", "emitters", module + "internal/emit", "Emitter", "all emitters, by folder"},
	} {
		if err := l.write(); err != nil {
			log.Fatal(err)
		}
	}
}

// list is a file with a function that returns what the packages in a folder construct.
type list struct {
	// file is the file, and folder the packages' folder; both are relative to package driver.
	file, folder string
	// function is the name of the function.
	function string
	// pkg has the type of the elements. The packages' constructors have its name.
	pkg, typ string
	doc      string
}

// write lists the sub-folders with the constructor.
func (l list) write() error {
	entries, err := os.ReadDir(l.folder)
	if err != nil {
		return err
	}
	const driver = "internal/tool/driver"
	f := gofile.New(module+driver, "driver")
	element := f.Ident(l.pkg, l.typ)
	f.P("// ", l.function, " returns ", l.doc, ".")
	f.P("func ", l.function, "() []*", element, " {")
	f.P("return []*", element, "{")
	for _, e := range entries {
		constructs, err := l.constructs(e.Name())
		if err != nil {
			return err
		}
		if constructs {
			f.P(f.Ident(module+path.Join(driver, l.folder, e.Name()), l.typ), "(),")
		}
	}
	f.P("}")
	f.P("}")
	out, err := f.Bytes()
	if err != nil {
		return fmt.Errorf("%s: %w", l.file, err)
	}
	return os.WriteFile(l.file, out, 0o644)
}

// constructs reports whether a folder is a package with the constructor.
func (l list) constructs(name string) (bool, error) {
	files, err := filepath.Glob(filepath.Join(l.folder, name, "*.go"))
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return false, err
		}
		if bytes.Contains(content, []byte("\nfunc "+l.typ+"() *")) {
			return true, nil
		}
	}
	return false, err
}
