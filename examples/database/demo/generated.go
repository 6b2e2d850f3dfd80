package main

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// outputs are what kindsmith generates, by the names of the files.
var outputs = []struct{ pattern, what string }{
	{"zz_generated.types.go", "types of older versions"},
	{"zz_generated.conversion.go", "conversion between versions"},
	{"zz_generated.validations.go", "validators, for creates and updates"},
	{"zz_generated.defaults.go", "defaults"},
	{"zz_generated.unions.go", "normalisation of unions"},
	{"zz_generated.deepcopy.go", "deep copies"},
	{"zz_generated.register.go", "registration with a scheme"},
	{"*.yaml", "CustomResourceDefinitions, with the same rules"},
	{"*", "other"},
}

// tally counts files and their lines.
type tally struct{ files, lines int }

// generated lists the hand-written and the generated files of the project.
func (d *demo) generated(context.Context) error {
	d.title("Hand-written and generated files")
	var written tally
	var names []string
	made := map[string]*tally{}
	for _, dir := range []string{"api", filepath.Join("config", "crd")} {
		err := filepath.WalkDir(filepath.Join(d.dir, dir), func(path string, entry fs.DirEntry, err error) error {
			switch {
			case err == nil && entry.IsDir() && entry.Name() == "testdata":
				return filepath.SkipDir
			case err != nil || entry.IsDir() || strings.HasSuffix(path, "_test.go"):
				return err
			}
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			lines := bytes.Count(content, []byte("\n"))
			if dir == "api" && !strings.HasPrefix(entry.Name(), "zz_generated.") {
				written.add(lines)
				names = append(names, entry.Name())
				return nil
			}
			what := outputOf(entry.Name())
			if made[what] == nil {
				made[what] = &tally{}
			}
			made[what].add(lines)
			return nil
		})
		if err != nil {
			return err
		}
	}
	d.page.text("Hand-written, in api/v1:")
	d.page.text("  %3d files %6d lines   %s", written.files, written.lines, strings.Join(names, ", "))
	d.page.text("Generated:")
	var total tally
	for _, o := range outputs {
		if t := made[o.what]; t != nil {
			d.page.text("  %3d files %6d lines   %s", t.files, t.lines, o.what)
			total.files += t.files
			total.lines += t.lines
		}
	}
	d.page.text("  %3d files %6d lines   %s", total.files, total.lines, d.page.paint(bold, "total"))
	return nil
}

func (t *tally) add(lines int) {
	t.files++
	t.lines += lines
}

func outputOf(name string) string {
	for _, o := range outputs {
		if ok, _ := filepath.Match(o.pattern, name); ok {
			return o.what
		}
	}
	return ""
}
