package lsp

import (
	"bytes"
	"path/filepath"
	"slices"

	"github.com/go-json-experiment/json"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/tool/lsp/protocol"
)

// published is what the editor has of a file.
type published struct {
	uri  string
	text []byte
}

// publish sends the diagnostics of the files that changed. A document that was edited since the state gets those of the next
// analysis.
func (w *workspace) publish(state *snapshot, list []*diag.Diagnostic) {
	byPath := map[string][]protocol.Diagnostic{}
	for _, d := range list {
		if path := filepath.FromSlash(d.Span.File.Path); filepath.IsLocal(path) { // the author cannot change others
			byPath[w.path(d.Span.File)] = append(byPath[w.path(d.Span.File)], w.diagnostic(d))
		}
	}
	for path := range w.published {
		if byPath[path] == nil {
			byPath[path] = []protocol.Diagnostic{}
		}
	}
	for path, list := range byPath {
		params := protocol.PublishDiagnosticsParams{URI: protocol.ToURI(path), Diagnostics: list}
		if d := state.docs[path]; d != nil {
			if !w.isNow(d) {
				continue
			}
			params.URI, params.Version = d.uri, &d.version
		}
		text, err := json.Marshal(params.Diagnostics, json.Deterministic(true))
		if last, known := w.published[path]; err != nil || known && bytes.Equal(text, last.text) || !known && len(list) == 0 {
			continue
		}
		w.published[path] = published{params.URI, text}
		if len(list) == 0 {
			delete(w.published, path)
		}
		w.send(params)
	}
}

func (w *workspace) send(params protocol.PublishDiagnosticsParams) {
	_ = w.server.conn.Notify(w.server.ctx, "textDocument/publishDiagnostics", params) // an editor that is gone reads none
}

// isNow reports whether a document is open and was not edited.
func (w *workspace) isNow(d *document) bool {
	w.server.mu.Lock()
	defer w.server.mu.Unlock()
	return w.server.docs[d.path] == d
}

// clear removes all diagnostics from the editor.
func (w *workspace) clear() {
	for _, p := range w.published {
		w.send(protocol.PublishDiagnosticsParams{URI: p.uri, Diagnostics: []protocol.Diagnostic{}})
	}
}

// severities are those of the protocol. A hint is information that editors show on demand.
var severities = map[diag.Severity]int{
	diag.Error: protocol.SeverityError, diag.Warning: protocol.SeverityWarning, diag.Hint: protocol.SeverityHint,
}

func (w *workspace) diagnostic(d *diag.Diagnostic) protocol.Diagnostic {
	_, page := w.server.pages.Help(d.Code)
	out := protocol.Diagnostic{
		Range: protocol.ToRange(d.Span), Severity: severities[d.Severity], Code: d.Code.String(), Source: "kindsmith", Message: d.Message,
		CodeDescription: &protocol.CodeDescription{Href: page},
	}
	related := w.server.client.TextDocument.PublishDiagnostics.RelatedInformation
	for _, n := range d.Notes {
		if n.Span.File == nil || !related {
			out.Message += "\n" + n.Message
			continue
		}
		out.RelatedInformation = append(out.RelatedInformation, protocol.RelatedInformation{Location: w.location(n.Span), Message: n.Message})
	}
	return out
}

func (w *workspace) location(s source.Span) protocol.Location {
	return protocol.Location{URI: protocol.ToURI(w.path(s.File)), Range: protocol.ToRange(s)}
}

// without returns the diagnostics that are not in another list.
func without(list, other []*diag.Diagnostic) []*diag.Diagnostic {
	return slices.DeleteFunc(slices.Clone(list), func(d *diag.Diagnostic) bool {
		return slices.ContainsFunc(other, func(o *diag.Diagnostic) bool {
			return o.Code == d.Code && o.Message == d.Message && o.Span.Compare(d.Span) == 0
		})
	})
}

// carry returns diagnostics of an earlier analysis at the places that they have in the documents now. It leaves out those
// about text that was edited, and fixes.
func (state *snapshot) carry(dir string, list []*diag.Diagnostic) []*diag.Diagnostic {
	now := map[*source.File]*source.File{}
	var out []*diag.Diagnostic
	for _, d := range list {
		old := d.Span.File
		path := filepath.FromSlash(old.Path)
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		doc := state.docs[path]
		if doc == nil {
			out = append(out, d)
			continue
		}
		if now[old] == nil {
			now[old] = source.NewFile(old.Path, source.LF(doc.file.Content))
		}
		start, end, ok := moved(old.Content, now[old].Content, d.Span.Start, d.Span.End)
		if !ok {
			continue
		}
		c := *d
		c.Span = now[old].Span(start, end)
		if !bytes.Equal(old.Content, now[old].Content) {
			c.Fix = nil
		}
		out = append(out, &c)
	}
	return out
}

// moved returns where a text is after one edit of a file; not ok if the edit touches it.
func moved(old, now []byte, start, end int) (int, int, bool) {
	shorter := min(len(old), len(now))
	before := 0
	for before < shorter && old[before] == now[before] {
		before++
	}
	after := 0
	for after < shorter-before && old[len(old)-1-after] == now[len(now)-1-after] {
		after++
	}
	switch {
	case end <= before:
		return start, end, true
	case start >= len(old)-after:
		return start + len(now) - len(old), end + len(now) - len(old), true
	}
	return 0, 0, false
}
