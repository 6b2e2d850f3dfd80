package lsp

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/tool/lsp/protocol"
)

// codeActions returns the fixes of the diagnostics in a range. They are those of the document as it is now, so it waits for
// the analysis.
func (s *server) codeActions(ctx context.Context, v view, params protocol.CodeActionParams) (any, error) {
	actions := []protocol.CodeAction{}
	if v.in == nil {
		return actions, nil
	}
	v.in.reach(ctx, v.edit)
	v.in.mu.Lock()
	found := slices.Clone(v.in.found)
	v.in.mu.Unlock()
	var fixable []*diag.Diagnostic
	for _, d := range found {
		if d.Fix != nil && v.in.path(d.Span.File) == v.doc.path {
			fixable = append(fixable, d)
		}
	}
	if wants(params.Context.Only, protocol.QuickFix, true) {
		start, end := protocol.ToOffset(v.doc.file, params.Range.Start), protocol.ToOffset(v.doc.file, params.Range.End)
		selected := protocol.ToRange(v.doc.file.Span(start, max(start, end)))
		for _, d := range fixable {
			edit := s.edit(v.in, d.Fix.Edits)
			if edit == nil || !touch(protocol.ToRange(d.Span), selected) {
				continue
			}
			actions = append(actions, protocol.CodeAction{
				Title: title(d.Fix.Message), Kind: protocol.QuickFix, Diagnostics: []protocol.Diagnostic{v.in.diagnostic(d)}, IsPreferred: true, Edit: edit,
			})
		}
	}
	if isManifest(v.doc.path) && wants(params.Context.Only, protocol.Rewrite, true) {
		actions = append(actions, s.manifestActions(v, params.Range.Start)...)
	}
	if wants(params.Context.Only, protocol.FixAll, false) {
		if edit := s.all(v.in, fixable); edit != nil {
			actions = append(actions, protocol.CodeAction{Title: "Fix all of kindsmith", Kind: protocol.FixAll, Edit: edit})
		}
	}
	return actions, nil
}

// wants reports whether an editor asks for a kind of actions, which also have the names of wider kinds. Without a list,
// it asks for those that are shown by default.
func wants(only []string, kind string, byDefault bool) bool {
	if len(only) == 0 {
		return byDefault
	}
	return slices.ContainsFunc(only, func(o string) bool {
		return kind == o || strings.HasPrefix(kind, o+".") || strings.HasPrefix(o, kind+".")
	})
}

// title is the message of a fix as the title of an action.
func title(message string) string {
	if message == "" {
		return "Fix"
	}
	return strings.ToUpper(message[:1]) + message[1:]
}

// touch reports whether two ranges have a place in common, which may be the end of one.
func touch(a, b protocol.Range) bool { return !before(a.End, b.Start) && !before(b.End, a.Start) }

func before(a, b protocol.Position) bool {
	return a.Line < b.Line || a.Line == b.Line && a.Character < b.Character
}

// edit returns the edits of a fix; nil if one is in a file of others, or that is not as it was analysed.
func (s *server) edit(w *workspace, edits []diag.Edit) *protocol.WorkspaceEdit {
	out := &protocol.WorkspaceEdit{Changes: map[string][]protocol.TextEdit{}}
	for _, e := range edits {
		if e.Span.File == nil || !filepath.IsLocal(filepath.FromSlash(e.Span.File.Path)) {
			return nil
		}
		uri, content, ok := s.current(w.path(e.Span.File))
		if !ok || !bytes.Equal(source.LF(content), source.LF(e.Span.File.Content)) {
			return nil
		}
		out.Changes[uri] = append(out.Changes[uri], protocol.TextEdit{
			Range: protocol.ToRange(e.Span), NewText: string(source.EndingsOf(content, []byte(e.NewText))),
		})
	}
	return out
}

// current returns the URI and the content of a file as the editor has it.
func (s *server) current(path string) (uri string, content []byte, ok bool) {
	s.mu.Lock()
	d := s.docs[path]
	s.mu.Unlock()
	if d != nil {
		return d.uri, d.file.Content, true
	}
	content, err := source.NewFS(nil).ReadFile(path)
	return protocol.ToURI(path), content, err == nil
}

// all returns the edits of all fixes that can be made at once, as `lint --fix` makes them; nil if there are none.
func (s *server) all(w *workspace, list []*diag.Diagnostic) *protocol.WorkspaceEdit {
	list = slices.DeleteFunc(slices.Clone(list), func(d *diag.Diagnostic) bool { return s.edit(w, d.Fix.Edits) == nil })
	_, n, left := diag.ApplyFixes(list)
	if n == 0 {
		return nil
	}
	var edits []diag.Edit
	for _, d := range list {
		if !slices.Contains(left, d) {
			edits = append(edits, d.Fix.Edits...)
		}
	}
	return s.edit(w, edits)
}
