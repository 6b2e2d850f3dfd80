package validation_test

import (
	"os/exec"
	"testing"

	"github.com/kindsmith/kindsmith/internal/driver"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/emit/validation"
	"github.com/kindsmith/kindsmith/internal/emittest"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// TestFixture writes the test of a package and runs it.
func TestFixture(t *testing.T) {
	emittest.Golden(t, validation.Emitter(), "./testdata/fixture")
	if out, err := exec.Command("go", "test", "./testdata/fixture").CombinedOutput(); err != nil {
		t.Errorf("the generated test fails: %v\n%s", err, out)
	}
}

// TestMeasures runs the test of a package with types that only Go can decode, which
// no conformance case can have.
func TestMeasures(t *testing.T) {
	emittest.Golden(t, validation.Emitter(), "./testdata/measures")
	if out, err := exec.Command("go", "test", "./testdata/measures").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestFixtureMistakes(t *testing.T) {
	for dir, want := range map[string]string{
		"./testdata/fixturemistake": "validation/unknown-fixture",
		"./testdata/fixturebuilder": "validation/no-scheme-builder",
	} {
		m, bag := emittest.Model(t, dir)
		for _, p := range m.Packages {
			if !p.Root {
				continue
			}
			files, err := validation.Emitter().Emit(&emit.Context{Model: m, Package: p, Tags: driver.Tags(), Rules: tag.Programs(m, driver.Tags()), Diags: bag})
			if err != nil || len(files) != 1 {
				t.Errorf("%s: %d files, %v", dir, len(files), err)
			}
		}
		if all := bag.All(); len(all) != 1 || all[0].Code.String() != want {
			t.Errorf("%s: found %v, not %s", dir, all, want)
		}
	}
}
