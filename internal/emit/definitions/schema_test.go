package definitions_test

import (
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/emit/definitions"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
	"github.com/kindsmith/kindsmith/internal/testing/emittest"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

// emitted returns the emitter's files for packages without mistakes.
func emitted(t *testing.T, patterns ...string) map[string][]byte {
	t.Helper()
	m, bag := emittest.Model(t, patterns...)
	files := run(t, m, bag)
	for _, d := range bag.All() {
		if d.Severity == diag.Error {
			t.Errorf("%s: %s [%s]", d.Span, d.Message, d.Code)
		}
	}
	return files
}

// run emits every root package of the model.
func run(t *testing.T, m *model.Model, bag *diag.Bag) map[string][]byte {
	t.Helper()
	return runWith(t, m, emit.CRDs{}, bag)
}

func runWith(t *testing.T, m *model.Model, options emit.CRDs, bag *diag.Bag) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := definitions.Emitter().Run(emit.Context{Model: m, Tags: driver.Tags(), Rules: tag.Programs(m, driver.Tags()), Diags: bag, Options: emit.Options{CRDs: options}}, nil, func(_ *emit.Context, f emit.File) {
		if f.Folder != emit.InCRDs {
			t.Errorf("%s is not placed among the CRDs", f.Name)
		}
		if _, twice := files[f.Name]; twice {
			t.Errorf("%s is written twice", f.Name)
		}
		files[f.Name] = f.Content
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
