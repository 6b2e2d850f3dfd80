// Package versions writes zz_generated.types.go: the types of an older version, in
// the form of hand-written code, including docs, markers and constants.
//
// [Emitter] is called for each package. Mistakes of users are diagnostics with the codes of codes.go.
//
// The file is input for all tools that read types, including kindsmith. That of the newest version has aliases of unexported
// types that older versions use.
package versions

import (
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/gofile"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/value/goliteral"
	"github.com/kindsmith/kindsmith/internal/emit"
)

// FileName is the file that the emitter writes.
const FileName = "zz_generated.types.go"

// Emitter returns the emitter of older versions' types.
func Emitter() *emit.Emitter {
	return &emit.Emitter{
		Name:    "versions",
		Part:    diag.Versions,
		Summary: "types of older versions, generated from the newest version",
		Files:   []string{FileName},
		Codes:   codes.All(),
		Emit:    run,
	}
}

func run(c *emit.Context) ([]emit.File, error) {
	p := c.Package
	if p.Hub == "" && len(p.Versions) > 1 {
		return aliases(c)
	}
	if !p.Generated || p.Hub == "" {
		return nil, nil
	}
	w := &writer{c: c, f: gofile.New(p.Path, p.Name)}
	w.f.SetHeader(c.Options.Header)
	w.f.SetFormatter(c.Formatter)
	w.f.SetNames(c.PackageName)
	w.f.SetAliases(c.Options.Aliases)
	w.reserve()
	w.packageDoc()
	for _, t := range p.Types {
		if t.Hub != nil {
			w.declare(t)
		}
	}
	if w.f.Empty() {
		return nil, nil
	}
	content, err := w.f.Bytes()
	if err != nil {
		return nil, err
	}
	return []emit.File{{Name: FileName, Content: content}}, nil
}

// aliases returns the file of the newest version.
func aliases(c *emit.Context) ([]emit.File, error) {
	f, carried := c.NewFile(), emit.Carried(c.Model, c.Package)
	for _, t := range c.Package.Types {
		if carried[t.Name] {
			c.Alias(f, t)
		}
	}
	if f.Empty() {
		return nil, nil
	}
	content, err := f.Bytes()
	if err != nil {
		return nil, err
	}
	return []emit.File{{Name: FileName, Content: content}}, nil
}

// writer prints the types of one package.
type writer struct {
	c *emit.Context
	f *gofile.File
}

// reserve reserves the names of all declarations of the package, hand-written and
// generated, so that imports do not use them. It reports duplicate declarations.
func (w *writer) reserve() {
	byHand := w.c.Package.Decls
	for name := range byHand {
		w.f.Reserve(name)
	}
	for _, t := range w.c.Package.Types {
		w.f.Reserve(t.Name)
		if t.Hub == nil {
			continue
		}
		for _, k := range t.Consts {
			w.f.Reserve(k.Name)
			if byHand[k.Name] {
				w.c.Diags.Errorf(k.Span, codeDeclaredTwice, "the hand-written code of package %s declares %s, which a generated constant needs; rename the hand-written declaration", w.c.Package.Path, k.Name)
			}
		}
	}
}

func (w *writer) packageDoc() {
	p := w.c.Package
	markers := printed(p.Tags, p.Markers, nil)
	doc := p.Doc
	if doc != "" && len(markers) > 0 {
		doc += "\n"
	}
	w.f.SetDoc(doc + strings.Join(markers, "\n"))
}

// declare prints a type and its constants.
func (w *writer) declare(t *model.Type) {
	markers := printed(t.Tags, t.Markers, t.Default)
	if t.Kind != nil && len(markers) > 0 && t.Doc != "" {
		// Like in scaffolds, a blank line separates the markers of a kind from its doc.
		w.comment("", markers, apart)
		w.f.P()
		markers = nil
	}
	w.comment(t.Doc, markers, apart)
	if !t.IsStruct() {
		w.f.P("type ", t.Name, w.params(t), " ", w.f.Type(t.Def))
		w.f.P()
		w.constants(t)
		return
	}
	if len(t.Fields) == 0 {
		w.f.P("type ", t.Name, w.params(t), " struct{}")
		w.f.P()
		return
	}
	w.f.P("type ", t.Name, w.params(t), " struct {")
	afterComment := false
	for i, f := range t.Fields {
		markers := printed(f.Tags, f.Markers, f.Default)
		commented := f.Doc != "" || len(markers) > 0
		if i > 0 && (commented || afterComment || t.Fields[i-1].Embedded && !f.Embedded) {
			w.f.P()
		}
		afterComment = commented
		w.comment(f.Doc, markers, together)
		w.field(f)
	}
	w.f.P("}")
	w.f.P()
}

// params returns the type parameters of a declaration; "" for a type that is not generic.
func (w *writer) params(t *model.Type) string {
	if !t.Generic {
		return ""
	}
	list := make([]string, len(t.TypeParams))
	for i, name := range t.TypeParams {
		list[i] = name + " any"
		if t.Constraints != nil {
			list[i] = name + " " + w.f.Type(t.Constraints[i])
		}
	}
	return "[" + strings.Join(list, ", ") + "]"
}

func (w *writer) field(f *model.Field) {
	line := w.f.Type(f.Type)
	if !f.Embedded {
		line = f.Name + " " + line
	}
	switch {
	case f.StructTag == "":
	case strings.Contains(f.StructTag, "`"):
		line += " " + goliteral.Quote(f.StructTag)
	default:
		line += " `" + f.StructTag + "`"
	}
	w.f.P(line)
}

func (w *writer) constants(t *model.Type) {
	if len(t.Consts) == 0 {
		return
	}
	w.f.P("const (")
	for i, k := range t.Consts {
		markers := printed(k.Tags, k.Markers, nil)
		if i > 0 && (k.Doc != "" || len(markers) > 0) {
			w.f.P()
		}
		w.comment(k.Doc, markers, together)
		text := k.Value
		if k.IsString {
			text = goliteral.Quote(text)
		}
		w.f.P(k.Name, " ", t.Name, " = ", text)
	}
	w.f.P(")")
	w.f.P()
}

// layout determines whether a blank line separates the markers from the doc above.
type layout bool

const (
	apart    layout = true
	together layout = false
)

// comment prints a doc comment with its markers. A blank line ends a "Deprecated:"
// paragraph, so that tools do not show markers as part of it.
func (w *writer) comment(doc string, markers []string, l layout) {
	if doc != "" {
		w.f.Doc(doc)
		if len(markers) > 0 && (l == apart || strings.Contains("\n"+doc, "\nDeprecated:")) {
			w.f.P("//")
		}
	}
	for _, m := range markers {
		w.f.P("// ", m)
	}
}
