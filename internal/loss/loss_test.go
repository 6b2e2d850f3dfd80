package loss_test

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/driver"
	"github.com/kindsmith/kindsmith/internal/goldentest"
	"github.com/kindsmith/kindsmith/internal/plan"
)

// TestReport compares the diagnostics about the packages of every archive in testdata.
func TestReport(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("GOWORK", "off")
	write(t, filepath.Join(dir, "go.mod"), []byte("module example.com/cases\n\ngo 1.26\n"))
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	archives := map[string]*txtar.Archive{}
	for _, path := range paths {
		archives[path] = goldentest.Archive(t, path)
		for _, f := range archives[path].Files {
			if filepath.Ext(f.Name) == ".go" {
				write(t, filepath.Join(dir, name(path), f.Name), f.Data)
			}
		}
	}
	bag := &diag.Bag{}
	m, err := driver.Model(driver.ModelConfig{Dir: dir, Patterns: []string{"./..."}}, bag)
	if err != nil {
		t.Fatal(err)
	}
	driver.Check(m, bag)
	for _, path := range paths {
		t.Run(name(path), func(t *testing.T) {
			goldentest.CheckSection(t, path, archives[path], "diagnostics", goldentest.Diagnostics(bag.All(), name(path)+"/"))
		})
	}
	plans := plan.Build(m)
	edges(t, plans["example.com/cases/functions/v1alpha1"])
	for _, typ := range plans["example.com/cases/enums/v1alpha1"].Types {
		want := map[string][2]plan.Loss{"Closed": {plan.None, plan.Some}, "Open": {plan.Some, plan.Some}, "A": {plan.Some, plan.Some}}[typ.Hub.Name]
		p := plans["example.com/cases/enums/v1alpha1"]
		if got := [2]plan.Loss{p.LossOfType(typ, plan.Up).Loss, p.LossOfType(typ, plan.Down).Loss}; got != want {
			t.Errorf("%s loses %v, want %v", typ.Hub, got, want)
		}
	}
}

// edges checks the losses of fields and of whole types.
func edges(t *testing.T, p *plan.Plan) {
	for _, typ := range p.Types {
		if typ.Hub.Name == "A" {
			if up, down := p.LossOfType(typ, plan.Up), p.LossOfType(typ, plan.Down); up.Loss != plan.Some || down.Loss != plan.Some || down.Accepted() {
				t.Errorf("%s loses %v and %v", typ.Hub, up, down)
			}
		}
		for _, op := range typ.Fields {
			want, ok := map[string][2]plan.Loss{
				"added": {plan.None, plan.Some}, "always": {plan.None, plan.None}, "name": {plan.None, plan.None},
				"narrowsUp": {plan.Some, plan.None}, "joined": {plan.Unknown, plan.Unknown}, "lossless": {plan.None, plan.None},
				"lossy": {plan.Unknown, plan.Unknown}, "twice": {plan.Unknown, plan.Unknown}, "late": {plan.None, plan.Some},
			}[op.Hub.JSON]
			got := [2]plan.Loss{p.LossOfField(op, plan.Up).Loss, p.LossOfField(op, plan.Down).Loss}
			if ok && got != want {
				t.Errorf("%s.%s loses %v, want %v", typ.Hub, op.Hub.JSON, got, want)
			}
		}
	}
}

func name(path string) string { return filepath.Base(path[:len(path)-len(filepath.Ext(path))]) }

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}
