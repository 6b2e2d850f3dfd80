package conversion_test

import (
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/emit/conversion"
	"github.com/kindsmith/kindsmith/internal/emit/deepcopy"
	"github.com/kindsmith/kindsmith/internal/emit/register"
	"github.com/kindsmith/kindsmith/internal/emit/roundtrip"
	"github.com/kindsmith/kindsmith/internal/emit/versions"
	"github.com/kindsmith/kindsmith/internal/testing/emittest"
)

// TestGolden writes all generated files of a versioned API, so that the trees in
// testdata compile; the tests in this folder run them.
func TestGolden(t *testing.T) {
	m, bag := emittest.Model(t, "./testdata/shop/...", "./testdata/handwritten/...", "./testdata/skipped/...", "./testdata/moved/...")
	for _, e := range []*emit.Emitter{versions.Emitter(), deepcopy.Emitter(), register.Emitter(), conversion.Emitter(), roundtrip.Emitter()} {
		emittest.Emit(t, e, m, bag)
	}
	for _, line := range diagnostics(bag) {
		t.Error(line)
	}
}

// TestRoundTrips runs the generated tests: objects convert between all pairs of versions, as
// Go objects and as JSON.
func TestRoundTrips(t *testing.T) {
	cmd := exec.Command("go", "test", "./testdata/shop/v1", "./testdata/handwritten/v1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestControllerRuntime compares the methods for projects with controller-runtime.
// This module does not require controller-runtime, so the methods are not compiled.
func TestControllerRuntime(t *testing.T) {
	m, bag := emittest.Model(t, "./testdata/handwritten/...")
	for _, p := range m.Packages {
		if p.Hub == "" || p.Name != "v1beta1" {
			continue
		}
		p.ControllerRuntime = true
		text := string(emittest.Package(t, conversion.Emitter(), m, p, bag)[0].Content)
		for _, want := range []string{
			"func (in *Job) ConvertTo(dst pkgconversion.Hub) error {\n\treturn convert.To(in, dst, Convert_v1beta1_Job_To_v1_Job)\n}",
			"func (out *Job) ConvertFrom(src pkgconversion.Hub) error {\n\treturn convert.From(src, out, Convert_v1_Job_To_v1beta1_Job)\n}",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("%s is missing:\n%s", want, text)
			}
		}
		// Hand-written methods are kept.
		p.Type("Job").Methods = map[string]*model.Method{"ConvertTo": {Pointer: true}, "ConvertFrom": {Pointer: true}}
		if text := string(emittest.Package(t, conversion.Emitter(), m, p, bag)[0].Content); strings.Contains(text, "controller-runtime") {
			t.Errorf("code for hand-written methods:\n%s", text)
		}
		list := bag.All()
		for i, want := range []string{"Job.ConvertFrom of v1beta1 is hand-written: .* Convert_v1_Job_To_v1beta1_Job, ", "Job.ConvertTo of v1beta1 is hand-written: .* Convert_v1beta1_Job_To_v1_Job, "} {
			if len(list) != 2 || !regexp.MustCompile(want).MatchString(list[i].Message) || list[i].Severity != diag.Warning {
				t.Errorf("want %s, got %v", want, diagnostics(bag))
			}
		}
	}
}

// TestSkippedMistakes covers two older versions with types that lack a conversion in both directions.
func TestSkippedMistakes(t *testing.T) {
	m, bag := emittest.Model(t, "./testdata/mistakes/v1")
	for _, p := range m.Packages {
		if p.Hub != "" {
			emittest.Package(t, conversion.Emitter(), m, p, bag)
		}
	}
	var got []string
	for _, d := range bag.All() {
		if d.Span.Text() != "+versioned:skip(conversion)" || d.Code.String() != "conversion/skipped" {
			t.Error(d)
		}
		_, name, _ := strings.Cut(d.Message, "func ")
		name, _, _ = strings.Cut(name, "(")
		got = append(got, name)
	}
	slices.Sort(got)
	want := []string{
		"Convert_v1_Skipped_To_v1beta1_Skipped", "Convert_v1alpha1_Skipped_To_v1beta1_Skipped",
		"Convert_v1beta1_Skipped_To_v1_Skipped", "Convert_v1beta1_Skipped_To_v1alpha1_Skipped",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("diagnostics differ (-want +got):\n%s", diff)
	}
}

func diagnostics(bag *diag.Bag) []string {
	var lines []string
	for _, d := range bag.All() {
		lines = append(lines, fmt.Sprintf("%s: %s: %s [%s]", d.Span, d.Severity, d.Message, d.Code))
	}
	return lines
}

func TestOtherGenerator(t *testing.T) {
	m, bag := emittest.Model(t, "./testdata/other/v1")
	if files := emittest.Package(t, conversion.Emitter(), m, m.Packages[0], bag); len(files) > 0 {
		t.Fatalf("%d files", len(files))
	}
	if list := bag.All(); len(list) != 1 || list[0].Code.String() != "conversion/other-generator" || list[0].Severity != diag.Warning {
		t.Errorf("got %v", diagnostics(bag))
	}
}
