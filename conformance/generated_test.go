package conformance_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"sync"
	"testing"

	"github.com/kindsmith/kindsmith/conformance/corpus"
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/emit/deepcopy"
	"github.com/kindsmith/kindsmith/internal/emit/validation"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
	"github.com/kindsmith/kindsmith/internal/testing/goldentest"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

// maxRead is the maximum number of cases with goldens of generated code and schemas. These are for
// reviewers; verdicts test the behaviour.
const maxRead = 16

// TestGenerated compares generated validators in the cases that have them as a golden.
func TestGenerated(t *testing.T) {
	w := load(t)
	kept := 0
	for _, c := range w.cases {
		if !c.keeps(corpus.Validators) {
			continue
		}
		if kept++; kept > maxRead {
			t.Errorf("%s: more than %d cases keep generated code", c.Name, maxRead)
		}
		t.Run(c.Name, func(t *testing.T) {
			content, err := w.generated(c)
			if err != nil {
				t.Fatal(err)
			}
			goldentest.CheckSection(t, c.Path, c.Archive, corpus.Validators, particular(t, content))
		})
	}
}

// particular returns the declarations of a generated file that are not alike in all of
// them: no imports, no handshake with the runtime, and no functions that only begin a
// run.
func particular(t *testing.T, content []byte) []byte {
	t.Helper()
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, "", content, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	for _, d := range f.Decls {
		from, doc := d.Pos(), (*ast.CommentGroup)(nil)
		switch d := d.(type) {
		case *ast.FuncDecl:
			if strings.HasPrefix(d.Name.Name, "Validate_") {
				continue
			}
			doc = d.Doc
		case *ast.GenDecl:
			if d.Tok != token.VAR {
				continue
			}
			doc = d.Doc
		}
		if doc != nil {
			from = doc.Pos()
		}
		out.WriteByte('\n')
		out.Write(content[set.Position(from).Offset:set.Position(d.End()).Offset])
		out.WriteByte('\n')
	}
	return bytes.TrimPrefix(out.Bytes(), []byte("\n"))
}

// keeps reports whether a case has an optional golden section.
func (c *loadedCase) keeps(section string) bool {
	_, ok := goldentest.Section(c.Archive, section)
	return ok
}

// generated returns the validators of a case's package; none if the package has errors
// or no rules.
func (w *workspace) generated(c *loadedCase) ([]byte, error) {
	if !c.ok() {
		return nil, nil
	}
	files, err := w.emit(validation.Emitter(), w.model.Package(c.pkg()))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Name, err)
	}
	for _, f := range files {
		if f.Name == validation.FileName {
			return f.Content, nil
		}
	}
	return nil, nil
}

// emit runs an emitter on one package. Diagnostics of the emitter are test errors,
// because the package has passed all checks.
func (w *workspace) emit(e *emit.Emitter, p *model.Package) ([]emit.File, error) {
	bag := &diag.Bag{}
	files, err := e.Emit(&emit.Context{Model: w.model, Package: p, Tags: driver.Tags(), Rules: tag.Programs(w.model, driver.Tags()), Diags: bag})
	if err != nil {
		return nil, err
	}
	if bag.HasErrors() {
		return nil, fmt.Errorf("%s: %s: %s", e.Name, bag.All()[0].Span, bag.All()[0].Message)
	}
	return files, nil
}

var writeGenerated = sync.OnceValue(func() error {
	w, err := shared.once()
	if err != nil {
		return err
	}
	for _, p := range w.model.Packages {
		name, ok := strings.CutPrefix(p.Path, modulePath+"/")
		if !ok || strings.HasSuffix(name, "/kinds/v1") || !w.valid(name) {
			continue
		}
		for _, e := range []*emit.Emitter{deepcopy.Emitter(), validation.Emitter()} {
			files, err := w.emit(e, p)
			if err != nil {
				return err
			}
			for _, f := range files {
				if err := w.put(name+"/"+f.Name, f.Content); err != nil {
					return err
				}
			}
		}
	}
	return nil
})

// valid reports whether a package belongs to a case without errors.
func (w *workspace) valid(name string) bool {
	for _, c := range w.cases {
		if strings.HasPrefix(name, c.Name+"/") {
			return c.ok()
		}
	}
	return false
}
