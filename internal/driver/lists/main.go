// Command lists writes the lists of tags, conventions and emitters that package
// driver has, one entry for each folder.
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/kindsmith/kindsmith/internal/gofile"
)

const module = "github.com/kindsmith/kindsmith/"

func main() {
	log.SetFlags(0)
	if err := write("zz_generated.tags.go", "../tags", "Definition", "tagDefinitions", "tag", "all tags, by folder"); err != nil {
		log.Fatal(err)
	}
	if err := write("zz_generated.lints.go", "../lint", "Definition", "lintDefinitions", "lint", "all conventions, by folder"); err != nil {
		log.Fatal(err)
	}
	if err := write("zz_generated.emitters.go", "../emit", "Emitter", "emitters", "emit", "all emitters, by folder"); err != nil {
		log.Fatal(err)
	}
}

// write lists the sub-folders of dir, each of which is a package with the given
// constructor.
func write(name, dir, constructor, function, of, doc string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	f := gofile.New(module+"internal/driver", "driver")
	element := f.Ident(module+"internal/"+of, constructor)
	f.P("// ", function, " returns ", doc, ".")
	f.P("func ", function, "() []*", element, " {")
	f.P("return []*", element, "{")
	for _, e := range entries {
		matches, _ := filepath.Glob(filepath.Join(dir, e.Name(), "*.go"))
		if !e.IsDir() || len(matches) == 0 {
			continue
		}
		f.P(f.Ident(module+"internal/"+filepath.Base(dir)+"/"+e.Name(), constructor), "(),")
	}
	f.P("}")
	f.P("}")
	out, err := f.Bytes()
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return os.WriteFile(name, out, 0o644)
}
