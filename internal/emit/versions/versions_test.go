package versions_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/provenance"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/emit/versions"
	"github.com/kindsmith/kindsmith/internal/front/load"
	"github.com/kindsmith/kindsmith/internal/front/lower"
	"github.com/kindsmith/kindsmith/internal/testing/emittest"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

func TestGolden(t *testing.T) {
	m, bag := emittest.Model(t, "./testdata/api/...")
	emittest.Emit(t, versions.Emitter(), m, bag)
	for _, line := range diagnostics(bag) {
		t.Error(line)
	}
}

// TestReadBack lowers the generated types as hand-written ones and expects the model
// that they were generated from.
func TestReadBack(t *testing.T) {
	m, bag := emittest.Model(t, "./testdata/api/...")
	for _, name := range []string{"v1alpha1", "v1beta1"} {
		t.Run(name, func(t *testing.T) {
			projected := older(t, m, name)
			files, err := versions.Emitter().Emit(&emit.Context{Model: m, Package: projected, Diags: bag})
			if err != nil || len(files) != 1 {
				t.Fatalf("%d files, error %v", len(files), err)
			}
			// In the folder of the others, where the module's dependencies resolve.
			temp, err := os.MkdirTemp("testdata", "readback")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.RemoveAll(temp) })
			dir := filepath.Join(temp, name)
			text := strings.Replace(string(files[0].Content), provenance.Go, "// Written by hand.", 1)
			write(t, filepath.Join(dir, "types.go"), text)

			bag := &diag.Bag{}
			res, err := load.Load(load.Config{Patterns: []string{"./" + filepath.ToSlash(dir)}}, bag)
			if err != nil {
				t.Fatal(err)
			}
			read := lower.Lower(res, driver.Tags(), bag)
			for _, line := range diagnostics(bag) {
				t.Error(line)
			}
			if diff := cmp.Diff(summary(projected), summary(older(t, read, name))); diff != "" {
				t.Errorf("read back otherwise (-projected +read):\n%s", diff)
			}
		})
	}
}

// TestHandWritten checks that the emitter reports conflicts with hand-written names.
func TestHandWritten(t *testing.T) {
	m, bag := emittest.Model(t, "./testdata/api/v1")
	p := older(t, m, "v1alpha1")
	p.Decls = map[string]bool{"PlantKindShrub": true}
	if _, err := versions.Emitter().Emit(&emit.Context{Model: m, Package: p, Diags: bag}); err != nil {
		t.Fatal(err)
	}
	var codes []string
	for _, d := range bag.All() {
		codes = append(codes, d.Code.String())
	}
	if diff := cmp.Diff([]string{"versions/declared-twice"}, codes); diff != "" {
		t.Errorf("diagnostics differ (-want +got):\n%s", diff)
	}
}

func older(t *testing.T, m *model.Model, name string) *model.Package {
	t.Helper()
	for _, p := range m.Packages {
		if p.Name == name && p.Root {
			return p
		}
	}
	t.Fatalf("no package %s", name)
	return nil
}

// summary describes a package in the parts that its text must contain.
func summary(p *model.Package) []string {
	lines := []string{p.Group, p.Doc, marks(p.Tags, p.Markers, nil)}
	for _, t := range p.Types {
		lines = append(lines, fmt.Sprintf("type %s %s kind=%v\n%s\n%s", t.Name, def(p, t.Def), t.Kind != nil, t.Doc, marks(t.Tags, t.Markers, t.Default)))
		for _, f := range t.Fields {
			lines = append(lines, fmt.Sprintf("%s.%s %s `%s` %s inline=%v\n%s\n%s", t.Name, f.Name, def(p, f.Type), f.StructTag, f.JSON, f.Inline, f.Doc, marks(f.Tags, f.Markers, f.Default)))
		}
		for _, c := range t.Consts {
			lines = append(lines, fmt.Sprintf("const %s = %s %v\n%s\n%s", c.Name, c.Value, c.IsString, c.Doc, marks(c.Tags, c.Markers, nil)))
		}
	}
	return lines
}

// def prints a type without the path of its package, which differs here.
func def(p *model.Package, r *model.Ref) string {
	return strings.ReplaceAll(r.String(), p.Path+".", "")
}

func marks(tags []*model.Tag, markers []model.Marker, def *model.Default) string {
	var lines []string
	for _, c := range tags {
		if !strings.HasPrefix(c.Name, "versioned:") {
			lines = append(lines, tag(c))
		}
	}
	for _, m := range markers {
		lines = append(lines, m.Text)
	}
	if def != nil {
		lines = append(lines, fmt.Sprint(def.Marker, def.JSON, def.Ref))
	}
	return strings.Join(lines, "\n")
}

func tag(c *model.Tag) string {
	s := c.Name
	for _, a := range c.Args {
		s += fmt.Sprintf(" %s:%s %q", a.Name, a.Value.Kind, a.Value.Text)
	}
	if c.Payload != nil {
		s += fmt.Sprintf(" = %s %q", c.Payload.Kind, c.Payload.Text)
	}
	if c.Inner != nil {
		s += " =+ " + tag(c.Inner)
	}
	return s
}

func diagnostics(bag *diag.Bag) []string {
	var lines []string
	for _, d := range bag.All() {
		lines = append(lines, fmt.Sprintf("%s: %s: %s [%s]", d.Span, d.Severity, d.Message, d.Code))
	}
	return lines
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
