package conversion_test

import (
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/driver"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/emit/conversion"
	"github.com/kindsmith/kindsmith/internal/emit/deepcopy"
	"github.com/kindsmith/kindsmith/internal/emit/register"
	"github.com/kindsmith/kindsmith/internal/emit/roundtrip"
	"github.com/kindsmith/kindsmith/internal/emit/versions"
	"github.com/kindsmith/kindsmith/internal/emittest"
	"github.com/kindsmith/kindsmith/internal/goldentest"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/plan"
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
		files, err := conversion.Emitter().Emit(&emit.Context{Model: m, Package: p, Plans: plan.Build(m), Diags: bag})
		if err != nil || len(files) == 0 {
			t.Fatalf("%d files, error %v", len(files), err)
		}
		_, spokes, _ := strings.Cut(string(files[0].Content), "// ConvertTo ")
		goldentest.Check(t, "testdata/controllerruntime.golden", []byte("// ConvertTo "+spokes))
		// Hand-written methods are kept.
		p.Type("Job").Methods = map[string]*model.Method{"ConvertTo": {Pointer: true}, "ConvertFrom": {Pointer: true}}
		files, err = conversion.Emitter().Emit(&emit.Context{Model: m, Package: p, Plans: plan.Build(m), Diags: bag})
		if err != nil || strings.Contains(string(files[0].Content), "controller-runtime") {
			t.Errorf("code for hand-written methods, error %v:\n%s", err, files[0].Content)
		}
		list := bag.All()
		for i, want := range []string{"Job.ConvertFrom of v1beta1 is hand-written: .* Convert_v1_Job_To_v1beta1_Job, ", "Job.ConvertTo of v1beta1 is hand-written: .* Convert_v1beta1_Job_To_v1_Job, "} {
			if len(list) != 2 || !regexp.MustCompile(want).MatchString(list[i].Message) || list[i].Severity != diag.Warning {
				t.Errorf("want %s, got %v", want, diagnostics(bag))
			}
		}
	}
}

func TestMistakes(t *testing.T) {
	for pattern, want := range map[string][]string{
		"./testdata/mistakes/v1": {
			"Any: conversion/no-copy", "Links: conversion/no-copy", "Func: conversion/no-copy",
			// for each of two versions, in both directions
			"+versioned:skip(conversion): conversion/skipped", "+versioned:skip(conversion): conversion/skipped",
			"+versioned:skip(conversion): conversion/skipped", "+versioned:skip(conversion): conversion/skipped",
		},
		"./testdata/mistakes/byhand/...": {"Window: conversion/no-copy"},
	} {
		m, bag := emittest.Model(t, pattern)
		for _, p := range m.Packages {
			if p.Hub == "" {
				continue
			}
			if _, err := conversion.Emitter().Emit(&emit.Context{Model: m, Package: p, Tags: driver.Tags(), Plans: plan.Build(m), Diags: bag}); err != nil {
				t.Fatal(err)
			}
		}
		var got []string
		for _, d := range bag.All() {
			got = append(got, d.Span.Text()+": "+d.Code.String())
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("diagnostics of %s differ (-want +got):\n%s", pattern, diff)
		}
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
	files, err := conversion.Emitter().Emit(&emit.Context{Model: m, Package: m.Packages[0], Tags: driver.Tags(), Plans: plan.Build(m), Diags: bag})
	if err != nil || len(files) > 0 {
		t.Fatalf("%d files, error %v", len(files), err)
	}
	if list := bag.All(); len(list) != 1 || list[0].Code.String() != "conversion/other-generator" || list[0].Severity != diag.Warning {
		t.Errorf("got %v", diagnostics(bag))
	}
}
