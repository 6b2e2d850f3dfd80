// Package corpus reads the conformance cases: small API packages, each with
// objects and the verdicts that every engine must reach on them.
//
// A case is a txtar archive. The cases of a tag are in internal/rules/tags/<tag>/testdata;
// cases about validation in general are in conformance/testdata/semantics. The
// sections of a case:
//
//	shape                         values for an archive that cases share; see shape
//	types.go                      the package, named v1
//	<folder>/*.go                 further packages that types.go imports
//	objects                       a YAML map from names to objects; see Object
//	diagnostics                   the diagnostics of the package (golden)
//	zz_generated.validations.go   what is particular to the generated validators (golden, in few cases)
//	schema                        the CustomResourceDefinitions (golden, in few cases)
//	schema-diagnostics            the diagnostics of the CRD emitter (golden)
package corpus

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/kindsmith/kindsmith/internal/testing/goldentest"
)

// The names of the sections.
const (
	Shape             = "shape"
	Types             = "types.go"
	Objects           = "objects"
	Diagnostics       = "diagnostics"
	Validators        = "zz_generated.validations.go"
	Schema            = "schema"
	SchemaDiagnostics = "schema-diagnostics"
)

// Semantics is the folder of the cases that do not belong to one tag.
const Semantics = "semantics"

// Case is one package with its objects.
type Case struct {
	// Name is folder/file, such as "maxlength/rules".
	Name string
	// Folder is the tag's folder, or Semantics.
	Folder string
	// Path is the path of the archive, Archive is its content.
	Path    string
	Archive *txtar.Archive
	// shaped are the sections of the case's shape.
	shaped []txtar.File
	// Objects are the objects to validate, in order.
	Objects []*Object
}

// Load reads all cases below the repository's root, by name. An error names the file
// of the case.
func Load(root string) ([]*Case, error) {
	var cases []*Case
	shapes, err := loadShapes(filepath.Join(root, "conformance", "testdata", "shapes"))
	if err != nil {
		return nil, err
	}
	tagged, err := filepath.Glob(filepath.Join(root, "internal", "rules", "tags", "*", "testdata", "*.txtar"))
	if err != nil {
		return nil, err
	}
	for _, path := range tagged {
		c, err := read(shapes, filepath.Base(filepath.Dir(filepath.Dir(path))), path)
		if err != nil {
			return nil, err
		}
		cases = append(cases, c)
	}
	general, err := filepath.Glob(filepath.Join(root, "conformance", "testdata", Semantics, "*.txtar"))
	if err != nil {
		return nil, err
	}
	for _, path := range general {
		c, err := read(shapes, Semantics, path)
		if err != nil {
			return nil, err
		}
		cases = append(cases, c)
	}
	slices.SortFunc(cases, func(a, b *Case) int { return strings.Compare(a.Name, b.Name) })
	return cases, nil
}

func read(shapes map[string]*shape, folder, path string) (*Case, error) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		return nil, err
	}
	c := &Case{
		Name:   folder + "/" + strings.TrimSuffix(filepath.Base(path), ".txtar"),
		Folder: folder, Path: path, Archive: archive,
	}
	if values, ok := goldentest.Section(archive, Shape); ok {
		if c.shaped, err = filled(shapes, values); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	if len(c.Section(Types)) == 0 {
		return nil, fmt.Errorf("%s has no section %s", path, Types)
	}
	for _, f := range archive.Files {
		if !known(f.Name) {
			return nil, fmt.Errorf("%s: unknown section %s", path, f.Name)
		}
	}
	if c.Objects, err = parseObjects(c.objects()); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

func known(section string) bool {
	return slices.Contains([]string{Shape, Types, Objects, Diagnostics, Validators, Schema, SchemaDiagnostics}, section) ||
		strings.HasSuffix(section, ".go") && strings.Contains(section, "/")
}

func (c *Case) sections() []txtar.File { return slices.Concat(c.shaped, c.Archive.Files) }

// objects returns the objects of the shape and the case's own.
func (c *Case) objects() []byte {
	var all []byte
	for _, f := range c.sections() {
		if f.Name == Objects {
			all = append(all, f.Data...)
		}
	}
	return all
}

// Section returns the content of a section, nil if the case does not have it.
func (c *Case) Section(name string) []byte {
	for _, f := range c.sections() {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}

// Sources returns the Go files of the case by their paths in the case's folder of a
// module: types.go is in v1, others at their section names.
func (c *Case) Sources() map[string][]byte {
	files := map[string][]byte{"v1/types.go": c.Section(Types)}
	for _, f := range c.sections() {
		if strings.HasSuffix(f.Name, ".go") && strings.Contains(f.Name, "/") {
			files[f.Name] = f.Data
		}
	}
	return files
}
