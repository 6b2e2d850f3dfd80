package convert

import (
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/versions/steptable"
)

// function is a function that does what only Go code does.
type function struct {
	name string
	// span is its declaration, and value the field or the type that it converts. They are zero in tables of files, and value is if there
	// are several.
	span, value source.Span
}

func (f *function) Error() string { return "only the Go code of " + f.name + " converts this value" }

// newFunction describes a function of a table.
func newFunction(m *model.Model, fn steptable.Func) *function {
	f := &function{name: fn.Name}
	if p := m.Package(fn.Package); p != nil && p.Funcs[fn.Name] != nil {
		f.span = p.Funcs[fn.Name].Span
	}
	if len(fn.Spans) == 1 {
		f.value = fn.Spans[0]
	}
	return f
}
