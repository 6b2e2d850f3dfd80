package diag

import (
	"encoding/json"
	"io"

	"github.com/kindsmith/kindsmith/internal/core/source"
)

// jsonDocument is the document of the format "json". Programs may rely on it: within version 1,
// properties are only added.
//
//	{
//	  "version": 1,
//	  "diagnostics": [{
//	    "severity": "error" | "warning" | "hint",
//	    "code": "maxlength/not-a-string",
//	    "message": "…",
//	    "file": "api/v1/types.go",
//	    "range": {"start": {"line": 1, "column": 1}, "end": {"line": 1, "column": 5}},
//	    "notes": [{"message": "…", "file": "…", "range": {…}}],
//	    "fix": {"message": "…", "edits": [{"file": "…", "range": {…}, "newText": "…"}]},
//	    "properties": {"path": "spec.replicas", …}
//	  }],
//	  "summary": {"errors": 1, "warnings": 0}
//	}
//
// Lines and columns count from 1, columns in bytes; the end of a range is exclusive. "file",
// "range", "fix" and "properties" are omitted if there are none.
type jsonDocument struct {
	Version     int              `json:"version"`
	Diagnostics []jsonDiagnostic `json:"diagnostics"`
	Summary     jsonSummary      `json:"summary"`
}

type jsonDiagnostic struct {
	Severity string `json:"severity"`
	Code     string `json:"code"`
	Message  string `json:"message"`
	jsonPlace
	Notes      []jsonNote        `json:"notes"`
	Fix        *jsonFix          `json:"fix,omitempty"`
	Properties map[string]string `json:"properties,omitempty"`
}

type jsonNote struct {
	Message string `json:"message"`
	jsonPlace
}

type jsonFix struct {
	Message string     `json:"message"`
	Edits   []jsonEdit `json:"edits"`
}

type jsonEdit struct {
	jsonPlace
	NewText string `json:"newText"`
}

type jsonPlace struct {
	File  string     `json:"file,omitempty"`
	Range *jsonRange `json:"range,omitempty"`
}

type jsonRange struct {
	Start jsonPosition `json:"start"`
	End   jsonPosition `json:"end"`
}

type jsonPosition struct {
	Line   int `json:"line"`
	Column int `json:"column"`
}

type jsonSummary struct {
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Hints    int `json:"hints,omitempty"`
}

func renderJSON(w io.Writer, list []*Diagnostic, _ Options) error {
	doc := jsonDocument{Version: 1, Diagnostics: []jsonDiagnostic{}}
	n := count(list)
	doc.Summary = jsonSummary{Errors: n[Error], Warnings: n[Warning], Hints: n[Hint]}
	for _, d := range list {
		item := jsonDiagnostic{
			Severity:  d.Severity.String(),
			Code:      d.Code.String(),
			Message:   d.Message,
			jsonPlace: jsonPlaceOf(d.Span),
			Notes:     []jsonNote{},

			Properties: propertyMap(d.Properties),
		}
		for _, n := range d.Notes {
			item.Notes = append(item.Notes, jsonNote{Message: n.Message, jsonPlace: jsonPlaceOf(n.Span)})
		}
		if d.Fix != nil {
			item.Fix = &jsonFix{Message: d.Fix.Message, Edits: []jsonEdit{}}
			for _, e := range d.Fix.Edits {
				item.Fix.Edits = append(item.Fix.Edits, jsonEdit{jsonPlace: jsonPlaceOf(e.Span), NewText: e.NewText})
			}
		}
		doc.Diagnostics = append(doc.Diagnostics, item)
	}
	return writeJSON(w, doc)
}

func jsonPlaceOf(s source.Span) jsonPlace {
	if s.IsZero() {
		return jsonPlace{}
	}
	return jsonPlace{
		File:  s.File.Path,
		Range: &jsonRange{Start: jsonPosition(s.Position()), End: jsonPosition(s.EndPosition())},
	}
}

// writeJSON writes a document for people too: indented, and without escaping "<".
func writeJSON(w io.Writer, doc any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(doc)
}
