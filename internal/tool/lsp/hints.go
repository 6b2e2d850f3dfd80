package lsp

import (
	"context"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/rules/defaulting"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/rule/words"
	"github.com/kindsmith/kindsmith/internal/tool/lsp/protocol"
)

// inFile calls a function with each hand-written type of a document, with the model of the last good analysis, and with where a
// span of it is in the document now.
func (s *server) inFile(ctx context.Context, v view, do func(m *model.Model, pkg *model.Package, t *model.Type, now func(source.Span) (source.Span, bool))) {
	if v.in == nil {
		return
	}
	v.in.reach(ctx, v.edit)
	p := &place{view: v}
	r := &relocator{now: source.NewFile(v.doc.path, source.LF(v.doc.file.Content))}
	r.lines = linesOf(r.now)
	p.withModel(func(m *model.Model, pkg *model.Package) {
		if m == nil {
			return
		}
		for _, t := range pkg.Types {
			if t.Span.File == nil || v.in.path(t.Span.File) != v.doc.path {
				continue
			}
			do(m, pkg, t, func(at source.Span) (source.Span, bool) { return r.find(at) })
		}
	})
}

// relocator finds where spans of an analysed file are in the document now.
type relocator struct {
	now *source.File
	// lines are the numbers of the lines with a text, in the document and in the file of the spans.
	lines, before map[string][]int
	old           *source.File
}

func linesOf(f *source.File) map[string][]int {
	lines := map[string][]int{}
	for i, line := range strings.Split(string(f.Content), "\n") {
		lines[line] = append(lines[line], i+1)
	}
	return lines
}

// find returns the place of a span on one line: where an edit elsewhere has moved it, or after several edits that of the same
// line.
func (r *relocator) find(at source.Span) (source.Span, bool) {
	if start, end, ok := moved(at.File.Content, r.now.Content, at.Start, at.End); ok {
		return r.now.Span(start, end), true
	}
	if r.old != at.File {
		r.old, r.before = at.File, linesOf(at.File)
	}
	p := at.Position()
	old := r.before[at.File.Line(p.Line)]
	now := r.lines[at.File.Line(p.Line)]
	i := slices.Index(old, p.Line)
	if i < 0 || len(old) != len(now) {
		return source.Span{}, false
	}
	start := r.now.Offset(source.Position{Line: now[i], Column: p.Column})
	return r.now.Span(start, start+at.End-at.Start), true
}

// inlayHints returns what holds for a field without being written on it: the rules and the default of its type, and the value of
// a constant that is its default.
func (s *server) inlayHints(ctx context.Context, v view, params protocol.RangeParams) (any, error) {
	hints := []protocol.InlayHint{}
	s.inFile(ctx, v, func(m *model.Model, _ *model.Package, t *model.Type, now func(source.Span) (source.Span, bool)) {
		programs := v.in.aboutOf(m).programs
		for _, f := range t.Fields {
			at, ok := now(f.Span)
			if !ok || m.MemberOf(t, f) == nil {
				continue
			}
			line := at.Position().Line
			if line-1 < params.Range.Start.Line || line-1 > params.Range.End.Line {
				continue
			}
			texts, from := inherited(m, programs, t, f)
			if len(texts) == 0 {
				continue
			}
			end := at.File.Offset(source.Position{Line: line, Column: 1}) + len(at.File.Line(line))
			hints = append(hints, protocol.InlayHint{
				Position: protocol.ToPosition(at.File, end), Label: strings.Join(texts, "; "), Tooltip: from, PaddingLeft: true,
			})
		}
	})
	slices.SortFunc(hints, func(a, b protocol.InlayHint) int { return a.Position.Line - b.Position.Line })
	return hints, nil
}

// inherited returns what the type of a field says about the field, and where from.
func inherited(m *model.Model, programs *rule.Programs, owner *model.Type, f *model.Field) (texts []string, from string) {
	elem, _ := m.Deref(f.Type)
	u, chain := m.Resolve(elem)
	var names []string
	if u.Kind != model.KindStruct { // the rules of a struct are about its fields
		for _, t := range chain {
			for _, r := range programs.Of(t).Rules {
				for _, phrase := range words.Of(r) {
					if !slices.Contains(texts, phrase) {
						texts = append(texts, phrase)
					}
				}
			}
			names = append(names, t.Name)
		}
	}
	if e, ok := defaulting.OfField(m, owner, f); ok && !e.IsAuto() && (e.Source == defaulting.FromType || e.Const != nil) {
		texts = append(texts, "default "+e.JSON())
		if e.Type != nil && !slices.Contains(names, e.Type.Name) {
			names = append(names, e.Type.Name)
		}
	}
	if len(names) > 0 {
		from = "from type " + strings.Join(names, ", ")
	}
	return texts, from
}

// codeLenses returns how fields are in older versions, such as "v1beta1: copies".
func (s *server) codeLenses(ctx context.Context, v view, _ protocol.DocumentParams) (any, error) {
	lenses := []protocol.CodeLens{}
	s.inFile(ctx, v, func(m *model.Model, pkg *model.Package, t *model.Type, now func(source.Span) (source.Span, bool)) {
		add := func(at source.Span, titles []string) {
			if span, ok := now(at); ok {
				for _, title := range titles {
					lenses = append(lenses, protocol.CodeLens{Range: protocol.ToRange(span), Command: protocol.Command{Title: title}})
				}
			}
		}
		versions := olderTypes(m, pkg, t)
		add(t.Span, removedFields(versions))
		for _, f := range t.Fields {
			add(f.Span, formerFields(m, t, f, versions))
		}
	})
	slices.SortStableFunc(lenses, func(a, b protocol.CodeLens) int { return a.Range.Start.Line - b.Range.Start.Line })
	return lenses, nil
}

// olderType is a type in an older version; nil if the version does not have it.
type olderType struct {
	version string
	t       *model.Type
}

// olderTypes returns a type in the older versions of its package, the newest first.
func olderTypes(m *model.Model, pkg *model.Package, t *model.Type) []olderType {
	var list []olderType
	for _, v := range slices.Backward(pkg.Versions) {
		older := m.Package(v.Package)
		if older == nil || older == pkg {
			continue
		}
		i := slices.IndexFunc(older.Types, func(o *model.Type) bool { return o.Hub != nil && *o.Hub == t.ID() })
		if i >= 0 {
			list = append(list, olderType{v.Name, older.Types[i]})
		}
	}
	return list
}

// formerFields returns how a field is in older versions, for those where it is not the same.
func formerFields(m *model.Model, t *model.Type, f *model.Field, versions []olderType) []string {
	if m.MemberOf(t, f) == nil {
		return nil
	}
	var titles []string
	byText := map[string][]string{}
	for _, older := range versions {
		text := formerField(t, f, older)
		if text == "" {
			continue
		}
		if byText[text] == nil {
			titles = append(titles, text)
		}
		byText[text] = append(byText[text], older.version)
	}
	for i, text := range titles {
		titles[i] = strings.Join(byText[text], ", ") + ": " + text
	}
	return titles
}

// formerField returns how a field is in a version; "" if it is the same.
func formerField(t *model.Type, f *model.Field, older olderType) string {
	for _, c := range f.Changes {
		if moved, ok := c.(*model.Moved); ok && moved.FromPath != nil && model.CompareVersions(older.version, moved.Since) < 0 {
			return "at " + moved.FromPath.Text
		}
	}
	for _, of := range older.t.Fields {
		if of.Origin == nil || of.Origin.Field != f.Name || of.Origin.Moved {
			continue
		}
		typ := ""
		if old, now := typeName(older.t.Package, of.Type), typeName(t.Package, f.Type); old != now {
			typ = old
		}
		switch {
		case of.JSON == f.JSON:
			return typ
		case typ != "":
			return of.JSON + " (" + typ + ")"
		}
		return of.JSON
	}
	return "not yet"
}

// typeName returns a type as the package of a version spells it.
func typeName(pkg string, r *model.Ref) string {
	name := strings.ReplaceAll(r.String(), pkg+".", "")
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		start := strings.LastIndexAny(name[:i], "*[]") + 1
		name = name[:start] + name[i+1:]
	}
	return name
}

// removedFields returns the fields that older versions have and the newest does not.
func removedFields(versions []olderType) []string {
	var titles []string
	for _, older := range versions {
		var names []string
		for _, f := range older.t.Fields {
			if f.JSON != "" && f.Origin != nil && f.Origin.Field == "" && !f.Origin.Moved {
				names = append(names, f.JSON)
			}
		}
		if len(names) > 0 {
			titles = append(titles, older.version+" also has "+strings.Join(names, ", "))
		}
	}
	return titles
}
